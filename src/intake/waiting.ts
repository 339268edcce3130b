// What waits to be handed over: a line per source, served in turn, so that a short line is never behind a long one.

import type { Datagram } from './datagrams.ts'
import type { Source, Sources } from './source.ts'

export class Waiting {
  readonly #sources: Sources
  readonly #limit: number
  #bytes = 0
  /** Sources with a line, in the order in which they are served. */
  #turn: Source[] = []

  constructor(sources: Sources, limit: number) {
    this.#sources = sources
    this.#limit = limit
  }

  get isEmpty(): boolean {
    return this.#bytes === 0
  }

  get bytes(): number {
    return this.#bytes
  }

  add(source: Source, datagram: Datagram): void {
    this.#bytes += source.push(datagram)
    if (!source.inTurn) {
      source.inTurn = true
      this.#turn.push(source)
    }
    while (this.#bytes > this.#limit) this.#makeRoom()
  }

  /** One of each, then again one of each. */
  take(limit: number): Datagram[] {
    const taken: Datagram[] = []
    let at = 0
    for (; at < this.#turn.length && taken.length < limit; at += 1) {
      const source = this.#turn[at] as Source
      const before = source.bytes
      const datagram = source.shift()
      if (datagram) taken.push(datagram)
      this.#bytes -= before - source.bytes
      if (source.waiting > 0) this.#turn.push(source)
      else source.inTurn = false
    }
    this.#turn = this.#turn.slice(at)
    return taken
  }

  /**
   * The longest line gives way, from its front: what came last says how things are. It gives up to half, or a little more
   * than is needed, so that not every datagram has to look for the longest.
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
    }
  }
}
