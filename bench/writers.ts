// What the benchmark of writes does: callers that send one request after the other, and the service that they write to.

import { Agent } from 'node:http'
import { join } from 'node:path'
import type { Stage } from './frame.ts'
import { guardsOff, processorSeconds, type Served } from './processes.ts'
import { ask } from './requests.ts'
import { spread, whole } from './table.ts'
import { freePort } from './trap-datagram.ts'

export const many = 32

export interface Plan {
  readonly seconds: number
  readonly connections: readonly number[]
  /** Milliseconds by which flushes begin later. */
  readonly delays: readonly number[]
}

export interface Written {
  readonly rate: number
  readonly times: readonly number[]
  /** Microseconds of processor time that the service used for each, all its threads together. */
  readonly processor: number
}

export interface Kind {
  readonly name: string
  readonly method?: string
  path(number: number): string
  body?(number: number): object
}

let unique = 0
const mac = (n: number) =>
  `02:${[n >> 24, n >> 16, n >> 8, n].map((one) => (one & 255).toString(16).padStart(2, '0')).join(':')}:01`

export const alarms: Kind = {
  name: 'alarms raised',
  path: () => '/fault/alarm',
  body: (n) => ({
    OID: '1.3.6.1.4.1.32473.9.5',
    alarmLevel: 3,
    resource: `thing ${n}`,
    alarmDesc: `Too warm ${n}`,
  }),
}
export const kinds: readonly Kind[] = [
  // What HTTP alone takes: no write over it can be faster.
  { name: 'nothing (OPTIONS)', method: 'OPTIONS', path: () => '/fault/alarm' },
  alarms,
  {
    // There are at least so many: they were raised before. A note makes each of them a change.
    name: 'alarms acknowledged',
    method: 'PUT',
    path: (n) => `/fault/alarm/acknowledge/${1 + (n % 100)}`,
    body: (n) => ({ note: `Seen ${n}` }),
  },
  {
    name: 'bindings',
    path: () => '/res/access/macAccessBind',
    body: (n) => ({ terminalMac: mac(n), bindType: 1 }),
  },
  { name: 'zones', path: () => '/ram/zone', body: (n) => ({ name: `zone ${n}` }) },
  {
    name: 'addresses, the next free one',
    path: () => '/res/access/assignedIpScope/ip?ipScopeId=1',
    body: (n) => ({ name: `host ${n}` }),
  },
]

/** When the request was sent, by the number in the text of its alarm. */
export type SentAt = Map<string, number>

/** Each of the callers sends one request after the other. */
export async function write(
  { port, pid }: Served,
  kind: Kind,
  callers: number,
  seconds: number,
  sentAt?: SentAt,
): Promise<Written> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  const times: number[] = []
  const before = processorSeconds(pid)
  const began = performance.now()
  const end = began + seconds * 1000
  const caller = async () => {
    while (performance.now() < end) {
      const number = unique++
      const sent = performance.now()
      sentAt?.set(`${number}`, sent)
      const body = kind.body && JSON.stringify(kind.body(number))
      const { method = 'POST' } = kind
      const { status, text } = await ask(port, kind.path(number), { method, agent, ...(body && { body }) })
      if (status >= 300) throw new Error(`${kind.name}: ${status} ${text}`)
      times.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const rate = times.length / ((performance.now() - began) / 1000)
  const processor = ((processorSeconds(pid) - before) * 1e6) / times.length
  agent.destroy()
  return { rate, times, processor }
}

export const shown = ({ rate, times, processor }: Written) =>
  `${whole(rate)}/s, ${spread(times)}${Number.isNaN(processor) ? '' : `, ${whole(processor)} µs`}`

export async function open(
  { folder, processes }: Stage<Plan>,
  name: string,
  wrapper: readonly string[] = [],
): Promise<Served & { trapPort: number }> {
  const trapPort = await freePort()
  const settings = { ...guardsOff, traps: `127.0.0.1:${trapPort}` }
  const service = await processes.service(join(folder, name), settings, wrapper)
  const scope = { startIp: '10.0.0.0', endIp: '10.15.255.255', name: 'All' }
  await ask(service.port, '/res/access/assignedIpScope', { method: 'POST', body: JSON.stringify(scope) })
  await write(service, alarms, many, 2)
  return { ...service, trapPort }
}
