// A socket for notifications that we send: traps, and informs, which wait for a response.

import { createHash, randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '../config/forms.ts'
import { Fault } from '../fault.ts'
import {
  type Answer,
  encodeDiscovery,
  encodeNotification,
  readAnswer,
  reportReason,
  UsmCounter,
  UsmSender,
} from './send.ts'
import type { User } from './usm-user.ts'
import type { Variable } from './variables.ts'

/** How notifications are sent, whatever they contain. */
export type SendOptions =
  | { readonly version: '1'; readonly community: string }
  | { readonly version: '2c'; readonly community: string }
  | { readonly version: '3'; readonly user: User; readonly engine?: OwnEngine }

/** The engine that traps of version 3 come from, where it is not that of this machine. */
export interface OwnEngine {
  readonly id: Buffer
  readonly boots: number
  readonly time: number
}

export interface TestTrap {
  readonly oid: string
  readonly variables: readonly Variable[]
  /** The device it is about, where that is not the sender. */
  readonly agent?: string | undefined
}

/** An inform was sent, and nothing says whether it arrived. */
export class Unacknowledged extends Fault {}

const SNMP_TRAP_ADDRESS = '1.3.6.1.6.3.18.1.3.0'

const answerTimeout = 1000
const attempts = 4
/** As the engine of this machine stores nothing, its time is the clock's: later runs are never behind earlier ones. */
const engineEpoch = Date.UTC(2020, 0, 1)

/** RFC 3411: the enterprise number for examples, then octets of our own, the same on every run on this machine. */
function machineEngine(): OwnEngine {
  const octets = createHash('sha256').update(`belfry trap ${hostname()}`).digest().subarray(0, 8)
  const id = Buffer.concat([Buffer.from('80007ed905', 'hex'), octets])
  return { id, boots: 1, time: Math.floor((Date.now() - engineEpoch) / 1000) }
}

interface SnmpReceiver {
  readonly sender: UsmSender
  readonly boots: number
  /** Its time when ours was `at`. */
  readonly time: number
  readonly at: number
}

export class TrapSender {
  readonly #socket: Socket
  readonly #to: Address
  readonly #options: SendOptions
  readonly #began = performance.now()
  #requestId = randomInt(1, 0x3fff_ffff)
  #own: UsmSender | undefined
  #theirs: SnmpReceiver | undefined
  #refused = false

  private constructor(socket: Socket, to: Address, options: SendOptions) {
    this.#socket = socket
    this.#to = to
    this.#options = options
    // A connected socket reports when nothing listens at the other end.
    socket.on('error', () => {
      this.#refused = true
    })
  }

  static async open(to: Address, options: SendOptions): Promise<TrapSender> {
    const found = await lookup(to.host).catch((cause) => {
      throw new Fault('unavailable', `${to.host} is not known as a host`, { cause })
    })
    const socket = createSocket(found.family === 6 ? 'udp6' : 'udp4')
    const sender = new TrapSender(socket, to, options)
    socket.connect(to.port, found.address)
    await once(socket, 'connect')
    return sender
  }

  /** Sends without waiting for an answer; resolves when the kernel has taken it. */
  async send(trap: TestTrap): Promise<void> {
    await this.#post(this.#encode(trap, this.#nextId(), false))
  }

  /** Sends until it is answered, a few times at most; returns the milliseconds it took. */
  async inform(trap: TestTrap): Promise<number> {
    const began = performance.now()
    if (this.#options.version === '3') this.#theirs ??= await this.#discover(this.#options.user)
    const id = this.#nextId()
    let asked = false
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const answer = await this.#ask(this.#encode(trap, id, true), (got) => got.requestId === id)
      if (answer?.kind === 'response') return performance.now() - began
      if (answer?.kind !== 'report') continue
      const [counter] = answer.variables
      // The receiver's clock is not where we thought: its report says where, and we send again.
      if (counter?.oid !== UsmCounter.notInTimeWindow || asked) throw this.#refusal(counter?.oid)
      asked = true
      this.#adjust(answer)
    }
    const silence = this.#silence()
    throw this.#refused ? silence : new Unacknowledged('unavailable', silence.message)
  }

  /** Waits a moment for a report that nothing listens there; throws if it came. */
  async flush(): Promise<void> {
    await sleep(30)
    if (this.#refused) throw new Fault('unavailable', `nothing listens on ${this.#where()}`)
  }

  close(): void {
    this.#socket.close()
  }

  #nextId(): number {
    this.#requestId = (this.#requestId + 1) & 0x7fff_ffff
    return this.#requestId
  }

  #encode({ oid, variables, agent }: TestTrap, requestId: number, inform: boolean): Buffer {
    const options = this.#options
    const uptime = Math.floor((performance.now() - this.#began) / 10)
    if (options.version === '1') {
      const agentAddress = agent ? { agentAddress: agent } : {}
      return encodeNotification({ ...options, oid, uptime, variables, ...agentAddress })
    }
    const about: Variable[] = agent
      ? [{ oid: SNMP_TRAP_ADDRESS, type: 'IpAddress', value: agent, hex: false }]
      : []
    const common = { oid, uptime, variables: [...variables, ...about], requestId, inform }
    if (options.version === '2c') return encodeNotification({ ...options, ...common })
    if (inform && this.#theirs) {
      const { sender, boots, time, at } = this.#theirs
      const passed = Math.floor((performance.now() - at) / 1000)
      return encodeNotification({ version: '3', sender, boots, time: time + passed, ...common })
    }
    const { user, engine = machineEngine() } = options
    this.#own ??= new UsmSender(user, engine.id)
    const { boots, time } = engine
    return encodeNotification({ version: '3', sender: this.#own, boots, time, ...common })
  }

  #post(bytes: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(bytes, (error) => {
        if (!error) resolve()
        else if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') {
          this.#refused = true
          resolve()
        } else reject(new Fault('unavailable', `cannot send to ${this.#where()}: ${error.message}`))
      })
    })
  }

  async #ask(bytes: Buffer, isMine: (answer: Answer) => boolean): Promise<Answer | undefined> {
    const answered = Promise.withResolvers<Answer | undefined>()
    const onMessage = (datagram: Buffer) => {
      const answer = readAnswer(datagram, this.#theirs?.sender)
      if (answer && (isMine(answer) || answer.kind === 'report')) answered.resolve(answer)
    }
    this.#socket.on('message', onMessage)
    const timer = setTimeout(() => answered.resolve(undefined), answerTimeout)
    try {
      await this.#post(bytes)
      return await answered.promise
    } finally {
      clearTimeout(timer)
      this.#socket.off('message', onMessage)
    }
  }

  /** RFC 3414 section 4: the receiver's engine id, and its clock. */
  async #discover(user: User): Promise<SnmpReceiver> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const answer = await this.#ask(encodeDiscovery(this.#nextId()), () => true)
      if (!answer?.engine) continue
      const { id, boots, time } = answer.engine
      return { sender: new UsmSender(user, id), boots, time, at: performance.now() }
    }
    throw this.#silence()
  }

  #adjust({ engine, authenticated }: Answer): void {
    if (!engine || !this.#theirs || !authenticated) return
    this.#theirs = { ...this.#theirs, boots: engine.boots, time: engine.time, at: performance.now() }
  }

  #refusal(counter: string | undefined): Fault {
    return new Fault('unavailable', `${this.#where()} refuses the inform: ${reportReason(counter)}`)
  }

  #silence(): Fault {
    const why = this.#refused ? 'nothing listens there' : `${attempts} attempts, none answered`
    return new Fault('unavailable', `no answer from ${this.#where()}: ${why}`)
  }

  #where(): string {
    const { host, port } = this.#to
    return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  }
}
