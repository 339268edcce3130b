// Writes the sample network: `node bin/node.js examples/network/make.ts`. The same files come out every time, on every machine.

import { writeFileSync } from 'node:fs'
import { maintenance } from '../../src/resources/alarms/maintenance.ts'
import { trapRule } from '../../src/resources/alarms/trap-rule.ts'
import { assignedIpInfo } from '../../src/resources/inventory/assigned-ip-info.ts'
import { assignedIpScope } from '../../src/resources/inventory/assigned-ip-scope.ts'
import { device } from '../../src/resources/inventory/device.ts'
import { macAccessBind } from '../../src/resources/inventory/mac-access-bind.ts'
import { zone } from '../../src/resources/inventory/zone.ts'
import { reportTemplate } from '../../src/resources/reports/report-template.ts'
import { CsvForm } from '../../src/schema/csv.ts'
import { complete } from '../../src/schema/read-document.ts'
import type { AnyRecord, DraftOf, Resource } from '../../src/schema/resource.ts'
import {
  accessLinks,
  apLinks,
  coreLinks,
  distributionLinks,
  firewallLinks,
  type Uplink,
  upsLinks,
} from './links.ts'
import {
  maintainers,
  people,
  type Site,
  servers,
  sites,
  type TerminalKind,
  terminals,
  vlans,
} from './plan.ts'
import { reportTemplates, trapRules, windows, zones } from './records.ts'

type Device = DraftOf<typeof device.fields> & {
  readonly id: bigint
  readonly label: string
  readonly ip: string
}
type Scope = DraftOf<typeof assignedIpScope.fields> & { readonly id: bigint }
type AssignedIp = DraftOf<typeof assignedIpInfo.fields>
type Binding = DraftOf<typeof macAccessBind.fields>

/** Chance that is the same every time (mulberry32). */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * sides)
  }
}

const counting = (names: readonly string[], first = 1) =>
  names.map((ifDesc, index) => ({ ifIndex: BigInt(first + index), ifDesc, basePort: null }))
const ports = (prefix: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${prefix}${from + index}`)
const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}${index + 1}`)

const accessPorts = 12

const interfacesOf = {
  rtr: [...ports('GigabitEthernet0/0/', 0, 3), 'Loopback0'],
  fw: ['ge-0/0/0', 'ge-0/0/1', 'ge-0/0/2', 'ge-0/0/3', 'reth0'],
  core: [...ports('Ten-GigabitEthernet1/0/', 1, 8), 'Vlan-interface1'],
  dist: [...ports('Ten-GigabitEthernet1/0/', 1, 8), 'Vlan-interface1'],
  acc: [
    ...ports('GigabitEthernet1/0/', 1, accessPorts),
    ...ports('Ten-GigabitEthernet1/0/', accessPorts + 1, accessPorts + 2),
  ],
  ap: ['GigabitEthernet0', 'Radio0', 'Radio1'],
  ups: ['Network card'],
}

type Role = keyof typeof interfacesOf

const typeNames: Readonly<Record<Role, string>> = {
  rtr: 'Router',
  fw: 'Firewall',
  core: 'Core switch',
  dist: 'Distribution switch',
  acc: 'Access switch',
  ap: 'Access point',
  ups: 'UPS',
}

interface Placed {
  readonly role: Role
  readonly name: string
  readonly uplinks: readonly Uplink[]
}

const times = <T>(count: number, make: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index + 1))

function placedIn(site: Site): Placed[] {
  const inBuildings = site.buildings.flatMap((building): Placed[] => {
    const onFloors = times(site.floors, (floor): Placed[] => [
      ...times(site.accessPerFloor, (n): Placed => {
        const uplinks = accessLinks(site, building, floor, n)
        return { role: 'acc', name: `acc-${building}${floor}-${n}`, uplinks }
      }),
      ...times(site.apsPerFloor, (n): Placed => {
        const uplinks = apLinks(site, building, floor, n)
        return { role: 'ap', name: `ap-${building}${floor}-${n}`, uplinks }
      }),
    ])
    const dist = {
      role: 'dist',
      name: `dist-${building}`,
      uplinks: distributionLinks(site, building),
    } as const
    const ups = times(site.upsPerBuilding, (n): Placed => {
      return { role: 'ups', name: `ups-${building}-${n}`, uplinks: upsLinks(building, n) }
    })
    return [dist, ...onFloors.flat(), ...ups]
  })
  return [
    ...times(site.routers, (n): Placed => ({ role: 'rtr', name: `rtr${n}`, uplinks: [] })),
    ...times(site.firewalls, (n): Placed => {
      return { role: 'fw', name: `fw${n}`, uplinks: firewallLinks(site, n) }
    }),
    ...times(site.cores, (n): Placed => ({ role: 'core', name: `core${n}`, uplinks: coreLinks(site, n) })),
    ...inBuildings,
  ]
}

/** Room between the sites, so that ids show where a device stands. */
const deviceId = (place: number, index: number) => BigInt((place + 1) * 100 + index + 1)

/** The zones of the sites are the first behind the default one, in the order of the sites. */
const zoneOf = (place: number) => BigInt(place + 2)

function makeDevices(): Device[] {
  return sites.flatMap((site, place) => {
    const placed = placedIn(site)
    const idOf = (name: string) =>
      deviceId(
        place,
        placed.findIndex((one) => one.name === name),
      )
    return placed.map(({ role, name, uplinks }, index) => ({
      id: deviceId(place, index),
      ip: `10.${site.number}.1.${index + 1}`,
      label: `${site.code}-${name}`,
      mask: '255.255.255.0',
      sysName: `${site.code}-${name}.example.net`,
      location: site.name,
      typeName: typeNames[role],
      zoneId: zoneOf(place),
      interfaces: counting(interfacesOf[role]),
      // Routers also answer, and send traps, from their side of the provider's network.
      otherAddress: role === 'rtr' ? [{ ip: `198.51.100.${site.number + index}` }] : [],
      parent: uplinks.map(({ above, theirs, ours }) => ({
        deviceId: idOf(above),
        ifIndex: BigInt(ours),
        parentIfIndex: BigInt(theirs),
      })),
    }))
  })
}

const vlansOf = (site: Site) => vlans.filter((vlan) => vlan.sites?.includes(site.code) ?? true)

const publicScope = 90n
const managementVlan = 1

function zoneCalled(name: string): bigint {
  const found = zones.find((one) => one.name === name)
  if (!found) throw new Error(`the sample has no zone ${name}`)
  return found.zoneId
}

function makeScopes(): Scope[] {
  const bySite = sites.flatMap((site, place) => {
    const top = BigInt((place + 1) * 100)
    const net = `10.${site.number}`
    const six = `2001:db8:${site.number}`
    const inner = vlansOf(site).flatMap(({ id, name, description, pool, zone }): Scope[] => {
      const own = { id: top + BigInt(id), startIp: `${net}.${id}.1`, endIp: `${net}.${id}.254` }
      const zoneId = zone === undefined ? zoneOf(place) : zoneCalled(zone)
      const whole = { ...own, name: `${site.name} ${name}`, description, parentId: top, zoneId }
      if (!pool) return [whole]
      const dhcp = {
        id: own.id + 1n,
        startIp: `${net}.${id}.${pool[0]}`,
        endIp: `${net}.${id}.${pool[1]}`,
        name: `${site.name} ${name} DHCP`,
        description: 'Handed out by DHCP',
        parentId: own.id,
        zoneId,
      }
      return [whole, dhcp]
    })
    const six64 = (vlan: number, name: string, number: bigint) => ({
      id: top + number,
      startIp: `${six}:${vlan}::`,
      endIp: `${six}:${vlan}:ffff:ffff:ffff:ffff`,
      name: `${site.name} ${name} IPv6`,
      parentId: top + 90n,
      zoneId: zoneOf(place),
    })
    const block = { startIp: `${net}.0.0`, endIp: `${net}.255.255`, description: 'All of the site' }
    const zoneId = zoneOf(place)
    return [
      { id: top, name: site.name, parentId: -1n, zoneId, ...block },
      ...inner,
      {
        id: top + 90n,
        startIp: `${six}::`,
        endIp: `${six}:ffff:ffff:ffff:ffff:ffff`,
        name: `${site.name} IPv6`,
        description: 'All of the site',
        parentId: -1n,
        zoneId,
      },
      six64(10, 'Servers', 91n),
      six64(20, 'Offices', 92n),
    ]
  })
  const published = {
    id: publicScope,
    startIp: '203.0.113.0',
    endIp: '203.0.113.63',
    name: 'Public',
    description: 'Reachable from the Internet, behind ham-fw1',
    parentId: -1n,
    zoneId: zoneCalled('Public'),
  }
  return [published, ...bySite]
}

function makeAddresses(devices: readonly Device[]): AssignedIp[] {
  const addresses: AssignedIp[] = []
  const assign = (parentId: bigint, ip: string, name: string, description: string) =>
    addresses.push({ id: BigInt(addresses.length + 1), ip, name, description, parentId })
  assign(publicScope, '203.0.113.1', 'Network Operations', 'Provider gateway')
  assign(publicScope, '203.0.113.10', 'IT Operations', 'www.halden.example')
  assign(publicScope, '203.0.113.11', 'IT Operations', 'mail.halden.example')
  assign(publicScope, '203.0.113.20', 'Network Operations', 'VPN gateway')
  for (const [place, site] of sites.entries()) {
    const top = BigInt((place + 1) * 100)
    const net = `10.${site.number}`
    for (const { id, label, ip } of devices) {
      if (id / 100n === BigInt(place + 1))
        assign(top + BigInt(managementVlan), ip, 'Network Operations', label)
    }
    for (const { id } of vlansOf(site)) {
      // In the management network that address is the first router's own.
      if (id !== managementVlan) assign(top + BigInt(id), `${net}.${id}.1`, 'Network Operations', 'Gateway')
    }
    const here = servers.slice(0, site.code === 'ham' ? servers.length : 4)
    for (const [index, { name, description, owner }] of here.entries()) {
      const what = `${site.code}-${name}, ${description}`
      assign(top + 10n, `${net}.10.${10 + index}`, owner, what)
      assign(top + 91n, `2001:db8:${site.number}:10::${(16 + index).toString(16)}`, owner, what)
    }
    const staff = people.filter((person) => person.site === site.code)
    for (const [index, { name }] of staff.entries()) {
      assign(top + 20n, `${net}.20.${11 + index}`, name, `${site.code}-pc${index + 1}, fixed address`)
    }
    for (const [index, building] of site.buildings.entries()) {
      assign(top + 40n, `${net}.40.${11 + index}`, 'Facilities', `${site.code}-prn-${building}, printer`)
      assign(
        top + 80n,
        `${net}.80.${11 + index}`,
        'Facilities',
        `${site.code}-cam-${building}, entrance camera`,
      )
    }
    if (site.code === 'lyo' || site.code === 'ham') {
      for (const [index, bench] of numbered('bench', 4).entries()) {
        assign(top + 70n, `${net}.70.${11 + index}`, 'Plant Engineering', `${site.code}-${bench}, test bench`)
      }
    }
  }
  return addresses
}

/** What is plugged in behind each access switch, port by port; the last two ports stay free. */
const plugged: readonly TerminalKind[] = [
  'workstation',
  'phone',
  'workstation',
  'printer',
  'notebook',
  'camera',
]

function makeBindings(devices: readonly Device[]): Binding[] {
  const roll = dice(2026)
  const bindings: Binding[] = []
  const used = new Set<string>()
  const macOf = (kind: TerminalKind) => {
    const makers = terminals[kind]
    const maker = makers[roll(makers.length)] ?? makers[0]
    const half = Array.from({ length: 3 }, () => roll(256).toString(16).padStart(2, '0')).join(':')
    return `${maker}:${half}`
  }
  const add = (kind: TerminalKind, draft: Omit<Binding, 'id' | 'terminalMac'>) => {
    let terminalMac = macOf(kind)
    while (used.has(terminalMac)) terminalMac = macOf(kind)
    used.add(terminalMac)
    bindings.push({ id: BigInt(bindings.length + 1), terminalMac, ...draft })
  }
  const switches = devices.filter(({ label }) => label.includes('-acc-'))
  for (const [place, { id, label }] of switches.entries()) {
    const code = label.slice(0, 3)
    const staff = people.filter((person) => person.site === code)
    const where = label.slice('ham-acc-'.length)
    for (const [port, kind] of plugged.entries()) {
      const deviceId = id
      const ifInfo = [{ deviceId, ifIndex: BigInt(port + 1) }]
      // A notebook is also welcome at the meeting room's port of the same switch.
      if (kind === 'notebook') ifInfo.push({ deviceId, ifIndex: BigInt(accessPorts) })
      const person = staff[(place + port) % staff.length]?.name ?? ''
      const personal = kind === 'workstation' || kind === 'notebook' || kind === 'phone'
      const terminalName = personal
        ? `${kind} ${where}/${port + 1} (${person})`
        : `${kind} ${where}/${port + 1}`
      add(kind, { terminalName, bindType: 2, maintainer: maintainers[code] ?? '', ifInfo })
    }
  }
  // Hand-held scanners roam through the warehouse, controllers through the test benches: any port will do.
  for (const [index, name] of numbered('scanner ', 12).entries()) {
    add('scanner', {
      terminalName: name,
      bindType: 1,
      maintainer: maintainers[index < 8 ? 'sin' : 'lyo'] ?? '',
    })
  }
  for (const name of numbered('bench controller ', 8)) {
    add('controller', { terminalName: name, bindType: 1, maintainer: 'Olivier Chastagnier' })
  }
  return bindings
}

function csv(resource: Resource, drafts: readonly AnyRecord[]): string {
  const form = new CsvForm(resource.fields)
  const records = drafts.map((draft) => complete(resource.fields, draft))
  for (const record of records) form.measure(record)
  return (form.header() + records.map((record) => form.row(record)).join('')).replaceAll('\r\n', '\n')
}

/** File name → content. */
export function networkFiles(): Map<string, string> {
  const devices = makeDevices()
  const byLabel = (label: string) => {
    const found = devices.find((candidate) => candidate.label === label)
    if (!found) throw new Error(`the sample has no device ${label}`)
    return { displayName: label, devID: Number(found.id) }
  }
  const files: [Resource, readonly AnyRecord[]][] = [
    [zone, zones],
    [device, devices],
    [assignedIpScope, makeScopes()],
    [assignedIpInfo, makeAddresses(devices)],
    [macAccessBind, makeBindings(devices)],
    [trapRule, trapRules(byLabel)],
    [reportTemplate, reportTemplates],
    [maintenance, windows],
  ]
  return new Map(files.map(([resource, drafts]) => [`${resource.name}.csv`, csv(resource, drafts)]))
}

if (import.meta.main) {
  for (const [name, text] of networkFiles()) writeFileSync(new URL(name, import.meta.url), text)
}
