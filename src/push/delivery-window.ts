// Remembers which entries were written to a connection recently. Bytes handed to the kernel are not bytes received:
// when a connection breaks, these entries are written again to the next one.

/** How far back a broken connection may have lost something. */
const window = { milliseconds: 60_000, bytes: 8 * 1024 * 1024 }
const segmentLimit = { milliseconds: 1000, bytes: 64 * 1024 }

interface Segment {
  /** The cursor before its first document. */
  readonly before: bigint
  readonly began: number
  lastAt: number
  readonly startBytes: number
  endBytes: number
}

export class DeliveryWindow {
  #segments: Segment[] = []
  #bytes = 0

  /** `before` is the cursor before this write. */
  noteWrite(before: bigint, bytes: number, now: number): void {
    const last = this.#segments.at(-1)
    const startBytes = this.#bytes
    this.#bytes += bytes
    const fits =
      last &&
      now - last.began < segmentLimit.milliseconds &&
      this.#bytes - last.startBytes <= segmentLimit.bytes
    if (fits) {
      last.lastAt = now
      last.endBytes = this.#bytes
    } else this.#segments.push({ before, began: now, lastAt: now, startBytes, endBytes: this.#bytes })
  }

  /** The cursor before everything in the window, which extends by time or by bytes, whichever reaches further back. */
  confirmed(position: bigint, now: number): bigint {
    const kept: Segment[] = []
    for (const segment of this.#segments) {
      const isOld = now - segment.lastAt > window.milliseconds
      if (isOld && this.#bytes - segment.endBytes >= window.bytes) continue
      const last = kept.at(-1)
      // Old segments are kept for their bytes only, so small ones are merged: a client that gets little would have
      // thousands.
      if (isOld && last && segment.endBytes - last.startBytes <= segmentLimit.bytes) {
        last.lastAt = segment.lastAt
        last.endBytes = segment.endBytes
      } else kept.push(segment)
    }
    this.#segments = kept
    return kept[0]?.before ?? position
  }
}
