// Alarms pushed to clients: the interface of this room. How a client registers, where its stream starts, what it is
// sent first.

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
import { type Gap, Positions, type Start } from './positions.ts'
import { type RegistrationQuery, readRegistrationQuery } from './registration-query.ts'
import { type Claim, Registrations } from './registrations.ts'
import { SavedPositions } from './saved-positions.ts'
import { openAlarms } from './snapshot.ts'
import { Stream } from './stream.ts'
import { encode, type StreamForm } from './stream-documents.ts'
import { Filters } from './stream-filter.ts'

export type { Client } from './clients.ts'
export type { Outlet, OutletWatcher } from './outlet.ts'
export type { StreamForm } from './stream-documents.ts'

export interface PushParts {
  readonly database: Store
  readonly logSignal: LogSignal
  readonly alarmTexts: AlarmTexts
  readonly log: Logger
  readonly clock: () => number
  /** Milliseconds of a clock that never goes back. */
  readonly steadyClock?: () => number
  /** The name of this node, where there are several. */
  readonly node?: string
  readonly reach?: Reach
  /** Throws while nothing may be pushed of the store. */
  readonly requireLevel?: () => void
}

export interface PushSettings extends HubSettings {
  /** For how long clients are expected to come back. */
  readonly keepRegistrationsDays: number
}

/** A client that registers. */
export interface RegisteringClient {
  readonly outlet: Outlet
  readonly form: StreamForm
  readonly parameters: Parameters
  /** The header of event streams that names a position. */
  readonly lastEventId?: string | undefined
  /** The owner of the registration; empty as long as there are no operators. */
  readonly holder: string
  /** Whether the client may still have its stream. */
  hasPermission(): boolean
  /** Called once it is accepted, with remarks on what it asked for, before anything is written. */
  accepted(remarks: readonly string[]): void
}

export class Push {
  readonly #parts: PushParts
  readonly #hub: Hub
  readonly #positions: Positions
  readonly #registrations: Registrations
  readonly #filters = new Filters()
  /** By uuid: an older connection has ended when a newer begins. */
  readonly #queues = new KeyedQueue()

  private constructor(parts: PushParts, settings: PushSettings, positions: Positions) {
    const { database, log } = parts
    this.#parts = parts
    this.#positions = positions
    this.#registrations = new Registrations(database, parts.node, settings.keepRegistrationsDays)
    const feed = new Feed(database, (cursor) => positions.jumpFrom(cursor))
    const registrations = this.#registrations
    const places = new SavedPositions(registrations, log)
    this.#hub = new Hub({ ...parts, feed, places, positions, registrations }, settings)
  }

  /** Follows the log from now on; an epoch of it has been opened for this run, or for a term of the leaderDatabase node. */
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
    const asked = readRegistrationQuery(parameters, form, lastEventId, this.#filters)
    const remarks = [...asked.warnings, ...(await this.#warnAboutView(asked))]
    const open = () => this.#open(client, asked, remarks)
    const { uuid } = asked
    const { stream, start, fromSnapshot } = await (uuid === undefined ? open() : this.#queues.run(uuid, open))
    if (start.gap) await this.#hub.reportGap(stream, start.gap, asked.position?.text)
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

  async #open(client: RegisteringClient, asked: RegistrationQuery, remarks: readonly string[]) {
    const { outlet, holder } = client
    const { uuid, filter, variant, query, position, snapshot } = asked
    if (uuid !== undefined) {
      // First, or a stranger could end the stream of the owner of the uuid.
      await this.#registrations.requireHolder(uuid, holder)
      await this.#hub.endOlder(uuid)
    }
    const resumed = position && (await this.#positions.resume(position.value))
    const fromSnapshot = snapshot && !position
    // A client that begins from nothing, and now, has been sent nothing of what was pushed before.
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
      // A gap may be lost like anything else: until it counts as delivered, the cursor stays before it.
      cursor: start.gap && !position ? start.gap.from : start.cursor,
      hasPermission: () => client.hasPermission(),
    })
    client.accepted(remarks)
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
    // It goes on where it was: it may have been told before, and have missed something since.
    return { cursor: start.cursor, gap: this.#possibleGap(start.cursor) }
  }

  /** For a client that the store does not know, after it lost some of what it knew. */
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
   * Writes an alarm that is in no list to a connected client, whatever it asked for; returns whether it could accept
   * it, undefined where no such client is registered. With a holder, only its own.
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

  // What is there -----------------------------------------------------------------------------------------------

  /** Durable clients, connected or not, and the others that are connected. */
  async clients(): Promise<Client[]> {
    await this.#positions.refresh()
    return listClients(this.#parts, this.#hub, this.#positions, await this.#registrations.list())
  }

  positionText(number: bigint): string {
    return this.#positions.of(number)
  }

  /** Since the start: documents delivered, streams cut, gaps reported. */
  get counts(): Readonly<Hub['counts']> {
    return this.#hub.counts
  }

  /** The number of the last entry that clients have been offered. */
  get head(): bigint {
    return this.#hub.head
  }

  /** Streams that are open. */
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

  /** The store is not the one that was read: what is cached of it is dropped, and clients connect anew. */
  endAll(): Promise<void> {
    return this.#hub.endAll()
  }

  /** Another node is gone, and so are its streams. `leaderDatabase` is the store as the leaderDatabase node changes it. */
  disconnectFrom(node: string, leaderDatabase: Store): Promise<void> {
    return this.#registrations.disconnectFrom(node, leaderDatabase)
  }

  expire(keepDays: number, now: number): Promise<void> {
    return this.#registrations.expire(keepDays, now)
  }

  /** Ends all streams; their places are on disk then. */
  stop(): Promise<void> {
    return this.#hub.stop()
  }
}
