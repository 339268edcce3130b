// Pushes alarms to clients; the entry point of this room. Decides how a client registers, where its stream starts, and
// what it is sent first.

import type { Logger } from 'pino'
import { lastEntryNumber } from '../alarms/log/epochs.ts'
import type { LogSignal } from '../alarms/log/log-signal.ts'
import { Fault } from '../fault.ts'
import { KeyedQueue } from '../pacing/serial-queue.ts'
import type { AlarmTexts } from '../resources/alarms/alarm.ts'
import { customViews } from '../resources/inventory/custom-view.ts'
import type { Parameters } from '../schema/list.ts'
import type { Actor, Store } from '../store/database.ts'
import { find } from '../store/table.ts'
import { type Client, listClients } from './clients.ts'
import { Feed } from './feed.ts'
import { testAlarm } from './gap-alarm.ts'
import { Hub, type HubSettings, type Reach } from './hub.ts'
import type { Outlet } from './outlet.ts'
import { PositionSaver } from './position-saver.ts'
import { type Gap, Positions, type Start } from './positions.ts'
import type { Claim } from './registration-claims.ts'
import { type RegistrationQuery, readRegistrationQuery } from './registration-query.ts'
import { Registrations } from './registrations.ts'
import { openAlarms } from './snapshot.ts'
import { Stream } from './stream.ts'
import { encode, type StreamForm } from './stream-documents.ts'
import { Filters } from './stream-filter.ts'

export type { Client } from './clients.ts'
/** Filters and the index of them, for others who compare the log with very many. */
export { FilterIndex } from './filter-index.ts'
export type { Outlet, OutletWatcher } from './outlet.ts'
export type { StreamForm } from './stream-documents.ts'
export { type Filter, Filters, matches, readFilter } from './stream-filter.ts'

export interface PushParts {
  readonly database: Store
  readonly logSignal: LogSignal
  readonly alarmTexts: AlarmTexts
  readonly log: Logger
  readonly clock: () => number
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicClock?: () => number
  /** The name of this node, where there are several. */
  readonly node?: string
  readonly reach?: Reach
  /** Throws while nothing from the store may be pushed. */
  readonly requireLevel?: () => void
}

export interface PushSettings extends HubSettings {
  /** How long a disconnected client keeps its registration. */
  readonly keepRegistrationsDays: number
}

/** A client that registers. */
export interface RegisteringClient {
  readonly outlet: Outlet
  readonly form: StreamForm
  readonly parameters: Parameters
  /** The header in which clients of event streams send a position. */
  readonly lastEventId?: string | undefined
  /** The operator who owns the registration; empty as long as there are none. */
  readonly holder: string
  /** Whether the client may still have its stream. */
  hasPermission(): boolean
  /** Called when the client is accepted, before anything is written, with warnings about its query. */
  accepted(warnings: readonly string[]): void
}

export class Push {
  readonly #parts: PushParts
  readonly #hub: Hub
  readonly #positions: Positions
  readonly #registrations: Registrations
  readonly #filters = new Filters()
  /** By uuid: the older connection ends before a newer one begins. */
  readonly #queues = new KeyedQueue()

  private constructor(parts: PushParts, settings: PushSettings, positions: Positions) {
    const { database, log } = parts
    this.#parts = parts
    this.#positions = positions
    this.#registrations = new Registrations(database, parts.node, settings.keepRegistrationsDays)
    const feed = new Feed(database, (cursor) => positions.jumpFrom(cursor))
    const registrations = this.#registrations
    const positionSaver = new PositionSaver(registrations, log)
    this.#hub = new Hub({ ...parts, feed, positionSaver, positions, registrations }, settings)
  }

  /** Follows the log from now on. The epoch of this run, or of the leader's term, has been opened before. */
  static async start(parts: PushParts, settings: PushSettings): Promise<Push> {
    const positions = await Positions.open(parts.database)
    const push = new Push(parts, settings, positions)
    await push.#registrations.start()
    await push.#hub.start()
    return push
  }

  // Registering -------------------------------------------------------------------------------------------------

  /** Resolves when the stream runs by itself. */
  async register(client: RegisteringClient): Promise<void> {
    const { parameters, form, lastEventId } = client
    this.#parts.requireLevel?.()
    const query = readRegistrationQuery(parameters, form, lastEventId, this.#filters)
    const warnings = [...query.warnings, ...(await this.#warnAboutView(query))]
    const open = () => this.#open(client, query, warnings)
    const { uuid } = query
    const { stream, start, fromSnapshot } = await (uuid === undefined ? open() : this.#queues.run(uuid, open))
    if (start.gap) await this.#hub.reportGap(stream, start.gap, query.position?.text)
    if (fromSnapshot) {
      const { database, alarmTexts } = this.#parts
      await this.#hub.sendSnapshot(stream, openAlarms(database, alarmTexts, stream.filter), start.cursor)
    }
    await this.#hub.follow(stream)
  }

  async #warnAboutView({ filter: { view } }: RegistrationQuery): Promise<string[]> {
    if (view === undefined || (await find(this.#parts.database, customViews.table, BigInt(view)))) return []
    return [`customView ${view} does not exist; nothing matches until it does`]
  }

  async #open(client: RegisteringClient, registration: RegistrationQuery, warnings: readonly string[]) {
    const { outlet, holder } = client
    const { uuid, filter, variant, query, position, snapshot } = registration
    if (uuid !== undefined) {
      // Before anything else, or another operator could end the stream of the uuid's holder.
      await this.#registrations.requireHolder(uuid, holder)
      await this.#hub.endOlder(uuid)
    }
    const resumed = position && (await this.#positions.resume(position.value))
    const fromSnapshot = snapshot && !position
    // A client without position or snapshot was sent nothing that was pushed before now.
    const isFresh = !position && !snapshot
    const claim =
      uuid === undefined
        ? undefined
        : await this.#registrations.claim({ uuid, query, holder, position: resumed?.cursor, isFresh })
    const start = resumed ?? (await this.#startOf(fromSnapshot ? undefined : claim))
    const stream = new Stream(this.#hub, {
      outlet,
      filter,
      variant,
      query,
      uuid,
      owner: claim?.owner,
      holder,
      knowsPositions: position !== undefined,
      sentFrom: claim?.sentFrom ?? (isFresh ? this.#parts.clock() : 0),
      // A gap document may be lost like any other: until it counts as delivered, the cursor stays before it.
      cursor: start.gap && !position ? start.gap.from : start.cursor,
      hasPermission: () => client.hasPermission(),
    })
    client.accepted(warnings)
    this.#hub.open(stream)
    return { stream, start, fromSnapshot }
  }

  async #startOf(claim: Claim | undefined): Promise<Start> {
    const now = await lastEntryNumber(this.#parts.database)
    if (!claim) return { cursor: now, gap: undefined }
    if (claim.kind === 'expired') {
      const reason = 'the registration was forgotten after a long absence'
      return { cursor: now, gap: { from: claim.cursor, to: now, reason } }
    }
    const start = await this.#positions.covered(claim.cursor)
    if (!claim.mayHaveGap || start.gap) return start
    // It resumes at its cursor: it may have been sent this gap before, and have missed entries since.
    return { cursor: start.cursor, gap: this.#possibleGap(start.cursor) }
  }

  /** For a client that the store does not know, after the store has lost data. */
  #possibleGap(at: bigint): Gap {
    const reason =
      'the store lost what was written last, or was put back to an older state, and does not know this uuid. A client that registers for the first time can ignore this'
    return this.#positions.possibleGap(at, reason)
  }

  /** Ends a durable registration; returns whether there was one. With a holder, only its own. */
  async unregister(uuid: string, actor: Actor, holder?: string): Promise<boolean> {
    return this.#queues.run(uuid, async () => {
      if (holder !== undefined) await this.#registrations.requireHolder(uuid, holder)
      await this.#hub.endOlder(uuid)
      return this.#registrations.delete(uuid, actor)
    })
  }

  /**
   * Sends a test alarm, which is in no list, to a connected client, whatever its filter. Returns whether the client
   * could accept it, or undefined if no such client is registered. With a holder, only its own.
   */
  async sendTest(uuid: string, by: string, holder?: string): Promise<boolean | undefined> {
    if (holder !== undefined) await this.#registrations.requireHolder(uuid, holder)
    const { alarmTexts, clock } = this.#parts
    const pushed = await testAlarm(by, alarmTexts, clock())
    const stream = this.#hub.streamOf(uuid)
    if (stream) return this.#hub.sendOutOfBand(stream, encode(pushed, stream.variant))
    const known = (await this.#registrations.list()).find((one) => one.uuid === uuid)
    if (!known) return undefined
    const { node } = this.#parts
    if (known.connected && known.node !== '' && known.node !== (node ?? '')) {
      throw new Fault('conflict', `the client is connected to node ${known.node}: ask that one`, {
        field: 'uuid',
      })
    }
    return false
  }

  // State -------------------------------------------------------------------------------------------------------

  /** Durable clients, connected or not, and the others that are connected. */
  async clients(): Promise<Client[]> {
    await this.#positions.refresh()
    return listClients(this.#parts, this.#hub, this.#positions, await this.#registrations.list())
  }

  positionText(number: bigint): string {
    return this.#positions.of(number)
  }

  /** Since the service started: documents delivered, streams cut, gaps reported. */
  get counts(): Readonly<Hub['counts']> {
    return this.#hub.counts
  }

  /** The number of the last entry that clients have been offered. */
  get head(): bigint {
    return this.#hub.head
  }

  /** The number of open streams. */
  get open(): number {
    return this.#hub.streams.size
  }

  // Over time ---------------------------------------------------------------------------------------------------

  /** Called once a second. */
  tick(): Promise<void> {
    return this.#hub.tick()
  }

  /** Ends the streams of clients whose access has ended. */
  endRefused(): void {
    this.#hub.endRefused()
  }

  /** Drops everything cached and ends all streams, because the store was replaced; clients connect again. */
  endAll(): Promise<void> {
    return this.#hub.endAll()
  }

  /** Another node is gone, with its streams. `leaderDatabase` writes only while this node is the leader. */
  disconnectFrom(node: string, leaderDatabase: Store): Promise<void> {
    return this.#registrations.disconnectFrom(node, leaderDatabase)
  }

  expire(keepDays: number, now: number): Promise<void> {
    return this.#registrations.expire(keepDays, now)
  }

  /** Ends all streams; when it resolves, their positions are on disk. */
  stop(): Promise<void> {
    return this.#hub.stop()
  }
}
