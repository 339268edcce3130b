// The custom views by their members, for filters.

import { customViews } from '../resources/custom-view.ts'
import type { RecordOf } from '../schema/resource.ts'
import type { Database } from '../store/database.ts'
import type { Views } from './filter.ts'

type View = RecordOf<typeof customViews.resource.fields>

export class ViewMembers implements Views {
  readonly #database: Database
  #members = new Map<bigint, ReadonlySet<bigint> | 'all'>()
  #version = -1

  constructor(database: Database) {
    this.#database = database
  }

  /** Brings the members up to date; a change counts from the next entry on. */
  async refresh(): Promise<void> {
    const version = this.#database.version(customViews.resource.table)
    if (version === this.#version) return
    const { form, name } = customViews.table
    const rows = await this.#database.all(`select ${form.names} from ${name}`)
    const views = rows.map((row) => form.toRecord(row) as View)
    this.#members = new Map(
      views.map((view) => [view.symbolId, view.allDevices ? 'all' : new Set(view.member)]),
    )
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
