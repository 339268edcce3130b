// The ways from a device up, over the devices that it hangs behind. They are kept from one transaction to the next.

import { bulk, type Database, type Transaction } from '../store/database.ts'

/** A link to the device above, with the port at each end where it is known. */
export interface WayUp {
  readonly parentId: bigint
  readonly ifIndex: bigint | null
  readonly parentIfIndex: bigint | null
}

const remembered = 200_000
/** Nothing hangs behind so many devices in a row; beyond, a device counts as one at the top. */
export const deepest = 64
const none: readonly WayUp[] = []

const linksSql = bulk(
  'select device_id, parent_id, if_index, parent_if_index from device_parent where device_id = ?',
  ['bigint'],
)

export class WaysUp {
  readonly #database: Pick<Database, 'version'>
  #links = new Map<bigint, readonly WayUp[]>()
  #version = -1
  /** Whether any device hangs behind another. */
  #isFlat = true

  constructor(database: Pick<Database, 'version'>) {
    this.#database = database
  }

  async refresh(tx: Transaction): Promise<void> {
    const version = this.#database.version('device_parent')
    if (version !== this.#version) {
      const [one] = await tx.all('select device_id from device_parent limit 1')
      this.#isFlat = one === undefined
    }
    if (version !== this.#version || this.#links.size > remembered) this.#links = new Map()
    this.#version = version
  }

  /** Reads the links of devices and of all that is above them; returns what is above. */
  async gather(tx: Transaction, ids: Iterable<bigint>): Promise<Set<bigint>> {
    const above = new Set<bigint>()
    if (this.#isFlat) return above
    let level = new Set(ids)
    level.delete(0n)
    for (let depth = 0; level.size > 0 && depth < deepest; depth += 1) {
      await this.#read(tx, level)
      const next = new Set<bigint>()
      for (const id of level) {
        for (const { parentId } of this.of(id)) if (!above.has(parentId)) next.add(parentId)
      }
      for (const id of next) above.add(id)
      level = next
    }
    return above
  }

  async #read(tx: Transaction, ids: Iterable<bigint>): Promise<void> {
    const asked = [...ids].filter((id) => !this.#links.has(id))
    const rows = await tx.allEach(
      linksSql,
      asked.map((id) => [id]),
    )
    for (const id of asked) this.#links.set(id, none)
    const byDevice = Map.groupBy(rows, (row) => row.device_id as bigint)
    for (const [id, links] of byDevice) {
      const ways = links.map((row) => ({
        parentId: row.parent_id as bigint,
        ifIndex: row.if_index as bigint | null,
        parentIfIndex: row.parent_if_index as bigint | null,
      }))
      this.#links.set(id, ways)
    }
  }

  /** Of a device that was gathered; none where it is at the top. */
  of(id: bigint): readonly WayUp[] {
    return this.#links.get(id) ?? none
  }
}
