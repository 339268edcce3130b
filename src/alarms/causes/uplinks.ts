// The ways from a device up to the devices it hangs behind. They are kept from one transaction to the next.

import { hasLinks, type LinkRow, linksUp } from '../../resources/inventory/device-links.ts'
import type { Database, Transaction } from '../../store/database.ts'

/** A link to the device above. */
export type Uplink = Omit<LinkRow, 'deviceId'>

const remembered = 200_000
/** The longest chain that is followed; beyond it, a device counts as one at the top. */
export const deepest = 64
const none: readonly Uplink[] = []

export class Uplinks {
  readonly #database: Pick<Database, 'version'>
  #links = new Map<bigint, readonly Uplink[]>()
  #version = -1
  /** Whether any device hangs behind another. */
  #isFlat = true

  constructor(database: Pick<Database, 'version'>) {
    this.#database = database
  }

  async refresh(tx: Transaction): Promise<void> {
    const version = this.#database.version('device_parent')
    if (version !== this.#version) this.#isFlat = !(await hasLinks(tx))
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
    const links = await linksUp(tx, asked)
    for (const id of asked) this.#links.set(id, none)
    for (const [id, ways] of Map.groupBy(links, ({ deviceId }) => deviceId)) this.#links.set(id, ways)
  }

  /** Of a device that was gathered; none where it is at the top. */
  of(id: bigint): readonly Uplink[] {
    return this.#links.get(id) ?? none
  }
}
