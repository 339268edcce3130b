// What is looked after now and then while the service runs.

import type { Logger } from 'pino'
import type { Logins } from '../access/logins.ts'
import type { RefusedLogins } from '../access/refused-logins.ts'
import type { AlarmEngine } from '../alarms/engine.ts'
import type { Figures } from '../alarms/figures.ts'
import type { Config } from '../config.ts'
import type { TrapReceiver } from '../intake/receiver.ts'
import type { Push } from '../push/push.ts'
import { Measures } from '../reports/measures.ts'
import type { Reports } from '../reports/runs.ts'
import { Schedules } from '../reports/schedules.ts'
import type { Database } from '../store/database.ts'
import { CountWatch, lostTraps, turnedAwayTraps } from './count-watch.ts'
import { LagWatch } from './lag-watch.ts'
import { ReportWatch } from './report-watch.ts'
import { endRestoreAlarm } from './restored.ts'
import { type Retention, sweep } from './retention.ts'
import { RuleWatch } from './rule-watch.ts'
import { StoreWatch } from './store-watch.ts'
import { StormWatch } from './storm-watch.ts'
import type { Traffic } from './traffic.ts'
import { UnknownWatch } from './unknown-watch.ts'

interface UpkeepParts {
  readonly config: Config
  readonly database: Database
  readonly engine: AlarmEngine
  readonly push: Push
  readonly logins: Logins
  readonly receiver: TrapReceiver
  readonly refusedLogins: RefusedLogins
  readonly traffic: Traffic
  readonly figures: Figures
  readonly reports: Reports
  readonly certificate: { look(): Promise<void> }
  readonly log: Logger
  readonly clock: () => number
}

const second = 1000
const minute = 60 * second

/** Answers how to end it. */
export function startUpkeep(parts: UpkeepParts): () => Promise<void> {
  const { config, database, engine, push, logins, receiver, log, clock } = parts
  const keep = (what: 'traps' | 'alarms' | 'log' | 'audit') => ({
    count: config[`keep-${what}`],
    bytes: config[`keep-${what}-bytes`],
    days: config[`keep-${what}-days`],
  })
  const retention: Retention = {
    traps: keep('traps'),
    alarms: keep('alarms'),
    log: keep('log'),
    audit: keep('audit'),
  }
  const drops = () => receiver.counts().kernelDrops ?? 0
  // From nothing: the socket is older than this.
  const lost = new CountWatch(engine, lostTraps, 0)
  const laggards = new LagWatch(engine, database, config['lag-alarm'])
  const busyRules = new RuleWatch(engine, database, config['rule-alarm'])
  const storms = new StormWatch(engine, database, config['storm-seconds'])
  const store = new StoreWatch(engine, database)
  const unknown = new UnknownWatch(engine, database, {
    perDevice: config['unknown-alarms-device'],
    overall: config['unknown-alarms'],
  })
  const reports = new ReportWatch(engine, database, new Schedules(database, parts.reports, clock))
  const measures = new Measures(database, parts.reports.zone)
  const turnedAway = new CountWatch(engine, turnedAwayTraps, engine.turnedAway)
  let isStopping = false
  const ends = [
    every(second, log, () => push.tick()),
    every(second, log, async () => {
      // Tokens expire, and a stream may have begun while its operator was being removed.
      await logins.directory.entries()
      push.endRefused()
    }),
    every(second, log, () => store.look()),
    every(second, log, () => lost.look(drops(), clock())),
    every(second, log, () => storms.look(() => receiver.storms, clock())),
    every(second, log, () => engine.endQuietFlapping(clock())),
    every(second, log, () => engine.releaseHeld()),
    every(2 * second, log, () => parts.refusedLogins.look()),
    every(5 * second, log, () => parts.certificate.look()),
    every(second, log, async () => parts.traffic.look(clock())),
    every(5 * second, log, () => parts.figures.catchUp()),
    every(10 * second, log, () => laggards.look(push)),
    every(10 * second, log, () => busyRules.look(clock())),
    every(10 * second, log, () => unknown.look()),
    every(10 * second, log, () => turnedAway.look(engine.turnedAway, clock())),
    every(5 * second, log, async () => {
      await measures.look(clock())
      await reports.look(() => isStopping)
    }),
    every(minute, log, async () => {
      const removed = await sweep(database, retention, () => isStopping)
      if (removed > 0) log.debug({ removed }, 'old rows removed')
      await push.expire(config['keep-registrations-days'])
      await parts.figures.forget(clock())
      await parts.reports.sweep(() => isStopping)
      await logins.sessions.expire()
      await endRestoreAlarm(database, engine, clock(), config['keep-log-days'])
    }),
  ]
  return async () => {
    isStopping = true
    for (const end of ends) await end()
  }
}

/** Runs a task again and again, never twice at once. */
function every(milliseconds: number, log: Logger, task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= task()
      .catch((error) => log.error({ err: error }, 'a recurring task failed'))
      .finally(() => {
        running = undefined
      })
  }, milliseconds)
  return async () => {
    clearInterval(timer)
    await running
  }
}
