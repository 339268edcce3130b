// Whether a terminal may be where it is, according to its binding.

import { coded } from '../../schema/scalar.ts'

/** Where a binding allows a terminal: anywhere, or at the interfaces that it names. */
export const boundToInterfaces = 2

export const bindType = coded({
  1: 'no authentication',
  [boundToInterfaces]: 'MAC-to-interface binding',
})

interface Bound {
  readonly bindType: number
  readonly ifInfo: readonly { readonly deviceId: bigint; readonly ifIndex: bigint }[]
}

/** A port of a device: device 0 is one that is not known, and the interface may not be. */
export interface PortPlace {
  readonly deviceId: bigint
  readonly ifIndex: bigint | null
}

/** `unclear`: it cannot be determined whether it is the interface that the binding names. */
export type Standing = 'unbound' | 'anywhere' | 'here' | 'elsewhere' | 'unclear'

export function standing(binding: Bound | undefined, { deviceId, ifIndex }: PortPlace): Standing {
  if (!binding) return 'unbound'
  if (binding.bindType !== boundToInterfaces) return 'anywhere'
  if (deviceId === 0n) return 'unclear'
  const ofDevice = binding.ifInfo.filter((one) => one.deviceId === deviceId)
  if (ofDevice.length === 0) return 'elsewhere'
  if (ifIndex === null) return 'unclear'
  return ofDevice.some((one) => one.ifIndex === ifIndex) ? 'here' : 'elsewhere'
}
