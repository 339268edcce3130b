// Looks up the custom views and the zone of a device when its alarms change.

import { customViews, readViews } from '../../resources/inventory/custom-view.ts'
import { type Members, membersOf } from '../../resources/inventory/view-members.ts'
import { defaultZone, zonesOfEach } from '../../resources/inventory/zone.ts'
import type { Database, Reader, Transaction } from '../../store/database.ts'
import { viewsText } from '../log/push-attributes.ts'

const cacheLimit = 50_000

export class DeviceViews {
  readonly #database: Pick<Database, 'version' | 'kind'>
  /** Views that contain all devices. */
  #viewsOfAllDevices: bigint[] = []
  #byDevice = new Map<bigint, bigint[]>()
  /** By device, as far as gathered. Unknown devices are in the default zone. */
  #zones = new Map<bigint, bigint>()
  readonly #texts = new Map<bigint, string>()
  #versions = { views: -1, devices: -1 }

  constructor(database: Pick<Database, 'version' | 'kind'>) {
    this.#database = database
  }

  async refresh(reader: Reader): Promise<void> {
    const views = this.#database.version(customViews.table.name)
    const devices = this.#database.version('device')
    // In PostgreSQL other nodes may change devices: only data read in this transaction is valid.
    if (
      devices !== this.#versions.devices ||
      this.#zones.size > cacheLimit ||
      this.#database.kind !== 'sqlite'
    ) {
      this.#zones = new Map()
      this.#texts.clear()
    }
    if (views !== this.#versions.views) await this.#readViews(reader)
    this.#versions = { views, devices }
  }

  async #readViews(reader: Reader): Promise<void> {
    this.#viewsOfAllDevices = []
    this.#byDevice = new Map()
    this.#texts.clear()
    for (const [symbolId, members] of membersOf(await readViews(reader))) this.#add(symbolId, members)
  }

  #add(symbolId: bigint, members: Members): void {
    if (members === 'all') {
      this.#viewsOfAllDevices.push(symbolId)
      return
    }
    for (const deviceId of members) {
      const views = this.#byDevice.get(deviceId)
      if (views) views.push(symbolId)
      else this.#byDevice.set(deviceId, [symbolId])
    }
  }

  /** Reads the zones of devices. */
  async gather(tx: Transaction, ids: Iterable<bigint>): Promise<void> {
    const missing = new Set<bigint>()
    for (const id of ids) if (id !== 0n && !this.#zones.has(id)) missing.add(id)
    if (missing.size === 0) return
    const zones = await zonesOfEach(tx, missing)
    for (const id of missing) {
      this.#zones.set(id, zones.get(id) ?? defaultZone)
      this.#texts.delete(id)
    }
  }

  zoneOf(deviceId: bigint): bigint {
    return this.#zones.get(deviceId) ?? defaultZone
  }

  /** Views and zone as the log stores them. */
  viewsOf(deviceId: bigint): string {
    const views = this.#byDevice.get(deviceId)
    const zoneId = this.zoneOf(deviceId)
    // Not cached for devices in the default zone and in no view: there may be any number of them.
    if (!views && zoneId === defaultZone) return viewsText(this.#viewsOfAllDevices)
    let text = this.#texts.get(deviceId)
    if (text === undefined) {
      text = viewsText([...this.#viewsOfAllDevices, ...(views ?? [])], zoneId)
      this.#texts.set(deviceId, text)
    }
    return text
  }
}
