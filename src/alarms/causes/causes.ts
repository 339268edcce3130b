// What an alarm follows from: the open alarms by which every way up from its device is cut. Of several, the oldest
// counts, and of those one above the other the uppermost, so that all consequences belong to one cause. See decision
// 46.

import { bulk, type Row, type Transaction } from '../../store/database.ts'
import { deepest, type WaysUp, type WayUp } from './ways-up.ts'

/** An open alarm that means "out of reach". */
interface Cause {
  readonly id: bigint
  readonly deviceId: bigint
  /** The port that it is about; null: the whole device. */
  readonly ifIndex: bigint | null
  readonly faultTime: number
}

const openCauses = bulk(
  'select id, device_id, if_index, fault_time from alarm where device_id = ? and out_of_reach = 1 and rec_status = 0',
  ['bigint'],
)

/** As they are in one transaction. */
export class Causes {
  readonly #tx: Transaction
  readonly #ways: WaysUp
  readonly #wait: number
  /** By device, of those that were gathered. */
  readonly #open = new Map<bigint, Cause[]>()

  /** `wait`: how many milliseconds a cause may come later than its consequences. */
  constructor(tx: Transaction, ways: WaysUp, wait: number) {
    this.#tx = tx
    this.#ways = ways
    this.#wait = wait
  }

  /** Reads the possible causes of alarms on these devices. */
  async gather(devices: Iterable<bigint>): Promise<void> {
    const mentioned = [...devices]
    const above = await this.#ways.gather(this.#tx, mentioned)
    // A device's own ports are part of the way of those behind it.
    for (const id of mentioned) if (this.#ways.of(id).length > 0) above.add(id)
    const asked = [...above].filter((id) => !this.#open.has(id))
    const rows = await this.#tx.allEach(
      openCauses,
      asked.map((id) => [id]),
    )
    for (const id of asked) this.#open.set(id, [])
    for (const row of rows) this.add(causeOf(row))
  }

  /** Adds an alarm that is raised. */
  add(cause: Cause): void {
    this.#open.get(cause.deviceId)?.push(cause)
  }

  end(deviceId: bigint, id: bigint): void {
    const open = this.#open.get(deviceId)
    if (open) {
      this.#open.set(
        deviceId,
        open.filter((cause) => cause.id !== id),
      )
    }
  }

  /** Until when an alarm of a device waits for its cause; 0 where there is nothing above it. */
  waitUntil(deviceId: bigint): number {
    return this.#wait > 0 && this.#ways.of(deviceId).length > 0 ? this.#tx.now + this.#wait : 0
  }

  /** The cause of alarms on a device; 0 where there is none. */
  of(deviceId: bigint): bigint {
    const known = new Map<bigint, readonly Cause[]>()
    // Its own ports do not count: what it reports of itself is no consequence of its own fault.
    const ways = this.#ways.of(deviceId).map((way) => this.#cutting(way, [], known, 0))
    let oldest: Cause | undefined
    for (const cause of allCut(ways)) if (!oldest || isBefore(cause, oldest)) oldest = cause
    return oldest?.id ?? 0n
  }

  /** The cause by which a way is cut: one that cuts all ways of the device above, else a fault at one of its ends. */
  #cutting(
    { parentId, ifIndex, parentIfIndex }: WayUp,
    own: readonly Cause[],
    known: Map<bigint, readonly Cause[]>,
    depth: number,
  ): readonly Cause[] {
    const above = this.#cuttingAll(parentId, known, depth)
    if (above.length > 0) return above
    const atParent = (this.#open.get(parentId) ?? []).filter((cause) => isAt(cause, parentIfIndex))
    return [...own.filter((cause) => cause.ifIndex !== null && cause.ifIndex === ifIndex), ...atParent]
  }

  #cuttingAll(deviceId: bigint, known: Map<bigint, readonly Cause[]>, depth: number): readonly Cause[] {
    const before = known.get(deviceId)
    if (before || depth === deepest) return before ?? []
    const own = this.#open.get(deviceId) ?? []
    const found = allCut(this.#ways.of(deviceId).map((way) => this.#cutting(way, own, known, depth + 1)))
    known.set(deviceId, found)
    return found
  }
}

/** None where one way is left. */
const allCut = (ways: readonly (readonly Cause[])[]) =>
  ways.some((causes) => causes.length === 0) ? [] : ways.flat()

/** Whether a cause is about a port, or about all of its device. */
const isAt = ({ ifIndex }: Cause, port: bigint | null) => ifIndex === null || ifIndex === port

const isBefore = (a: Cause, b: Cause) =>
  a.faultTime < b.faultTime || (a.faultTime === b.faultTime && a.id < b.id)

const causeOf = (row: Row): Cause => ({
  id: row.id as bigint,
  deviceId: row.device_id as bigint,
  ifIndex: row.if_index as bigint | null,
  faultTime: Number(row.fault_time),
})
