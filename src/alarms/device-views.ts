// Which custom views a device is in, when something happens to its alarms.

import { customViews, readViews } from '../resources/custom-view.ts'
import { type Members, membersOf } from '../resources/view-members.ts'
import type { Database, Reader } from '../store/database.ts'
import { viewsText } from './pushed.ts'

export class DeviceViews {
  readonly #database: Pick<Database, 'version'>
  /** Views of all devices. */
  #ofAll: bigint[] = []
  #byDevice = new Map<bigint, bigint[]>()
  readonly #texts = new Map<bigint, string>()
  #version = -1

  constructor(database: Pick<Database, 'version'>) {
    this.#database = database
  }

  async refresh(reader: Reader): Promise<void> {
    const version = this.#database.version(customViews.table.name)
    if (version === this.#version) return
    const views = membersOf(await readViews(reader))
    this.#ofAll = []
    this.#byDevice = new Map()
    this.#texts.clear()
    for (const [symbolId, members] of views) this.#add(symbolId, members)
    this.#version = version
  }

  #add(symbolId: bigint, members: Members): void {
    if (members === 'all') {
      this.#ofAll.push(symbolId)
      return
    }
    for (const deviceId of members) {
      const views = this.#byDevice.get(deviceId)
      if (views) views.push(symbolId)
      else this.#byDevice.set(deviceId, [symbolId])
    }
  }

  /** As it is written to the log. */
  of(deviceId: bigint): string {
    const own = this.#byDevice.get(deviceId)
    // Those in no view of their own are not remembered one by one: there is no end to their ids.
    if (!own) return viewsText(this.#ofAll)
    let text = this.#texts.get(deviceId)
    if (text === undefined) {
      text = viewsText([...this.#ofAll, ...own])
      this.#texts.set(deviceId, text)
    }
    return text
  }
}
