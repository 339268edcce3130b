// Which device a message is about: its sender, or, if that is a relay, the host in the message.

import { isIP } from 'node:net'
import { splitSpace } from '../config/forms.ts'
import { Networks } from '../config/networks.ts'
import { addressOfName, type DeviceNames, noDeviceNames } from '../resources/inventory/device-names.ts'
import { addressOf, defaultSpace, inSpace, spaceOf } from '../schema/space.ts'

/**
 * A relay speaks for one address space, and is believed where it is heard in that space or in the default one: in any other,
 * its address is somebody else's.
 */
export class MessageRelays {
  /** By the space for which they speak, the default one last. */
  readonly #relays: readonly { readonly space: number; readonly networks: Networks }[]
  #names = noDeviceNames

  constructor(networks: readonly string[]) {
    const bySpace = Map.groupBy(networks.map(splitSpace), ({ space }) => space)
    const relays = Array.from(bySpace, ([space, of]) => ({
      space,
      networks: new Networks(of.map(({ text }) => text)),
    }))
    this.#relays = relays.sort((a, b) => b.space - a.space)
  }

  /** Whether there are any: only then names of devices matter. */
  get exist(): boolean {
    return this.#relays.length > 0
  }

  /** The names of devices, from now on. */
  setNames(names: DeviceNames): void {
    this.#names = names
  }

  /** Undefined where the sender is no relay, and where it gives a name that no device has, or several have. */
  deviceOf(sourceIp: string, host: string | undefined): string | undefined {
    if (host === undefined) return undefined
    const [address, heardIn] = [addressOf(sourceIp), spaceOf(sourceIp)]
    const relay = this.#relays.find(
      ({ space, networks }) => (heardIn === defaultSpace || heardIn === space) && networks.has(address),
    )
    if (!relay) return undefined
    return isIP(host) === 0 ? addressOfName(this.#names, host, relay.space) : inSpace(host, relay.space)
  }
}
