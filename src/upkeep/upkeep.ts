// Runs the periodic work of the service: watches, retention, reports and checks.

import type { Logger } from 'pino'
import type { LoginSummary } from '../access/login-summary.ts'
import type { Logins } from '../access/logins.ts'
import type { OpenIdProvider } from '../access/openid-provider.ts'
import type { AlarmBatches } from '../alarms/actions/alarm-batches.ts'
import type { AlarmEngine } from '../alarms/engine/engine.ts'
import type { AlarmFigures } from '../alarms/history/figures.ts'
import { LinkWatch } from '../ask/links/link-watch.ts'
import { ReachWatch } from '../ask/reach/reach-watch.ts'
import { VerifyWatch } from '../ask/verify/verify-watch.ts'
import type { Config } from '../config/config.ts'
import { monotonicTime } from '../intake/datagram-block.ts'
import type { TrapReceiver } from '../intake/receiver.ts'
import type { Keys } from '../keys/key-ring.ts'
import { removeOldRows } from '../notify/routes/ledger.ts'
import type { Push } from '../push/push.ts'
import { Measures } from '../reports/daily-measures.ts'
import type { Reports } from '../reports/runs.ts'
import { Schedules } from '../reports/schedules.ts'
import { tidyDays } from '../resources/inventory/reach-days.ts'
import { inChunks } from '../store/chunked-work.ts'
import type { Store } from '../store/database.ts'
import type { Terminals } from '../terminals/terminals.ts'
import type { MonotonicClocks } from './checks/clock-jumps.ts'
import { endRestoreAlarm } from './checks/store-loss.ts'
import { type Retention, sweep } from './retention.ts'
import type { Health } from './service-health.ts'
import type { Traffic } from './traffic.ts'
import { ClockWatch } from './watches/clock-watch.ts'
import {
  CountWatch,
  lostMessagesAlarm,
  lostSightingsAlarm,
  lostTrapsAlarm,
  trapsOverDeviceLimit,
} from './watches/count-watch.ts'
import { HeartbeatWatch } from './watches/heartbeat-watch.ts'
import { LagWatch } from './watches/lag-watch.ts'
import { LimitWatch } from './watches/limit-watch.ts'
import { noteReceived } from './watches/message-rate-store.ts'
import { MessageRateWatch } from './watches/message-rate-watch.ts'
import { ProviderWatch } from './watches/provider-watch.ts'
import { RefusalWatch } from './watches/refusal-watch.ts'
import { ReportWatch } from './watches/report-watch.ts'
import { RuleWatch } from './watches/rule-watch.ts'
import { StoreWatch, type TroubleLog } from './watches/store-watch.ts'
import { StormWatch } from './watches/storm-watch.ts'

export interface UpkeepParts {
  readonly config: Config
  readonly database: Store
  readonly engine: AlarmEngine
  readonly batches: AlarmBatches
  readonly push: Push
  readonly logins: Logins
  readonly receiver: TrapReceiver
  readonly summaries: Readonly<Record<string, LoginSummary>>
  readonly traffic: Traffic
  readonly figures: AlarmFigures
  readonly reports: Reports
  readonly terminals: Terminals
  readonly certificates: readonly { check(): Promise<void> }[]
  readonly health: Health
  readonly troubles: TroubleLog
  readonly openid?: OpenIdProvider | undefined
  readonly keys: Keys
  readonly keyWatch: { check(): Promise<void> }
  readonly duties: StoreDuties
  readonly log: Logger
  readonly clock: () => number
  /** The clocks with which the store's clock is compared; by default those of this machine. */
  readonly monotonic?: MonotonicClocks | undefined
}

/** The work that one service does for the whole store; where several share the store, the leader does it. */
export interface StoreDuties {
  isLeader(): boolean
  /** Refuses changes while this service does not lead. */
  readonly leaderDatabase: Store
  /** The resources of current trap storms. */
  storms(): readonly string[]
  /** Names the service in its alarms, where several share the store. */
  nameResource(resource: string): string
  /** Further periodic work. */
  readonly tasks: readonly Task[]
}

/** Runs again after this many milliseconds. */
interface Task {
  readonly every: number
  run(): Promise<void>
}

const second = 1000
const minute = 60 * second

/** Returns a function that stops it. */
export function startUpkeep(parts: UpkeepParts): () => Promise<void> {
  const { log, duties } = parts
  const stopping = { isStopping: false }
  const leaderTasks = storeTasks(parts, stopping).map(({ every, run }) => ({
    every,
    run: async () => {
      if (duties.isLeader()) await run()
    },
  }))
  const tasks = [...serviceTasks(parts), ...duties.tasks, ...leaderTasks]
  const repeated = tasks.map((task) => repeat(task, log))
  return async () => {
    stopping.isStopping = true
    // All timers first: no task may begin while another is awaited.
    for (const { end } of repeated) end()
    await Promise.all(repeated.map(({ idle }) => idle()))
  }
}

/** Work that every service does for itself. */
function serviceTasks(parts: UpkeepParts): Task[] {
  const { engine, push, logins, receiver, clock } = parts
  const { nameResource } = parts.duties
  const drops = () => receiver.kernelDrops() ?? 0
  // From zero, because the socket is older than this watch.
  const lost = new CountWatch(
    engine,
    { ...lostTrapsAlarm, resource: nameResource(lostTrapsAlarm.resource) },
    0,
  )
  const lostMessages = new CountWatch(
    engine,
    { ...lostMessagesAlarm, resource: nameResource(lostMessagesAlarm.resource) },
    0,
  )
  const store = new StoreWatch({ ...parts, resource: nameResource('store') })
  const sightings = new CountWatch(
    engine,
    { ...lostSightingsAlarm, resource: nameResource(lostSightingsAlarm.resource) },
    0,
  )
  return [
    { every: second, run: () => push.tick() },
    {
      every: second,
      run: async () => {
        // Tokens expire, and an operator may have been removed, here or at another node, while their stream began.
        await logins.directory.refresh()
        await logins.directory.entries()
        push.endRefused()
      },
    },
    { every: second, run: () => store.check() },
    { every: second, run: () => lost.check(drops(), clock()) },
    { every: second, run: () => lostMessages.check(receiver.messageDrops() ?? 0, clock()) },
    {
      every: parts.config.limits.messageRateSeconds * second,
      run: async () => {
        const heard = await receiver.syslog?.heard()
        if (heard) await noteReceived(parts.database, heard, Math.round(clock() - monotonicTime()))
      },
    },
    { every: 10 * second, run: () => sightings.check(parts.terminals.lost, clock()) },
    {
      every: 2 * second,
      run: async () => {
        for (const entries of Object.values(parts.summaries)) await entries.record()
      },
    },
    ...parts.certificates.map((certificate) => ({ every: 5 * second, run: () => certificate.check() })),
    { every: 5 * second, run: () => parts.keyWatch.check() },
    { every: second, run: async () => parts.traffic.closeInterval(clock()) },
  ]
}

/** Work for the whole store. */
function storeTasks(parts: UpkeepParts, stopping: { readonly isStopping: boolean }): Task[] {
  const { config, database, engine, push, logins, log, clock, duties } = parts
  const alarms = engine.asLeader
  const { leaderDatabase } = duties
  const laggards = new LagWatch(alarms, database, config.limits.lagEntries)
  const busyRules = new RuleWatch(alarms, database, config.limits.filteredTraps)
  const storms = new StormWatch(alarms, database, config.limits.stormSeconds)
  const limits = new LimitWatch(alarms, database, {
    unknownAlarms: {
      perDevice: config.limits.unknownAlarmsPerDevice,
      overall: config.limits.unknownAlarms,
    },
    openAlarms: { perDevice: config['open-alarms-device'], overall: config['open-alarms'] },
  })
  const reports = new ReportWatch(alarms, database, new Schedules(leaderDatabase, parts.reports, clock))
  const measures = new Measures(leaderDatabase, parts.reports.zone)
  const overLimit = new CountWatch(alarms, trapsOverDeviceLimit, engine.overDeviceLimit)
  const refusals = new RefusalWatch(alarms, database, engine.refusedSenders, {
    toleratedSeconds: config.limits.refusalSeconds,
    quietSeconds: config.limits.refusalQuietSeconds,
  })
  const retention = retentionOf(config)
  const provider = new ProviderWatch({ ...parts, engine: alarms, database: leaderDatabase })
  const storeClock = new ClockWatch({ database: leaderDatabase, alarms, monotonic: parts.monotonic })
  const heartbeats = new HeartbeatWatch(alarms, database)
  const reach = new ReachWatch({ database, leaderDatabase, alarms, everySeconds: config['ask-seconds'] })
  const verified = new VerifyWatch({ database, leaderDatabase, alarms, engine })
  const messageRates = new MessageRateWatch({
    database,
    leaderDatabase,
    alarms,
    everySeconds: config.limits.messageRateSeconds,
  })
  const learntLinks = new LinkWatch({ database, leaderDatabase, tops: config['link-tops'] })
  return [
    { every: second, run: async () => heartbeats.check(await storeClock.judgingTime()) },
    { every: second, run: () => reach.check() },
    { every: second, run: () => learntLinks.check() },
    { every: config.limits.messageRateSeconds * second, run: () => messageRates.check(clock()) },
    { every: minute, run: () => reach.endRestarts() },
    { every: 60 * minute, run: () => tidyDays(leaderDatabase, () => stopping.isStopping) },
    { every: second, run: () => verified.check() },
    { every: minute, run: () => verified.tidy() },
    { every: second, run: () => storms.check(() => duties.storms(), clock()) },
    { every: second, run: () => engine.endQuietFlapping(clock()) },
    { every: second, run: () => engine.raiseHeldFaults(clock()) },
    { every: second, run: () => engine.releaseSuppressed(clock(), () => stopping.isStopping) },
    { every: second, run: () => parts.batches.resume(clock()) },
    { every: 5 * second, run: () => parts.figures.catchUp(() => stopping.isStopping) },
    { every: 10 * second, run: () => laggards.check(push) },
    { every: 10 * second, run: () => busyRules.check(clock()) },
    { every: second, run: () => storeClock.check() },
    {
      every: 10 * second,
      run: async () => parts.terminals.endOldAlarms(await storeClock.judgingTime()),
    },
    { every: 10 * second, run: () => limits.check() },
    { every: 5 * second, run: () => provider.check() },
    { every: 2 * second, run: () => refusals.check(clock()) },
    { every: 10 * second, run: () => overLimit.check(engine.overDeviceLimit, clock()) },
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
        await inChunks(leaderDatabase, (tx, limit) => removeOldRows(tx, ledgerLimits(config, now), limit), {
          isOver,
        })
        await parts.terminals.forgetOld(isOver, now)
        await push.expire(config['keep-registrations-days'], now)
        await parts.figures.deleteOld(now)
        await parts.reports.sweep(isOver, now)
        if (now > 0) await logins.sessions.expire(leaderDatabase)
        if (now > 0) await logins.forgetOldNonces()
        await endRestoreAlarm(database, alarms, now, config['keep-log-days'])
      },
    },
  ]
}

/**
 * If rows are larger than this on average, fewer are kept, so that large ones do not fill the disk. The default numbers
 * of rows take 2 GiB, 1 GiB and 4 GiB at most.
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

const day = 24 * 60 * minute

/** What people were told of alarms is kept as long as the alarms are. */
const ledgerLimits = (config: Config, now: number) => ({
  before: now - config['keep-alarms-days'] * day,
  count: config['keep-alarms'],
})

/** `end` prevents further runs; `idle` waits for the current one. */
interface Repeated {
  end(): void
  idle(): Promise<void>
}

/** Runs a task periodically, never twice at once. */
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
