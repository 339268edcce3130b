// One device of the demo, as its agent describes it: system, ports, chassis, address, and the neighbours at its ports.

import { Agent } from '../../snmp/agent.ts'
import { isOidAfter } from '../../snmp/oid.ts'
import type { Variable, VariableType } from '../../snmp/variables.ts'

export interface AgentPort {
  readonly ifIndex: number
  readonly name: string
}

/** What a device is, whatever happens to it. */
export interface AgentDevice {
  readonly ip: string
  readonly sysName: string
  readonly location: string
  readonly typeName: string
  readonly ports: readonly AgentPort[]
}

/** Another device at one of the ports. */
export interface AgentNeighbour {
  readonly ifIndex: number
  readonly device: AgentDevice
  /** The port there. */
  readonly port: string
}

export const demoCommunity = 'demo'

const system = '1.3.6.1.2.1.1'
const ifEntry = '1.3.6.1.2.1.2.2.1'
const ifXEntry = '1.3.6.1.2.1.31.1.1.1'
const entity = '1.3.6.1.2.1.47.1.1.1.1'
const lldp = '1.0.8802.1.1.2.1'
const uptimeOid = `${system}.3.0`
/** RFC 5612: a number for examples. */
const enterprise = '1.3.6.1.4.1.32473'
const types: readonly string[] = [
  'Router',
  'Firewall',
  'Core switch',
  'Distribution switch',
  'Access switch',
  'Access point',
  'UPS',
]
const [ethernet, loopback, virtual] = [6, 24, 53]
const chassis = 3
const [macAddress, interfaceName] = [4, 5]

export const octetsOf = (ip: string) => ip.split('.').map(Number)
const hexOf = (octets: readonly number[]) =>
  octets.map((octet) => (octet & 0xff).toString(16).padStart(2, '0')).join(':')
/** Locally administered, by address and port; 0 stands for the device. */
const macOf = ({ ip }: AgentDevice, port = 0) => hexOf([2, ...octetsOf(ip), port])

export class DemoAgent {
  readonly device: AgentDevice
  readonly #agent: Agent
  readonly #neighbours: readonly AgentNeighbour[]
  readonly #down = new Set<number>()
  #startedAt: number
  #values: readonly Variable[] | undefined
  /** A device without power says nothing. */
  hasPower = true

  /** How long it runs already, in milliseconds. */
  constructor(device: AgentDevice, neighbours: readonly AgentNeighbour[], runsFor: number) {
    this.device = device
    this.#neighbours = neighbours
    this.#startedAt = performance.now() - runsFor
    this.#agent = new Agent({ community: demoCommunity, values: () => this.#current() })
  }

  answer(datagram: Buffer): Buffer | undefined {
    return this.hasPower ? this.#agent.answer(datagram) : undefined
  }

  setPort(ifIndex: number, isUp: boolean): void {
    if (isUp) this.#down.delete(ifIndex)
    else this.#down.add(ifIndex)
    this.#values = undefined
  }

  restart(): void {
    this.#startedAt = performance.now()
    this.#values = undefined
  }

  #current(): readonly Variable[] {
    this.#values ??= valuesOf(this.device, this.#neighbours, this.#down)
    const uptime = String(Math.floor((performance.now() - this.#startedAt) / 10) % 2 ** 32)
    return this.#values.map((one) => (one.oid === uptimeOid ? { ...one, value: uptime } : one))
  }
}

function valuesOf(
  device: AgentDevice,
  neighbours: readonly AgentNeighbour[],
  down: ReadonlySet<number>,
): Variable[] {
  const values: Variable[] = []
  const add = (oid: string, type: VariableType, value: string | number, hex = false) =>
    values.push({ oid, type, value: String(value), hex })
  addSystem(device, add)
  for (const port of device.ports) addPort(device, port, !down.has(port.ifIndex), add)
  // A port that is down has no neighbour.
  for (const one of neighbours) if (!down.has(one.ifIndex)) addNeighbour(one, add)
  return values.toSorted((a, b) => (isOidAfter(a.oid, b.oid) ? -1 : 1))
}

type Add = (oid: string, type: VariableType, value: string | number, hex?: boolean) => void

function addSystem({ ip, sysName, location, typeName }: AgentDevice, add: Add): void {
  const model = `EX-${(types.indexOf(typeName) + 1) * 100}`
  add(`${system}.1.0`, 'OctetString', `${typeName} ${model}, software 4.2.1`)
  add(`${system}.2.0`, 'ObjectIdentifier', `${enterprise}.1.${types.indexOf(typeName) + 1}`)
  add(uptimeOid, 'TimeTicks', 0)
  add(`${system}.4.0`, 'OctetString', 'noc@example.net')
  add(`${system}.5.0`, 'OctetString', sysName)
  add(`${system}.6.0`, 'OctetString', location)
  add(`1.3.6.1.2.1.4.20.1.2.${ip}`, 'Integer32', 1)
  add(`${entity}.2.1`, 'OctetString', `${typeName} ${model}`)
  add(`${entity}.5.1`, 'Integer32', chassis)
  add(`${entity}.10.1`, 'OctetString', '4.2.1')
  add(`${entity}.11.1`, 'OctetString', `X${octetsOf(ip).slice(1).join('').padStart(8, '0')}`)
  add(`${entity}.13.1`, 'OctetString', model)
}

function addPort(device: AgentDevice, { ifIndex, name }: AgentPort, isUp: boolean, add: Add): void {
  const type = name.startsWith('Loopback') ? loopback : name.startsWith('Vlan') ? virtual : ethernet
  const megabits = name.startsWith('Ten-') ? 10_000 : 1000
  add(`${ifEntry}.1.${ifIndex}`, 'Integer32', ifIndex)
  add(`${ifEntry}.2.${ifIndex}`, 'OctetString', name)
  add(`${ifEntry}.3.${ifIndex}`, 'Integer32', type)
  add(`${ifEntry}.5.${ifIndex}`, 'Gauge32', Math.min(megabits * 1e6, 2 ** 32 - 1))
  add(`${ifEntry}.6.${ifIndex}`, 'OctetString', macOf(device, ifIndex), true)
  add(`${ifEntry}.7.${ifIndex}`, 'Integer32', 1)
  add(`${ifEntry}.8.${ifIndex}`, 'Integer32', isUp ? 1 : 2)
  add(`${ifXEntry}.1.${ifIndex}`, 'OctetString', name)
  add(`${ifXEntry}.15.${ifIndex}`, 'Gauge32', megabits)
  add(`${lldp}.3.7.1.2.${ifIndex}`, 'Integer32', interfaceName)
  add(`${lldp}.3.7.1.3.${ifIndex}`, 'OctetString', name)
}

function addNeighbour({ ifIndex, device, port }: AgentNeighbour, add: Add): void {
  const row = `0.${ifIndex}.1`
  add(`${lldp}.4.1.1.4.${row}`, 'Integer32', macAddress)
  add(`${lldp}.4.1.1.5.${row}`, 'OctetString', macOf(device), true)
  add(`${lldp}.4.1.1.6.${row}`, 'Integer32', interfaceName)
  add(`${lldp}.4.1.1.7.${row}`, 'OctetString', port)
  add(`${lldp}.4.1.1.9.${row}`, 'OctetString', device.sysName)
  add(`${lldp}.4.2.1.3.${row}.1.4.${device.ip}`, 'Integer32', 2)
}
