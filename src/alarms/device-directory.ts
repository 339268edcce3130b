// Which device speaks from an address. Unknown ones are registered or refused, as the setting says.

import { createIn } from '../resources/collection.ts'
import { devices } from '../resources/device.ts'
import type { RecordOf } from '../schema/resource.ts'
import type { Database, Transaction } from '../store/database.ts'
import { find } from '../store/table.ts'

type DeviceRecord = RecordOf<typeof devices.resource.fields>

export interface KnownDevice {
  readonly id: bigint
  readonly ip: string
  readonly name: string
  /** Interface description by ifIndex. */
  readonly interfaces: ReadonlyMap<string, string>
}

const cacheLimit = 20_000

export class DeviceDirectory {
  readonly #database: Database
  readonly #registerUnknown: boolean
  readonly #known = new Map<string, KnownDevice>()
  #versions = { device: -1, address: -1 }
  /** The transaction that registered a device: what it shows is not kept, for it may yet be undone. */
  #registering: Transaction | undefined

  constructor(database: Database, unknownSenders: 'register' | 'refuse') {
    this.#database = database
    this.#registerUnknown = unknownSenders === 'register'
  }

  async find(tx: Transaction, address: string): Promise<KnownDevice | undefined> {
    this.#forgetIfChanged()
    const known = this.#known.get(address)
    if (known) return known
    const [row] = await tx.all('select device_id from device_address where ip = ?', [address])
    if (!row && !this.#registerUnknown) return undefined
    const id = row ? (row.device_id as bigint) : await createIn(tx, devices, { ip: address, label: address })
    const record = (await find(tx, devices.table, id)) as DeviceRecord | undefined
    if (!record) return undefined
    const device = {
      id,
      ip: record.ip,
      name: record.label,
      interfaces: new Map(record.interfaces.map(({ ifIndex, ifDesc }) => [String(ifIndex), ifDesc])),
    }
    if (!row) this.#registering = tx
    if (tx !== this.#registering) {
      if (this.#known.size >= cacheLimit) this.#known.clear()
      this.#known.set(address, device)
    }
    return device
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
