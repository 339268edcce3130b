// Finds the device of a sender, by its address and space; addresses are written as by `inSpace`. Depending on the settings, unknown senders are registered, up to a limit, or
// refused: anyone who knows the community can invent addresses.

import {
  type Device,
  devices,
  findByAddress,
  interfacesIn,
  register,
} from '../../resources/inventory/device.ts'
import { learntInterfaces } from '../../resources/inventory/learnt-rows.ts'
import { addressOf } from '../../schema/space.ts'
import type { Database, Transaction } from '../../store/database.ts'
import { openIds } from '../../store/ids.ts'
import { TableCache } from '../../store/table-cache.ts'
import { readTally } from '../../store/tally.ts'
import { PortNames } from './port-names.ts'

export interface KnownDevice {
  readonly id: bigint
  readonly ip: string
  readonly name: string
  /** Interface description by ifIndex: as people typed it in, else as the device names it. */
  readonly interfaces: ReadonlyMap<string, string>
  readonly ports: PortNames
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

export class DeviceDirectory {
  readonly #settings: UnknownSenders
  readonly #known: TableCache<Map<string, KnownDevice>>

  constructor(database: Database, settings: UnknownSenders) {
    this.#known = new TableCache(database, 'device', 'device_address', 'device_port_names')
    this.#settings = settings
  }

  /** Finds the devices of these addresses. New ones are registered when the result is written. */
  async gather(tx: Transaction, addresses: Iterable<string>): Promise<SenderDevices> {
    const { devices, missing } = await this.#find(tx, addresses)
    if (missing.size === 0 || this.#settings.unknownSenders === 'refuse')
      return new SenderDevices(devices, unknownSender)
    return this.#register(tx, devices, [...missing])
  }

  /** The known devices among these addresses. */
  async find(tx: Transaction, addresses: Iterable<string>): Promise<ReadonlyMap<string, KnownDevice>> {
    return (await this.#find(tx, addresses)).devices
  }

  async #find(tx: Transaction, addresses: Iterable<string>) {
    const known = await this.#known.get(tx, async () => new Map())
    const devices = new Map<string, KnownDevice>()
    const missing = new Set<string>()
    for (const address of addresses) {
      const device = known.get(address)
      if (device) devices.set(address, device)
      else missing.add(address)
    }
    if (missing.size === 0) return { devices, missing }
    const found = await findByAddress(tx, [...missing])
    const learnt = await learntInterfaces(tx, [...new Set(Array.from(found.values(), ({ id }) => id))])
    for (const [address, record] of found) {
      const device = knownDevice(record, learnt.get(record.id))
      missing.delete(address)
      devices.set(address, device)
      if (known.size >= cacheLimit) known.clear()
      known.set(address, device)
    }
    return { devices, missing }
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
      known.set(address, withPorts({ id, ip: addressOf(address), name: address, interfaces: new Map() }))
      registered.set(address, id)
    }
    return new SenderDevices(known, tooManyDevices, () => register(tx, registered))
  }
}

/** The devices of a block's senders: known ones, and those that are registered with the block. */
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

  /** The device, or the reason why its traps are refused. */
  find(address: string): KnownDevice | string {
    return this.#devices.get(address) ?? this.#refusal
  }

  write(): Promise<void> {
    return this.#register()
  }
}

const knownDevice = ({ id, ip, label, interfaces }: Device, learnt: string | undefined): KnownDevice => {
  const named = [...(learnt === undefined ? [] : interfacesIn(learnt)), ...interfaces]
  return withPorts({
    ...{ id, ip, name: label },
    interfaces: new Map(named.map(({ ifIndex, ifDesc }) => [String(ifIndex), ifDesc])),
  })
}

export const withPorts = (device: Omit<KnownDevice, 'ports'>): KnownDevice => ({
  ...device,
  ports: new PortNames(device.interfaces),
})
