// Streams that have everything and wait for new entries. An entry is matched against all of their filters at once and
// encoded once per form; clients that want the same entries get the same bytes.

import type { RecentEntry } from './feed.ts'
import { FilterIndex, type Group } from './filter-index.ts'
import type { Positions } from './positions.ts'
import type { Stream } from './stream.ts'
import type { Variant } from './stream-documents.ts'
import { matchesFilter, wasSent } from './stream-filter.ts'

/** Bytes that are written to a waiting client at once: it may turn out to read nothing, and must not cost more. */
const writeLimit = 512 * 1024

export class LiveStreams {
  readonly #positions: Positions
  readonly #counts: { delivered: number }
  readonly #waiting = new FilterIndex<Stream>()

  constructor(positions: Positions, counts: { delivered: number }) {
    this.#positions = positions
    this.#counts = counts
  }

  add(stream: Stream): void {
    stream.wait()
    this.#waiting.add(stream)
  }

  delete(stream: Stream): void {
    this.#waiting.delete(stream)
  }

  /** Removes and returns all streams. */
  takeAll(): Stream[] {
    const streams = this.#waiting.clients()
    for (const stream of streams) {
      stream.leave()
      this.#waiting.delete(stream)
    }
    return streams
  }

  /**
   * Writes new entries to the streams they concern; `head` is the number of the last entry before them. Removes and
   * returns the streams that cannot accept all of them.
   */
  deliver(entries: readonly RecentEntry[], head: bigint): Stream[] {
    const upTo = entries.at(-1)?.entry.number ?? head
    const everything = new Map<Variant, Buffer>()
    const removed: Stream[] = []
    for (const [{ clients }, items] of this.#match(entries)) {
      const encoded = items.length === entries.length ? everything : new Map<Variant, Buffer>()
      for (const stream of clients) {
        this.#write(stream, items, encoded, head, upTo)
        if (stream.state !== 'waiting') removed.push(stream)
      }
    }
    for (const stream of removed) this.#waiting.delete(stream)
    return removed
  }

  #match(entries: readonly RecentEntry[]): Map<Group<Stream>, RecentEntry[]> {
    const matched = new Map<Group<Stream>, RecentEntry[]>()
    for (const item of entries) {
      for (const group of this.#waiting.groups(item.entry.attributes)) {
        if (!matchesFilter(group.filter, item.entry)) continue
        const items = matched.get(group)
        if (items) items.push(item)
        else matched.set(group, [item])
      }
    }
    return matched
  }

  #write(
    stream: Stream,
    items: readonly RecentEntry[],
    encoded: Map<Variant, Buffer>,
    head: bigint,
    upTo: bigint,
  ): void {
    // A stream that registered while we lagged behind the log starts after our head, and some clients may have been sent
    // an alarm before that others have not.
    const isIndividual = stream.cursor > head || items.some(({ entry }) => entry.earlierPushes.length > 0)
    const wanted = isIndividual
      ? items.filter(({ entry }) => entry.number > stream.cursor && !wasSent(stream, entry))
      : items
    if (wanted.length === 0) return
    let bytes = isIndividual ? undefined : encoded.get(stream.variant)
    if (!bytes) {
      bytes = Buffer.concat(wanted.map((item) => item.as(stream.variant, this.#positions)))
      if (!isIndividual) encoded.set(stream.variant, bytes)
    }
    if (bytes.length > writeLimit) {
      stream.leave()
      return
    }
    this.#counts.delivered += wanted.length
    stream.writeNew(bytes, upTo)
  }
}
