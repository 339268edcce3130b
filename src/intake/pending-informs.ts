// Informs that wait to be processed, here or in the store. Their senders send them again meanwhile, and would fill what
// waits with the same over and over: each is kept once, and its answer answers all of them.

import { hash } from 'node:crypto'
import { requestOf } from '../snmp/inform-request.ts'
import type { Datagram } from './datagram-block.ts'

/** Informs that are known; where more wait, those beyond are kept as often as they come. */
const limit = 50_000

interface Entry {
  readonly digest: string
  /** The number of the block with which it was handed over. */
  block: number | undefined
}

export class PendingInforms {
  readonly #limit: number
  /** By sender and request: the last with this number. */
  readonly #waiting = new Map<string, Entry>()
  /** Those of each block that is not processed, in the order of blocks. */
  readonly #blocks = new Map<number, readonly string[]>()

  constructor(most = limit) {
    this.#limit = most
  }

  /** For measuring memory. */
  get size(): number {
    return this.#waiting.size
  }

  /** Whether the same waits already; if not, this one does from now on. */
  waits(datagram: Datagram): boolean {
    const key = keyOf(datagram)
    if (key === undefined) return false
    const digest = hash('sha256', datagram.bytes, 'base64')
    const known = this.#waiting.get(key)
    if (known?.digest === digest) return true
    // Another with the same number takes its place: a sender that does not count may mean something new by the first.
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

  /** All blocks up to this one are: what comes again now is read, and answered again. */
  processed(upTo: number): void {
    for (const [block, keys] of this.#blocks) {
      if (block > upTo) return
      this.#blocks.delete(block)
      for (const key of keys) if (this.#waiting.get(key)?.block === block) this.#waiting.delete(key)
    }
  }
}

function keyOf({ sourceIp, port, bytes }: Datagram): string | undefined {
  const request = requestOf(bytes)
  return request === undefined ? undefined : `${sourceIp} ${port} ${request}`
}
