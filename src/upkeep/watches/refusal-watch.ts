// Reports devices whose traps are refused, so that a wrong community or password is found before the traps are missed:
// one alarm for each of twenty known devices, and one for all other senders, because anyone can invent addresses.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import type { RefusedDevice, RefusedSenders } from '../../alarms/engine/refused-senders.ts'
import { remedyOf } from '../../alarms/engine/refused-senders.ts'
import {
  deviceResource,
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import type { Database } from '../../store/database.ts'

/** Milliseconds after which this service was not the leader for a while. */
const pause = 60_000
/** At most this many devices have an alarm. */
const deviceAlarms = 20
const event = 'trapsRefused'
const otherSenders = 'other senders'

interface Seen {
  /** When the first and the last refusal were seen. */
  readonly since: number
  last: number
}

export class RefusalWatch {
  readonly #engine: AlarmChanger
  readonly #database: Database
  readonly #refused: RefusedSenders
  readonly #toleratedMs: number
  readonly #quiet: number
  readonly #seen = new Map<string, Seen>()
  #lastCheck: number | undefined

  constructor(
    engine: AlarmChanger,
    database: Database,
    refused: RefusedSenders,
    { toleratedSeconds, quietSeconds }: { readonly toleratedSeconds: number; readonly quietSeconds: number },
  ) {
    this.#engine = engine
    this.#database = database
    this.#refused = refused
    this.#toleratedMs = toleratedSeconds * 1000
    this.#quiet = quietSeconds * 1000
  }

  /** Called every few seconds. */
  async check(now: number): Promise<void> {
    if (this.#lastCheck !== undefined && Math.abs(now - this.#lastCheck) > pause) {
      this.#refused.forget()
      this.#seen.clear()
    }
    this.#lastCheck = now
    const open = await openServiceAlarms(this.#database, event)
    for (const resource of open)
      if (resource !== otherSenders) this.#refused.expect(BigInt(resource.slice('device='.length)))
    let room = deviceAlarms - open.size + (open.has(otherSenders) ? 1 : 0)
    for (const [id, device] of this.#refused.devices) {
      const resource = deviceResource(id)
      const isOpen = open.has(resource)
      if (this.#isOver(resource, device, now)) {
        const why = device.isAccepted ? 'A trap of it was accepted' : 'No trap of it was refused for an hour'
        if (isOpen) await recoverServiceAlarm(this.#engine, event, resource, why)
        this.#refused.devices.delete(id)
        this.#seen.delete(resource)
      } else if (isOpen || room > 0) {
        if ((await this.#report(resource, device, textFor(device), now)) && !isOpen) room -= 1
      } else {
        this.#refused.others.times += device.times
        this.#refused.others.last = device
        device.times = 0
      }
    }
    await this.#checkOthers(open.has(otherSenders), now)
  }

  async #checkOthers(isOpen: boolean, now: number): Promise<void> {
    const { others } = this.#refused
    if (!isOpen && others.times === 0 && !this.#seen.has(otherSenders)) return
    if (this.#isOver(otherSenders, { times: others.times, isAccepted: false }, now)) {
      const text = 'No trap of another sender was refused for an hour'
      if (isOpen) await recoverServiceAlarm(this.#engine, event, otherSenders, text)
      this.#seen.delete(otherSenders)
    } else if (others.last) {
      const text = `Traps of unknown senders, or of more than ${deviceAlarms} devices, are refused. The last came from ${others.last.address}: ${remedyOf(others.last)}`
      await this.#report(otherSenders, others, text, now)
    }
  }

  /** Also notes when the last refusal was seen. */
  #isOver(resource: string, { times, isAccepted }: Pick<RefusedDevice, 'times' | 'isAccepted'>, now: number) {
    const seen = this.#seen.get(resource) ?? { since: now, last: now }
    if (times > 0) seen.last = now
    this.#seen.set(resource, seen)
    // Absolute, because the clock may be set back.
    return isAccepted || Math.abs(now - seen.last) >= this.#quiet
  }

  /**
   * Raises or repeats the alarm; returns whether it did. Not at once: an inform of version 3 is refused once or twice
   * before its sender knows this service.
   */
  async #report(resource: string, counted: { times: number }, text: string, now: number): Promise<boolean> {
    const since = this.#seen.get(resource)?.since ?? now
    const { times } = counted
    if (times === 0 || Math.abs(now - since) < this.#toleratedMs) return false
    await raiseServiceAlarm(this.#engine, event, resource, text, times)
    counted.times -= times
    return true
  }
}

const textFor = (device: RefusedDevice) =>
  `Traps of ${device.name} (${device.address}) are refused: ${remedyOf(device)}`
