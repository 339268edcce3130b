// Whether a machine is there, by a connection to one of its ports. The port need not be open: a refusal is an answer of the
// machine. Needs no rights and no credentials, and sends nothing.

import { connect, type Socket } from 'node:net'
import { KeyedQueue } from '../../pacing/serial-queue.ts'
import { AskFault, addressText, type DeviceAddress } from '../ask-fault.ts'
import type { QuestionSocket, RetryPolicy } from '../question-socket.ts'

/** Opens a connection; another one in tests. */
export type Connect = (device: DeviceAddress) => Pick<Socket, 'once' | 'on' | 'destroy'>

const connectByTcp: Connect = ({ address, port }) => connect({ host: address, port })

/** Connections under way: each takes a file descriptor. */
const atOnce = 250

export class TcpReach {
  readonly #questions: Pick<QuestionSocket, 'turn'>
  readonly #connect: Connect
  readonly #lanes = new KeyedQueue()
  #next = 0

  /** Connections keep to the rate of the questions. */
  constructor(questions: Pick<QuestionSocket, 'turn'>, connect = connectByTcp) {
    this.#questions = questions
    this.#connect = connect
  }

  /** The milliseconds of the round trip if the machine is there; else throws an `AskFault`. */
  async ask(device: DeviceAddress, { attempts, timeout }: RetryPolicy): Promise<number> {
    this.#next = (this.#next + 1) % atOnce
    return this.#lanes.run(String(this.#next), async () => {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        await this.#questions.turn()
        const sentAt = performance.now()
        if (await this.#isThere(device, timeout)) return performance.now() - sentAt
      }
      const within = `${(attempts * timeout) / 1000} s`
      const times = attempts === 1 ? 'once' : `${attempts} times`
      throw new AskFault(
        'silent',
        `no answer from ${addressText(device)} by TCP, asked ${times} within ${within}`,
      )
    })
  }

  /** False after the time-out, and where the way ends: a router or this machine says that it finds nobody. */
  async #isThere(device: DeviceAddress, timeout: number): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    const socket = this.#connect(device)
    const timer = setTimeout(() => resolve(false), timeout)
    socket.once('connect', () => resolve(true))
    // Also after the end: nobody waits for what is wrong then.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const { code = '' } = error
      if (code === 'ECONNREFUSED' || code === 'ECONNRESET') resolve(true)
      else if (code === 'EHOSTUNREACH' || code === 'ETIMEDOUT' || code === 'EHOSTDOWN') resolve(false)
      else reject(new AskFault('unsent', `cannot ask ${addressText(device)}: ${error.message}`, error))
    })
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      socket.destroy()
    }
  }
}
