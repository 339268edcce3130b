// Looks up the custom views and the zone of a device when its alarms change.

import { customViews, membersOf, readViews } from '../../resources/inventory/custom-view.ts'
import { defaultZone, zonesOfEach } from '../../resources/inventory/zone.ts'
import type { Database, Reader, Transaction } from '../../store/database.ts'
import { TableCache } from '../../store/table-cache.ts'
import { viewsText } from '../log/push-attributes.ts'

const cacheLimit = 50_000

interface ViewIndex {
  /** Views that contain all devices. */
  readonly ofAllDevices: readonly bigint[]
  readonly byDevice: ReadonlyMap<bigint, readonly bigint[]>
}

export class DeviceViews {
  readonly #database: Pick<Database, 'version' | 'kind'>
  readonly #views: TableCache<ViewIndex>
  /** By device, as far as gathered. Unknown devices are in the default zone. */
  #zones = new Map<bigint, bigint>()
  readonly #texts = new Map<bigint, string>()
  #devicesVersion = -1

  constructor(database: Pick<Database, 'version' | 'kind'>) {
    this.#database = database
    this.#views = new TableCache(database, customViews.table.name)
  }

  async refresh(tx: Transaction): Promise<void> {
    const devicesVersion = tx.version('device')
    // In PostgreSQL other nodes may change devices: only data read in this transaction is valid.
    const isStale = devicesVersion !== this.#devicesVersion || this.#database.kind !== 'sqlite'
    if (isStale || this.#zones.size > cacheLimit) {
      this.#zones = new Map()
      this.#texts.clear()
    }
    if (!this.#views.isCurrent(tx)) {
      await this.#views.get(tx, readViewIndex)
      this.#texts.clear()
    }
    this.#devicesVersion = devicesVersion
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
    const { ofAllDevices, byDevice } = this.#views.last ?? noViews
    const views = byDevice.get(deviceId)
    const zoneId = this.zoneOf(deviceId)
    // Not cached for devices in the default zone and in no view: there may be any number of them.
    if (!views && zoneId === defaultZone) return viewsText(ofAllDevices)
    let text = this.#texts.get(deviceId)
    if (text === undefined) {
      text = viewsText([...ofAllDevices, ...(views ?? [])], zoneId)
      this.#texts.set(deviceId, text)
    }
    return text
  }
}

const noViews: ViewIndex = { ofAllDevices: [], byDevice: new Map() }

async function readViewIndex(reader: Reader): Promise<ViewIndex> {
  const ofAllDevices: bigint[] = []
  const byDevice = new Map<bigint, bigint[]>()
  for (const [symbolId, members] of membersOf(await readViews(reader))) {
    if (members === 'all') {
      ofAllDevices.push(symbolId)
      continue
    }
    for (const deviceId of members) {
      const views = byDevice.get(deviceId)
      if (views) views.push(symbolId)
      else byDevice.set(deviceId, [symbolId])
    }
  }
  return { ofAllDevices, byDevice }
}
