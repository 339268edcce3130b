// What an alarm follows from: the open alarms by which every way up from its device is cut. Of several, the oldest
// counts, and of those one above the other the uppermost, so that all consequences belong to one cause. See decision
// 46.

import { bulk, type Row, type Transaction } from '../../store/database.ts'
import { deepest, type Uplink, type Uplinks } from './uplinks.ts'

/** A port of a device; null: the device as a whole. */
interface Place {
  readonly deviceId: bigint
  readonly ifIndex: bigint | null
}

const openSql = (port: string) =>
  `select id, device_id, if_index, fault_time from alarm
   where device_id = ? and if_index ${port} and out_of_reach = 1 and rec_status = 0`
const openOfDevice = bulk(openSql('is null'), ['bigint'])
const openAtPort = bulk(openSql('= ?'), ['bigint', 'bigint'])

/** An open alarm that means "out of reach", and what it is about. */
interface Cause extends Place {
  readonly id: bigint
  readonly faultTime: number
}

/** As they are in one transaction. */
export class Causes {
  readonly #tx: Transaction
  readonly #ways: Uplinks
  readonly #wait: number
  /** By place, of those on the ways that were gathered: most ports of a large device lead nowhere. */
  readonly #open = new Map<string, Cause[]>()

  /** `wait`: how many milliseconds a cause may come later than its consequences. */
  constructor(tx: Transaction, ways: Uplinks, wait: number) {
    this.#tx = tx
    this.#ways = ways
    this.#wait = wait
  }

  /** Reads the possible causes of alarms on these devices. */
  async gather(devices: Iterable<bigint>): Promise<void> {
    const below = [...devices]
    const above = await this.#ways.gather(this.#tx, below)
    const asked = { whole: [] as bigint[][], ports: [] as bigint[][] }
    const ask = (deviceId: bigint, ifIndex: bigint | null) => {
      const key = keyOf({ deviceId, ifIndex })
      if (this.#open.has(key)) return
      this.#open.set(key, [])
      if (ifIndex === null) asked.whole.push([deviceId])
      else asked.ports.push([deviceId, ifIndex])
    }
    for (const id of new Set([...below, ...above])) {
      for (const { ifIndex, parentId, parentIfIndex } of this.#ways.of(id)) {
        ask(parentId, null)
        ask(parentId, parentIfIndex)
        // Its own end of the link cuts off those behind it, not itself.
        if (ifIndex !== null && above.has(id)) ask(id, ifIndex)
      }
    }
    const whole = await this.#tx.allEach(openOfDevice, asked.whole)
    const atPorts = await this.#tx.allEach(openAtPort, asked.ports)
    for (const row of [...whole, ...atPorts]) this.add(causeOf(row))
  }

  /** Adds an alarm that is raised. */
  add(cause: Cause): void {
    this.#open.get(keyOf(cause))?.push(cause)
  }

  end({ id, ...place }: Place & { readonly id: bigint }): void {
    const key = keyOf(place)
    const open = this.#open.get(key)
    if (open) {
      this.#open.set(
        key,
        open.filter((cause) => cause.id !== id),
      )
    }
  }

  #at(deviceId: bigint, ifIndex: bigint | null): readonly Cause[] {
    return this.#open.get(keyOf({ deviceId, ifIndex })) ?? []
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

  /** The causes by which a way is cut: those that cut all ways of the device above, else faults at its two ends. */
  #cutting(
    { parentId, parentIfIndex }: Uplink,
    own: readonly Cause[],
    known: Map<bigint, readonly Cause[]>,
    depth: number,
  ): readonly Cause[] {
    const above = this.#cuttingAll(parentId, known, depth)
    if (above.length > 0) return above
    const atParent = this.#at(parentId, parentIfIndex)
    return parentIfIndex === null ? [...own, ...atParent] : [...own, ...this.#at(parentId, null), ...atParent]
  }

  #cuttingAll(deviceId: bigint, known: Map<bigint, readonly Cause[]>, depth: number): readonly Cause[] {
    const before = known.get(deviceId)
    if (before || depth === deepest) return before ?? []
    const ways = this.#ways.of(deviceId).map((way) => {
      const own = way.ifIndex === null ? [] : this.#at(deviceId, way.ifIndex)
      return this.#cutting(way, own, known, depth + 1)
    })
    const found = allCut(ways)
    known.set(deviceId, found)
    return found
  }
}

/** None where one way is left. */
const allCut = (ways: readonly (readonly Cause[])[]) =>
  ways.some((causes) => causes.length === 0) ? [] : ways.flat()

const keyOf = ({ deviceId, ifIndex }: Place) => `${deviceId} ${ifIndex ?? ''}`

const isBefore = (a: Cause, b: Cause) =>
  a.faultTime < b.faultTime || (a.faultTime === b.faultTime && a.id < b.id)

const causeOf = (row: Row): Cause => ({
  id: row.id as bigint,
  deviceId: row.device_id as bigint,
  ifIndex: row.if_index as bigint | null,
  faultTime: Number(row.fault_time),
})
