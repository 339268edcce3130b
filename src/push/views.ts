// The custom views by their members, for filters.

import { customViews, readViews } from '../resources/custom-view.ts'
import { type Members, membersOf } from '../resources/view-members.ts'
import type { Database } from '../store/database.ts'
import type { Views } from './filter.ts'

export class ViewMembers implements Views {
  readonly #database: Database
  #members: ReadonlyMap<bigint, Members> = new Map()
  #version = -1

  constructor(database: Database) {
    this.#database = database
  }

  /** Brings the members up to date; a change counts from the next entry on. */
  async refresh(): Promise<void> {
    const version = this.#database.version(customViews.resource.table)
    if (version === this.#version) return
    this.#members = membersOf(await readViews(this.#database))
    this.#version = version
  }

  has(view: bigint, deviceId: bigint): boolean {
    const members = this.#members.get(view)
    return members === 'all' || (members?.has(deviceId) ?? false)
  }

  exists(view: bigint): boolean {
    return this.#members.has(view)
  }
}
