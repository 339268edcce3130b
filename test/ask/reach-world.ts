// Devices on loopback for tests of reachability: agents that can fall silent, restart and go.

import assert from 'node:assert/strict'
import type { Variable } from '../../src/snmp/variables.ts'
import { until } from '../intake/sending.ts'
import type { TestService } from '../support.ts'
import { TestAgent } from './agent.ts'

export const community = 'reach words'

/** An agent whose state a test changes. */
export class Device implements AsyncDisposable {
  readonly host: string
  readonly #port: number
  #agent: TestAgent | undefined
  #startedAt = performance.now() - 3_600_000
  isSilent = false
  /** When each question came, and from which port. */
  readonly questions: { readonly at: number; readonly port: number }[] = []
  id = ''

  private constructor(host: string, port: number) {
    this.host = host
    this.#port = port
  }

  static async start(host: string, port: number): Promise<Device> {
    const device = new Device(host, port)
    await device.listen()
    return device
  }

  async listen(): Promise<void> {
    const honest = (): Variable[] => [
      { oid: '1.3.6.1.2.1.1.2.0', type: 'ObjectIdentifier', value: '1.3.6.1.4.1.32473.1', hex: false },
      {
        oid: '1.3.6.1.2.1.1.3.0',
        type: 'TimeTicks',
        value: String(Math.floor((performance.now() - this.#startedAt) / 10)),
        hex: false,
      },
      { oid: '1.3.6.1.2.1.1.5.0', type: 'OctetString', value: this.host, hex: false },
    ]
    this.#agent = await TestAgent.start({
      ...{ values: [], host: this.host, port: this.#port, community },
      send: (bytes, from, socket) => {
        this.questions.push({ at: Date.now(), port: from.port })
        socket.send(bytes, from.port, from.address)
      },
      answer: () => (this.isSilent ? undefined : { errorStatus: 0, errorIndex: 0, variables: honest() }),
    })
  }

  get asked(): number {
    return this.#agent?.asked.length ?? 0
  }

  /** As if it had been switched off and on again `seconds` ago. */
  restart(seconds: number): void {
    this.#startedAt = performance.now() - seconds * 1000
  }

  /** Its port is closed: the machine refuses questions. */
  async close(): Promise<void> {
    await this.#agent?.[Symbol.asyncDispose]()
    this.#agent = undefined
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

const json = { Accept: 'application/json' }

export async function idFrom(answer: {
  status: number
  text: string
  headers: { location?: string | undefined }
}) {
  assert.equal(answer.status, 201, answer.text)
  return answer.headers.location?.split('/').at(-1) ?? ''
}

export async function addDevice(
  service: Pick<TestService, 'sendJson'>,
  device: { readonly host: string; id: string },
  more: object = {},
): Promise<void> {
  const record = { ip: device.host, label: `at ${device.host}`, ...more }
  device.id = await idFrom(await service.sendJson('POST', '/plat/res/device', record))
}

export async function addProfile(
  service: Pick<TestService, 'sendJson'>,
  port: number,
  range: string,
  more: object = {},
) {
  const given = {
    name: range,
    version: '2c',
    community,
    addressRange: [range],
    port,
    timeoutSeconds: 1,
    tries: 1,
  }
  return idFrom(await service.sendJson('POST', '/plat/askProfile', { ...given, ...more }))
}

type Shown = Record<string, string>

/** Undefined where it is not asked. */
export async function reachOf(service: TestService, id: string): Promise<Shown | undefined> {
  const answer = await service.get(`/plat/reachability/${id}`, json)
  return answer.status === 200 ? (answer.json() as Shown) : undefined
}

export const untilState = (service: TestService, { id, host }: Pick<Device, 'id' | 'host'>, state: string) =>
  until(`${host} is ${state}`, async () => (await reachOf(service, id))?.state === state)

/** Open alarms of the service about devices: event and device, or resource where it is about a range. */
export async function openAlarms(service: TestService): Promise<string[]> {
  const rows = await service.database.all(
    "select event_name, device_id, device_name, resource from alarm where rec_status = 0 and event_name in ('deviceUnreachable', 'agentRefusing', 'deviceRestarted', 'rangeSilent') order by event_name, device_id, resource",
  )
  return rows.map((row) => `${row.event_name} ${row.device_id === 0n ? row.resource : row.device_name}`)
}

export const untilOpen = (service: TestService, expected: readonly string[]) =>
  until(`open: ${expected.join(', ') || 'none'}`, async () => {
    const open = await openAlarms(service)
    return JSON.stringify(open) === JSON.stringify(expected)
  })
