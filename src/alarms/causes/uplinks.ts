// Caches the uplinks of devices, from one transaction to the next.

import { hasLinks, type LinkRow, linksUp } from '../../resources/inventory/device-links.ts'
import type { Database, Transaction } from '../../store/database.ts'
import { TableCache } from '../../store/table-cache.ts'

/** A link to the parent device. */
export type Uplink = Omit<LinkRow, 'deviceId'>

const cacheLimit = 200_000
/** How far chains of uplinks are followed. */
export const maxDepth = 64
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
    if (!this.#cache.isCurrent || this.#links.size > cacheLimit) this.#links = new Map()
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
