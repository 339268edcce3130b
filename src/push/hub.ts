// All streams over the log: new entries go to the streams that wait for them, streams that are behind catch up, and once
// a second heartbeats are sent, positions saved and stalled clients cut.

import { setTimeout as sleep, setImmediate as yieldToOthers } from 'node:timers/promises'
import { type Epoch, lastEntryNumber } from '../alarms/log/epochs.ts'
import type { LogSignal } from '../alarms/log/log-signal.ts'
import type { Database } from '../store/database.ts'
import { CatchUp, type CatchUpParts } from './catch-up.ts'
import { LiveStreams } from './live-streams.ts'
import type { PositionSaver } from './position-saver.ts'
import type { Gap } from './positions.ts'
import type { Progress, Registrations } from './registrations.ts'
import type { Moment, Stream, StreamOwner } from './stream.ts'
import { encodeBookmark, heartbeat, type Pushed } from './stream-documents.ts'

export interface HubSettings {
  readonly heartbeatSeconds: number
  readonly imcHeartbeat: boolean
  readonly stallSeconds: number
  /** Whether a client that was idle and closed its connection in order has received everything. */
  readonly trustCleanClose: boolean
}

/** Called before entries are pushed, with the last of them and the epochs that are known by then. */
export type Reach = (number: bigint, alarmId: bigint, epochs: readonly Epoch[]) => void

export interface HubParts extends CatchUpParts {
  readonly database: Database
  readonly logSignal: LogSignal
  readonly positionSaver: PositionSaver
  readonly registrations: Pick<Registrations, 'taken'>
  readonly reach?: Reach | undefined
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicClock?: () => number
}

/**
 * The pause after a delivery, in milliseconds: twice as long as the delivery took, within limits. Entries that arrive
 * meanwhile are delivered together, because each write costs a system call per client, and wakes it. A delivery to a
 * few clients takes too little time for a pause.
 */
const pause = { most: 3, least: 1, times: 2 }

export class Hub implements StreamOwner {
  readonly #parts: HubParts
  readonly #settings: HubSettings
  readonly #streams = new Set<Stream>()
  readonly #byUuid = new Map<string, Stream>()
  readonly counts = { delivered: 0, cut: 0, gaps: 0 }
  readonly #live: LiveStreams
  readonly #catchUp: CatchUp
  #stopping = false
  #pumping: Promise<void> = Promise.resolve()

  constructor(parts: HubParts, settings: HubSettings) {
    this.#parts = parts
    this.#settings = settings
    this.#live = new LiveStreams(parts.positions, this.counts)
    this.#catchUp = new CatchUp(parts, this.counts)
  }

  async start(): Promise<void> {
    await this.#parts.feed.start()
    await this.#parts.positions.refresh()
    this.#reach(this.head)
    this.#pumping = this.#pump()
  }

  /** Entries before the head may be pushed, so this is called before the head moves. */
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
    const { clock, monotonicClock = () => performance.now() } = this.#parts
    return { wall: clock(), monotonic: monotonicClock() }
  }

  // New entries -------------------------------------------------------------------------------------------------

  /** Reads new entries when the log signals, and once a second in case a signal was lost. */
  async #pump(): Promise<void> {
    while (!this.#stopping) {
      try {
        const signalled = this.#parts.logSignal.wait(1000)
        const began = this.now().monotonic
        while (await this.#deliverNew()) await yieldToOthers()
        const due = Math.min(pause.most, (this.now().monotonic - began) * pause.times)
        if (due >= pause.least) await sleep(due)
        await signalled
      } catch (error) {
        this.#parts.log.error({ err: error }, 'the alarm log could not be read: trying again')
        await this.#parts.logSignal.wait(1000)
      }
    }
  }

  /** Delivers some of the new entries; returns whether there may be more. */
  async #deliverNew(): Promise<boolean> {
    const { feed, database, positions } = this.#parts
    if (this.#streams.size === 0) {
      const last = await lastEntryNumber(database)
      await positions.refresh()
      // A client may have registered meanwhile.
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
    // At a hole, each stream goes on by itself and reports the gap.
    const behind = hole ? this.#live.takeAll() : this.#live.deliver(items, this.head)
    for (const stream of behind) this.#followInBackground(stream)
    // Without an await: a stream that ends in between has either been offered these entries or not got so far.
    feed.offered(following)
    return following.more
  }

  #followInBackground(stream: Stream): void {
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

  /** Lets a stream catch up from its cursor, and then wait for new entries. */
  follow(stream: Stream): Promise<void> {
    return this.#catchUp.run(stream, () => this.#live.add(stream))
  }

  reportGap(stream: Stream, gap: Gap, sentPosition?: string): Promise<void> {
    return this.#catchUp.reportGap(stream, gap, sentPosition)
  }

  sendSnapshot(stream: Stream, alarms: AsyncGenerator<Pushed[]>, cursor: bigint): Promise<void> {
    return this.#catchUp.sendSnapshot(stream, alarms, cursor)
  }

  /** A stream has ended, whoever ended it. */
  ended(stream: Stream): void {
    this.#live.delete(stream)
    this.#streams.delete(stream)
    if (stream.uuid === undefined) return
    if (this.#byUuid.get(stream.uuid) === stream) this.#byUuid.delete(stream.uuid)
    void this.#save([stream.lastProgress(this.#settings.trustCleanClose)])
  }

  /** Ends the streams of clients whose access has ended. */
  endRefused(): void {
    for (const stream of this.#streams) if (!stream.hasPermission()) stream.end()
  }

  /** Ends the older connection of a uuid, before the newer one begins, and waits until its position is on disk. */
  async endOlder(uuid: string): Promise<void> {
    this.#byUuid.get(uuid)?.end()
    await this.#parts.positionSaver.idle()
  }

  /** Writes something that is not in the log to a client that has room for it; returns whether it had. */
  sendOutOfBand(stream: Stream, text: string): boolean {
    const { state } = stream
    if (state === 'full' || state === 'ended') return false
    stream.writeOutOfBand(text)
    if (state === 'waiting' && stream.state !== 'waiting') {
      this.#live.delete(stream)
      this.#followInBackground(stream)
    }
    return true
  }

  // Once a second -----------------------------------------------------------------------------------------------

  async tick(): Promise<void> {
    const now = this.now()
    const changed: Progress[] = []
    for (const stream of this.#streams) {
      if (stream.state === 'full') this.#cutIfStalled(stream, now)
      else if (stream.quietFor(now) >= this.#settings.heartbeatSeconds * 1000) this.#sendHeartbeat(stream)
      const progress = stream.takeProgress(now)
      if (progress) changed.push(progress)
    }
    if (changed.length > 0) await this.#save(changed)
    await this.#endTaken()
  }

  /** Ends streams whose uuid was registered again, at this node or another: the newest registration wins. */
  async #endTaken(): Promise<void> {
    const owned = new Map<string, string>()
    for (const { uuid, owner } of this.#streams) if (uuid !== undefined && owner) owned.set(uuid, owner)
    for (const uuid of await this.#parts.registrations.taken(owned)) {
      const stream = this.#byUuid.get(uuid)
      // It may have been replaced here meanwhile.
      if (stream?.owner === owned.get(uuid)) stream?.end()
    }
  }

  #cutIfStalled(stream: Stream, now: Moment): void {
    const { stallSeconds } = this.#settings
    if (stream.stalledFor(now) < stallSeconds * 1000) return
    this.counts.cut += 1
    this.#parts.log.warn({ uuid: stream.uuid, seconds: stallSeconds }, 'a client read nothing: cut')
    stream.end()
  }

  /** With the position, for clients that understand it. */
  #sendHeartbeat(stream: Stream): void {
    const { variant, position, state } = stream
    // A client that is still being sent a gap or open alarms must not learn a position after them.
    const bookmark =
      state === 'waiting' ? encodeBookmark(this.#parts.positions.of(position), variant) : undefined
    this.sendOutOfBand(stream, bookmark ?? heartbeat(variant.form, this.#settings.imcHeartbeat))
  }

  /** Saves positions, and ends streams whose uuid belongs to another connection by now. */
  async #save(progress: readonly Progress[]): Promise<void> {
    for (const { uuid, owner } of await this.#parts.positionSaver.save(progress)) {
      const stream = this.#byUuid.get(uuid)
      if (stream?.owner === owner) stream.end()
    }
  }

  // Ending ------------------------------------------------------------------------------------------------------

  /** Ends all streams; clients that were sent entries which are no longer in the store are informed first. */
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
    await this.#parts.positionSaver.idle()
  }
}
