// Keeps the last syslog messages in memory, within a number of bytes. Where they do not fit, the oldest messages of the
// devices that say most are dropped: what a quiet device has said stays readable while another one floods.

import { addressOf } from '../schema/space.ts'
import type { SyslogMeaning } from '../syslog/message-matcher.ts'

/** What the definitions made of a message when it came. */
export const messageEffects = ['unknown', 'raise', 'clear', 'event', 'ignore'] as const
export type MessageEffect = (typeof messageEffects)[number]

export const effectOf = (meaning: SyslogMeaning | undefined): MessageEffect => meaning?.does ?? 'unknown'

export interface KeptMessage {
  /** Counts the messages that were kept since the start. */
  readonly number: number
  readonly deviceIp: string
  /** As the clock of the caller said. */
  readonly receivedAt: number
  readonly does: MessageEffect
  readonly bytes: Buffer
}

export interface RingQuery {
  /** Only messages of these devices; `10.0.0.5@*` are those with the address in any space. */
  readonly deviceIps?: readonly string[] | undefined
  /** Only messages with smaller numbers. */
  readonly before?: number | undefined
  /** At most so many messages, and so many bytes of them. */
  readonly count: number
  readonly bytes: number
}

export interface RingPage {
  /** The newest first. */
  readonly messages: readonly KeptMessage[]
  /** Older messages have numbers below this one. Undefined if there are none. */
  readonly next: number | undefined
}

/** Behind an address: in whatever space. */
export const anySpace = '@*'

interface Chunk {
  readonly buffer: Buffer
  used: number
}

interface Device {
  readonly ip: string
  readonly index: number
  bytes: number
}

/** Length, number, time, device and effect. */
const headSize = 4 + 8 + 8 + 4 + 1
/** Larger than the longest message. */
const chunkSize = 2 ** 18
/** Memory for each device. */
const deviceCost = 200
const defaultDeviceLimit = 10_000
/** A read looks through so many chunks at most; the next one goes on there. */
const chunksPerRead = 16
/** So much is dropped at once. */
const dropped = 1 / 16

export class MessageRing {
  readonly #limit: number
  readonly #deviceLimit: number
  readonly #devices = new Map<string, Device>()
  readonly #byIndex: (Device | undefined)[] = []
  readonly #freeIndexes: number[] = []
  #chunks: Chunk[] = []
  #size = 0
  #next = 1

  /** With a limit of 0 nothing is kept. */
  constructor(limit: number, devices = defaultDeviceLimit) {
    this.#limit = limit
    this.#deviceLimit = devices
  }

  /** Bytes of messages and of what is kept with them. */
  get size(): number {
    return this.#size
  }

  add({ deviceIp, receivedAt, does, bytes }: Omit<KeptMessage, 'number'>): void {
    const cost = headSize + bytes.length
    if (cost + deviceCost > Math.min(this.#limit, chunkSize)) return
    if (!this.#devices.has(deviceIp) && this.#devices.size >= this.#deviceLimit) this.#trim(this.#size, 0)
    const device = this.#device(deviceIp)
    const { buffer, used } = this.#roomFor(this.#chunks, cost)
    buffer.writeUInt32LE(bytes.length, used)
    buffer.writeDoubleLE(this.#next, used + 4)
    buffer.writeDoubleLE(receivedAt, used + 12)
    buffer.writeUInt32LE(device.index, used + 20)
    buffer.writeUInt8(messageEffects.indexOf(does), used + 24)
    bytes.copy(buffer, used + headSize)
    this.#next += 1
    device.bytes += cost
    this.#size += cost
    if (this.#size > this.#limit) this.#trim(this.#limit, this.#fairShare())
  }

  read({ deviceIps, before = this.#next, count, bytes }: RingQuery): RingPage {
    const wanted = deviceIps && new Set(deviceIps.flatMap((ip) => this.#indexesOf(ip)))
    const messages: KeptMessage[] = []
    if (wanted?.size === 0) return { messages, next: undefined }
    let left = bytes
    let looked = 0
    let oldest = before
    for (const chunk of this.#chunks.toReversed()) {
      if (numberAt(chunk, 0) >= before) continue
      if (looked === chunksPerRead) return { messages, next: oldest }
      looked += 1
      oldest = numberAt(chunk, 0)
      for (const at of [...entriesOf(chunk)].reverse()) {
        const number = numberAt(chunk, at)
        if (number >= before || (wanted && !wanted.has(indexAt(chunk, at)))) continue
        if (messages.length === count || left <= 0) return { messages, next: number + 1 }
        const message = this.#messageAt(chunk, at)
        left -= message.bytes.length
        messages.push(message)
      }
    }
    return { messages, next: undefined }
  }

  #indexesOf(ip: string): number[] {
    if (!ip.endsWith(anySpace)) return [this.#devices.get(ip)?.index ?? []].flat()
    const address = addressOf(ip)
    const devices = Array.from(this.#devices.values()).filter((device) => addressOf(device.ip) === address)
    return devices.map(({ index }) => index)
  }

  #messageAt(chunk: Chunk, at: number): KeptMessage {
    const start = at + headSize
    return {
      number: numberAt(chunk, at),
      deviceIp: this.#byIndex[indexAt(chunk, at)]?.ip ?? '',
      receivedAt: chunk.buffer.readDoubleLE(at + 12),
      does: messageEffects[chunk.buffer.readUInt8(at + 24)] ?? 'unknown',
      bytes: chunk.buffer.subarray(start, start + lengthAt(chunk, at)),
    }
  }

  #device(ip: string): Device {
    let device = this.#devices.get(ip)
    if (!device) {
      device = { ip, index: this.#freeIndexes.pop() ?? this.#byIndex.length, bytes: 0 }
      this.#byIndex[device.index] = device
      this.#devices.set(ip, device)
      this.#size += deviceCost
    }
    return device
  }

  #roomFor(chunks: Chunk[], cost: number): Chunk {
    let last = chunks.at(-1)
    if (!last || last.used + cost > last.buffer.length) {
      last = { buffer: Buffer.allocUnsafeSlow(chunkSize), used: 0 }
      chunks.push(last)
    }
    const room = { buffer: last.buffer, used: last.used }
    last.used += cost
    return room
  }

  /** The bytes of a device above which its messages are dropped, so that all together fit. */
  #fairShare(): number {
    let left = this.#limit * (1 - dropped) - this.#devices.size * deviceCost
    const sizes = Array.from(this.#devices.values(), ({ bytes }) => bytes).sort((a, b) => a - b)
    for (const [index, size] of sizes.entries()) {
      const share = left / (sizes.length - index)
      if (size > share) return Math.max(0, share)
      left -= size
    }
    return 0
  }

  /** Drops the oldest messages of devices that have more than their share, until a part of `full` is free. */
  #trim(full: number, share: number): void {
    const target = full * (1 - dropped)
    const kept: Chunk[] = []
    let looked = 0
    for (const chunk of this.#chunks) {
      if (this.#size <= target) break
      looked += 1
      this.#keepShares(chunk, share, target, kept)
    }
    this.#chunks = [...kept, ...this.#chunks.slice(looked)]
  }

  #keepShares(chunk: Chunk, share: number, target: number, kept: Chunk[]): void {
    for (const at of entriesOf(chunk)) {
      const cost = headSize + lengthAt(chunk, at)
      const device = this.#byIndex[indexAt(chunk, at)]
      if (device && device.bytes > share && this.#size > target) this.#drop(device, cost)
      else {
        const { buffer, used } = this.#roomFor(kept, cost)
        chunk.buffer.copy(buffer, used, at, at + cost)
      }
    }
  }

  #drop(device: Device, cost: number): void {
    device.bytes -= cost
    this.#size -= cost
    if (device.bytes > 0) return
    this.#devices.delete(device.ip)
    this.#byIndex[device.index] = undefined
    this.#freeIndexes.push(device.index)
    this.#size -= deviceCost
  }
}

const lengthAt = ({ buffer }: Chunk, at: number) => buffer.readUInt32LE(at)
const numberAt = ({ buffer }: Chunk, at: number) => buffer.readDoubleLE(at + 4)
const indexAt = ({ buffer }: Chunk, at: number) => buffer.readUInt32LE(at + 20)

function* entriesOf(chunk: Chunk): Generator<number> {
  for (let at = 0; at < chunk.used; at += headSize + lengthAt(chunk, at)) yield at
}
