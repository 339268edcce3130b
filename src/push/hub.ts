// All streams over the log: new entries are judged once against all clients that wait, and written to those they
// concern; the others sleep on. Clients that are behind read by themselves, in pieces.

import { setImmediate as breathe } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Bell } from '../alarms/bell.ts'
import { type EntryKind, head, readAfter } from '../alarms/log.ts'
import type { Database } from '../store/database.ts'
import { encodeBookmark, heartbeat, type Variant } from './documents.ts'
import { FilterIndex, type Group, matches } from './filter.ts'
import type { Positions } from './positions.ts'
import type { Progress, Registrations } from './registrations.ts'
import type { Moment, State, Stream } from './stream.ts'
import { Tail, TailEntry } from './tail.ts'

interface HubSettings {
  readonly heartbeatSeconds: number
  readonly familyHeartbeat: boolean
  readonly stallSeconds: number
}

export interface HubParts {
  readonly database: Database
  readonly bell: Bell
  readonly positions: Positions
  readonly registrations: Registrations
  readonly log: Logger
  readonly clock: () => number
  /** Milliseconds that only ever grow. */
  readonly steadyClock?: () => number
}

interface HubCounts {
  delivered: number
  cut: number
  gaps: number
}

const pushedKinds: ReadonlySet<EntryKind> = new Set(['raise', 'rise', 'recover'])
const chunkSize = 200
/** What is written at once to a client that waits: it may turn out to take nothing, and must not cost more. */
const liveLimit = 512 * 1024
/** What is read and written at once for a client that catches up: of usual alarms, as many as fit. */
const catchUp = { entries: 64, bytes: 64 * 1024 }

export class Hub {
  readonly #parts: HubParts
  readonly #settings: HubSettings
  readonly #streams = new Set<Stream>()
  readonly #waiting = new FilterIndex<Stream>()
  readonly #tail = new Tail()
  readonly counts: HubCounts = { delivered: 0, cut: 0, gaps: 0 }
  #head = 0n
  #stopping = false
  #pumping: Promise<void> = Promise.resolve()

  constructor(parts: HubParts, settings: HubSettings) {
    this.#parts = parts
    this.#settings = settings
  }

  async start(): Promise<void> {
    this.#head = await head(this.#parts.database)
    await this.#parts.registrations.start()
    this.#pumping = this.#pump()
  }

  get streams(): ReadonlySet<Stream> {
    return this.#streams
  }

  /** The number of the last entry that clients have been offered. */
  get head(): bigint {
    return this.#head
  }

  now(): Moment {
    const { clock, steadyClock = () => performance.now() } = this.#parts
    return { wall: clock(), steady: steadyClock() }
  }

  positionOf(stream: Stream): bigint {
    return stream.state === 'waiting' && this.#head > stream.cursor ? this.#head : stream.cursor
  }

  // Live entries ------------------------------------------------------------------------------------------------

  /** Readers are told by the bell, and look once a second in case they were not. */
  async #pump(): Promise<void> {
    while (!this.#stopping) {
      try {
        const rung = this.#parts.bell.wait(1000)
        while (await this.#takeNew());
        await rung
      } catch (error) {
        this.#parts.log.error({ err: error }, 'the alarm log could not be read: trying again')
        await this.#parts.bell.wait(1000)
      }
    }
  }

  /** Takes a chunk of new entries; whether there may be more. */
  async #takeNew(): Promise<boolean> {
    const { database } = this.#parts
    if (this.#streams.size === 0 && (await this.#passOver())) return false
    const entries = await readAfter(database, this.#head, chunkSize)
    if (entries.length === 0 || this.#stopping) return false
    const fresh = this.#tail.add(entries)
    this.#head = entries.at(-1)?.number ?? this.#head
    this.#deliver(fresh)
    await breathe()
    return entries.length === chunkSize
  }

  /** Nobody reads: the entries are in the log for those who come. False where somebody came meanwhile. */
  async #passOver(): Promise<boolean> {
    const last = await head(this.#parts.database)
    if (this.#streams.size > 0) return false
    this.#head = last
    this.#tail.clear()
    return true
  }

  #deliver(fresh: readonly TailEntry[]): void {
    const { positions } = this.#parts
    const before = (fresh[0]?.entry.number ?? 0n) - 1n
    const concerned = new Map<Group<Stream>, TailEntry[]>()
    for (const item of fresh) {
      if (!pushedKinds.has(item.entry.kind)) continue
      for (const group of this.#waiting.groups(item.entry.facts)) {
        const items = concerned.get(group)
        if (items) items.push(item)
        else concerned.set(group, [item])
      }
    }
    // Clients that want the same entries in the same form get the same bytes.
    const everything = new Map<Variant, Buffer>()
    const now = this.now()
    for (const [{ clients }, items] of concerned) {
      const pieces = items.length === fresh.length ? everything : new Map<Variant, Buffer>()
      for (const stream of clients) {
        // One that came while we were behind the log has a start ahead of us.
        const isAhead = stream.cursor > before
        const own = isAhead ? items.filter(({ entry }) => entry.number > stream.cursor) : items
        if (own.length === 0) continue
        let piece = isAhead ? undefined : pieces.get(stream.variant)
        if (!piece) {
          piece = Buffer.concat(own.map((item) => item.as(stream.variant, positions)))
          if (!isAhead) pieces.set(stream.variant, piece)
        }
        if (!isAhead) stream.cursor = before
        if (piece.length > liveLimit) {
          this.#catchUp(stream)
          continue
        }
        this.counts.delivered += own.length
        if (!stream.write(piece, this.#head, now)) this.#leaveWaiting(stream, 'full')
      }
    }
  }

  // One stream --------------------------------------------------------------------------------------------------

  open(stream: Stream): void {
    this.#streams.add(stream)
    stream.response.on('close', () => this.#close(stream))
    // It may have gone while its start was looked up.
    if (stream.response.destroyed) this.#close(stream)
  }

  /** Writes to a client that does not wait yet, in step with its reading; false when it is gone. */
  async put(stream: Stream, piece: Buffer | string, upTo: bigint): Promise<boolean> {
    if (stream.state !== 'reading') return false
    if (stream.write(piece, upTo, this.now())) return true
    stream.state = 'full'
    stream.lastTaken = this.now().steady
    await stream.room()
    this.#unfill(stream)
    // The socket may have closed while there was no room; the type checker cannot know.
    return (stream.state as State) === 'reading'
  }

  /** Runs a stream from its cursor until its connection ends: catching up and living on are the same loop. */
  async follow(stream: Stream): Promise<void> {
    while (stream.state === 'reading') {
      if (stream.cursor >= this.#head) {
        this.#wait(stream)
        return
      }
      const piece = await this.#nextPiece(stream)
      if (!piece) {
        this.#parts.log.warn({ uuid: stream.uuid }, 'a client fell out of the alarm log: its stream ends')
        this.end(stream)
        return
      }
      if (piece.bytes.length === 0) stream.cursor = piece.upTo
      else await this.put(stream, piece.bytes, piece.upTo)
      await breathe()
    }
  }

  /** Nothing where retention has removed what comes next: registering again, the client is told of the gap. */
  async #nextPiece(stream: Stream): Promise<{ bytes: Buffer; upTo: bigint } | undefined> {
    const { positions } = this.#parts
    const entries = await this.#entriesAfter(stream.cursor)
    if (entries[0]?.entry.number !== stream.cursor + 1n) return undefined
    const documents: Buffer[] = []
    let size = 0
    let upTo = stream.cursor
    for (const item of entries) {
      const { entry } = item
      if (entry.number > this.#head || size >= catchUp.bytes) break
      upTo = entry.number
      if (!pushedKinds.has(entry.kind) || !matches(stream.filter, entry.facts)) continue
      const document = item.as(stream.variant, positions)
      documents.push(document)
      size += document.length
      this.counts.delivered += 1
    }
    return { bytes: Buffer.concat(documents), upTo }
  }

  async #entriesAfter(cursor: bigint): Promise<readonly TailEntry[]> {
    const recent = this.#tail.after(cursor, catchUp.entries)
    if (recent) return recent
    const entries = await readAfter(this.#parts.database, cursor, catchUp.entries)
    return entries.map((entry) => new TailEntry(entry))
  }

  #wait(stream: Stream): void {
    stream.state = 'waiting'
    this.#waiting.add(stream)
  }

  #leaveWaiting(stream: Stream, state: 'full' | 'ended'): void {
    if (stream.state === 'waiting') this.#waiting.delete(stream)
    stream.state = state
    if (state !== 'full') return
    stream.lastTaken = this.now().steady
    void stream.room().then(() => {
      this.#unfill(stream)
      this.#followAlone(stream)
    })
  }

  /** Takes a client that waits out of step with the others. */
  #catchUp(stream: Stream): void {
    this.#waiting.delete(stream)
    stream.state = 'reading'
    this.#followAlone(stream)
  }

  #followAlone(stream: Stream): void {
    this.follow(stream).catch((error) => {
      this.#parts.log.error({ err: error }, 'an event stream broke off')
      stream.response.destroy()
    })
  }

  #unfill(stream: Stream): void {
    if (stream.state === 'full') stream.state = 'reading'
  }

  /** Ends a stream from our side; its client may come back. */
  end(stream: Stream): void {
    // Who takes nothing does not take an end either, and would be kept for ever.
    if (stream.state === 'full') stream.response.destroy()
    else stream.response.end()
    this.#close(stream)
  }

  /** Ends the streams of those who may no longer have one. */
  endRefused(): void {
    for (const stream of this.#streams) if (!stream.holds()) this.end(stream)
  }

  #close(stream: Stream): void {
    if (stream.state === 'ended') return
    const position = this.positionOf(stream)
    this.#leaveWaiting(stream, 'ended')
    stream.cursor = position
    this.#streams.delete(stream)
    if (stream.uuid !== undefined) {
      const now = this.now()
      const cursor = stream.closedCleanly(now) ? position : stream.safeCursor(position, now)
      void this.#save([{ ...this.#progress(stream, now), cursor, connected: false }])
    }
  }

  /** The older connection of a uuid ends before the newer begins; its cursor is on disk then. */
  async endOlder(uuid: string): Promise<void> {
    for (const stream of this.#streams) if (stream.uuid === uuid) this.end(stream)
    await this.#saving
  }

  // Once a second -----------------------------------------------------------------------------------------------

  async tick(): Promise<void> {
    const now = this.now()
    const changed: Progress[] = []
    for (const stream of this.#streams) {
      if (stream.state === 'full') this.#cutStalled(stream, now)
      else if (now.steady - stream.quietSince >= this.#settings.heartbeatSeconds * 1000)
        this.#beat(stream, now)
      if (stream.uuid === undefined || stream.state === 'ended') continue
      const progress = this.#progress(stream, now)
      const text = `${progress.cursor} ${progress.position}`
      if (text !== stream.saved) changed.push(progress)
      stream.saved = text
    }
    if (changed.length > 0) await this.#save(changed)
  }

  #cutStalled(stream: Stream, now: Moment): void {
    stream.notice(now)
    if (now.steady - stream.lastTaken < this.#settings.stallSeconds * 1000) return
    this.counts.cut += 1
    this.#parts.log.warn(
      { uuid: stream.uuid, seconds: this.#settings.stallSeconds },
      'a client took nothing: cut',
    )
    this.#close(stream)
    stream.response.destroy()
  }

  /** A sign of life, with the position where the client can make use of it. */
  #beat(stream: Stream, now: Moment): void {
    const { form } = stream.variant
    const position = this.#parts.positions.of(this.positionOf(stream))
    // Who is still being told of a gap or of open alarms must not be given a position behind them.
    const bookmark = stream.state === 'waiting' ? encodeBookmark(position, stream.variant) : undefined
    stream.writeAside(bookmark ?? heartbeat(form, this.#settings.familyHeartbeat), now)
  }

  #progress(stream: Stream, now: Moment): Progress {
    const position = this.positionOf(stream)
    return {
      uuid: stream.uuid ?? '',
      owner: stream.owner,
      position,
      cursor: stream.safeCursor(position, now),
      lastWrite: stream.lastWrite,
      connected: true,
    }
  }

  #saving: Promise<void> = Promise.resolve()

  /** One after the other: a late save must not undo a newer one. */
  #save(progress: readonly Progress[]): Promise<void> {
    this.#saving = this.#saving.then(async () => {
      try {
        const lost = await this.#parts.registrations.save(progress)
        const owners = new Set(lost.map(({ owner }) => owner))
        for (const stream of this.#streams) if (stream.uuid && owners.has(stream.owner)) this.end(stream)
      } catch (error) {
        // The cursor on disk is older then: more is sent again, nothing is lost.
        this.#parts.log.error({ err: error }, 'positions of clients could not be saved')
      }
    })
    return this.#saving
  }

  async stop(): Promise<void> {
    this.#stopping = true
    for (const stream of this.#streams) this.end(stream)
    this.#parts.bell.ring()
    await this.#pumping
    await this.#saving
  }
}
