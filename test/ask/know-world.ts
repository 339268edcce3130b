// Agents on loopback for tests of what is learnt of devices: what they say can be changed while they run.

import type { Reply } from '../../src/snmp/agent.ts'
import type { Variable } from '../../src/snmp/variables.ts'
import { type Asked, TestAgent } from './agent.ts'
import { community } from './reach-world.ts'
import { readSnmprec } from './snmprec.ts'

export interface SwitchPort {
  readonly index: number
  readonly name: string
  readonly alias?: string
  readonly mac?: string
  readonly speed?: number
  readonly admin?: number
  readonly oper?: number
}

export interface SwitchNeighbour {
  readonly port: number
  readonly name: string
  readonly remotePort: string
  readonly chassis?: string
  readonly address?: string
  readonly protocol?: 'lldp' | 'cdp'
}

export interface SwitchFacts {
  readonly name: string
  readonly location?: string
  readonly serial?: string
  readonly software?: string
  readonly addresses?: Readonly<Record<string, number>>
  readonly ports: readonly SwitchPort[]
  readonly neighbours?: readonly SwitchNeighbour[]
  /** Hundredths of a second; a day by default. */
  readonly uptime?: number
  /** Further values, as lines of a file of values. */
  readonly more?: readonly string[]
}

const hex = (text: string) => text.replaceAll(':', '')
const octets = (address: string) =>
  address
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')

const sysDescription = '1.3.6.1.2.1.1.1.0'

/** What a switch answers, as an agent of a usual one does. */
export function switchValues(facts: SwitchFacts): Variable[] {
  const {
    name,
    location = '',
    serial = 'SN1',
    software = '1.0',
    addresses = {},
    ports,
    neighbours = [],
    uptime = 8_640_000,
    more = [],
  } = facts
  const lines = [
    `${sysDescription}|4|An example switch`,
    '1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.32473.1',
    `1.3.6.1.2.1.1.3.0|67|${uptime}`,
    '1.3.6.1.2.1.1.4.0|4|noc@example.net',
    `1.3.6.1.2.1.1.5.0|4|${name}`,
    `1.3.6.1.2.1.1.6.0|4|${location}`,
    '1.3.6.1.2.1.47.1.1.1.1.5.1|2|3',
    '1.3.6.1.2.1.47.1.1.1.1.5.2|2|9',
    `1.3.6.1.2.1.47.1.1.1.1.10.1|4|${software}`,
    `1.3.6.1.2.1.47.1.1.1.1.11.1|4|${serial}`,
    '1.3.6.1.2.1.47.1.1.1.1.13.1|4|EX-24',
  ]
  for (const [address, index] of Object.entries(addresses))
    lines.push(`1.3.6.1.2.1.4.20.1.2.${address}|2|${index}`)
  for (const one of ports) {
    const { index, alias = '', speed = 1000, admin = 1, oper = 1 } = one
    const mac = one.mac ?? `00:00:5e:00:53:${index.toString(16).padStart(2, '0')}`
    lines.push(
      `1.3.6.1.2.1.2.2.1.1.${index}|2|${index}`,
      `1.3.6.1.2.1.2.2.1.2.${index}|4|Ethernet ${one.name}`,
      `1.3.6.1.2.1.2.2.1.3.${index}|2|6`,
      `1.3.6.1.2.1.2.2.1.5.${index}|66|${speed * 1e6}`,
      `1.3.6.1.2.1.2.2.1.6.${index}|4x|${hex(mac)}`,
      `1.3.6.1.2.1.2.2.1.7.${index}|2|${admin}`,
      `1.3.6.1.2.1.2.2.1.8.${index}|2|${oper}`,
      `1.3.6.1.2.1.2.2.1.9.${index}|67|8000000`,
      `1.3.6.1.2.1.31.1.1.1.1.${index}|4|${one.name}`,
      `1.3.6.1.2.1.31.1.1.1.18.${index}|4|${alias}`,
      // LLDP numbers ports by itself.
      `1.0.8802.1.1.2.1.3.7.1.2.${index + 100}|2|5`,
      `1.0.8802.1.1.2.1.3.7.1.3.${index + 100}|4|${one.name}`,
    )
  }
  for (const [place, one] of neighbours.entries()) {
    const { port, chassis = '00:00:5e:00:53:f0', remotePort, address, protocol = 'lldp' } = one
    if (protocol === 'cdp') {
      const row = `${port}.${place + 1}`
      lines.push(
        `1.3.6.1.4.1.9.9.23.1.2.1.1.3.${row}|2|1`,
        `1.3.6.1.4.1.9.9.23.1.2.1.1.6.${row}|4|${one.name}`,
        `1.3.6.1.4.1.9.9.23.1.2.1.1.7.${row}|4|${remotePort}`,
        `1.3.6.1.4.1.9.9.23.1.2.1.1.8.${row}|4|example platform`,
      )
      if (address) lines.push(`1.3.6.1.4.1.9.9.23.1.2.1.1.4.${row}|4x|${octets(address)}`)
      continue
    }
    const row = `0.${port + 100}.${place + 1}`
    lines.push(
      `1.0.8802.1.1.2.1.4.1.1.4.${row}|2|4`,
      `1.0.8802.1.1.2.1.4.1.1.5.${row}|4x|${hex(chassis)}`,
      `1.0.8802.1.1.2.1.4.1.1.6.${row}|2|5`,
      `1.0.8802.1.1.2.1.4.1.1.7.${row}|4|${remotePort}`,
      `1.0.8802.1.1.2.1.4.1.1.9.${row}|4|${one.name}`,
    )
    if (address) lines.push(`1.0.8802.1.1.2.1.4.2.1.3.${row}.1.4.${address}|2|2`)
  }
  return readSnmprec([...lines, ...more].join('\n'))
}

/** A switch whose facts a test changes. */
export class Switch implements AsyncDisposable {
  readonly host: string
  readonly #values: Variable[]
  readonly #next: { facts?: SwitchFacts | undefined }
  readonly #agent: TestAgent
  id = ''

  private constructor(
    host: string,
    values: Variable[],
    next: { facts?: SwitchFacts | undefined },
    agent: TestAgent,
  ) {
    this.host = host
    this.#values = values
    this.#next = next
    this.#agent = agent
  }

  static async start(host: string, port: number, facts: SwitchFacts): Promise<Switch> {
    const values = switchValues(facts)
    const next: { facts?: SwitchFacts | undefined } = {}
    const answer = ({ oids }: Asked, honest: () => Reply) => {
      if (next.facts && oids.includes(sysDescription)) {
        values.splice(0, values.length, ...switchValues(next.facts))
        next.facts = undefined
      }
      return honest()
    }
    return new Switch(host, values, next, await TestAgent.start({ values, host, port, community, answer }))
  }

  become(facts: SwitchFacts): void {
    this.#values.splice(0, this.#values.length, ...switchValues(facts))
  }

  /** When it is next asked for what it is, so that no answers of the same time tell of both. */
  becomeNext(facts: SwitchFacts): void {
    this.#next.facts = facts
  }

  get asked(): number {
    return this.#agent.asked.length
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#agent[Symbol.asyncDispose]()
  }
}
