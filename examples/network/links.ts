// How the devices of the sample network are wired: what each hangs behind, and the port at either end.

import type { Site } from './plan.ts'

/** The device above, by its label without the site, with the port there and the port here. */
export interface Uplink {
  readonly above: string
  readonly theirs: number
  readonly ours: number
}

/** Ports of an access switch for what is no desk, and the uplinks behind them all. */
const ports = { ups: 9, ap: 10, accessUplink: 13, distributionUplink: 7 }

const each = (role: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${role}${index + 1}`)

export const firewallLinks = ({ routers }: Site, number: number): Uplink[] =>
  each('rtr', routers).map((above, index) => ({ above, theirs: 1 + number, ours: 1 + index }))

export const coreLinks = ({ firewalls }: Site, number: number): Uplink[] =>
  each('fw', firewalls).map((above, index) => ({ above, theirs: 2 + number, ours: 8 - index }))

export const distributionLinks = ({ cores, buildings }: Site, building: string): Uplink[] =>
  each('core', cores).map((above, index) => ({
    above,
    theirs: 1 + buildings.indexOf(building),
    ours: ports.distributionUplink + index,
  }))

export const accessLinks = (
  { accessPerFloor }: Site,
  building: string,
  floor: number,
  number: number,
): Uplink[] => [
  {
    above: `dist-${building}`,
    theirs: (floor - 1) * accessPerFloor + number,
    ours: ports.accessUplink,
  },
]

export const apLinks = (
  { accessPerFloor }: Site,
  building: string,
  floor: number,
  number: number,
): Uplink[] => [
  {
    above: `acc-${building}${floor}-${1 + ((number - 1) % accessPerFloor)}`,
    theirs: ports.ap + Math.floor((number - 1) / accessPerFloor),
    ours: 1,
  },
]

/** The network card of a UPS is plugged in on the first floor. */
export const upsLinks = (building: string, number: number): Uplink[] => [
  { above: `acc-${building}1-${number}`, theirs: ports.ups, ours: 1 },
]
