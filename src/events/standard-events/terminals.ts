// MAC addresses that switches have learnt or removed: CISCO-MAC-NOTIFICATION-MIB and HH3C-MAC-INFORMATION-MIB, the
// latter under the three numbers that its vendor has had. They report where terminals are, and raise no alarms.

import { category, type StandardEvent } from './definition.ts'

const noted = (eventOid: string, name: string): StandardEvent => ({
  eventOid,
  name,
  alarmLevel: 5,
  alarmCategory: category.bridging,
  alarmDesc: 'MAC addresses were learnt, removed or moved at {deviceName}',
  handling: 0,
})

const h3c = (root: string, prefix: string): StandardEvent[] => [
  noted(`${root}.3.0.1`, `${prefix}MACInformationChangedTrap`),
  noted(`${root}.4.0.1`, `${prefix}MACInformationChangedTrapExt`),
  noted(`${root}.4.0.2`, `${prefix}MACInformationMovedTrap`),
]

export const terminalEvents: readonly StandardEvent[] = [
  noted('1.3.6.1.4.1.9.9.215.2.0.1', 'cmnMacChangedNotification'),
  ...h3c('1.3.6.1.4.1.25506.2.87.1', 'hh3c'),
  ...h3c('1.3.6.1.4.1.2011.10.2.87.1', 'h3c'),
  ...h3c('1.3.6.1.4.1.43.45.1.10.2.87.1', 'h3c'),
]
