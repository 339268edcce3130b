// The custom views and the zone that a device is in when its alarms change.

import { customViews, readViews } from '../../resources/inventory/custom-view.ts'
import { type Members, membersOf } from '../../resources/inventory/view-members.ts'
import { defaultZone, zonesOfEach } from '../../resources/inventory/zone.ts'
import type { Database, Reader, Transaction } from '../../store/database.ts'
import { viewsText } from '../log/push-facts.ts'

const zoneLimit = 50_000

export class DeviceViews {
  readonly #database: Pick<Database, 'version' | 'kind'>
  /** Views of all devices. */
  #ofAll: bigint[] = []
  #byDevice = new Map<bigint, bigint[]>()
  /** By device, of those that were asked for; unknown devices are in the default zone. */
  #zones = new Map<bigint, bigint>()
  readonly #texts = new Map<bigint, string>()
  #versions = { views: -1, devices: -1 }

  constructor(database: Pick<Database, 'version' | 'kind'>) {
    this.#database = database
  }

  async refresh(reader: Reader): Promise<void> {
    const views = this.#database.version(customViews.table.name)
    const devices = this.#database.version('device')
    // Where other nodes write to the same store, only what this transaction has read is valid.
    if (
      devices !== this.#versions.devices ||
      this.#zones.size > zoneLimit ||
      this.#database.kind !== 'sqlite'
    ) {
      this.#zones = new Map()
      this.#texts.clear()
    }
    if (views !== this.#versions.views) await this.#readViews(reader)
    this.#versions = { views, devices }
  }

  async #readViews(reader: Reader): Promise<void> {
    this.#ofAll = []
    this.#byDevice = new Map()
    this.#texts.clear()
    for (const [symbolId, members] of membersOf(await readViews(reader))) this.#add(symbolId, members)
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

  /** Reads the zones of devices that will be asked for. */
  async gather(tx: Transaction, ids: Iterable<bigint>): Promise<void> {
    const asked = new Set<bigint>()
    for (const id of ids) if (id !== 0n && !this.#zones.has(id)) asked.add(id)
    if (asked.size === 0) return
    const zones = await zonesOfEach(tx, asked)
    for (const id of asked) {
      this.#zones.set(id, zones.get(id) ?? defaultZone)
      this.#texts.delete(id)
    }
  }

  zoneOf(deviceId: bigint): bigint {
    return this.#zones.get(deviceId) ?? defaultZone
  }

  /** As it is written to the log. */
  of(deviceId: bigint): string {
    const own = this.#byDevice.get(deviceId)
    const zoneId = this.zoneOf(deviceId)
    // Devices in the default zone and in no view are not remembered one by one: there is no limit to their ids.
    if (!own && zoneId === defaultZone) return viewsText(this.#ofAll)
    let text = this.#texts.get(deviceId)
    if (text === undefined) {
      text = viewsText([...this.#ofAll, ...(own ?? [])], zoneId)
      this.#texts.set(deviceId, text)
    }
    return text
  }
}
