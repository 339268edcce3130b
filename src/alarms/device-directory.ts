// Which device speaks from an address. Unknown ones are registered, within a limit, or refused, as the settings say:
// whoever knows the community can make up addresses.

import { createIn } from '../resources/collection.ts'
import { devices } from '../resources/device.ts'
import type { RecordOf } from '../schema/resource.ts'
import type { Database, Transaction } from '../store/database.ts'
import { find } from '../store/table.ts'
import { tallied } from '../store/tally.ts'

type DeviceRecord = RecordOf<typeof devices.resource.fields>

export interface KnownDevice {
  readonly id: bigint
  readonly ip: string
  readonly name: string
  /** Interface description by ifIndex. */
  readonly interfaces: ReadonlyMap<string, string>
}

export interface UnknownSenders {
  readonly unknownSenders: 'register' | 'refuse'
  /** How many devices there may be for further ones to be registered. */
  readonly deviceLimit: number
}

const cacheLimit = 20_000

export class DeviceDirectory {
  readonly #database: Database
  readonly #settings: UnknownSenders
  readonly #known = new Map<string, KnownDevice>()
  #versions = { device: -1, address: -1 }
  /** The transaction that registered devices: what it shows is not kept, for it may yet be undone. */
  #registering: { readonly tx: Transaction; devices: number } | undefined
  /** How many traps were refused because there are too many devices. */
  turnedAway = 0

  constructor(database: Database, settings: UnknownSenders) {
    this.#database = database
    this.#settings = settings
  }

  /** The reason, where the device is not known and not registered. */
  async find(tx: Transaction, address: string): Promise<KnownDevice | string> {
    this.#forgetIfChanged()
    const known = this.#known.get(address)
    if (known) return known
    const [row] = await tx.all('select device_id from device_address where ip = ?', [address])
    if (!row) {
      if (this.#settings.unknownSenders === 'refuse') return 'unknown sender'
      if (await this.#isFull(tx)) return 'unknown sender, and too many devices'
    }
    const id = row ? (row.device_id as bigint) : await createIn(tx, devices, { ip: address, label: address })
    const record = (await find(tx, devices.table, id)) as DeviceRecord | undefined
    if (!record) return 'unknown sender'
    const device = {
      id,
      ip: record.ip,
      name: record.label,
      interfaces: new Map(record.interfaces.map(({ ifIndex, ifDesc }) => [String(ifIndex), ifDesc])),
    }
    if (tx !== this.#registering?.tx) {
      if (this.#known.size >= cacheLimit) this.#known.clear()
      this.#known.set(address, device)
    }
    return device
  }

  /** Counts the device that is about to be registered, where there is room for it. */
  async #isFull(tx: Transaction): Promise<boolean> {
    if (tx !== this.#registering?.tx) {
      this.#registering = { tx, devices: await tallied(tx, devices.table, '', '') }
    }
    const full = this.#registering.devices >= this.#settings.deviceLimit
    if (full) this.turnedAway += 1
    else this.#registering.devices += 1
    return full
  }

  #forgetIfChanged(): void {
    const versions = {
      device: this.#database.version('device'),
      address: this.#database.version('device_address'),
    }
    const { device, address } = this.#versions
    if (versions.device === device && versions.address === address) return
    this.#known.clear()
    this.#versions = versions
  }
}
