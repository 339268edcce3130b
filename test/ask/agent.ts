// An agent for tests, on loopback: it answers from a list of values, in all versions.

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { Agent, type Asked, type Reply } from '../../src/snmp/agent.ts'
import type { User } from '../../src/snmp/usm-user.ts'
import type { Variable } from '../../src/snmp/variables.ts'

export type { Asked } from '../../src/snmp/agent.ts'

export interface AgentOptions {
  readonly values: readonly Variable[]
  readonly host?: string
  /** Any that is free, by default. */
  readonly port?: number
  readonly community?: string
  readonly users?: readonly User[]
  /** The engine's boots; its clock began now. */
  readonly boots?: number
  /** The engine's id, in hex. */
  readonly engine?: string
  /** The largest answer, in bytes; bulk answers are cut to it. */
  readonly maxSize?: number
  /** What it answers instead. */
  readonly answer?: (asked: Asked, honest: () => Reply) => Reply | undefined
  /** What it sends instead; undefined: nothing. */
  readonly send?: (bytes: Buffer, to: RemoteInfo, socket: Socket) => void
}

export class TestAgent implements AsyncDisposable {
  readonly #options: AgentOptions
  readonly #socket: Socket
  readonly #agent: Agent
  /** Questions that it understood and accepted, discoveries aside. */
  readonly asked: Asked[] = []
  received = 0
  #closed = false

  private constructor(options: AgentOptions, socket: Socket) {
    this.#options = options
    this.#socket = socket
    const { answer, values, community, users, boots, engine, maxSize } = options
    const noted = (asked: Asked) => this.asked.push(asked)
    this.#agent = new Agent({
      ...{ community, users, boots, engine, maxSize },
      values: () => values,
      noted,
      reply: answer,
    })
    socket.on('message', (datagram, from) => this.#receive(datagram, from))
  }

  static async start(options: AgentOptions): Promise<TestAgent> {
    const { host = '127.0.0.1', port = 0 } = options
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    socket.bind(port, host)
    await once(socket, 'listening')
    return new TestAgent(options, socket)
  }

  get device(): { address: string; port: number } {
    const { address, port } = this.#socket.address()
    return { address, port }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#socket.close()
    await once(this.#socket, 'close')
  }

  #receive(datagram: Buffer, from: RemoteInfo): void {
    this.received += 1
    const bytes = this.#agent.answer(datagram)
    if (!bytes) return
    if (this.#options.send) this.#options.send(bytes, from, this.#socket)
    else this.#socket.send(bytes, from.port, from.address)
  }
}
