// A heartbeat that is silent for longer than its time raises an alarm, which ends with the next one.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import { deadlineOf, type Heartbeat, readHeartbeats } from '../../resources/notify/heartbeat.ts'
import type { Database } from '../../store/database.ts'

const resourceOf = ({ name }: Heartbeat) => `heartbeat=${name}`
/** After a longer break between two checks, heartbeats may have come that could not be recorded. */
const maxBreakMs = 60_000

export class HeartbeatWatch {
  readonly #engine: AlarmChanger
  readonly #database: Database
  #lastCheck = 0
  /** Since when heartbeats could surely arrive: an outage of this service is not their silence. */
  #since = 0

  constructor(engine: AlarmChanger, database: Database) {
    this.#engine = engine
    this.#database = database
  }

  /** `now` is 0 while the store's clock is doubted: nobody is silent then. */
  async check(now: number): Promise<void> {
    if (now === 0) return
    const known = await readHeartbeats(this.#database)
    if (now - this.#lastCheck > maxBreakMs) this.#since = now
    this.#lastCheck = now
    const expected = known.filter(({ enabled }) => enabled)
    const open = await openServiceAlarms(this.#database, 'heartbeatSilent')
    for (const one of expected) {
      if (open.has(resourceOf(one)) || deadlineOf(one, this.#since) >= now) continue
      const last = one.lastTime === 0 ? 'none has come yet' : `the last one came at ${timeText(one.lastTime)}`
      const text = `The heartbeat "${one.name}" is silent: ${last}, and one is expected every ${one.everySeconds} s`
      await raiseServiceAlarm(this.#engine, 'heartbeatSilent', resourceOf(one), text)
    }
    await this.#recover(open, expected, now)
  }

  /** Also where the heartbeat is no longer expected, and where an earlier run of the service raised the alarm. */
  async #recover(open: ReadonlySet<string>, expected: readonly Heartbeat[], now: number): Promise<void> {
    const silent = new Set(expected.filter((one) => deadlineOf(one) < now).map(resourceOf))
    for (const resource of open) {
      if (silent.has(resource)) continue
      const text = 'The heartbeat has come again, or is no longer expected'
      await recoverServiceAlarm(this.#engine, 'heartbeatSilent', resource, text)
    }
  }
}

const timeText = (time: number) => `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`
