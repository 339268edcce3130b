// How many alarms may be open, per device and for all together. Beyond the limit a summary alarm of the service stands
// for the rest.

import type { AlarmDraft } from '../engine/alarm-draft.ts'
import { deviceResource, overallResource, serviceDraft } from '../service/service-alarm-draft.ts'

/** How many may be open. */
export interface OpenLimits {
  readonly perDevice: number
  readonly overall: number
}

interface Parts {
  readonly limits: OpenLimits
  /** What is limited: the event of its summary alarms, and its name in their text. */
  readonly subject: { readonly event: 'unknownEvents' | 'alarmsFull'; readonly noun: string }
  /** How many of a device, or of everything, were open before. */
  before(id: bigint): number
  /** How many traps of each device are in the block. */
  readonly traps: ReadonlyMap<bigint, number>
}

/** Stands for all devices together. */
export const everything = 0n

/** A limit and what a block of traps adds to its counts. */
export class LimitWithSummary {
  readonly #parts: Parts
  readonly #traps: number
  /** What the traps so far have added, by device. */
  readonly changed = new Map<bigint, number>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#traps = parts.traps.values().reduce((sum, n) => sum + n, 0)
  }

  /** The summary alarms that may be needed: none as long as the whole block fits. */
  alarmsToGather(deviceId: bigint, deviceName: string, at: number): AlarmDraft[] {
    const { limits, before, traps } = this.#parts
    const wanted: AlarmDraft[] = []
    if (before(deviceId) + (traps.get(deviceId) ?? 0) > limits.perDevice) {
      wanted.push(this.#ofDevice(deviceId, deviceName, at))
    }
    if (before(everything) + this.#traps > limits.overall) wanted.push(this.#ofAll(at))
    return wanted
  }

  /** The summary alarm that stands for one more alarm of the device; undefined where there is room for it. */
  summary(deviceId: bigint, deviceName: string, at: number): AlarmDraft | undefined {
    const { perDevice, overall } = this.#parts.limits
    if (this.#now(everything) >= overall) return this.#ofAll(at)
    return this.#now(deviceId) >= perDevice ? this.#ofDevice(deviceId, deviceName, at) : undefined
  }

  /** Adds to the counts of open alarms; subtracts where it is negative. */
  add(deviceId: bigint, by: number): void {
    for (const id of [deviceId, everything]) this.changed.set(id, (this.changed.get(id) ?? 0) + by)
  }

  #now(id: bigint): number {
    return this.#parts.before(id) + (this.changed.get(id) ?? 0)
  }

  #ofDevice(id: bigint, name: string, at: number): AlarmDraft {
    return this.#draft(deviceResource(id), `Of ${name}`, this.#parts.limits.perDevice, at)
  }

  #ofAll(at: number): AlarmDraft {
    return this.#draft(overallResource, 'In all', this.#parts.limits.overall, at)
  }

  #draft(resource: string, about: string, limit: number, at: number): AlarmDraft {
    const { event, noun } = this.#parts.subject
    const text = `${about} ${limit.toLocaleString('en')} ${noun} are open: further ones are only counted`
    return serviceDraft(event, resource, text, at)
  }
}
