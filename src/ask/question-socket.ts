// Sends questions and waits for their answers: one socket per address family for all devices. A device has one question
// under way at a time, and all questions together keep to a rate. An answer counts only if it comes from the address and
// port that were asked, with the id that was asked.

import { randomInt } from 'node:crypto'
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../fault.ts'
import { KeyedQueue } from '../pacing/serial-queue.ts'
import { ip } from '../schema/scalar.ts'
import { type AnswerHead, readAnswerHead } from '../snmp/question.ts'
import { AskFault, addressText, type DeviceAddress } from './ask-fault.ts'

/** How long an answer is waited for. */
export interface RetryPolicy {
  /** Milliseconds until a question is sent again. */
  readonly timeout: number
  /** How often a question is sent. */
  readonly attempts: number
}

export interface AskLimits extends RetryPolicy {
  /** Datagrams a second, to all devices together. */
  readonly perSecond: number
  /** Questions that are under way or waiting for their turn. */
  readonly waiting: number
}

export const defaultLimits: AskLimits = { timeout: 1500, attempts: 3, perSecond: 500, waiting: 10_000 }

/** A question and the judgement of its answers. */
export interface Exchange<T> {
  readonly version: AnswerHead['version']
  /** Called for each attempt, always with the same id: a late answer to the first attempt is as good. */
  encode(id: number): Buffer
  /** Undefined: the datagram is not an answer that can be trusted, and the wait goes on. */
  accept(datagram: Buffer, id: number): T | undefined
  /**
   * Called with the milliseconds from question to answer; undefined where it was sent several times: nobody knows which
   * of them was answered.
   */
  measured?(milliseconds: number | undefined): void
}

/** Datagrams that were not taken as answers. */
export interface Strays {
  /** Not SNMP, or with an id that nobody waits for. */
  readonly unknown: number
  /** With an id that was asked, but from another address or port. */
  readonly elsewhere: number
  /** From the device that was asked, with its id, but wrong otherwise: malformed, or with a wrong signature. */
  readonly refused: number
}

interface Pending {
  readonly device: DeviceAddress
  readonly version: AnswerHead['version']
  /** Whether it was an answer. */
  take(datagram: Buffer): boolean
  stop(): void
  /** The last other address that an answer came from. */
  elsewhere?: string
  refused: number
}

/** The address that is asked in place of another; undefined: the address itself. */
export type StandIn = (address: string) => string | undefined

const MAX_ID = 0x7fff_ffff

export class QuestionSocket {
  readonly #limits: AskLimits
  readonly #sockets = new Map<'udp4' | 'udp6', Promise<Socket>>()
  readonly #pending = new Map<number, Pending>()
  readonly #devices = new KeyedQueue()
  readonly #closing = new AbortController()
  #waiting = 0
  #nextTurn = 0
  #strays: Strays = { unknown: 0, elsewhere: 0, refused: 0 }

  readonly #standIn: StandIn | undefined

  constructor(limits: AskLimits = defaultLimits, standIn?: StandIn) {
    this.#limits = limits
    this.#standIn = standIn
  }

  /** Datagrams a second, to all devices together. */
  get perSecond(): number {
    return this.#limits.perSecond
  }

  /** Where the device with this address is asked. */
  deviceAt(address: string, port: number): DeviceAddress {
    return { address: this.#standIn?.(address) ?? address, port }
  }

  get strays(): Strays {
    return this.#strays
  }

  /** Without a retry policy, a question has that of the socket. */
  async exchange<T>(
    device: DeviceAddress,
    question: Exchange<T>,
    retryPolicy: RetryPolicy = this.#limits,
  ): Promise<T> {
    if (this.#waiting >= this.#limits.waiting)
      throw new Fault('too-many-requests', `${this.#waiting} questions to devices are waiting already`)
    this.#waiting += 1
    try {
      return await this.#devices.run(addressText(device), () => this.#attempts(device, question, retryPolicy))
    } finally {
      this.#waiting -= 1
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    for (const pending of this.#pending.values()) pending.stop()
    const sockets = await Promise.allSettled(this.#sockets.values())
    for (const socket of sockets) if (socket.status === 'fulfilled') socket.value.close()
    this.#sockets.clear()
  }

  async #attempts<T>(
    device: DeviceAddress,
    { version, encode, accept, measured }: Exchange<T>,
    retryPolicy: RetryPolicy,
  ): Promise<T> {
    const socket = await this.#socket(isIPv6(device.address) ? 'udp6' : 'udp4', device)
    const id = this.#newId()
    const answered = Promise.withResolvers<{ answer: T }>()
    // It may be stopped while nothing waits for the answer.
    answered.promise.catch(() => undefined)
    let sent = 0
    let sentAt = 0
    const pending: Pending = {
      device,
      version,
      refused: 0,
      take(datagram) {
        const answer = accept(datagram, id)
        if (answer !== undefined) {
          measured?.(sent === 1 ? performance.now() - sentAt : undefined)
          answered.resolve({ answer })
        }
        return answer !== undefined
      },
      stop: () => answered.reject(closed()),
    }
    this.#pending.set(id, pending)
    try {
      for (let attempt = 0; attempt < retryPolicy.attempts; attempt += 1) {
        await this.turn()
        const bytes = encode(id)
        sent += 1
        sentAt = performance.now()
        await send(socket, bytes, device)
        const got = await within(retryPolicy.timeout, answered.promise)
        if (got) return got.answer
      }
    } finally {
      this.#pending.delete(id)
    }
    throw silence(pending, retryPolicy)
  }

  /** Waits until the rate allows one more datagram, or another question that counts as one. */
  async turn(): Promise<void> {
    if (this.#closing.signal.aborted) throw closed()
    const now = performance.now()
    const turn = Math.max(now, this.#nextTurn)
    this.#nextTurn = turn + 1000 / this.#limits.perSecond
    // A timer cannot wait for less.
    if (turn - now >= 1)
      await sleep(turn - now, undefined, { signal: this.#closing.signal }).catch(() => {
        throw closed()
      })
  }

  /** Random, so that nobody who does not see the question can answer it. */
  #newId(): number {
    for (;;) {
      const id = randomInt(1, MAX_ID)
      if (!this.#pending.has(id)) return id
    }
  }

  #socket(family: 'udp4' | 'udp6', device: DeviceAddress): Promise<Socket> {
    // After `close`, nobody would close it.
    if (this.#closing.signal.aborted) return Promise.reject(closed())
    const known = this.#sockets.get(family)
    if (known) return known
    const opened = this.#open(family).catch((cause) => {
      this.#sockets.delete(family)
      throw new AskFault('unsent', `cannot ask ${addressText(device)}: ${cause.message}`, cause)
    })
    this.#sockets.set(family, opened)
    return opened
  }

  async #open(type: 'udp4' | 'udp6'): Promise<Socket> {
    const socket = createSocket({ type, ipv6Only: type === 'udp6' })
    socket.bind(0)
    await once(socket, 'listening')
    socket.on('message', (datagram, from) => this.#receive(datagram, from))
    // Errors of sending are given to the sender; those of receiving lose a datagram, as the network does.
    socket.on('error', () => undefined)
    return socket
  }

  #receive(datagram: Buffer, from: RemoteInfo): void {
    const head = readAnswerHead(datagram)
    const pending = head && this.#pending.get(head.id)
    if (!pending || pending.version !== head.version) {
      this.#count('unknown')
      return
    }
    const { device } = pending
    if (from.port !== device.port || !isSame(from.address, device.address)) {
      pending.elsewhere = addressText(from)
      this.#count('elsewhere')
    } else if (!pending.take(datagram)) {
      pending.refused += 1
      this.#count('refused')
    }
  }

  #count(kind: keyof Strays): void {
    this.#strays = { ...this.#strays, [kind]: this.#strays[kind] + 1 }
  }
}

/** Undefined after the time-out. */
async function within<T>(milliseconds: number, answered: Promise<T>): Promise<T | undefined> {
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => timeout.resolve(undefined), milliseconds)
  try {
    return await Promise.race([answered, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

function silence({ device, elsewhere, refused }: Pending, { attempts, timeout }: RetryPolicy): AskFault {
  const times = attempts === 1 ? 'once' : `${attempts} times`
  const notes = [
    `no answer from ${addressText(device)}, asked ${times} within ${(attempts * timeout) / 1000} s`,
    ...(elsewhere === undefined ? [] : [`an answer came from ${elsewhere}, which was not asked`]),
    ...(refused === 0 ? [] : [`${refused} of its datagrams were malformed or not genuine`]),
  ]
  return new AskFault('silent', notes.join('; '))
}

const closed = () => new AskFault('unsent', 'asking was stopped')

/** The kernel may write an address differently from us. */
const isSame = (address: string, asked: string) =>
  address === asked || (isIPv6(address) && !address.includes('%') && ip.read(address) === asked)

function send(socket: Socket, bytes: Buffer, device: DeviceAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(bytes, device.port, device.address, (error) => {
      if (!error) resolve()
      else reject(new AskFault('unsent', `cannot send to ${addressText(device)}: ${error.message}`, error))
    })
  })
}
