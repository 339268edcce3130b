// Finds the device of a sender's address. Unknown senders are registered, up to a limit, or refused, as the settings
// say: whoever knows the community can invent addresses.

import { type Device, devices, findByAddress, register } from '../../resources/inventory/device.ts'
import type { Database, Transaction } from '../../store/database.ts'
import { openIds } from '../../store/ids.ts'
import { readTally } from '../../store/tally.ts'

export interface KnownDevice {
  readonly id: bigint
  readonly ip: string
  readonly name: string
  /** Interface description by ifIndex. */
  readonly interfaces: ReadonlyMap<string, string>
}

export interface UnknownSenders {
  readonly unknownSenders: 'register' | 'refuse'
  /** The number of devices up to which unknown senders are registered. */
  readonly deviceLimit: number
}

/** Why a trap of an unknown sender is refused. */
export const unknownSender = 'unknown sender'
export const tooManyDevices = 'unknown sender, and too many devices'

const cacheLimit = 20_000
const noInterfaces: KnownDevice['interfaces'] = new Map()

export class DeviceDirectory {
  readonly #database: Database
  readonly #settings: UnknownSenders
  readonly #known = new Map<string, KnownDevice>()
  #versions = { device: -1, address: -1 }

  constructor(database: Database, settings: UnknownSenders) {
    this.#database = database
    this.#settings = settings
  }

  /** The devices of these addresses. Nothing is registered before it is written. */
  async gather(tx: Transaction, addresses: Iterable<string>): Promise<SenderDevices> {
    this.#forgetIfChanged()
    const devices = new Map<string, KnownDevice>()
    const unseen = new Set<string>()
    for (const address of addresses) {
      const device = this.#known.get(address)
      if (device) devices.set(address, device)
      else unseen.add(address)
    }
    if (unseen.size === 0) return new SenderDevices(devices, unknownSender)
    for (const [address, record] of await findByAddress(tx, [...unseen])) {
      const device = knownDevice(record)
      unseen.delete(address)
      devices.set(address, device)
      if (this.#known.size >= cacheLimit) this.#known.clear()
      this.#known.set(address, device)
    }
    if (this.#settings.unknownSenders === 'refuse') return new SenderDevices(devices, unknownSender)
    return this.#register(tx, devices, [...unseen])
  }

  async #register(
    tx: Transaction,
    known: Map<string, KnownDevice>,
    unknown: string[],
  ): Promise<SenderDevices> {
    if (unknown.length === 0) return new SenderDevices(known, unknownSender)
    const room = this.#settings.deviceLimit - (await readTally(tx, devices.table, '', ''))
    const next = await openIds(tx, 'device')
    const registered = new Map<string, bigint>()
    for (const address of unknown.slice(0, Math.max(0, room))) {
      const id = next('device')
      known.set(address, { id, ip: address, name: address, interfaces: noInterfaces })
      registered.set(address, id)
    }
    return new SenderDevices(known, tooManyDevices, () => register(tx, registered))
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

/** The devices of the addresses of a block: known ones, and those that are registered with it. */
export class SenderDevices {
  readonly #devices: ReadonlyMap<string, KnownDevice>
  readonly #refusal: string
  readonly #register: () => Promise<void>

  constructor(
    devices: ReadonlyMap<string, KnownDevice>,
    refusal: string,
    register: () => Promise<void> = async () => undefined,
  ) {
    this.#devices = devices
    this.#refusal = refusal
    this.#register = register
  }

  /** The device, or the reason why its trap is refused. */
  of(address: string): KnownDevice | string {
    return this.#devices.get(address) ?? this.#refusal
  }

  write(): Promise<void> {
    return this.#register()
  }
}

const knownDevice = ({ id, ip, label, interfaces }: Device): KnownDevice => ({
  id,
  ip,
  name: label,
  interfaces: new Map(interfaces.map(({ ifIndex, ifDesc }) => [String(ifIndex), ifDesc])),
})
