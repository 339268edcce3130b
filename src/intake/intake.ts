// Queues datagrams between the socket and the main thread, before anything is decoded. Every source has its own queue.
// Datagrams above the storm limit, and informs that are already waiting, are counted and not kept: every datagram is
// either handed over or in a tally.

import { hash } from 'node:crypto'
import { requestOf } from '../snmp/inform-request.ts'
import type { Datagram } from './datagram-block.ts'
import { type Source, Sources, type Tally } from './source.ts'
import { StormGuard, type StormSettings } from './storm-guard.ts'

export interface Report {
  readonly tallies: readonly Tally[]
  /** The current storms; empty when earlier ones are over. */
  readonly storms: readonly string[]
}

const waitingLimit = 64 * 1024 * 1024
/** Bytes of one source that wait before it is told to wait, where it sends messages over a connection. */
const pushBackLimit = 1024 * 1024

export class Intake {
  readonly #sources: Sources
  readonly #queues: SenderQueues
  readonly #guard: StormGuard
  readonly #pendingInforms: PendingInforms
  /** The number of blocks handed over. */
  #blocks = 0
  #reported: readonly string[] = []
  /** Of the thread that receives messages. */
  #messageTallies: Tally[] = []
  #messageStorms: readonly string[] = []
  /** Sources of messages whose queues are long. */
  readonly #full = new Set<Source>()
  readonly #pushBackLimit: number

  /** Times are of a monotonic clock, in milliseconds. */
  constructor(
    settings: StormSettings,
    now: number,
    limits: { sources?: number; bytes?: number; informs?: number; pushBack?: number } = {},
  ) {
    this.#pushBackLimit = limits.pushBack ?? pushBackLimit
    this.#sources = new Sources(limits.sources)
    this.#pendingInforms = new PendingInforms(limits.informs)
    const { bytes = waitingLimit } = limits
    this.#queues = new SenderQueues(this.#sources, bytes, (dropped) => this.#pendingInforms.drop(dropped))
    this.#guard = new StormGuard(settings, this.#sources, now)
  }

  get isEmpty(): boolean {
    return this.#queues.isEmpty
  }

  /** For measuring memory. */
  get kept(): { readonly sources: number; readonly bytes: number } {
    return { sources: this.#sources.size, bytes: this.#queues.bytes }
  }

  add(datagram: Datagram, now: number): void {
    const source = this.#sources.find(datagram.sourceIp, now)
    const { receivedAt } = datagram
    if (!this.#guard.admits(source, now)) source.count('storm', this.#guard.about(source), receivedAt)
    else if (!datagram.isMessage && this.#pendingInforms.isPending(datagram))
      source.count('duplicate', undefined, receivedAt)
    else this.#queues.add(source, datagram, now)
    if (datagram.isMessage && source.bytes > this.#pushBackLimit) this.#full.add(source)
  }

  /** The sources of messages that are to wait until their queues are half as long. */
  fullSources(): string[] {
    for (const source of this.#full) if (source.bytes < this.#pushBackLimit / 2) this.#full.delete(source)
    return Array.from(this.#full, ({ ip }) => ip)
  }

  /** Adds what the thread that receives messages has counted, for the next report. */
  addReport({ tallies, storms }: Report): void {
    for (const tally of tallies) this.#messageTallies.push(tally)
    this.#messageStorms = storms
  }

  /** The next block. */
  take(limit: number, now: number): Datagram[] {
    const datagrams = this.#queues.take(limit, now)
    this.#blocks += 1
    this.#pendingInforms.handOver(datagrams, this.#blocks)
    return datagrams
  }

  /** Blocks up to this number are processed: none of their informs is pending any more. */
  processed(blocks: number): void {
    this.#pendingInforms.processed(blocks)
  }

  tick(now: number): void {
    this.#guard.tick(now)
    this.#sources.forgetSilent(now)
  }

  /** Tallies and storms since the last report; undefined if nothing has changed. */
  report(): Report | undefined {
    const tallies = Array.from(this.#sources, (source) => source.takeTallies()).flat()
    for (const tally of this.#messageTallies) tallies.push(tally)
    this.#messageTallies = []
    const storms = [...this.#guard.storms(), ...this.#messageStorms]
    const same =
      storms.length === this.#reported.length && storms.every((storm) => this.#reported.includes(storm))
    if (tallies.length === 0 && same) return undefined
    this.#reported = storms
    return { tallies, storms }
  }
}

/** The most datagrams of one source in a block while others send, too. */
const share = 50
/** A source that has sent within this many milliseconds is expected to go on. */
const recently = 1000

/**
 * A queue per source, served in turn, so that a short queue never waits for a long one. A block is processed as a whole
 * and delays the next: while several sources send, a long queue does not fill it.
 */
class SenderQueues {
  readonly #sources: Sources
  readonly #limit: number
  readonly #onDropped: (datagram: Datagram) => void
  #bytes = 0
  /** Sources with waiting datagrams, in the order in which they are served. */
  #served: Source[] = []
  /** The source that sent last, when it did, and when another one last did. */
  #lastSender: Source | undefined
  #lastSentAt = Number.NEGATIVE_INFINITY
  #othersSentAt = Number.NEGATIVE_INFINITY

  constructor(sources: Sources, limit: number, onDropped: (datagram: Datagram) => void) {
    this.#sources = sources
    this.#limit = limit
    this.#onDropped = onDropped
  }

  get isEmpty(): boolean {
    return this.#bytes === 0
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Times are of a monotonic clock, in milliseconds. */
  add(source: Source, datagram: Datagram, now: number): void {
    if (this.#lastSender !== source) this.#othersSentAt = this.#lastSentAt
    this.#lastSender = source
    this.#lastSentAt = now
    this.#bytes += source.push(datagram)
    if (!source.isQueued) {
      source.isQueued = true
      this.#served.push(source)
    }
    while (this.#bytes > this.#limit) this.#makeRoom()
  }

  /** One datagram of each source per round; a source that is alone may fill the block. */
  take(limit: number, now: number): Datagram[] {
    const rounds = this.#severalSend(now) ? share : limit
    const taken: Datagram[] = []
    for (let round = 0; round < rounds && taken.length < limit && this.#served.length > 0; round += 1) {
      for (const source of this.#served.splice(0, limit - taken.length)) {
        const before = source.bytes
        const datagram = source.shift()
        if (datagram) taken.push(datagram)
        this.#bytes -= before - source.bytes
        source.isQueued = source.waiting > 0
        if (source.isQueued) this.#served.push(source)
      }
    }
    return taken
  }

  /** Whether several sources have waiting datagrams, or another source than the only one has sent recently. */
  #severalSend(now: number): boolean {
    if (this.#served.length !== 1) return true
    const [only] = this.#served
    return now - (only === this.#lastSender ? this.#othersSentAt : this.#lastSentAt) <= recently
  }

  /**
   * Drops the oldest datagrams of the longest queue: the latest ones describe the current state. Drops half of it, or a
   * little more than necessary, so that not every datagram requires a search for the longest queue.
   */
  #makeRoom(): void {
    let longest = this.#sources.others
    for (const source of this.#sources) if (source.bytes > longest.bytes) longest = source
    const half = longest.bytes / 2
    const enough = this.#limit - this.#limit / 64
    while (longest.bytes > half && this.#bytes > enough) {
      const before = longest.bytes
      const dropped = longest.shift()
      if (!dropped) return
      this.#bytes -= before - longest.bytes
      longest.count('overload', undefined, dropped.receivedAt)
      this.#onDropped(dropped)
    }
  }
}

/** The most informs that are recognised; beyond that, repetitions are queued as well. */
const limit = 50_000

interface PendingInform {
  readonly digest: string
  /** The number of the block with which it was handed over. */
  block: number | undefined
}

/**
 * Informs that wait to be processed, here or in the store. Meanwhile their senders send them again, and would fill the
 * queues: each is kept once, and its answer serves for all repetitions.
 */
export class PendingInforms {
  readonly #limit: number
  /** By sender and request number: the last inform with this number. */
  readonly #waiting = new Map<string, PendingInform>()
  /** The keys of each block that is not processed yet, in the order of blocks. */
  readonly #blocks = new Map<number, readonly string[]>()

  constructor(informs = limit) {
    this.#limit = informs
  }

  /** For measuring memory. */
  get size(): number {
    return this.#waiting.size
  }

  /** Whether the same inform is already pending; if not, this one is from now on. */
  isPending(datagram: Datagram): boolean {
    const key = keyOf(datagram)
    if (key === undefined) return false
    const digest = hash('sha256', datagram.bytes, 'base64')
    const known = this.#waiting.get(key)
    if (known?.digest === digest) return true
    // Another inform with the same number replaces it: for a sender that does not count its requests, either may be
    // new.
    if (known || this.#waiting.size < this.#limit) this.#waiting.set(key, { digest, block: undefined })
    return false
  }

  /** It was dropped before it was handed over. */
  drop(datagram: Datagram): void {
    const key = keyOf(datagram)
    if (key !== undefined) this.#waiting.delete(key)
  }

  handOver(datagrams: readonly Datagram[], block: number): void {
    const keys: string[] = []
    for (const datagram of datagrams) {
      const key = keyOf(datagram)
      const entry = key === undefined ? undefined : this.#waiting.get(key)
      if (key === undefined || !entry) continue
      entry.block = block
      keys.push(key)
    }
    if (keys.length > 0) this.#blocks.set(block, keys)
  }

  /** Blocks up to this number are processed: an inform that arrives again now is read and answered again. */
  processed(upTo: number): void {
    for (const [block, keys] of this.#blocks) {
      if (block > upTo) return
      this.#blocks.delete(block)
      for (const key of keys) if (this.#waiting.get(key)?.block === block) this.#waiting.delete(key)
    }
  }
}

function keyOf({ sourceIp, port, bytes, isMessage }: Datagram): string | undefined {
  const request = isMessage ? undefined : requestOf(bytes)
  return request === undefined ? undefined : `${sourceIp} ${port} ${request}`
}
