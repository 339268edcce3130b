// Builds and connects all parts, behind a receiver that takes traps already.

import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { createFirstOperator, requireOperatorFor } from './access/first-operator.ts'
import { LoginSummary } from './access/login-summary.ts'
import { Logins } from './access/logins.ts'
import type { OpenIdProvider } from './access/openid-provider.ts'
import { AlarmEngine, type EngineSettings } from './alarms/engine/engine.ts'
import { Figures } from './alarms/history/figures.ts'
import { openEpoch } from './alarms/log/epochs.ts'
import { LogSignal } from './alarms/log/log-signal.ts'
import { AlarmBatches } from './alarms/work/batches.ts'
import { BlockProcessor } from './cluster/blocks/block-processor.ts'
import { BlockWriter } from './cluster/blocks/block-writer.ts'
import { answerSending } from './cluster/blocks/inform-answers.ts'
import type { FenceRaise } from './cluster/nodes/fence.ts'
import { nameInstallation, refuseOtherInstallation } from './cluster/nodes/installation.ts'
import { Node } from './cluster/nodes/node.ts'
import { HighWaterCheck } from './cluster/watches/high-water-check.ts'
import { openProfile } from './cluster/watches/profile-watch.ts'
import { beginTerm } from './cluster/watches/term-start.ts'
import type { Config } from './config/config.ts'
import { version } from './config/version.ts'
import { MibProposalList } from './events/mib-proposal-list.ts'
import { Fault } from './fault.ts'
import { HttpServer } from './http/http-server.ts'
import { CertificateWatch } from './http/wire/certificate-watch.ts'
import type { TlsFiles } from './http/wire/tls.ts'
import { DirectProcessor } from './intake/direct-processor.ts'
import { TrapReaderFactory } from './intake/open-trap-reader.ts'
import type { TrapReceiver } from './intake/receiver.ts'
import type { Reply } from './intake/trap-reader.ts'
import { KeyFile } from './keys/key-file.ts'
import { Keys, refuseOtherKey } from './keys/key-ring.ts'
import { Push, type PushParts } from './push/push.ts'
import { type ReportSettings, Reports } from './reports/runs.ts'
import { AlarmTexts } from './resources/alarms/alarm.ts'
import type { DataFolder } from './store/data-folder.ts'
import type { Database, Reader, Transaction } from './store/database.ts'
import { migrate, readMigrations, whyUnusable } from './store/migrate.ts'
import { openPostgres } from './store/postgres/open-postgres.ts'
import { HighWaterMark } from './store/sqlite/high-water-mark.ts'
import { openSqlite } from './store/sqlite/sqlite.ts'
import { type TerminalSettings, Terminals } from './terminals/terminals.ts'
import { reportRestore } from './upkeep/checks/restore-alarm.ts'
import { noticeLoss, reportLoss } from './upkeep/checks/store-loss.ts'
import { seedStore } from './upkeep/seed.ts'
import { watchHealth } from './upkeep/service-health.ts'
import { Traffic } from './upkeep/traffic.ts'
import { type NodeUpkeep, ownResource, startUpkeep } from './upkeep/upkeep.ts'
import { TroubleLog, withoutEchoes } from './upkeep/watches/store-watch.ts'

export interface App {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string
  /** The UDP port on which traps are received. */
  readonly trapPort: number
  /** The socket for commands of the service's own user; see src/http/wire/admin-socket.ts. */
  readonly adminSocket: string | undefined
  readonly database: Database
  readonly engine: AlarmEngine
  /** Its name among several on one store; undefined where it has the store for itself. */
  readonly node: string | undefined
  /** For a service that people will look at; one that runs for a command or a test does without. */
  prepareConsole(): Promise<void>
  stop(): Promise<void>
}

export interface AppOptions {
  readonly log?: Logger
  /** Instead of the store's. */
  readonly clock?: (() => number) | undefined
  /** Opens another store than the one in the data folder. */
  readonly open?: () => Promise<Database>
  /** For the first administrator, where a file does not give it. */
  readonly adminPassword?: string | undefined
  /** Called when a write to the store has failed, so that nothing more can be promised. */
  readonly onFatal?: (fault: Fault) => void
}

/** What is there before anything else: traps arrive, and wait. */
export interface Entrance {
  readonly log: Logger
  readonly tls: TlsFiles | undefined
  readonly openid: OpenIdProvider | undefined
  readonly folder: DataFolder
  readonly receiver: TrapReceiver
  /** From now on the time is that of the store. */
  useClock(clock: () => number): void
}

/** What has been started and must be stopped, in reverse. */
export type Started = (() => Promise<void> | void)[]

/** `started` grows by what has been started; the caller stops it, also when this fails. */
export async function assemble(
  config: Config,
  options: AppOptions,
  { log: fullLog, tls, openid, folder, receiver, useClock }: Entrance,
  started: Started,
): Promise<Omit<App, 'stop'>> {
  // A port that is in use is reported before the store is touched.
  await receiver.listening
  const troubles = new TroubleLog(fullLog)
  const log = withoutEchoes(fullLog, () => troubles.current)
  const seen = new HighWaterCheck(folder.markFile, log)
  started.push(() => seen.close())
  const database = await openDatabase(config, options, folder, { log, troubles, seen }, started)
  const keys = await openKeys(config, database, log)
  const { clock, received, steady } = clocksOf(options, database)
  useClock(clock)
  const gathered = gatherEntries(database, clock, started)
  const alarmTexts = new AlarmTexts(database, config['time-zone'])
  const logSignal = openBell(database, log)
  const node = await joinNodes(config, options, { database, log, seen })
  started.push(() => node?.stop())
  // Not before the store was compared with what nodes have seen of it: these records take ids.
  if (node) await seedStore(database)
  const profile = await openProfile({ keys, database, log, node: node?.name, deciding: config.deciding })
  const engine = new AlarmEngine(database, logSignal, alarmTexts, engineSettings(config), node)
  const push = await startPush(config, { database, logSignal, alarmTexts, log, clock }, node, seen)
  await reportPast(database, engine, log)
  const logins = await openLogins(config, options, { database, clock, gathered, log })
  const processing = { database, engine, node, logSignal, log, received }
  const several = await processTraps(config, receiver, processing, started)
  // Added before the parts below, so closed after them: until then callers are answered with 503.
  let server: HttpServer | undefined
  started.push(() => server?.close())
  // It was opened before the store, but stops before it: traps that wait are processed there. The second stop does
  // nothing.
  started.push(() => receiver.stop())
  const terminals = new Terminals({ database, engine, log, clock }, terminalSettings(config))
  started.push(() => terminals.stop())
  const batches = new AlarmBatches(database, engine)
  const figures = new Figures(database, config['time-zone'])
  const traffic = new Traffic(engine.outcomes, clock())
  const reports = new Reports(database, clock, reportSettings(config))
  const shared = {
    ...{ config, database, engine, batches, push, figures, reports, traffic, logins, terminals },
    ...{ keys, log, clock, refusedCalls: gathered.refusedCalls },
  }
  const proposals = new MibProposalList(database)
  const health = await watchHealth({ config, receiver, database, node }, started)
  const front = new HttpServer(
    { ...shared, node, openid, modules: engine.modules, proposals, version, alarmTexts, receiver, health },
    tls,
  )
  const url = await front.listen()
  server = front
  if (node) node.membership.address = url
  started.push(async () => {
    // Streams and long work end before the server waits for its answers.
    await batches.stop()
    reports.stop()
    await push.stop()
    logins.stop()
    await front.drain()
  })
  const certificate = new CertificateWatch({
    files: tls,
    ...{ database, engine, log, clock, resource: ownResource('TLS certificate', node?.name) },
    renew: () => front.renewCertificate(),
  })
  const own = { receiver, gathered, certificate, profile, health, troubles }
  const endUpkeep = startUpkeep({ ...shared, ...own, openid, node: several, steady })
  // HTTP stops before these: callers are answered at once, while traps that have arrived are still processed.
  started.splice(-1, 0, endUpkeep)
  const adminSocket = await front.openAdminSocket()
  receiver.announce()
  folder.announce({ pid: process.pid, url, adminSocket })
  const prepareConsole = () => front.prepareConsole()
  return { url, adminSocket, trapPort: receiver.port, database, engine, node: node?.name, prepareConsole }
}

/** What anyone can cause any number of, for the audit log. */
function gatherEntries(database: Database, clock: () => number, started: Started) {
  const gathered = {
    refusedLogins: new LoginSummary(database, clock, 'login-refused'),
    logins: new LoginSummary(database, clock, 'login'),
    refusedCalls: new LoginSummary(database, clock, 'forbidden'),
  }
  started.push(async () => {
    for (const entries of Object.values(gathered)) await entries.record(true)
  })
  return gathered
}

/** The store's clock, or one that was handed in: that jumps as it likes, and datagrams come by the machine's. */
const clocksOf = ({ clock }: AppOptions, database: Database) => ({
  clock: clock ?? (() => database.now()),
  received: clock ? Date.now : () => database.now(),
  steady: clock && { awake: clock, always: clock },
})

/** Rung at one node, it is heard at all. */
function openBell(database: Database, log: Logger): LogSignal {
  const logSignal = new LogSignal(() => database.signal())
  database.onSignal({
    heard: () => logSignal.wake(),
    warn: (reason) => log.warn(reason ?? 'notifications of PostgreSQL arrive again'),
  })
  return logSignal
}

/** What happened to the store before this start. */
async function reportPast(database: Database, engine: AlarmEngine, log: Logger): Promise<void> {
  const restored = await reportRestore(database, engine)
  if (restored !== undefined) log.warn({ madeAt: restored }, 'the store was restored from a backup')
  const lacking = await reportLoss(database, engine)
  if (lacking !== undefined) log.error(lacking)
}

interface Logging {
  readonly log: Logger
  readonly troubles: TroubleLog
  readonly seen: HighWaterCheck
}

/** The store is open and up to date. */
async function openDatabase(
  config: Config,
  options: AppOptions,
  folder: DataFolder,
  logging: Logging,
  started: Started,
): Promise<Database> {
  const { clock, onFatal = () => undefined } = options
  // PostgreSQL repairs itself.
  const highWaterMark =
    options.open || config.store !== '' ? undefined : new HighWaterMark(folder.highWaterMarkFile)
  const parts = { clock, onFatal, highWaterMark, ...logging }
  const database = await (options.open?.() ?? openStore(config, folder, parts))
  started.push(() => database.close())
  await refuseOtherInstallation(database, config.installation)
  await refuseOtherKey(new KeyFile(config), database)
  await prepare(database, folder, logging.log)
  await nameInstallation(database, config.installation)
  const isLost = await noticeLoss(database, highWaterMark)
  // Where there are several nodes, the one that processes opens one with each term.
  if (!isLost && database.kind === 'sqlite') await openEpoch(database)
  return database
}

const reportSettings = (config: Config): ReportSettings => ({
  timeZone: config['time-zone'],
  keep: config.limits.reportResults,
  keepDays: config.limits.reportResultDays,
})

const engineSettings = (config: Config): EngineSettings => ({
  timeZone: config['time-zone'],
  unknownTraps: config['unknown-traps'],
  unknownSenders: config['unknown-senders'],
  flapping: {
    count: config['flap-count'],
    seconds: config.limits.flapSeconds,
    rearmSeconds: config.limits.flapSeconds,
  },
  deviceLimit: config['device-limit'],
  unknownAlarms: {
    perDevice: config.limits.unknownAlarmsPerDevice,
    overall: config.limits.unknownAlarms,
  },
  causeWaitSeconds: config['cause-wait'],
  openAlarms: { perDevice: config['open-alarms-device'], overall: config['open-alarms'] },
})

const terminalSettings = (config: Config): TerminalSettings => ({
  unknownTerminals: config['unknown-terminals'],
  alarmHours: config.limits.terminalAlarmHours,
  keep: config['keep-terminals'],
  keepDays: config['keep-terminals-days'],
})

interface StoreParts {
  readonly clock: AppOptions['clock']
  readonly highWaterMark: HighWaterMark | undefined
}

async function openStore(
  config: Config,
  folder: DataFolder,
  {
    clock,
    onFatal,
    log,
    troubles,
    seen,
    highWaterMark,
  }: Required<Pick<AppOptions, 'onFatal'>> & Logging & StoreParts,
): Promise<Database> {
  const onTrouble = (trouble: Fault | undefined) => troubles.note('store', trouble)
  if (config.store === '') return openSqlite(folder.storeFile, { clock, onFatal, onTrouble, highWaterMark })
  const onLost = (error: Error) => log.warn({ err: error }, 'a connection to PostgreSQL was lost')
  const migrations = readMigrations()
  const why = (reader: Reader) => whyUnusable(reader, migrations, version)
  const files = { passwordFile: config['store-password-file'], timelineFile: folder.timelineFile }
  const doubts = { seen: (counter: string) => seen.last(counter), onDoubt: () => seen.onDoubt() }
  return openPostgres(config.store, {
    clock,
    onLost,
    onTrouble,
    onFatal,
    ...files,
    ...doubts,
    whyUnusable: why,
  })
}

async function prepare(database: Database, folder: DataFolder, log: Logger): Promise<void> {
  if (folder.uncleanStop && database.kind === 'sqlite') {
    log.warn('the last stop was not an orderly one: checking the store')
    const [row] = await database.readInBackground('pragma quick_check(1)')
    if (row?.quick_check !== 'ok') {
      const found = String(row?.quick_check).replace(/\s+/g, ' ')
      throw new Fault('unavailable', `the store is damaged: ${found}. Restore a backup`)
    }
  }
  for (const name of await migrate(database, undefined, version)) log.debug({ name }, 'migration applied')
  if (database.kind === 'sqlite') await seedStore(database)
}

async function openKeys(config: Config, database: Database, log: Logger): Promise<Keys> {
  const file = new KeyFile(config)
  const keys = await Keys.open(file, database, { isAlone: database.kind === 'sqlite' })
  if (file.isForOthers())
    log.warn({ file: file.path }, 'every user of this machine may read or change the key file: chmod 600')
  const unreadable = await keys.countUnreadable()
  if (unreadable > 0)
    log.warn({ unreadable }, 'secrets in the store were sealed with another key: enter them again')
  return keys
}

interface LoginParts {
  readonly database: Database
  readonly clock: () => number
  readonly gathered: Record<'refusedLogins' | 'logins', LoginSummary>
  readonly log: Logger
}

/** Access control; a service that is open to everyone must not be reachable by everyone. */
async function openLogins(
  config: Config,
  { adminPassword }: AppOptions,
  { database, clock, gathered, log }: LoginParts,
): Promise<Logins> {
  const logins = new Logins({
    database,
    realm: config.realm,
    clock,
    sessionLimits: {
      absolute: config['session-hours'] * 3_600_000,
      idle: config['session-idle-minutes'] * 60_000,
    },
    providerTokenLife: config['openid-token-days'] * 24 * 3_600_000,
    onRefusedLogin: (refused) => {
      log.warn({ ...refused }, 'a login was refused')
      gathered.refusedLogins.add(refused)
    },
    onLogin: (login) => gathered.logins.add(login),
    onError: (error) => log.error({ err: error }, 'the time of a login could not be saved'),
  })
  const first = { file: config['admin-password-file'], given: adminPassword }
  await createFirstOperator(logins, database, first, log)
  await requireOperatorFor(config.listen.host, logins)
  return logins
}

async function startPush(
  config: Config,
  parts: PushParts,
  node: Node | undefined,
  seen: HighWaterCheck,
): Promise<Push> {
  const several: Partial<PushParts> = node
    ? {
        node: node.name,
        reach: (number, alarmId, epochs) => seen.reach(number, alarmId, epochs),
        requireLevel: () => node.requireLevel(),
      }
    : {}
  const push = await Push.start(
    { ...parts, ...several },
    {
      keepRegistrationsDays: config['keep-registrations-days'],
      heartbeatSeconds: config['heartbeat-seconds'],
      imcHeartbeat: config['heartbeat-form'] === 'family',
      stallSeconds: config['stall-seconds'],
      trustCleanClose: config['clean-close'] === 'trust',
    },
  )
  if (node) node.onMoved = () => push.endAll()
  return push
}

/** On PostgreSQL this is one of several services on the same store, from now on. */
async function joinNodes(
  config: Config,
  { onFatal = () => undefined }: AppOptions,
  {
    database,
    log,
    seen,
  }: { readonly database: Database; readonly log: Logger; readonly seen: HighWaterCheck },
): Promise<Node | undefined> {
  if (database.kind === 'sqlite') return undefined
  const settings = {
    name: config.node === '' ? hostname() : config.node,
    version,
    leaseSeconds: config['lease-seconds'],
  }
  const onTerm = (tx: Transaction, raised: FenceRaise) => beginTerm(tx, raised, seen)
  const node = await Node.join({ database, log, highWaterGuard: seen, onTerm, onFatal }, settings)
  seen.onDoubt = () => void node.renew()
  await node.start()
  return node
}

interface ProcessingParts {
  readonly database: Database
  readonly engine: AlarmEngine
  readonly node: Node | undefined
  readonly logSignal: LogSignal
  readonly log: Logger
  /** The clock by which datagrams are received. */
  readonly received: () => number
}

/** Received traps are processed at once, or put into the store, where one of several services processes them. */
async function processTraps(
  config: Config,
  receiver: TrapReceiver,
  { database, engine, node, logSignal, log, received }: ProcessingParts,
  started: Started,
): Promise<NodeUpkeep | undefined> {
  const readings = new TrapReaderFactory(config, database, log)
  if (!node) {
    receiver.handTo(new DirectProcessor(engine, await readings.alone(), log), received)
    return undefined
  }
  const window = Math.max(10, config['duplicate-seconds']) * 1000
  const { membership } = node
  const send = (reply: Reply) => receiver.send([reply])
  const openReading = () => readings.shared()
  const processor = new BlockProcessor({ database, engine, node, logSignal, log, window, openReading, send })
  const self = { node: node.name, start: membership.start }
  const onWritten = () => logSignal.notify()
  const writer = new BlockWriter({ database, membership, log, onWritten, isLeader: () => node.isLeader })
  const onSent = async () => receiver.processed(await writer.processed())
  const answers = answerSending({ database, node: self, logSignal, log, send, onSent })
  for (const part of [processor, answers]) {
    part.start()
    started.push(() => part.stop())
  }
  receiver.handTo(writer, received)
  return { node, processor, window }
}
