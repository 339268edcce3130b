// The switch that has an address, with its interfaces. It is read for every request, so that what is changed at any
// node takes effect at once; the list of interfaces, which is long, is parsed when its text has changed.

import { type Device, deviceTextAt, interfacesIn } from '../resources/inventory/device.ts'
import type { Reader } from '../store/database.ts'

export type Switch = Pick<Device, 'id' | 'ip' | 'label' | 'interfaces'>

interface Parsed {
  readonly text: string
  readonly interfaces: Device['interfaces']
}

const limit = 5000

export class Switches {
  readonly #parsed = new Map<bigint, Parsed>()

  async at(reader: Reader, address: string): Promise<Switch | undefined> {
    const found = await deviceTextAt(reader, address)
    if (!found) return undefined
    const { id, ip, label } = found
    return { id, ip, label, interfaces: this.#parse(id, found.interfaces) }
  }

  #parse(id: bigint, text: string): Device['interfaces'] {
    const known = this.#parsed.get(id)
    if (known?.text === text) return known.interfaces
    if (this.#parsed.size >= limit) this.#parsed.clear()
    const interfaces = interfacesIn(text)
    this.#parsed.set(id, { text, interfaces })
    return interfaces
  }
}
