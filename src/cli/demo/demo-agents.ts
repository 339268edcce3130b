// The agents of the demo's devices: each answers on a loopback address of its own, where the service asks it in place of the
// device. So a device with 10.10.1.5 is asked at 127.10.1.5, and nothing leaves this machine.

import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { rangeAround } from '../../resources/inventory/address-range.ts'
import { askJson } from '../service-connection.ts'
import { type AgentDevice, type AgentNeighbour, DemoAgent, demoCommunity, octetsOf } from './demo-agent.ts'
import type { Chance, Step } from './demo-incident.ts'
import { pick } from './demo-incident.ts'

/** A device as the service shows it. */
interface Shown {
  readonly id: string
  readonly ip: string
  readonly label: string
  readonly sysName: string
  readonly location: string
  readonly typeName: string
  readonly interfaces?: readonly { readonly ifIndex: string; readonly ifDesc: string }[]
  readonly parent?: readonly {
    readonly deviceId: string
    readonly ifIndex?: string
    readonly parentIfIndex?: string
  }[]
}

/** Documents name it; where it is in use, another one is. */
const defaultPort = 16_161
const profileName = 'Demo'
const hour = 3_600_000
/** Milliseconds, a fifth more or less. */
const defaultLosses = { before: 30_000, without: 120_000, between: 180_000 }

/** The demo's networks are below 10.0.0.0/8. */
const isOfDemo = (address: string) => address.startsWith('10.')
const loopbackOf = (address: string) => `127${address.slice(2)}`
/** Where nobody is. */
const silence = '127.255.255.254'

/** Where devices of the demo are asked: their agents on loopback, and nowhere before these are there. */
export class StandIns {
  readonly #known = new Set<string>()

  readonly at = (address: string): string | undefined => {
    if (!isOfDemo(address)) return undefined
    return this.#known.has(address) ? loopbackOf(address) : silence
  }

  add(addresses: Iterable<string>): void {
    for (const address of addresses) this.#known.add(address)
  }
}

/** A device starts anew once in this time; the counter of its agent would turn over later. */
const betweenStarts = 400 * 24 * hour

/** Since when a device runs depends on its address alone: when the demo starts again, none of them has restarted. */
export function runsFor({ ip }: Pick<AgentDevice, 'ip'>, at: number): number {
  const [, , c = 0, d = 0] = octetsOf(ip)
  return (at + (c * 256 + d) * 7919 * 60_000) % betweenStarts
}

interface Cable {
  readonly lower: AgentDevice
  readonly upper: AgentDevice
  readonly lowerPort: number
  readonly upperPort: number
}

const portName = ({ ports }: AgentDevice, index: number) =>
  ports.find(({ ifIndex }) => ifIndex === index)?.name ?? `port ${index}`

function agentDevices(shown: readonly Shown[]): Map<string, AgentDevice> {
  // What it says differs from what was typed in: its page shows that.
  const moved = shown.find(({ typeName }) => typeName === 'Access point')
  return new Map(
    shown.map((one) => [
      one.id,
      {
        ...{ ip: one.ip, sysName: one.sysName, typeName: one.typeName },
        location: one === moved ? `${one.location}, storage room` : one.location,
        ports: (one.interfaces ?? []).map(({ ifIndex, ifDesc }) => ({
          ifIndex: Number(ifIndex),
          name: ifDesc,
        })),
      },
    ]),
  )
}

/** Two switches that nobody has typed in yet hang on the first distribution switch: a discovery finds them. */
function newSwitches(shown: readonly Shown[], devices: ReadonlyMap<string, AgentDevice>): Cable[] {
  const above = shown.find(({ typeName }) => typeName === 'Distribution switch')
  const like = shown.find(({ typeName }) => typeName === 'Access switch')
  const [upper, model] = [devices.get(above?.id ?? ''), devices.get(like?.id ?? '')]
  if (!upper || !model) return []
  const domain = model.sysName.slice(model.sysName.indexOf('.'))
  const site = model.sysName.split('-')[0]
  const network = upper.ip.slice(0, upper.ip.lastIndexOf('.'))
  return [1, 2].map((number) => ({
    lower: { ...model, ip: `${network}.${100 + number}`, sysName: `${site}-new${number}${domain}` },
    upper,
    lowerPort: model.ports.at(-1)?.ifIndex ?? 1,
    upperPort: (upper.ports.at(-1)?.ifIndex ?? 9) - number,
  }))
}

function cablesOf(shown: readonly Shown[], devices: ReadonlyMap<string, AgentDevice>): Cable[] {
  return shown.flatMap(({ id, parent = [] }) =>
    parent.flatMap(({ deviceId, ifIndex, parentIfIndex }): Cable[] => {
      const [lower, upper] = [devices.get(id), devices.get(deviceId)]
      if (!lower || !upper || ifIndex === undefined || parentIfIndex === undefined) return []
      return [{ lower, upper, lowerPort: Number(ifIndex), upperPort: Number(parentIfIndex) }]
    }),
  )
}

/** What each device hears from its neighbours. One of them is told of another port than the cable has: the link differs. */
function neighboursOf(cables: readonly Cable[]): Map<AgentDevice, AgentNeighbour[]> {
  const found = new Map<AgentDevice, AgentNeighbour[]>()
  const add = (device: AgentDevice, neighbour: AgentNeighbour) =>
    found.set(device, [...(found.get(device) ?? []), neighbour])
  const wrong = cables.findLast(({ lower }) => lower.typeName === 'Access point')
  for (const cable of cables) {
    const { lower, upper, lowerPort, upperPort } = cable
    // A UPS speaks no LLDP.
    if (lower.typeName === 'UPS') continue
    const heard = cable === wrong ? upperPort - 1 : upperPort
    add(lower, { ifIndex: lowerPort, device: upper, port: portName(upper, heard) })
    add(upper, { ifIndex: upperPort, device: lower, port: portName(lower, lowerPort) })
  }
  return found
}

export class DemoAgents {
  readonly #agents: ReadonlyMap<string, DemoAgent>
  readonly #sockets: readonly Socket[]
  readonly port: number

  private constructor(agents: ReadonlyMap<string, DemoAgent>, sockets: readonly Socket[]) {
    this.#agents = agents
    this.#sockets = sockets
    this.port = sockets[0]?.address().port ?? defaultPort
    for (const [index, agent] of [...agents.values()].entries()) {
      const socket = sockets[index]
      socket?.on('error', () => undefined)
      socket?.on('message', (datagram, { port, address }) => {
        const answer = agent.answer(datagram)
        if (answer) socket.send(answer, port, address)
      })
    }
  }

  /** Throws where this system does not let a program listen on all loopback addresses. */
  static async open(url: string, standIns: StandIns): Promise<DemoAgents> {
    const { device = [] } = await askJson<{ device?: Shown[] }>(`${url}/plat/res/device?size=1000`)
    const shown = device.filter(({ ip }) => isOfDemo(ip))
    const devices = agentDevices(shown)
    const fresh = newSwitches(shown, devices)
    const neighbours = neighboursOf([...cablesOf(shown, devices), ...fresh])
    const agents = [...devices.values(), ...fresh.map(({ lower }) => lower)].map(
      (one) => new DemoAgent(one, neighbours.get(one) ?? [], runsFor(one, Date.now())),
    )
    const byAddress = new Map(agents.map((agent) => [agent.device.ip, agent]))
    // One more receives what is sent to addresses where nobody is: else the machine would refuse it.
    const addresses = [...[...byAddress.keys()].map(loopbackOf), silence]
    const sockets = await listen(addresses, defaultPort).catch(() => listen(addresses, 0))
    standIns.add(byAddress.keys())
    return new DemoAgents(byAddress, sockets)
  }

  /** The address of an agent, for people. */
  get example(): string {
    const [ip = ''] = this.#agents.keys()
    return `${loopbackOf(ip)}:${this.port}`
  }

  /** Gives the service a profile for them, or tells it the port that they have now. */
  async setUp(url: string): Promise<void> {
    const path = `${url}/plat/askProfile`
    const ranges = [...new Set([...this.#agents.keys()].map((ip) => rangeAround(ip, 24)))]
    const profile = {
      ...{ name: profileName, description: 'The agents of the demo, on loopback' },
      ...{
        version: '2c',
        community: demoCommunity,
        addressRange: ranges,
        port: this.port,
        timeoutSeconds: 1,
      },
    }
    const { askProfile = [] } = await askJson<{ askProfile?: { id: string; name: string }[] }>(path)
    const known = askProfile.find(({ name }) => name === profileName)
    await (known ? askJson(`${path}/${known.id}`, 'PUT', profile) : askJson(path, 'POST', profile))
  }

  /** What a device reports is so. */
  follow({ device, event, variables }: Step): void {
    const agent = this.#agents.get(device.ip)
    if (!agent) return
    if (event === 'linkDown' || event === 'linkUp')
      agent.setPort(Number(variables.ifIndex), event === 'linkUp')
    if (event === 'coldStart' || event === 'warmStart') agent.restart()
  }

  /** Now and then an access point loses its power, and cannot tell anybody: it is found by asking. */
  async losePower(
    chance: Chance,
    print: (line: string) => void,
    signal: AbortSignal,
    { before, without, between } = defaultLosses,
  ): Promise<void> {
    const pause = (milliseconds: number) =>
      sleep(milliseconds * (0.8 + 0.4 * chance()), undefined, { signal })
    await pause(before)
    for (;;) {
      const cut = this.#cutPower(chance)
      if (!cut) return
      print(`${cut.name} has lost its power, and sends nothing`)
      try {
        await pause(without)
      } finally {
        cut.restore()
      }
      print(`${cut.name} has power again`)
      await pause(between)
    }
  }

  #cutPower(chance: Chance): { readonly name: string; restore(): void } | undefined {
    const points = [...this.#agents.values()].filter(({ device }) => device.typeName === 'Access point')
    const agent = pick(points, chance)
    if (!agent) return undefined
    agent.hasPower = false
    return {
      name: agent.device.sysName.split('.')[0] ?? '',
      restore() {
        agent.restart()
        agent.hasPower = true
      },
    }
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#sockets.map(async (socket) => {
        socket.close()
        await once(socket, 'close')
      }),
    )
  }
}

/** One socket for each address, all on the same port. */
async function listen(addresses: readonly string[], port: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  try {
    let chosen = port
    for (const address of addresses) {
      const socket = createSocket('udp4')
      socket.bind(chosen, address)
      await once(socket, 'listening')
      sockets.push(socket)
      chosen = socket.address().port
    }
    return sockets
  } catch (error) {
    for (const socket of sockets) socket.close()
    throw error
  }
}
