// All streams over the log: new entries are matched once against all clients that wait, and written to those they
// concern; the others sleep on. Clients that are behind read by themselves, in chunks and in turn.

import { setImmediate as letOthersRun, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Epoch, lastEntryNumber } from '../alarms/log/epochs.ts'
import type { LogSignal } from '../alarms/log/log-signal.ts'
import { TimeSlicedQueue } from '../pacing/time-sliced-queue.ts'
import type { AlarmTexts } from '../resources/alarms/alarm.ts'
import type { Database } from '../store/database.ts'
import type { Feed } from './feed.ts'
import { FilterIndex, type Group } from './filter-index.ts'
import { gapAlarm } from './gap-alarm.ts'
import { type Gap, gapText, type Positions } from './positions.ts'
import type { RecentEntry } from './recent-entries.ts'
import { isRecipient, matchesFilter, wasSent } from './recipients.ts'
import type { Progress, Registrations } from './registrations.ts'
import type { SavedPositions } from './saved-positions.ts'
import type { Moment, Stream, StreamOwner } from './stream.ts'
import {
  encode,
  encodeBookmark,
  encodeGap,
  heartbeat,
  type Pushed,
  type Variant,
} from './stream-documents.ts'

export interface HubSettings {
  readonly heartbeatSeconds: number
  readonly imcHeartbeat: boolean
  readonly stallSeconds: number
  /** Whether a connection that was idle and closed in order has received everything. */
  readonly trustCleanClose: boolean
}

/** Called before entries are pushed, with the last of them and the epochs that are known by then. */
export type Reach = (number: bigint, alarmId: bigint, epochs: readonly Epoch[]) => void

export interface HubParts {
  readonly database: Database
  readonly logSignal: LogSignal
  readonly feed: Feed
  readonly positions: Positions
  readonly places: SavedPositions
  readonly registrations: Pick<Registrations, 'taken'>
  readonly reach?: Reach | undefined
  readonly alarmTexts: AlarmTexts
  readonly log: Logger
  readonly clock: () => number
  /** Milliseconds of a clock that never goes back. */
  readonly steadyClock?: () => number
}

/** What is written at once to a client that waits: it may turn out to read nothing, and must not cost more. */
const liveLimit = 512 * 1024
/** The same for clients that catch up: the more of them there are, the less each is given at once. */
const behindLimit = { most: 256 * 1024, least: 64 * 1024, together: 8 * 1024 * 1024 }

/**
 * Milliseconds between two deliveries, at most, and how many times as long as the first one took. What comes meanwhile
 * is delivered together: each piece costs a system call for each client, and wakes it. A delivery to few clients takes
 * too little time for a pause.
 */
const pause = { most: 3, least: 1, times: 2 }

export class Hub implements StreamOwner {
  readonly #parts: HubParts
  readonly #settings: HubSettings
  readonly #streams = new Set<Stream>()
  readonly #byUuid = new Map<string, Stream>()
  readonly #waiting = new FilterIndex<Stream>()
  readonly #turns = new TimeSlicedQueue()
  readonly counts = { delivered: 0, cut: 0, gaps: 0 }
  /** How many read by themselves. */
  #following = 0
  #stopping = false
  #pumping: Promise<void> = Promise.resolve()

  constructor(parts: HubParts, settings: HubSettings) {
    this.#parts = parts
    this.#settings = settings
  }

  async start(): Promise<void> {
    await this.#parts.feed.start()
    await this.#parts.positions.refresh()
    this.#reach(this.head)
    this.#pumping = this.#pump()
  }

  /** Whatever lies before the head may be pushed: so this comes before the head moves. */
  #reach(number: bigint, alarmId = 0n): void {
    const { reach, positions } = this.#parts
    reach?.(number, alarmId, positions.epochs)
  }

  get streams(): ReadonlySet<Stream> {
    return this.#streams
  }

  streamOf(uuid: string): Stream | undefined {
    return this.#byUuid.get(uuid)
  }

  get head(): bigint {
    return this.#parts.feed.head
  }

  now(): Moment {
    const { clock, steadyClock = () => performance.now() } = this.#parts
    return { wall: clock(), steady: steadyClock() }
  }

  // Live entries ------------------------------------------------------------------------------------------------

  /** Readers are woken by the bell, and look once a second in case they were not. */
  async #pump(): Promise<void> {
    while (!this.#stopping) {
      try {
        const rung = this.#parts.logSignal.wait(1000)
        const began = this.now().steady
        while (await this.#takeNew()) await letOthersRun()
        const due = Math.min(pause.most, (this.now().steady - began) * pause.times)
        if (due >= pause.least) await sleep(due)
        await rung
      } catch (error) {
        this.#parts.log.error({ err: error }, 'the alarm log could not be read: trying again')
        await this.#parts.logSignal.wait(1000)
      }
    }
  }

  /** Handles a part of what is new; returns whether there may be more. */
  async #takeNew(): Promise<boolean> {
    const { feed, database, positions } = this.#parts
    if (this.#streams.size === 0) {
      const last = await lastEntryNumber(database)
      await positions.refresh()
      // A client may have come meanwhile.
      if (this.#streams.size === 0) {
        this.#reach(last)
        feed.skipTo(last)
        return false
      }
    }
    const following = await feed.next()
    await positions.refresh()
    if (this.#stopping) return false
    const { items, hole } = following
    const ids = items.map(({ entry }) => entry.alarmId)
    this.#reach(
      hole?.to ?? items.at(-1)?.entry.number ?? this.head,
      ids.reduce((a, b) => (a > b ? a : b), 0n),
    )
    if (hole) this.#scatter()
    else this.#deliver(items)
    // Without an await: a stream that ends in between has either been offered these entries or not got so far.
    feed.offered(following)
    return following.more
  }

  /** Streams that wait have reached a hole: each goes on by itself, and reports the gap. */
  #scatter(): void {
    for (const stream of this.#waiting.clients()) {
      stream.leave()
      this.#goAlone(stream)
    }
  }

  #deliver(fresh: readonly RecentEntry[]): void {
    const concerned = new Map<Group<Stream>, RecentEntry[]>()
    for (const item of fresh) {
      for (const group of this.#waiting.groups(item.entry.attributes)) {
        if (!matchesFilter(group.filter, item.entry)) continue
        const items = concerned.get(group)
        if (items) items.push(item)
        else concerned.set(group, [item])
      }
    }
    // Clients that want the same entries in the same form get the same bytes.
    const everything = new Map<Variant, Buffer>()
    const upTo = fresh.at(-1)?.entry.number ?? this.head
    const leaving: Stream[] = []
    for (const [{ clients }, items] of concerned) {
      const pieces = items.length === fresh.length ? everything : new Map<Variant, Buffer>()
      for (const stream of clients) {
        this.#offer(stream, items, pieces, upTo)
        if (stream.state !== 'waiting') leaving.push(stream)
      }
    }
    for (const stream of leaving) this.#goAlone(stream)
  }

  #offer(stream: Stream, items: readonly RecentEntry[], pieces: Map<Variant, Buffer>, upTo: bigint): void {
    // One that came while we were behind the log has a start ahead of us, and one may have been sent more than others.
    const isApart = stream.cursor > this.head || items.some(({ entry }) => entry.earlierPushes.length > 0)
    const own = isApart
      ? items.filter(({ entry }) => entry.number > stream.cursor && !wasSent(stream, entry))
      : items
    if (own.length === 0) return
    let piece = isApart ? undefined : pieces.get(stream.variant)
    if (!piece) {
      piece = Buffer.concat(own.map((item) => item.as(stream.variant, this.#parts.positions)))
      if (!isApart) pieces.set(stream.variant, piece)
    }
    if (piece.length > liveLimit) {
      stream.leave()
      return
    }
    this.counts.delivered += own.length
    stream.writeNew(piece, upTo)
  }

  /** One that waited reads by itself until it waits again. */
  #goAlone(stream: Stream): void {
    this.#waiting.delete(stream)
    this.follow(stream).catch((error) => {
      this.#parts.log.error({ err: error }, 'an event stream broke off')
      stream.end()
    })
  }

  // One stream --------------------------------------------------------------------------------------------------

  open(stream: Stream): void {
    this.#streams.add(stream)
    if (stream.uuid !== undefined) this.#byUuid.set(stream.uuid, stream)
    stream.begin()
  }

  /** Runs a stream from its cursor until it waits with the others: catching up and following are the same loop. */
  async follow(stream: Stream): Promise<void> {
    this.#following += 1
    try {
      await this.#read(stream)
    } finally {
      this.#following -= 1
    }
  }

  async #read(stream: Stream): Promise<void> {
    for (;;) {
      await stream.room()
      if (stream.state !== 'reading') return
      if (stream.cursor >= this.head) {
        stream.wait()
        this.#waiting.add(stream)
        return
      }
      await this.#turns.run(() => this.#catchUp(stream))
    }
  }

  /** Takes a stream one chunk further. */
  async #catchUp(stream: Stream): Promise<void> {
    const { feed, positions } = this.#parts
    const { most, least, together } = behindLimit
    const limit = Math.max(least, Math.min(most, together / this.#following))
    const following = await feed.after(stream.cursor, limit)
    if (stream.state !== 'reading') return
    if (following.hole) {
      return this.reportGap(stream, await positions.gapIn(following.hole))
    }
    const documents: Buffer[] = []
    let size = 0
    let upTo = stream.cursor
    for (const item of following.items) {
      const { entry } = item
      if (size >= limit) break
      upTo = entry.number
      if (!isRecipient(stream, entry)) continue
      const document = item.as(stream.variant, positions)
      documents.push(document)
      size += document.length
    }
    this.counts.delivered += documents.length
    if (size === 0) stream.pass(upTo)
    else stream.write(Buffer.concat(documents), upTo)
  }

  /**
   * A client that brought a position gets a document about the gap; another one an alarm, which is all it understands.
   */
  async reportGap(stream: Stream, gap: Gap, brought?: string): Promise<void> {
    const { positions, alarmTexts, log } = this.#parts
    const { uuid, variant } = stream
    const { from, to, reason } = gap
    this.counts.gaps += 1
    log.warn({ uuid, from: String(from), to: String(to) }, `a client missed entries: ${reason}`)
    const notice = stream.knowsPositions
      ? encodeGap(
          {
            from: brought ?? positions.of(from),
            to: positions.of(to),
            reason: gap.lost ? gapText(gap) : reason,
          },
          variant,
        )
      : encode(await gapAlarm(gap, alarmTexts, this.now().wall), variant)
    stream.write(notice, to)
  }

  /**
   * Open alarms, for a client that starts from nothing. Only the last carries a position: a client that stops before it
   * must ask again.
   */
  async sendSnapshot(stream: Stream, alarms: AsyncGenerator<Pushed[]>, cursor: bigint): Promise<void> {
    const { positions } = this.#parts
    let held: Pushed[] = []
    const send = (pushed: readonly Pushed[]) => {
      if (pushed.length > 0)
        stream.write(pushed.map((one) => encode(one, stream.variant)).join(''), stream.cursor)
    }
    for (;;) {
      await stream.room()
      if (stream.state !== 'reading') return
      let done = false
      await this.#turns.run(async () => {
        const { value, done: isLast } = await alarms.next()
        done = isLast === true
        if (done || value.length === 0) return
        send(held)
        held = value
      })
      if (done) break
    }
    const last = held.pop()
    if (last) send([...held, { ...last, position: positions.of(cursor) }])
  }

  /** A stream has ended, whoever ended it. */
  ended(stream: Stream): void {
    this.#waiting.delete(stream)
    this.#streams.delete(stream)
    if (stream.uuid === undefined) return
    if (this.#byUuid.get(stream.uuid) === stream) this.#byUuid.delete(stream.uuid)
    void this.#save([stream.lastProgress(this.#settings.trustCleanClose)])
  }

  /** Ends the streams of clients whose access has ended. */
  endRefused(): void {
    for (const stream of this.#streams) if (!stream.hasPermission()) stream.end()
  }

  /** The older connection of a uuid ends before the newer begins; its place is on disk then. */
  async endOlder(uuid: string): Promise<void> {
    this.#byUuid.get(uuid)?.end()
    await this.#parts.places.saved()
  }

  // Once a second -----------------------------------------------------------------------------------------------

  async tick(): Promise<void> {
    const now = this.now()
    const changed: Progress[] = []
    for (const stream of this.#streams) {
      if (stream.state === 'full') this.#cutStalled(stream, now)
      else if (stream.quietFor(now) >= this.#settings.heartbeatSeconds * 1000) this.#beat(stream)
      const progress = stream.takeProgress(now)
      if (progress) changed.push(progress)
    }
    if (changed.length > 0) await this.#save(changed)
    await this.#endTaken()
  }

  /** The newest registration of a uuid wins, at whichever node it is. */
  async #endTaken(): Promise<void> {
    const owned = new Map<string, string>()
    for (const { uuid, owner } of this.#streams) if (uuid !== undefined && owner) owned.set(uuid, owner)
    for (const uuid of await this.#parts.registrations.taken(owned)) {
      const stream = this.#byUuid.get(uuid)
      // It may have been replaced here meanwhile.
      if (stream?.owner === owned.get(uuid)) stream?.end()
    }
  }

  #cutStalled(stream: Stream, now: Moment): void {
    const { stallSeconds } = this.#settings
    if (stream.stalledFor(now) < stallSeconds * 1000) return
    this.counts.cut += 1
    this.#parts.log.warn({ uuid: stream.uuid, seconds: stallSeconds }, 'a client took nothing: cut')
    stream.end()
  }

  /** A sign of life, with the position where the client can make use of it. */
  #beat(stream: Stream): void {
    const { variant, position, state } = stream
    // A client that is still being sent a gap or open alarms must not be given a position behind them.
    const bookmark =
      state === 'waiting' ? encodeBookmark(this.#parts.positions.of(position), variant) : undefined
    this.sendOutOfBand(stream, bookmark ?? heartbeat(variant.form, this.#settings.imcHeartbeat))
  }

  /** Writes something that is in no log to a client that has room for it; returns whether it had. */
  sendOutOfBand(stream: Stream, piece: string): boolean {
    const { state } = stream
    if (state === 'full' || state === 'ended') return false
    stream.writeOutOfBand(piece)
    if (state === 'waiting' && stream.state !== 'waiting') this.#goAlone(stream)
    return true
  }

  /** Ends those whose uuid belongs to another connection now. */
  async #save(progress: readonly Progress[]): Promise<void> {
    for (const { uuid, owner } of await this.#parts.places.save(progress)) {
      const stream = this.#byUuid.get(uuid)
      if (stream?.owner === owner) stream.end()
    }
  }

  /** Ends all streams; clients that were sent entries which are no longer in the store are informed before. */
  async endAll(): Promise<void> {
    const { feed, database, positions } = this.#parts
    await positions.refresh()
    for (const stream of this.#streams) {
      const gap = await positions.lostAfter(stream.cursor)
      if (gap) await this.reportGap(stream, gap)
      stream.end()
    }
    const last = await lastEntryNumber(database)
    await positions.refresh()
    this.#reach(last)
    feed.restart(last)
  }

  async stop(): Promise<void> {
    this.#stopping = true
    for (const stream of this.#streams) stream.end()
    this.#parts.logSignal.wake()
    await this.#pumping
    await this.#parts.places.saved()
  }
}
