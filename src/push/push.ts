// Registering for alarms: who comes, where its stream starts, what it is told first.

import type { ServerResponse } from 'node:http'
import { head, readAfter } from '../alarms/log.ts'
import type { AlarmWords } from '../resources/alarm.ts'
import { type Actor, Queue } from '../store/database.ts'
import { encode, encodeGap, type Variant } from './documents.ts'
import type { Filter } from './filter.ts'
import { gapAlarm, testAlarm } from './gap-alarm.ts'
import type { Hub, HubParts } from './hub.ts'
import type { Gap, Position, Start } from './positions.ts'
import type { Claim } from './registrations.ts'
import { openAlarms } from './snapshot.ts'
import { Stream } from './stream.ts'

export interface Registering {
  readonly response: ServerResponse
  readonly filter: Filter
  readonly variant: Variant
  /** The filter as it was asked for. */
  readonly query: string
  readonly uuid: string | undefined
  /** A position the client brings weighs more than anything else. */
  readonly position: { readonly text: string; readonly value: Position } | undefined
  readonly snapshot: boolean
  /** Whose the registration is; empty as long as there are no operators. */
  readonly holder?: string
  /** Whether the client may still have its stream. */
  readonly holds?: () => boolean
  /** Sends the head of the answer. */
  begin(): void
}

/** One client as it is shown to people. */
export interface Client {
  readonly uuid: string
  readonly holder: string
  readonly query: string
  readonly connected: boolean
  readonly position: bigint
  readonly lag: bigint
  readonly lagSeconds: number
  readonly lastWrite: number
  readonly since: number
}

export class Push {
  readonly #parts: HubParts
  readonly #hub: Hub
  readonly #words: AlarmWords
  // Registrations of one uuid must not cross each other.
  readonly #turns = new Queue()

  constructor(parts: HubParts, hub: Hub, words: AlarmWords) {
    this.#parts = parts
    this.#hub = hub
    this.#words = words
  }

  get hub(): Hub {
    return this.#hub
  }

  /** Resolves when the stream runs by itself. */
  async register(client: Registering): Promise<void> {
    const { stream, start, fromSnapshot } = await this.#turns.run(() => this.#open(client))
    if (start.gap) await this.#tellGap(client, stream, start.gap, start.cursor)
    if (fromSnapshot) await this.#sendSnapshot(stream, start.cursor)
    await this.#hub.follow(stream)
  }

  async #open(client: Registering): Promise<{ stream: Stream; start: Start; fromSnapshot: boolean }> {
    const { uuid, response, filter, variant, query, position, snapshot, holder = '', holds } = client
    if (uuid !== undefined) {
      // First, or a stranger could end the stream of the one whose uuid it is.
      await this.#parts.registrations.requireHolder(uuid, holder)
      await this.#hub.endOlder(uuid)
    }
    const resumed = position && (await this.#parts.positions.resume(position.value))
    const claim =
      uuid === undefined
        ? undefined
        : await this.#parts.registrations.claim(uuid, query, resumed?.cursor, holder)
    const fromSnapshot = snapshot && !position
    const start = resumed ?? (await this.#startOf(fromSnapshot ? undefined : claim))
    // A gap may be lost like anything else: until it counts as told, the client stands before it.
    const cursor = start.gap && !position ? start.gap.from : start.cursor
    const now = this.#hub.now()
    const stream = new Stream({
      response,
      filter,
      variant,
      query,
      uuid,
      owner: claim?.owner,
      cursor,
      now,
      holder,
      ...(holds && { holds }),
    })
    client.begin()
    this.#hub.open(stream)
    return { stream, start, fromSnapshot }
  }

  async #startOf(claim: Claim | undefined): Promise<Start> {
    const { positions, database } = this.#parts
    const now = await head(database)
    if (!claim) return { cursor: now, gap: undefined }
    if (claim.kind !== 'expired') return positions.covered(claim.cursor)
    const reason = 'the registration was forgotten after a long absence'
    return { cursor: now, gap: { from: claim.cursor, to: now, reason } }
  }

  /** A client that brought a position gets a document about the gap; another one an alarm, which is all it knows. */
  async #tellGap({ position, uuid }: Registering, stream: Stream, gap: Gap, upTo: bigint): Promise<void> {
    const { positions, clock, log } = this.#parts
    this.#hub.counts.gaps += 1
    log.warn({ uuid, from: String(gap.from), to: String(gap.to) }, `a client missed entries: ${gap.reason}`)
    const told = position
      ? encodeGap({ from: position.text, to: positions.of(gap.to), reason: gap.reason }, stream.variant)
      : encode(await gapAlarm(gap, this.#words, clock()), stream.variant)
    await this.#hub.put(stream, told, upTo)
  }

  /** Only the last document carries a position: one who stops before it must ask again. */
  async #sendSnapshot(stream: Stream, cursor: bigint): Promise<void> {
    const { database, positions } = this.#parts
    const send = (document: Parameters<typeof encode>[0]) =>
      this.#hub.put(stream, encode(document, stream.variant), stream.cursor)
    let held: Parameters<typeof encode>[0] | undefined
    for await (const document of openAlarms(database, this.#words, stream.filter)) {
      if (held && !(await send(held))) return
      held = document
    }
    if (held) await send({ ...held, position: positions.of(cursor) })
  }

  /** Durable clients, connected or not, and the others that are connected. */
  async clients(): Promise<Client[]> {
    const registrations = await this.#parts.registrations.list()
    const byUuid = new Map<string, Stream>()
    const anonymous: Stream[] = []
    for (const stream of this.#hub.streams) {
      if (stream.uuid === undefined) anonymous.push(stream)
      else byUuid.set(stream.uuid, stream)
    }
    const durable = registrations.map(async ({ uuid, holder, query, position, lastWrite, createdTime }) => {
      const stream = byUuid.get(uuid)
      const at = stream ? this.#hub.positionOf(stream) : position
      const shown = { uuid, holder, query, connected: stream !== undefined, since: createdTime }
      return this.#client({ ...shown, lastWrite: stream?.lastWrite ?? lastWrite }, at)
    })
    const others = anonymous.map((stream) => {
      const { holder, query, lastWrite, began } = stream
      const shown = { uuid: '', holder, query, connected: true, since: began, lastWrite }
      return this.#client(shown, this.#hub.positionOf(stream))
    })
    return Promise.all([...durable, ...others])
  }

  async #client(shown: Omit<Client, 'position' | 'lag' | 'lagSeconds'>, position: bigint): Promise<Client> {
    const { database, clock } = this.#parts
    const lag = this.#hub.head > position ? this.#hub.head - position : 0n
    const [next] = lag > 0n ? await readAfter(database, position, 1) : []
    const lagSeconds = next ? Math.max(0, Math.floor((clock() - next.at) / 1000)) : 0
    return { ...shown, position, lag, lagSeconds }
  }

  /** Ends a durable registration; whether there was one. With a holder, only its own. */
  async unregister(uuid: string, actor: Actor, holder?: string): Promise<boolean> {
    return this.#turns.run(async () => {
      if (holder !== undefined) await this.#parts.registrations.requireHolder(uuid, holder)
      await this.#hub.endOlder(uuid)
      return this.#parts.registrations.delete(uuid, actor)
    })
  }

  /**
   * Writes an alarm that is in no list to a client that is connected, whatever it asked for: whether it could take it.
   * Nothing where no such client is registered. With a holder, only its own.
   */
  async sendTest(uuid: string, by: string, holder?: string): Promise<boolean | undefined> {
    if (holder !== undefined) await this.#parts.registrations.requireHolder(uuid, holder)
    const stream = [...this.#hub.streams].find((one) => one.uuid === uuid)
    if (!stream)
      return (await this.#parts.registrations.list()).some((one) => one.uuid === uuid) ? false : undefined
    const document = encode(await testAlarm(by, this.#words, this.#parts.clock()), stream.variant)
    // What has no room now would come at a time that tells nothing.
    if (stream.state === 'full' || stream.state === 'ended') return false
    stream.writeAside(document, this.#hub.now())
    return true
  }

  expire(keepDays: number): Promise<void> {
    return this.#parts.registrations.expire(keepDays)
  }

  positionText(number: bigint): string {
    return this.#parts.positions.of(number)
  }
}
