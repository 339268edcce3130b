// The texts of alarms about terminals.

import type { Binding } from '../resources/inventory/mac-access-bind.ts'
import { boundToInterfaces } from '../resources/inventory/terminal-standing.ts'
import type { Place } from './sighting.ts'

/** `Terminal 00:1b:44:11:3a:b7 (Printer 3, maintained by Ann)` */
export function whoIs(mac: string, binding: Binding | undefined): string {
  const details = [
    binding?.terminalName,
    binding?.maintainer ? `maintained by ${binding.maintainer}` : undefined,
  ].filter((one) => one)
  return `Terminal ${mac}${details.length > 0 ? ` (${details.join(', ')})` : ''}`
}

/** `GigabitEthernet1/0/7 of sw-2 (10.0.0.2)` */
export function whereIs({ port, deviceName, deviceIp }: Omit<Place, 'deviceId' | 'ifIndex'>): string {
  const device = deviceName === '' || deviceName === deviceIp ? deviceIp : `${deviceName} (${deviceIp})`
  return port === '' ? `an unknown port of ${device}` : `${port} of ${device}`
}

interface NamedDevice {
  readonly label: string
  readonly interfaces: readonly { readonly ifIndex: bigint; readonly ifDesc: string }[]
}

const named = 5

/** Describes where a terminal may be. */
export function whereBound(binding: Binding | undefined, devices: ReadonlyMap<bigint, NamedDevice>): string {
  if (!binding) return 'it is bound nowhere'
  if (binding.bindType !== boundToInterfaces) return 'it may be anywhere'
  const places = binding.ifInfo.slice(0, named).map(({ deviceId, ifIndex }) => {
    const device = devices.get(deviceId)
    const known = device?.interfaces.find((one) => one.ifIndex === ifIndex)
    return `${known?.ifDesc ?? `interface ${ifIndex}`} of ${device?.label ?? `device ${deviceId}`}`
  })
  const more = binding.ifInfo.length - places.length
  return `it may be at ${places.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
