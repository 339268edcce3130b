// Periodic work while the service runs.

import type { Logger } from 'pino'
import type { LoginSummary } from '../access/login-summary.ts'
import type { Logins } from '../access/logins.ts'
import type { OpenIdProvider } from '../access/openid-provider.ts'
import type { AlarmEngine } from '../alarms/engine/engine.ts'
import type { Figures } from '../alarms/history/figures.ts'
import type { AlarmBatches } from '../alarms/work/batches.ts'
import type { BlockProcessor } from '../cluster/blocks/block-processor.ts'
import { removeProcessed } from '../cluster/blocks/block-table.ts'
import type { Node } from '../cluster/nodes/node.ts'
import { NodeWatch } from '../cluster/watches/node-watch.ts'
import type { ProfileWatch } from '../cluster/watches/profile-watch.ts'
import { endQuarantineAlarms } from '../cluster/watches/quarantine-watch.ts'
import { SettingsWatch } from '../cluster/watches/settings-watch.ts'
import { reportMoved } from '../cluster/watches/term-start.ts'
import type { Config } from '../config/config.ts'
import type { TrapReceiver } from '../intake/receiver.ts'
import type { Keys } from '../keys/key-ring.ts'
import type { Push } from '../push/push.ts'
import { Measures } from '../reports/daily-measures.ts'
import type { Reports } from '../reports/runs.ts'
import { Schedules } from '../reports/schedules.ts'
import type { Database } from '../store/database.ts'
import type { Terminals } from '../terminals/terminals.ts'
import type { SteadyClocks } from './checks/clock-jumps.ts'
import { endRestoreAlarm } from './checks/restore-alarm.ts'
import { type Retention, sweep } from './retention.ts'
import type { Health } from './service-health.ts'
import type { Traffic } from './traffic.ts'
import { ClockWatch } from './watches/clock-watch.ts'
import {
  CountWatch,
  lostSightingsAlarm,
  lostTrapsAlarm,
  trapsOverDeviceLimit,
} from './watches/count-watch.ts'
import { LagWatch } from './watches/lag-watch.ts'
import { LimitWatch } from './watches/limit-watch.ts'
import { ProviderWatch } from './watches/provider-watch.ts'
import { ReportWatch } from './watches/report-watch.ts'
import { RuleWatch } from './watches/rule-watch.ts'
import { StoreWatch, type TroubleLog } from './watches/store-watch.ts'
import { StormWatch } from './watches/storm-watch.ts'

interface UpkeepParts {
  readonly config: Config
  readonly database: Database
  readonly engine: AlarmEngine
  readonly batches: AlarmBatches
  readonly push: Push
  readonly logins: Logins
  readonly receiver: TrapReceiver
  readonly gathered: Readonly<Record<string, LoginSummary>>
  readonly traffic: Traffic
  readonly figures: Figures
  readonly reports: Reports
  readonly terminals: Terminals
  readonly certificate: { check(): Promise<void> }
  readonly health: Health
  readonly troubles: TroubleLog
  /** Absent where this service has the store for itself. */
  readonly node?: NodeUpkeep | undefined
  readonly keys: Keys
  readonly openid?: OpenIdProvider | undefined
  readonly profile: ProfileWatch
  readonly log: Logger
  readonly clock: () => number
  /** What the store's clock is compared with; those of the machine where they are absent. */
  readonly steady?: SteadyClocks | undefined
}

/** For one of several services on the same store. */
export interface NodeUpkeep {
  readonly node: Node
  readonly processor: BlockProcessor
  /** How long a block is of use after it was processed, in milliseconds. */
  readonly window: number
}

/** Alarms of a service about itself carry its name, where there are several. */
export const ownResource = (resource: string, node: string | undefined) =>
  node === undefined ? resource : `node=${node};${resource}`

/** Repeated, with this many milliseconds between. */
interface Task {
  readonly every: number
  run(): Promise<void>
}

const second = 1000
const minute = 60 * second

/** Returns a function that ends it. */
export function startUpkeep(parts: UpkeepParts): () => Promise<void> {
  const { log, node: several } = parts
  const stopping = { isStopping: false }
  const shared = sharedTasks(parts, stopping).map(({ every, run }) => ({
    every,
    run: async () => {
      if (several?.processor.hasBegun ?? true) await run()
    },
  }))
  const tasks = [...ownTasks(parts), ...(several ? nodeTasks(parts, several) : []), ...shared]
  const repeated = tasks.map((task) => repeat(task, log))
  return async () => {
    stopping.isStopping = true
    // All of them first: while one is waited for, no other may begin.
    for (const { end } of repeated) end()
    await Promise.all(repeated.map(({ idle }) => idle()))
  }
}

/** The periodic work of every service. */
function ownTasks(parts: UpkeepParts): Task[] {
  const { engine, push, logins, receiver, clock } = parts
  const own = (resource: string) => ownResource(resource, parts.node?.node.name)
  const drops = () => receiver.kernelDrops() ?? 0
  // From zero: the socket is older than this.
  const lost = new CountWatch(engine, { ...lostTrapsAlarm, resource: own(lostTrapsAlarm.resource) }, 0)
  const store = new StoreWatch({ ...parts, resource: own('store') })
  const sightings = new CountWatch(
    engine,
    { ...lostSightingsAlarm, resource: own(lostSightingsAlarm.resource) },
    0,
  )
  return [
    { every: second, run: () => push.tick() },
    {
      every: second,
      run: async () => {
        // Tokens expire, and an operator may have been removed, here or at another node, while a stream of theirs
        // began.
        await logins.directory.refresh()
        await logins.directory.entries()
        push.endRefused()
      },
    },
    { every: second, run: () => store.check() },
    { every: second, run: () => lost.check(drops(), clock()) },
    { every: 10 * second, run: () => sightings.check(parts.terminals.lost, clock()) },
    {
      every: 2 * second,
      run: async () => {
        for (const entries of Object.values(parts.gathered)) await entries.record()
      },
    },
    { every: 5 * second, run: () => parts.certificate.check() },
    { every: 5 * second, run: () => parts.profile.check() },
    { every: second, run: async () => parts.traffic.closeInterval(clock()) },
  ]
}

/** Work that concerns the nodes, done by the leading node. */
function nodeTasks(
  { config, database, engine, push, keys, log, clock }: UpkeepParts,
  { node, processor, window }: NodeUpkeep,
): Task[] {
  const alarms = engine.asLeader
  const onGone = (name: string) => push.disconnectFrom(name, node.fenced)
  const nodes = new NodeWatch({ database, alarms, leaseSeconds: config['lease-seconds'], onGone })
  const settings = new SettingsWatch({ database, alarms, keys, minutes: config.limits.differingMinutes })
  return [
    {
      every: 10 * second,
      run: async () => {
        if (processor.hasBegun) await settings.check()
      },
    },
    {
      every: second,
      run: async () => {
        if (!processor.hasBegun) return
        await removeProcessed(database, window)
        await nodes.check()
        const moved = await reportMoved(node.fenced, alarms)
        if (moved !== undefined) log.warn(moved)
        await endQuarantineAlarms(database, alarms, clock())
      },
    },
  ]
}

/** Work that concerns all of the store, done by the leading node. */
function sharedTasks(parts: UpkeepParts, stopping: { readonly isStopping: boolean }): Task[] {
  const { config, database, engine, push, logins, receiver, log, clock, node: several } = parts
  const alarms = engine.asLeader
  const leaderDatabase = several?.node.fenced ?? database
  const laggards = new LagWatch(alarms, database, config.limits.lagEntries)
  const busyRules = new RuleWatch(alarms, database, config.limits.filteredTraps)
  const storms = new StormWatch(alarms, database, config.limits.stormSeconds)
  const full = new LimitWatch(alarms, database, {
    unknownAlarms: {
      perDevice: config.limits.unknownAlarmsPerDevice,
      overall: config.limits.unknownAlarms,
    },
    openAlarms: { perDevice: config['open-alarms-device'], overall: config['open-alarms'] },
  })
  const reports = new ReportWatch(alarms, database, new Schedules(leaderDatabase, parts.reports, clock))
  const measures = new Measures(leaderDatabase, parts.reports.zone)
  const turnedAway = new CountWatch(alarms, trapsOverDeviceLimit, engine.overDeviceLimit)
  const retention = retentionOf(config)
  const provided = new ProviderWatch({ ...parts, engine: alarms, database: leaderDatabase })
  const storeClock = new ClockWatch({ database: leaderDatabase, alarms, steady: parts.steady })
  return [
    {
      every: second,
      run: () => storms.check(() => several?.processor.storms ?? receiver.storms, clock()),
    },
    { every: second, run: () => engine.endQuietFlapping(clock()) },
    { every: second, run: () => engine.releaseHeld(clock(), () => stopping.isStopping) },
    { every: second, run: () => parts.batches.resume(clock()) },
    { every: 5 * second, run: () => parts.figures.catchUp(() => stopping.isStopping) },
    { every: 10 * second, run: () => laggards.check(push) },
    { every: 10 * second, run: () => busyRules.check(clock()) },
    { every: second, run: () => storeClock.check() },
    {
      every: 10 * second,
      run: async () => parts.terminals.endOldAlarms(await storeClock.judgingTime()),
    },
    { every: 10 * second, run: () => full.check() },
    { every: 5 * second, run: () => provided.check() },
    { every: 10 * second, run: () => turnedAway.check(engine.overDeviceLimit, clock()) },
    {
      every: second,
      run: async () => {
        await measures.record(clock())
        await reports.check(() => stopping.isStopping)
      },
    },
    {
      every: minute,
      run: async () => {
        const isOver = () => stopping.isStopping
        const now = await storeClock.judgingTime()
        const removed = await sweep(leaderDatabase, retention, isOver, now)
        if (removed > 0) log.debug({ removed }, 'old rows removed')
        await parts.terminals.forgetOld(isOver, now)
        await push.expire(config['keep-registrations-days'], now)
        await parts.figures.forget(now)
        await parts.reports.sweep(isOver, now)
        if (now > 0) await logins.sessions.expire(leaderDatabase)
        if (now > 0) await logins.forgetOldNonces()
        await endRestoreAlarm(database, alarms, now, config['keep-log-days'])
      },
    },
  ]
}

/**
 * Where rows are larger than this on average, fewer are kept, so that the disk does not fill with few large ones. As
 * many as are kept by default take 2 GiB, 1 GiB and 4 GiB at most.
 */
const rowBytes = { traps: 2148, alarms: 1074, audit: 859 }

function retentionOf(config: Config): Retention {
  const keep = (what: keyof typeof rowBytes) => ({
    count: config[`keep-${what}`],
    bytes: config[`keep-${what}`] * rowBytes[what],
    days: config[`keep-${what}-days`],
  })
  const log = { count: config['keep-log'], bytes: config['keep-log-bytes'], days: config['keep-log-days'] }
  return { traps: keep('traps'), alarms: keep('alarms'), log, audit: keep('audit') }
}

/** `end`: it does not run again; `idle`: a run that is under way is over. */
interface Repeated {
  end(): void
  idle(): Promise<void>
}

/** Runs a task again and again, never twice at once. */
function repeat({ every, run }: Task, log: Logger): Repeated {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= run()
      .catch((error) => log.error({ err: error }, 'a recurring task failed'))
      .finally(() => {
        running = undefined
      })
  }, every)
  return { end: () => clearInterval(timer), idle: async () => running }
}
