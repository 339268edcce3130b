// Creates the parts of the service and connects them. The receiver already takes traps.

import type { Logger } from 'pino'
import type { OpenIdProvider } from './access/openid-provider.ts'
import { AlarmBatches } from './alarms/actions/alarm-batches.ts'
import { AlarmEngine } from './alarms/engine/engine.ts'
import { AlarmFigures } from './alarms/history/figures.ts'
import { LogSignal } from './alarms/log/log-signal.ts'
import { Discoverer } from './ask/discover/discoverer.ts'
import { defaultLimits, QuestionSocket, type StandIn } from './ask/question-socket.ts'
import { loginSummaries, openLogins } from './assembly/open-logins.ts'
import { openMessages } from './assembly/open-messages.ts'
import { openDatabase, openKeys } from './assembly/open-store.ts'
import { openTelling, startTelling } from './assembly/open-telling.ts'
import { engineSettings, pushSettings, reportSettings, terminalSettings } from './assembly/part-settings.ts'
import { startAsking } from './assembly/start-asking.ts'
import { clusterProbes, clusterTasks, joinCluster, processAsNode } from './cluster/cluster-member.ts'
import type { Node } from './cluster/nodes/node.ts'
import { HighWaterCheck } from './cluster/watches/high-water-check.ts'
import { ProfileWatch } from './cluster/watches/settings-watch.ts'
import type { Config } from './config/config.ts'
import { version } from './config/version.ts'
import { MibProposalList } from './events/mib-proposal-list.ts'
import type { Fault } from './fault.ts'
import { HttpServer } from './http/http-server.ts'
import { CertificateWatch } from './http/wire/certificate-watch.ts'
import type { TlsFiles } from './http/wire/tls.ts'
import { DirectProcessor } from './intake/direct-processor.ts'
import { reportedByMessages } from './intake/message-report.ts'
import { TrapReaderFactory } from './intake/open-trap-reader.ts'
import type { TrapReceiver } from './intake/receiver.ts'
import type { SyslogPorts, SyslogWay } from './intake/syslog-thread.ts'
import { KeyFileWatch } from './keys/key-ring.ts'
import { Push, type PushParts } from './push/push.ts'
import { Reports } from './reports/runs.ts'
import { AlarmTexts } from './resources/alarms/alarm.ts'
import type { DataFolder } from './store/data-folder.ts'
import type { Store } from './store/database.ts'
import { OwnDefinitions } from './syslog/own-definitions.ts'
import { readShippedDefinitions } from './syslog/syslog-definitions.ts'
import { Terminals } from './terminals/terminals.ts'
import { observeMacTraps } from './terminals/trap-sightings.ts'
import { reportLoss, reportRestore } from './upkeep/checks/store-loss.ts'
import { seedStore } from './upkeep/seed.ts'
import { watchHealth } from './upkeep/service-health.ts'
import { Traffic } from './upkeep/traffic.ts'
import { type StoreDuties, startUpkeep, type UpkeepParts } from './upkeep/upkeep.ts'
import { TroubleLog, withoutEchoes } from './upkeep/watches/store-watch.ts'

export interface App {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string
  /** The UDP port on which traps are received. */
  readonly trapPort: number
  /** That one, and those of other address spaces, in the order of the setting. */
  readonly trapPorts: readonly number[]
  /** The ports on which syslog messages are received, if they are. */
  readonly syslogPorts: { readonly [Way in SyslogWay]?: number }
  /** Likewise. */
  readonly allSyslogPorts: SyslogPorts
  /** The socket for commands of the service's own user; see src/http/wire/admin-socket.ts. */
  readonly adminSocket: string | undefined
  readonly database: Store
  readonly engine: AlarmEngine
  /** The name of this node; undefined if the store is not shared. */
  readonly node: string | undefined
  /** Builds the console; not needed by a service that runs for a command or a test. */
  prepareConsole(): Promise<void>
  stop(): Promise<void>
}

export interface AppOptions {
  readonly log?: Logger
  /** Instead of the store's clock. */
  readonly clock?: (() => number) | undefined
  /** Opens another store than the one in the data folder. */
  readonly open?: () => Promise<Store>
  /** For the first administrator, unless a file contains it. */
  readonly adminPassword?: string | undefined
  /** Called when a write to the store has failed in a way that cannot be repaired. */
  readonly onFatal?: (fault: Fault) => void
  /** Without it nobody is told of alarms, or that the service is alive, and no device is asked: a command needs the store for a moment. */
  readonly tells?: boolean
  /** Devices are asked at other addresses than their own: those of the demo answer on loopback. */
  readonly standIn?: StandIn | undefined
}

/** What exists before the store is open: traps are received, and wait. */
export interface Entrance {
  readonly log: Logger
  readonly tls: TlsFiles | undefined
  readonly syslogTls: TlsFiles | undefined
  readonly openid: OpenIdProvider | undefined
  readonly folder: DataFolder
  readonly receiver: TrapReceiver
  /** Switches to the store's clock. */
  useClock(clock: () => number): void
}

/** Functions that stop what was started, to be called in reverse order. */
export type Started = (() => Promise<void> | void)[]

/** Adds to `started` whatever must be stopped; the caller stops it, even if this throws. */
export async function assemble(
  config: Config,
  options: AppOptions,
  entrance: Entrance,
  started: Started,
): Promise<Omit<App, 'stop'>> {
  const { tls, openid, folder, receiver } = entrance
  // A port that is in use is reported before the store is touched.
  await receiver.listening
  const later: LaterParts = { url: '', ports: [] }
  const base = await openBase(config, options, entrance, later, started)
  const { log, database, keys, clock, summaries, alarmTexts, logSignal, node } = base
  const settings = terminalSettings(config)
  // Where several share the store, another may receive messages that this one processes.
  const hearsMessages = receiver.syslog !== undefined
  const shipped = hearsMessages || node ? readShippedDefinitions() : undefined
  const definitions = shipped && new OwnDefinitions(database, shipped, log)
  const engine = new AlarmEngine(database, logSignal, alarmTexts, engineSettings(config), {
    ...(node && { leaderDatabase: node.leaderDatabase, checkedDatabase: node.checkedDatabase }),
    observer: observeMacTraps(settings),
    messages: shipped && { ...reportedByMessages(shipped), areExpected: hearsMessages },
  })
  const push = await startPush(config, base)
  later.push = push
  await reportPast(database, engine, log)
  const logins = await openLogins(config, options.adminPassword, base)
  const duties = await processTraps(config, receiver, { ...base, engine, push, definitions }, started)
  const messages = openMessages({ ...base, receiver, definitions }, started)
  // Stopped after the parts below: until then requests are answered with 503.
  let server: HttpServer | undefined
  started.push(() => server?.close())
  // The receiver was started before the store and stops before it, because waiting traps are still processed. Stopping
  // it again later does nothing.
  started.push(() => receiver.stop())
  const terminals = new Terminals({ database, engine, log, clock }, settings)
  started.push(() => terminals.stop())
  const { questions, discoverer } = openQuestions(config, options, base, started)
  const batches = new AlarmBatches(database, engine)
  const figures = new AlarmFigures(database, config['time-zone'])
  const traffic = new Traffic(engine.outcomes, clock())
  const reports = new Reports(database, clock, reportSettings(config))
  const shared = {
    ...{ config, database, engine, batches, push, figures, reports, traffic, logins, terminals },
    ...{ messages, keys, questions, discoverer, log, clock, refusedCalls: summaries.refusedCalls },
    ...openTelling(config, { ...base, engine }, () => later.ports),
  }
  const proposals = new MibProposalList(database)
  const probes = node && clusterProbes(database, node, config['lease-seconds'])
  const health = await watchHealth({ receiver, database, probes }, started)
  const http = new HttpServer(
    { ...shared, node, openid, modules: engine.modules, proposals, version, alarmTexts, receiver, health },
    tls,
  )
  later.url = await http.listen()
  const ports = portsOf(receiver)
  later.ports = [Number(new URL(later.url).port), ...ports.all]
  server = http
  if (options.tells ?? true) {
    discoverer.takeOver()
    started.push(
      ...startTelling({ ...shared, alarmTexts, logSignal, duties, health }),
      startAsking(config, { ...base, engine, questions, duties }),
    )
  }
  started.push(() => stopRequests({ ...shared, http }))
  const certificates = watchCertificates(entrance, { database, engine, log, clock }, duties, http)
  const stopUpkeep = startUpkeep({ ...shared, ...base, openid, receiver, certificates, health, duties })
  // HTTP stops before these: callers are answered at once, while traps that have arrived are still processed.
  started.splice(-1, 0, stopUpkeep)
  const adminSocket = await http.openAdminSocket()
  receiver.announce()
  const { url } = later
  folder.announce({ pid: process.pid, url, door: adminSocket })
  const prepareConsole = () => http.prepareConsole()
  return { url, adminSocket, ...ports.shown, database, engine, node: node?.name, prepareConsole }
}

/** Questions to devices, and the searches for them. */
function openQuestions(
  config: Config,
  { standIn }: AppOptions,
  { database, keys, log }: Pick<Base, 'database' | 'keys' | 'log'>,
  started: Started,
): { readonly questions: QuestionSocket; readonly discoverer: Discoverer } {
  const perSecond = config['ask-rate']
  const questions = new QuestionSocket({ ...defaultLimits, perSecond }, standIn)
  const discoverer = new Discoverer({ database, keys, questions, log, perSecond })
  started.push(async () => {
    const over = discoverer.stop()
    await questions.close()
    await over
  })
  return { questions, discoverer }
}

/** The certificates of the interface, and of syslog over TLS. */
function watchCertificates(
  { tls, syslogTls, receiver }: Entrance,
  parts: Pick<UpkeepParts, 'database' | 'engine' | 'log' | 'clock'>,
  { nameResource }: StoreDuties,
  http: HttpServer,
): CertificateWatch[] {
  const watch = (files: TlsFiles | undefined, name: string, renew: () => void) =>
    new CertificateWatch({ ...parts, files, resource: nameResource(name), renew })
  return [
    watch(tls, 'TLS certificate', () => http.renewCertificate()),
    watch(syslogTls, 'syslog TLS certificate', () => {
      if (syslogTls) receiver.syslog?.renewCertificate(syslogTls.options)
    }),
  ]
}

/** What earlier parts refer to, but is created after them. */
interface LaterParts {
  url: string
  /** At which this service listens. */
  ports: readonly number[]
  push?: Push
}

/** The store, its keys and clocks, and this node where several services share the store. */
async function openBase(
  config: Config,
  options: AppOptions,
  { log: fullLog, folder, useClock }: Entrance,
  later: LaterParts,
  started: Started,
) {
  const { clock: ownClock, onFatal = () => undefined, open } = options
  const troubles = new TroubleLog(fullLog)
  const log = withoutEchoes(fullLog, () => troubles.current)
  let node: Node | undefined
  const highWaterCheck = new HighWaterCheck(folder.markFile, log, () => void node?.renew())
  started.push(() => highWaterCheck.close())
  const storeOptions = { folder, log, troubles, highWaterCheck, clock: ownClock, open, onFatal }
  const database = await openDatabase(config, storeOptions, started)
  const keys = await openKeys(config, database, log)
  const clocks = clocksOf(options, database)
  useClock(clocks.clock)
  const summaries = loginSummaries(database, clocks.clock, started)
  const alarmTexts = new AlarmTexts(database, config['time-zone'])
  const logSignal = openLogSignal(database, log)
  let keyWatch: { check(): Promise<void> } = new KeyFileWatch(keys, log)
  started.push(() => node?.stop())
  if (database.kind !== 'sqlite') {
    node = await joinCluster(config, {
      ...{ database, log, onFatal, highWaterCheck },
      onHistoryChange: async () => later.push?.endAll(),
      address: () => later.url,
    })
    // After the store was compared with what nodes have seen of it, because seeding takes ids.
    await seedStore(database)
    keyWatch = new ProfileWatch({
      ...{ keys, database, log, nodeName: node.name, deciding: config.deciding },
      ports: () => later.ports,
    })
    await keyWatch.check()
  }
  const opened = { log, troubles, database, keys, keyWatch, highWaterCheck, node }
  return { ...opened, ...clocks, summaries, alarmTexts, logSignal }
}

type Base = Awaited<ReturnType<typeof openBase>>

/** Streams and long work end before the server waits for its answers. */
async function stopRequests(
  parts: Pick<UpkeepParts, 'batches' | 'reports' | 'push' | 'logins'> & { readonly http: HttpServer },
): Promise<void> {
  await parts.batches.stop()
  parts.reports.stop()
  await parts.push.stop()
  parts.logins.stop()
  await parts.http.drain()
}

/** The store's clock, or one for tests, which may jump: datagrams are then received by the machine's clock. */
const clocksOf = ({ clock }: AppOptions, database: Store) => ({
  clock: clock ?? (() => database.now()),
  receiveClock: clock ? Date.now : () => database.now(),
  monotonic: clock && { awake: clock, always: clock },
})

/** A change at one node wakes the readers at all nodes. */
function openLogSignal(database: Store, log: Logger): LogSignal {
  const logSignal = new LogSignal(() => database.signal())
  database.onSignal({
    heard: () => logSignal.wake(),
    warn: (reason) => log.warn(reason ?? 'notifications of PostgreSQL arrive again'),
  })
  return logSignal
}

/** Reports a restore or a loss that happened before this start. */
async function reportPast(database: Store, engine: AlarmEngine, log: Logger): Promise<void> {
  const restored = await reportRestore(database, engine)
  if (restored !== undefined) log.warn({ madeAt: restored }, 'the store was restored from a backup')
  const lacking = await reportLoss(database, engine)
  if (lacking !== undefined) log.error(lacking)
}

function startPush(config: Config, base: Base): Promise<Push> {
  const { node, highWaterCheck } = base
  const several: Partial<PushParts> = node
    ? {
        node: node.name,
        reach: (number, alarmId, epochs) => highWaterCheck.reach(number, alarmId, epochs),
        requireLevel: () => node.requireLevel(),
      }
    : {}
  const { database, logSignal, alarmTexts, log, clock } = base
  return Push.start({ database, logSignal, alarmTexts, log, clock, ...several }, pushSettings(config))
}

/** Processes received traps at once, or, on PostgreSQL, stores them for the leader to process. */
async function processTraps(
  config: Config,
  receiver: TrapReceiver,
  parts: Base & {
    readonly engine: AlarmEngine
    readonly push: Push
    readonly definitions: OwnDefinitions | undefined
  },
  started: Started,
): Promise<StoreDuties> {
  const { database, engine, node, log, push, receiveClock } = parts
  const readers = new TrapReaderFactory(config, database, log, parts.definitions)
  if (!node) {
    receiver.handTo(new DirectProcessor(engine, await readers.alone(), log), receiveClock)
    return {
      isLeader: () => true,
      leaderDatabase: database,
      storms: () => receiver.storms,
      nameResource: (resource) => resource,
      tasks: [],
    }
  }
  const processor = processAsNode(config, receiver, readers, { ...parts, node }, started)
  const { leaderDatabase } = node
  const onNodeGone = (name: string) => push.disconnectFrom(name, leaderDatabase)
  return {
    isLeader: () => processor.hasBegun,
    leaderDatabase,
    storms: () => processor.storms,
    nameResource: (resource) => `node=${node.name};${resource}`,
    tasks: clusterTasks({ ...parts, config, node, processor, onNodeGone }),
  }
}

/** Those of the first listener of each kind, and all of them. */
function portsOf({ ports: trapPorts, syslog }: TrapReceiver) {
  const allSyslogPorts: SyslogPorts = syslog?.ports ?? { udp: [], tcp: [], tls: [] }
  const first = Object.entries(allSyslogPorts).flatMap(([way, [port]]) =>
    port === undefined ? [] : [[way, port] as const],
  )
  const syslogPorts: App['syslogPorts'] = Object.fromEntries(first)
  return {
    all: [...trapPorts, ...Object.values(allSyslogPorts).flat()],
    shown: { trapPort: trapPorts[0] ?? 0, trapPorts, syslogPorts, allSyslogPorts },
  }
}
