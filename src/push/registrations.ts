// Durable clients: a uuid, its filter and its cursor over the log. The newest registration owns the uuid.

import { randomUUID } from 'node:crypto'
import { lastEntryNumber, lostAtCounter } from '../alarms/log/epochs.ts'
import { Fault } from '../fault.ts'
import { audit } from '../resources/access/audit-entry.ts'
import { readCounter } from '../store/counter.ts'
import { type Actor, bulk, type Row, type Store, type Transaction } from '../store/database.ts'

export interface Claim {
  readonly owner: string
  /** `new`: from now on. `known`: where it stopped. `expired`: it was forgotten, and is sent a gap. */
  readonly kind: 'new' | 'known' | 'expired'
  readonly cursor: bigint
  /** What was pushed before this time was not sent to it. */
  readonly sentFrom: number
  /** Whether it may have registered before, and what the store knew of it was lost: it is sent a gap, once. */
  readonly mayHaveGap: boolean
}

export interface Progress {
  readonly uuid: string
  readonly owner: string
  /** Everything up to here counts as received. */
  readonly cursor: bigint
  /** Everything up to here was written. */
  readonly position: bigint
  readonly lastWrite: number
  readonly connected: boolean
  /** Whether what was written first counts as received. */
  readonly hasBegun: boolean
}

export interface Registration {
  readonly uuid: string
  readonly holder: string
  readonly query: string
  readonly cursor: bigint
  readonly position: bigint
  readonly connected: boolean
  readonly createdTime: number
  readonly lastSeen: number
  readonly lastWrite: number
  /** Where it is connected, or was. */
  readonly node: string
}

const day = 24 * 3600 * 1000
const tombstoneDays = 90
/** For one holder: whoever may read events could otherwise fill the disk with names that never come back. */
const perHolder = 10_000

export function requireUuid(uuid: string): string {
  const length = [...uuid].length
  if (length >= 1 && length <= 256 && !/\p{Cc}/u.test(uuid) && uuid.isWellFormed()) return uuid
  const message = 'uuid: expected 1 to 256 characters, none of them a control character'
  throw new Fault('invalid', `${message}; received ${shownUuid(uuid)}`, { field: 'uuid' })
}

const shownUuid = (uuid: string) =>
  uuid.length > 60 ? `${JSON.stringify(uuid.slice(0, 60))}… (${[...uuid].length})` : JSON.stringify(uuid)

/** The registration that a client asks for. */
export interface RegistrationRequest {
  readonly uuid: string
  readonly query: string
  readonly holder?: string
  /** A position that the client brought is its cursor from now on. */
  readonly position?: bigint | undefined
  /** Whether it begins from nothing, and now. */
  readonly isFresh?: boolean
}

interface PendingRequest {
  readonly request: RegistrationRequest
  resolve(claim: Claim): void
  reject(error: unknown): void
}

export class Registrations {
  readonly #database: Store
  /** The name of this node; empty where there is only one. */
  readonly #node: string
  readonly #pending: PendingRequest[] = []
  readonly #keepDays: number
  /** The version at which our clients were checked. */
  #checkedAt = -1

  constructor(database: Store, node = '', keepDays = 0) {
    this.#database = database
    this.#node = node
    this.#keepDays = keepDays
  }

  /** Nobody is connected to a node that starts; clients of an interrupted run have been away since then only. */
  async start(): Promise<void> {
    await this.#database.transaction(async (tx) => {
      // Rows without a node come from a time when there was only one.
      for (const node of new Set(['', this.#node])) await disconnect(tx, node)
    })
  }

  /** Nobody is connected to a node that is gone. */
  async disconnectFrom(node: string, leaderDatabase = this.#database): Promise<void> {
    await leaderDatabase.transaction((tx) => disconnect(tx, node))
  }

  /** Of the uuids, with their owners, those that belong to another connection by now, at whichever node. */
  async taken(owned: ReadonlyMap<string, string>): Promise<string[]> {
    await this.#database.refresh()
    const version = this.#database.version('registration')
    if (version === this.#checkedAt || owned.size === 0) return []
    const rows = await this.#database.writeConcurrently((tx) =>
      tx.allEach(
        ownerOf,
        Array.from(owned.keys(), (uuid) => [uuid]),
      ),
    )
    this.#checkedAt = version
    const owners = new Map(rows.map((row) => [String(row.uuid), String(row.owner)]))
    return [...owned].filter(([uuid, owner]) => owners.get(uuid) !== owner).map(([uuid]) => uuid)
  }

  /**
   * A uuid belongs to the operator who registered it; one from the time before there were operators, to the first who
   * comes.
   */
  async requireHolder(uuid: string, holder: string): Promise<void> {
    const [row] = await this.#database.all('select holder from registration where uuid = ? and expired = 0', [
      uuid,
    ])
    if (!row || row.holder === '' || row.holder === holder) return
    throw new Fault('forbidden', 'this uuid is registered by another operator', { field: 'uuid' })
  }

  /**
   * Registrations that come at the same time are written together: after a restart hundreds do, and a commit takes its
   * time.
   */
  claim(request: RegistrationRequest): Promise<Claim> {
    const { promise, resolve, reject } = Promise.withResolvers<Claim>()
    this.#pending.push({ request, resolve, reject })
    if (this.#pending.length === 1) void this.#grant()
    return promise
  }

  async #grant(): Promise<void> {
    let pending: PendingRequest[] = []
    try {
      const outcomes = await this.#database.transaction(async (tx) => {
        // Only now: more may have come while others were written.
        pending = this.#pending.splice(0)
        const claims: (Claim | Fault)[] = []
        for (const { request } of pending) claims.push(await this.#claimIn(tx, request).catch(onlyFaults))
        return claims
      })
      for (const [index, { resolve, reject }] of pending.entries()) {
        const outcome = outcomes[index]
        if (outcome instanceof Fault) reject(outcome)
        else if (outcome) resolve(outcome)
      }
    } catch (error) {
      // It may have failed before it began.
      for (const { reject } of pending.length > 0 ? pending : this.#pending.splice(0)) reject(error)
    }
  }

  async #claimIn(tx: Transaction, request: RegistrationRequest): Promise<Claim> {
    const { uuid, query, holder = '', position, isFresh = position === undefined } = request
    const [row] = await tx.all(
      'select cursor, position, written_once, written_twice, expired, given_from, unsure from registration where uuid = ?',
      [uuid],
    )
    const kind = row === undefined ? 'new' : row.expired === 1n ? 'expired' : 'known'
    if (kind !== 'known') await makeRoom(tx, holder)
    const { cursor, once, twice } =
      position === undefined && row ? startOf(row) : startAt(position ?? (await lastEntryNumber(tx)))
    const owner = randomUUID()
    const known = row && kind === 'known' ? Number(row.given_from) : tx.now
    const sentFrom = isFresh ? known : 0
    const mayHaveGap = isFresh && (row ? row.unsure === 1n : await this.#mayHaveBeenLost(tx))
    await tx.run(
      'insert into registration (uuid, owner, holder, query, cursor, position, written_once, written_twice, connected, created_at, last_seen, last_write, expired, given_from, node, unsure) values (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, 0, 0, ?, ?, ?) on conflict (uuid) do update set owner = excluded.owner, holder = excluded.holder, query = excluded.query, cursor = excluded.cursor, position = excluded.position, written_once = excluded.written_once, written_twice = excluded.written_twice, connected = 1, last_seen = excluded.last_seen, expired = 0, given_from = excluded.given_from, node = excluded.node, unsure = excluded.unsure',
      [
        uuid,
        owner,
        holder,
        query,
        cursor,
        cursor,
        once,
        twice,
        tx.now,
        tx.now,
        sentFrom,
        this.#node,
        mayHaveGap ? 1 : 0,
      ],
    )
    return { owner, kind, cursor, sentFrom, mayHaveGap }
  }

  /** Whether the store lost entries so lately that registrations may have been lost with them. */
  async #mayHaveBeenLost(tx: Transaction): Promise<boolean> {
    const lostAt = await readCounter(tx, lostAtCounter)
    return lostAt !== undefined && tx.now - Number(lostAt) < this.#keepDays * day
  }

  /** Saves how far clients have come; returns those whose uuid belongs to another connection now. */
  save(progress: readonly Progress[]): Promise<Progress[]> {
    // All lock rows in the same order.
    const inOrder = progress.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1))
    return this.#database.writeConcurrently(async (tx) => {
      const rows = inOrder.map((one) => [
        one.cursor,
        one.position,
        one.connected ? 1 : 0,
        tx.now,
        one.lastWrite,
        one.hasBegun ? 0 : 1,
        one.uuid,
        one.owner,
      ])
      const saved = new Set((await tx.allEach(placed, rows)).map((row) => row.owner))
      return progress.filter(({ owner }) => !saved.has(owner))
    })
  }

  async list(): Promise<Registration[]> {
    const rows = await this.#database.all('select * from registration where expired = 0 order by uuid')
    return rows.map(registrationOf)
  }

  /** Whether there was one to delete. */
  delete(uuid: string, actor: Actor): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const [row] = await tx.all('select query from registration where uuid = ? and expired = 0', [uuid])
      if (!row) return false
      await tx.run('delete from registration where uuid = ?', [uuid])
      const before = JSON.stringify({ filter: String(row.query).slice(0, 1000) })
      await audit(tx, { action: 'delete', resource: 'registration', id: uuid, before })
      return true
    }, actor)
  }

  /** Clients that stayed away too long are forgotten, first in part and then altogether. */
  async expire(keepDays: number, now = this.#database.now()): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await tx.run(
        'update registration set expired = 1 where connected = 0 and expired = 0 and last_seen < ?',
        [now - keepDays * day],
      )
      await tx.run('delete from registration where connected = 0 and expired = 1 and last_seen < ?', [
        now - (keepDays + tombstoneDays) * day,
      ])
    })
  }
}

const ownerOf = bulk('select uuid, owner from registration where uuid = ?', ['text'])
const placed = bulk(
  'update registration set cursor = ?, position = ?, connected = ?, last_seen = ?, last_write = ?, unsure = unsure * ? where uuid = ? and owner = ? returning owner',
  ['bigint', 'bigint', 'integer', 'bigint', 'bigint', 'integer', 'text', 'text'],
)

const disconnect = (tx: Transaction, node: string) =>
  tx.run('update registration set connected = 0, last_seen = ? where connected = 1 and node = ?', [
    tx.now,
    node,
  ])

/** A registration that is refused does not undo the others. */
function onlyFaults(error: unknown): Fault {
  if (error instanceof Fault) return error
  throw error
}

interface Place {
  readonly cursor: bigint
  /** What lies behind the cursor was written up to here on one connection, and up to here on two. */
  readonly once: bigint
  readonly twice: bigint
}

const startAt = (cursor: bigint): Place => ({ cursor, once: cursor, twice: cursor })

/**
 * Where the next connection starts. Each connection starts at the cursor, so what it has written is known by how far it
 * came; what three have written counts as delivered, or a client whose connections break would never get on.
 */
function startOf(row: Row): Place {
  const [cursor, once, twice, last] = [row.cursor, row.written_once, row.written_twice, row.position]
  const reached = [once, twice, last].map((place) => place as bigint).sort((a, b) => (a > b ? -1 : 1))
  const start = [cursor as bigint, reached[2] ?? 0n].reduce((a, b) => (a > b ? a : b))
  return { cursor: start, once: reached[0] ?? 0n, twice: reached[1] ?? 0n }
}

/**
 * A holder with as many as there may be loses the one that has been away longest: it is forgotten as after a long
 * absence, and sent a gap when it comes back.
 */
async function makeRoom(tx: Transaction, holder: string): Promise<void> {
  const [row] = await tx.all('select count(*) as n from registration where holder = ? and expired = 0', [
    holder,
  ])
  if (Number(row?.n) < perHolder) return
  const forgotten = await tx.run(
    'update registration set expired = 1 where uuid = (select uuid from registration where holder = ? and expired = 0 and connected = 0 order by last_seen, uuid limit 1)',
    [holder],
  )
  if (forgotten === 0) {
    const message = `there are ${perHolder} registrations already, and all of their clients are connected: delete some first`
    throw new Fault('conflict', message, { field: 'uuid' })
  }
  // As many are remembered as forgotten.
  await tx.run(
    'delete from registration where uuid = (select uuid from registration where holder = ? and expired = 1 order by last_seen, uuid limit 1) and (select count(*) from registration where holder = ? and expired = 1) > ?',
    [holder, holder, perHolder],
  )
}

const registrationOf = (row: Row): Registration => ({
  uuid: String(row.uuid),
  holder: String(row.holder),
  query: String(row.query),
  cursor: row.cursor as bigint,
  position: row.position as bigint,
  connected: row.connected === 1n,
  createdTime: Number(row.created_at),
  lastSeen: Number(row.last_seen),
  lastWrite: Number(row.last_write),
  node: String(row.node),
})
