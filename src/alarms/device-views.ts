// Which custom views a device is in, when something happens to its alarms.

import { type CustomView, customViews } from '../resources/custom-view.ts'
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
    const { form, name } = customViews.table
    const version = this.#database.version(name)
    if (version === this.#version) return
    const rows = await reader.all(`select ${form.names} from ${name} order by id`)
    this.#ofAll = []
    this.#byDevice = new Map()
    this.#texts.clear()
    for (const row of rows) this.#add(form.toRecord(row) as CustomView)
    this.#version = version
  }

  #add({ symbolId, allDevices, member }: CustomView): void {
    if (allDevices) {
      this.#ofAll.push(symbolId)
      return
    }
    for (const deviceId of member) {
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
