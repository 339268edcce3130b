// Finds the cause of an alarm: the open alarms that cut every uplink path of its device. If there are several, the topmost
// on each path count, and of these the oldest, so that all consequences have one cause. See decision 46.

import { hasLinks, type LinkRow, linksUp } from '../../resources/inventory/device-links.ts'
import { bulk, type Database, type Row, type Transaction } from '../../store/database.ts'
import { TableCache } from '../../store/table-cache.ts'

/** A port of a device; null: the whole device. */
interface DevicePort {
  readonly deviceId: bigint
  readonly ifIndex: bigint | null
}

const openSql = (port: string) =>
  `select id, device_id, if_index, fault_time from alarm
   where device_id = ? and if_index ${port} and out_of_reach = 1 and rec_status = 0`
const openOfDevice = bulk(openSql('is null'), ['bigint'])
const openAtPort = bulk(openSql('= ?'), ['bigint', 'bigint'])

/** An open alarm that says a device or port is unreachable. */
interface Cause extends DevicePort {
  readonly id: bigint
  readonly faultTime: number
}

/** The causes inside one transaction. */
export class Causes {
  readonly #tx: Transaction
  readonly #uplinks: Uplinks
  readonly #waitMs: number
  /** By port, only for ports on the gathered paths: most ports of a large device lead nowhere. */
  readonly #open = new Map<string, Cause[]>()

  /** `waitMs`: how long after its consequences a cause may be reported. */
  constructor(tx: Transaction, uplinks: Uplinks, waitMs: number) {
    this.#tx = tx
    this.#uplinks = uplinks
    this.#waitMs = waitMs
  }

  /** Reads the possible causes of alarms on these devices. */
  async gather(deviceIds: Iterable<bigint>): Promise<void> {
    const devices = [...deviceIds]
    const above = await this.#uplinks.gather(this.#tx, devices)
    const missing = { whole: [] as bigint[][], ports: [] as bigint[][] }
    const addMissing = (deviceId: bigint, ifIndex: bigint | null) => {
      const key = keyOf({ deviceId, ifIndex })
      if (this.#open.has(key)) return
      this.#open.set(key, [])
      if (ifIndex === null) missing.whole.push([deviceId])
      else missing.ports.push([deviceId, ifIndex])
    }
    for (const id of new Set([...devices, ...above])) {
      for (const { ifIndex, parentId, parentIfIndex } of this.#uplinks.uplinksOf(id)) {
        addMissing(parentId, null)
        addMissing(parentId, parentIfIndex)
        // A fault at its own end of the link cuts off the devices below it, not the device itself.
        if (ifIndex !== null && above.has(id)) addMissing(id, ifIndex)
      }
    }
    const whole = await this.#tx.allEach(openOfDevice, missing.whole)
    const atPorts = await this.#tx.allEach(openAtPort, missing.ports)
    for (const row of [...whole, ...atPorts]) this.add(causeFromRow(row))
  }

  /** Adds an alarm that is being raised. */
  add(cause: Cause): void {
    this.#open.get(keyOf(cause))?.push(cause)
  }

  end({ id, ...port }: DevicePort & { readonly id: bigint }): void {
    const key = keyOf(port)
    const open = this.#open.get(key)
    if (open) {
      this.#open.set(
        key,
        open.filter((cause) => cause.id !== id),
      )
    }
  }

  #openAt(deviceId: bigint, ifIndex: bigint | null): readonly Cause[] {
    return this.#open.get(keyOf({ deviceId, ifIndex })) ?? []
  }

  /** Until when an alarm of a device waits for its cause; 0 if the device has no uplinks. */
  waitUntil(deviceId: bigint): number {
    return this.#waitMs > 0 && this.#uplinks.uplinksOf(deviceId).length > 0 ? this.#tx.now + this.#waitMs : 0
  }

  /** The cause of alarms on a device; 0 if there is none. */
  causeOf(deviceId: bigint): bigint {
    const visited = new Map<bigint, readonly Cause[]>()
    // Faults at its own ports do not count: what a device reports is no consequence of its own faults.
    const paths = this.#uplinks
      .uplinksOf(deviceId)
      .map((uplink) => this.#causesCutting(uplink, [], visited, 0))
    let oldest: Cause | undefined
    for (const cause of allCut(paths)) if (!oldest || isBefore(cause, oldest)) oldest = cause
    return oldest?.id ?? 0n
  }

  /** The causes that cut one uplink: those that cut all uplinks of its parent, else faults at either end. */
  #causesCutting(
    { parentId, parentIfIndex }: Uplink,
    atThisEnd: readonly Cause[],
    visited: Map<bigint, readonly Cause[]>,
    depth: number,
  ): readonly Cause[] {
    const above = this.#causesCuttingAll(parentId, visited, depth)
    if (above.length > 0) return above
    const atParent = this.#openAt(parentId, parentIfIndex)
    return parentIfIndex === null
      ? [...atThisEnd, ...atParent]
      : [...atThisEnd, ...this.#openAt(parentId, null), ...atParent]
  }

  #causesCuttingAll(
    deviceId: bigint,
    visited: Map<bigint, readonly Cause[]>,
    depth: number,
  ): readonly Cause[] {
    const before = visited.get(deviceId)
    if (before || depth === maxDepth) return before ?? []
    const paths = this.#uplinks.uplinksOf(deviceId).map((uplink) => {
      const atThisEnd = uplink.ifIndex === null ? [] : this.#openAt(deviceId, uplink.ifIndex)
      return this.#causesCutting(uplink, atThisEnd, visited, depth + 1)
    })
    const found = allCut(paths)
    visited.set(deviceId, found)
    return found
  }
}

/** None if one path is intact. */
const allCut = (paths: readonly (readonly Cause[])[]) =>
  paths.some((causes) => causes.length === 0) ? [] : paths.flat()

const keyOf = ({ deviceId, ifIndex }: DevicePort) => `${deviceId} ${ifIndex ?? ''}`

const isBefore = (a: Cause, b: Cause) =>
  a.faultTime < b.faultTime || (a.faultTime === b.faultTime && a.id < b.id)

const causeFromRow = (row: Row): Cause => ({
  id: row.id as bigint,
  deviceId: row.device_id as bigint,
  ifIndex: row.if_index as bigint | null,
  faultTime: Number(row.fault_time),
})

// Caches the uplinks of devices, from one transaction to the next.

/** A link to the parent device. */
type Uplink = Omit<LinkRow, 'deviceId'>

const cacheLimit = 200_000
/** How far chains of uplinks are followed. */
const maxDepth = 64
const noUplinks: readonly Uplink[] = []

export class Uplinks {
  /** Whether any device has a parent. */
  readonly #cache: TableCache<boolean>
  #links = new Map<bigint, readonly Uplink[]>()
  /** Whether no device has a parent. */
  #isFlat = true

  constructor(database: Pick<Database, 'version'>) {
    this.#cache = new TableCache(database, 'device_parent')
  }

  async refresh(tx: Transaction): Promise<void> {
    if (!this.#cache.isCurrent(tx) || this.#links.size > cacheLimit) this.#links = new Map()
    this.#isFlat = !(await this.#cache.get(tx, hasLinks))
  }

  /** Reads the uplinks of devices and of all their ancestors; returns the ancestors. */
  async gather(tx: Transaction, ids: Iterable<bigint>): Promise<Set<bigint>> {
    const above = new Set<bigint>()
    if (this.#isFlat) return above
    let level = new Set(ids)
    level.delete(0n)
    for (let depth = 0; level.size > 0 && depth < maxDepth; depth += 1) {
      await this.#read(tx, level)
      const next = new Set<bigint>()
      for (const id of level) {
        for (const { parentId } of this.uplinksOf(id)) if (!above.has(parentId)) next.add(parentId)
      }
      for (const id of next) above.add(id)
      level = next
    }
    return above
  }

  async #read(tx: Transaction, ids: Iterable<bigint>): Promise<void> {
    const missing = [...ids].filter((id) => !this.#links.has(id))
    const links = await linksUp(tx, missing)
    for (const id of missing) this.#links.set(id, noUplinks)
    for (const [id, uplinks] of Map.groupBy(links, ({ deviceId }) => deviceId)) this.#links.set(id, uplinks)
  }

  /** The uplinks of a gathered device; none if it is at the top. */
  uplinksOf(id: bigint): readonly Uplink[] {
    return this.#links.get(id) ?? noUplinks
  }
}
