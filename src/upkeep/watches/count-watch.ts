// Watches counters that should not grow: while one grows, an alarm is open, which ends when it has been stable for a
// while.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  raiseServiceAlarm,
  recoverServiceAlarm,
  type ServiceEvent,
} from '../../alarms/service/service-alarms.ts'

interface Watched {
  readonly event: ServiceEvent
  readonly resource: string
  /** Seconds without growth after which the alarm ends, even if the clock is set back meanwhile. */
  readonly quiet: number
  /** The text of the alarm for this much growth in this many seconds. */
  raised(grown: number, seconds: number): string
  /** `grown` is 0 if the alarm is from an earlier run. */
  over(grown: number): string
}

export class CountWatch {
  readonly #engine: AlarmChanger
  readonly #watched: Watched
  /** The count up to which growth has been reported; if that fails, it is reported at the next check. */
  #reported: number
  #growth: { readonly before: number; readonly began: number } | undefined
  #lastGrown: number | undefined
  /** An earlier run of the service may have left its alarm open. */
  #mayBeOpen = true

  constructor(engine: AlarmChanger, watched: Watched, count: number) {
    this.#engine = engine
    this.#watched = watched
    this.#reported = count
  }

  /** Called every few seconds. */
  async check(count: number, now: number): Promise<void> {
    const { event, resource, quiet, raised, over } = this.#watched
    this.#lastGrown ??= now
    if (count > this.#reported) {
      this.#growth ??= { before: this.#reported, began: now }
      const seconds = Math.max(1, Math.round((now - this.#growth.began) / 1000))
      await raiseServiceAlarm(this.#engine, event, resource, raised(count - this.#growth.before, seconds))
      this.#reported = count
      this.#lastGrown = now
      this.#mayBeOpen = true
    } else if (this.#mayBeOpen && Math.abs(now - this.#lastGrown) >= quiet * 1000) {
      await recoverServiceAlarm(
        this.#engine,
        event,
        resource,
        over(this.#growth ? count - this.#growth.before : 0),
      )
      this.#growth = undefined
      this.#mayBeOpen = false
    }
  }
}

/** Datagrams that the kernel dropped at the trap socket. */
export const lostTrapsAlarm: Watched = {
  event: 'trapsLost',
  resource: 'trap socket',
  quiet: 10,
  raised: (lost, seconds) =>
    `${lost.toLocaleString('en')} traps lost in ${seconds} s: they came faster than they were read`,
  over: (lost) =>
    `No trap lost for 10 s${lost > 0 ? `; ${lost.toLocaleString('en')} were lost in total` : ''}`,
}

/** The same at the socket for syslog messages. */
export const lostMessagesAlarm: Watched = {
  ...lostTrapsAlarm,
  resource: 'syslog socket',
  raised: (lost, seconds) =>
    `${lost.toLocaleString('en')} syslog messages lost in ${seconds} s: they came faster than they were read`,
  over: (lost) =>
    `No syslog message lost for 10 s${lost > 0 ? `; ${lost.toLocaleString('en')} were lost in total` : ''}`,
}

/** Sightings of terminals that were dropped because too many waited. */
export const lostSightingsAlarm: Watched = {
  event: 'sightingsLost',
  resource: 'terminals',
  quiet: 600,
  raised: (lost) =>
    `${lost.toLocaleString('en')} sightings of terminals were not noted: more came than are processed. Switches are answered all the same`,
  over: (lost) =>
    `Every sighting was noted for ten minutes${lost > 0 ? `; ${lost.toLocaleString('en')} were not in total` : ''}`,
}

/** Traps that were refused because there are too many devices: some may be from real ones. */
export const trapsOverDeviceLimit: Watched = {
  event: 'devicesFull',
  resource: 'devices',
  quiet: 600,
  raised: () =>
    'Traps of unknown senders are refused: there are as many devices as device-limit allows; the trap ledger counts them',
  over: () => 'No trap was refused for ten minutes',
}
