// Finds the switch with an address, and its interfaces. Read for every request, so that changes at any node take
// effect at once; the long list of interfaces is parsed only when its text has changed.

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
