// The company of the sample network: who works there, where, and how its addresses are laid out. All of it is made up;
// public addresses are from the ranges set aside for documentation.

export interface Person {
  readonly name: string
  readonly site: string
}

export interface Site {
  /** Begins every device name of the site. */
  readonly code: string
  readonly name: string
  /** The second number of its IPv4 addresses, and the third group of its IPv6 ones. */
  readonly number: number
  readonly buildings: readonly string[]
  readonly floors: number
  readonly routers: number
  readonly firewalls: number
  readonly cores: number
  readonly accessPerFloor: number
  readonly apsPerFloor: number
  readonly upsPerBuilding: number
}

export const sites: readonly Site[] = [
  {
    code: 'ham',
    name: 'Hamburg',
    number: 10,
    buildings: ['a', 'b', 'c'],
    floors: 3,
    routers: 2,
    firewalls: 2,
    cores: 2,
    accessPerFloor: 2,
    apsPerFloor: 2,
    upsPerBuilding: 2,
  },
  {
    code: 'lyo',
    name: 'Lyon',
    number: 20,
    buildings: ['h1', 'h2'],
    floors: 2,
    routers: 1,
    firewalls: 2,
    cores: 2,
    accessPerFloor: 2,
    apsPerFloor: 2,
    upsPerBuilding: 1,
  },
  {
    code: 'bos',
    name: 'Boston',
    number: 30,
    buildings: ['main'],
    floors: 2,
    routers: 1,
    firewalls: 1,
    cores: 1,
    accessPerFloor: 2,
    apsPerFloor: 2,
    upsPerBuilding: 1,
  },
  {
    code: 'sin',
    name: 'Singapore',
    number: 40,
    buildings: ['wh'],
    floors: 1,
    routers: 1,
    firewalls: 1,
    cores: 1,
    accessPerFloor: 2,
    apsPerFloor: 3,
    upsPerBuilding: 1,
  },
]

export interface Vlan {
  readonly id: number
  readonly name: string
  readonly description: string
  /** Where only some sites have it. */
  readonly sites?: readonly string[]
  /** A part that DHCP hands out, as last numbers of the address. */
  readonly pool?: readonly [number, number]
  /** Where it lies in another zone than its site. */
  readonly zone?: string
}

/** VLAN 20 of Hamburg is 10.10.20.1 to 10.10.20.254. */
export const vlans: readonly Vlan[] = [
  { id: 1, name: 'Management', description: 'VLAN 1, network devices and UPSs' },
  { id: 10, name: 'Servers', description: 'VLAN 10, server room' },
  { id: 20, name: 'Offices', description: 'VLAN 20, wired workstations', pool: [100, 199] },
  { id: 30, name: 'Telephones', description: 'VLAN 30, desk phones', pool: [50, 250] },
  { id: 40, name: 'Printers', description: 'VLAN 40, printers and scanners' },
  { id: 50, name: 'Staff Wi-Fi', description: 'VLAN 50, SSID Halden', pool: [10, 250] },
  { id: 60, name: 'Guest Wi-Fi', description: 'VLAN 60, SSID Halden-Guest', pool: [10, 250], zone: 'Guests' },
  {
    id: 70,
    name: 'Production',
    description: 'VLAN 70, controllers and test benches',
    sites: ['ham', 'lyo'],
    zone: 'Production',
  },
  { id: 80, name: 'Cameras', description: 'VLAN 80, video and door control' },
]

export const people: readonly Person[] = [
  { name: 'Anke Petersen', site: 'ham' },
  { name: 'Jonas Brandt', site: 'ham' },
  { name: 'Meike Lorenzen', site: 'ham' },
  { name: 'Tarek Aydın', site: 'ham' },
  { name: 'Sören Jürgensen', site: 'ham' },
  { name: 'Katharina Voß', site: 'ham' },
  { name: 'Dmitri Orlow', site: 'ham' },
  { name: 'Lena Hoffmann', site: 'ham' },
  { name: 'Birgit Claasen', site: 'ham' },
  { name: 'Malte Reimers', site: 'ham' },
  { name: 'Inès Moreau', site: 'lyo' },
  { name: 'Olivier Chastagnier', site: 'lyo' },
  { name: 'Nadia Benali', site: 'lyo' },
  { name: 'Pascal Roux', site: 'lyo' },
  { name: 'Élodie Girard', site: 'lyo' },
  { name: 'Thibault Lefèvre', site: 'lyo' },
  { name: 'Grace Whitcomb', site: 'bos' },
  { name: 'Marcus Delgado', site: 'bos' },
  { name: "Siobhan O'Leary", site: 'bos' },
  { name: 'Peter Nakamura', site: 'bos' },
  { name: 'Wei Ling Tan', site: 'sin' },
  { name: 'Rajesh Pillai', site: 'sin' },
  { name: 'Nur Aisyah Rahman', site: 'sin' },
]

/** Who looks after the network of each site. */
export const maintainers: Readonly<Record<string, string>> = {
  ham: 'Jonas Brandt',
  lyo: 'Nadia Benali',
  bos: 'Marcus Delgado',
  sin: 'Rajesh Pillai',
}

export interface ServerRole {
  readonly name: string
  readonly description: string
  readonly owner: string
}

export const servers: readonly ServerRole[] = [
  { name: 'dc1', description: 'Domain controller, DNS, DHCP', owner: 'IT Operations' },
  { name: 'dc2', description: 'Domain controller, DNS', owner: 'IT Operations' },
  { name: 'vm1', description: 'Hypervisor', owner: 'IT Operations' },
  { name: 'vm2', description: 'Hypervisor', owner: 'IT Operations' },
  { name: 'nas1', description: 'File server', owner: 'IT Operations' },
  { name: 'bak1', description: 'Backup server', owner: 'IT Operations' },
  { name: 'erp1', description: 'ERP application server', owner: 'Finance Systems' },
  { name: 'mes1', description: 'Production control', owner: 'Plant Engineering' },
]

/** What stands on desks and hangs on walls, with the first half of the MAC addresses its maker uses. */
export const terminals = {
  workstation: ['d4:be:d9', '54:ee:75', '3c:d9:2b'],
  notebook: ['3c:22:fb', '54:ee:75', '8c:16:45'],
  phone: ['64:16:7f', '00:04:f2', '80:5e:c0'],
  printer: ['00:80:77', '3c:d9:2b', '00:26:73'],
  camera: ['ac:cc:8e', '00:40:8c'],
  controller: ['00:1b:1b', '00:0e:8c', '00:30:de'],
  scanner: ['48:a4:93', '00:15:70'],
} as const

export type TerminalKind = keyof typeof terminals
