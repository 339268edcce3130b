// What was written to a connection lately. Bytes handed to the kernel are not bytes received: when a connection breaks,
// all of this is written again to the next one.

/** As far back as a broken connection may have lost something. */
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

export class Trail {
  #segments: Segment[] = []
  #bytes = 0

  /** `before` is the cursor before what is written now. */
  wrote(before: bigint, bytes: number, now: number): void {
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

  /** The cursor before everything in the window, whichever of time and bytes reaches further back. */
  safe(position: bigint, now: number): bigint {
    const past = ({ lastAt, endBytes }: Segment) =>
      now - lastAt > window.milliseconds && this.#bytes - endBytes >= window.bytes
    const first = this.#segments.findIndex((segment) => !past(segment))
    this.#segments = first < 0 ? [] : this.#segments.slice(first)
    return this.#segments[0]?.before ?? position
  }
}
