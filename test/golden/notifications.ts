// The notifications of the recorded day, drawn by a seed: always the same bytes at the same times.

import { encodeNotification, UsmSender } from '../../src/snmp/send.ts'
import type { User } from '../../src/snmp/usm-user.ts'
import type { Variable } from '../../src/snmp/variables.ts'

export interface Sent {
  readonly from: string
  readonly port?: number
  readonly bytes: Buffer
}

/** What is sent within one second, and what an operator does afterwards. */
export interface Moment {
  readonly at: number
  readonly sent: readonly Sent[]
  readonly work?: readonly ['acknowledge' | 'note' | 'recover', string]
}

/** In the time zone of the day, clocks are set forward in the first night, and back in the second. */
export const nights = [
  { from: Date.UTC(2026, 2, 28, 22), hours: 6 },
  { from: Date.UTC(2026, 9, 24, 21), hours: 7 },
] as const

export const gone = '1.3.6.1.4.1.32473.60.1'
export const engineId = Buffer.from('80001f888000000002', 'hex')

const signer: User = { name: 'signer', auth: { algorithm: 'sha256', password: 'signed and sealed' } }
const plain: User = { name: 'plain' }
export const users: readonly User[] = [signer, plain]

const links = ['1.3.6.1.6.3.1.1.5.3', '1.3.6.1.6.3.1.1.5.4'] as const
const refusedLogin = '1.3.6.1.6.3.1.1.5.5'
const coldStart = '1.3.6.1.6.3.1.1.5.1'
const macNotification = '1.3.6.1.4.1.9.9.215.2.0.1'

const number = (oid: string, value: number): Variable => ({
  oid,
  type: 'Integer32',
  value: String(value),
  hex: false,
})
const ifIndex = (index: number) => number(`1.3.6.1.2.1.2.2.1.1.${index}`, index)

/** A generator of numbers below 1, always the same ones. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

class Drawing {
  readonly #next = chance(20_261_025)
  readonly #signed = new UsmSender(signer, engineId)
  readonly #open = new UsmSender(plain, engineId)
  #requests = 0
  /** Seconds since the engine of version 3 booted. */
  #engineTime = 1000

  below(limit: number): number {
    return Math.floor(this.#next() * limit)
  }

  pass(seconds: number): void {
    this.#engineTime += seconds
  }

  device(): string {
    return `10.1.0.${1 + this.below(12)}`
  }

  /** In one of the versions. */
  notification(oid: string, variables: readonly Variable[], from: string): Sent {
    this.#requests += 1
    const common = { oid, variables, uptime: 100 * this.#requests, requestId: this.#requests }
    const kind = this.below(10)
    if (kind < 2)
      return {
        from,
        bytes: encodeNotification({ version: '1', community: 'public', ...common, agentAddress: from }),
      }
    if (kind < 3 && from === '10.1.0.4') {
      const v3 = { version: '3', sender: this.#signed, boots: 3, time: this.#engineTime } as const
      return { from, bytes: encodeNotification({ ...v3, ...common }) }
    }
    if (kind < 4 && from === '10.1.0.4')
      return {
        from,
        bytes: encodeNotification({
          version: '3',
          sender: this.#open,
          boots: 3,
          time: this.#engineTime,
          ...common,
        }),
      }
    const inform = kind > 7
    return { from, bytes: encodeNotification({ version: '2c', community: 'public', inform, ...common }) }
  }

  /** One that happens now and then. */
  usual(): Sent[] {
    const from = this.device()
    const port = 7 + this.below(3)
    const kind = this.below(40)
    if (kind < 12) return [this.notification(links[0], [ifIndex(port)], from)]
    if (kind < 24) return [this.notification(links[1], [ifIndex(port)], from)]
    if (kind < 27) return [this.notification(refusedLogin, [], from)]
    if (kind < 29) return [this.notification(coldStart, [], from)]
    if (kind < 31) return [this.notification(gone, [], from)]
    if (kind < 33) return [this.notification(`${gone}.1`, [], from)]
    if (kind < 35)
      return [
        this.notification(
          `1.3.6.1.4.1.32473.70.0.${1 + this.below(8)}`,
          [number('1.3.6.1.4.1.32473.70.1', port)],
          from,
        ),
      ]
    if (kind < 36) return this.#learnt(from, port)
    if (kind < 37) {
      // The same datagram again, as a device sends it that heard no answer.
      const one = this.notification(links[0], [ifIndex(port)], from)
      return [one, one]
    }
    if (kind < 38) return this.#relayed(from, port)
    if (kind < 39) return [{ from, bytes: Buffer.from('3003020101', 'hex') }]
    return [this.#ofStranger(from)]
  }

  /** A switch has learnt the address of a terminal. */
  #learnt(from: string, port: number): Sent[] {
    const cell = Buffer.from([1, 0, 12, 0xaa, 0, 0, 0, 0, 1 + this.below(2), 0, port])
    const value = [...cell].map((byte) => byte.toString(16).padStart(2, '0')).join(':')
    const variable: Variable = {
      oid: '1.3.6.1.4.1.9.9.215.1.1.8.1.2.1',
      type: 'OctetString',
      value,
      hex: true,
    }
    return [this.notification(macNotification, [variable], from)]
  }

  /** One notification by two relays. */
  #relayed(agentAddress: string, port: number): Sent[] {
    this.#requests += 1
    const common = { oid: links[0], variables: [ifIndex(port)], uptime: 100 * this.#requests }
    const bytes = encodeNotification({ version: '1', community: 'branch', ...common, agentAddress })
    return [
      { from: '10.9.0.1', bytes },
      { from: '10.9.0.2', bytes },
    ]
  }

  #ofStranger(from: string): Sent {
    this.#requests += 1
    const common = { oid: coldStart, variables: [], uptime: 1, requestId: this.#requests }
    return { from, bytes: encodeNotification({ version: '2c', community: 'guessed', ...common }) }
  }

  /** A link that comes and goes. */
  flap(from: string, port: number, time: number): Sent[] {
    return [this.notification(links[time % 2] ?? links[0], [ifIndex(port)], from)]
  }

  storm(from: string): Sent[] {
    return Array.from({ length: 12 }, (_, index) =>
      this.notification(refusedLogin, [number('1.3.6.1.4.1.32473.71', index)], from),
    )
  }
}

/** All moments, in order. */
export function* drawDay(): Generator<Moment> {
  const drawing = new Drawing()
  for (const { from, hours } of nights) {
    const end = from + hours * 3_600_000
    for (let at = from; at < end; ) {
      const scene = drawing.below(60)
      if (scene === 0) yield* stormAt(drawing, at)
      else if (scene < 3) yield* flappingAt(drawing, at)
      else {
        const sent = Array.from({ length: 1 + drawing.below(7) }, () => drawing.usual()).flat()
        const worked = drawing.below(20)
        const action = (['acknowledge', 'note', 'recover'] as const)[worked]
        yield { at, sent, ...(action && { work: [action, drawing.device()] as const }) }
      }
      const pause = 30 + drawing.below(120)
      drawing.pass(pause)
      at += pause * 1000
    }
    // Nothing more comes, so that what waits for quiet comes to its end.
    for (let minutes = 1; minutes <= 15; minutes += 5) yield { at: end + minutes * 60_000, sent: [] }
  }
}

function* stormAt(drawing: Drawing, at: number): Generator<Moment> {
  const from = drawing.device()
  for (let second = 0; second < 12; second += 1) yield { at: at + second * 1000, sent: drawing.storm(from) }
  for (let second = 12; second < 20; second += 1) yield { at: at + second * 1000, sent: [] }
}

function* flappingAt(drawing: Drawing, at: number): Generator<Moment> {
  const from = drawing.device()
  for (let time = 0; time < 14; time += 1) yield { at: at + time * 1000, sent: drawing.flap(from, 7, time) }
}
