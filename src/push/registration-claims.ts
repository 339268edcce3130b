// Claims a uuid for a connection: decides whether the client is new, known or expired, and where its stream starts.

import { randomUUID } from 'node:crypto'
import { lastEntryNumber, lostAtCounter } from '../alarms/log/epochs.ts'
import { Fault } from '../fault.ts'
import { readCounter } from '../store/counter.ts'
import type { Row, Store, Transaction } from '../store/database.ts'

/** The registration that a client asks for. */
export interface RegistrationRequest {
  readonly uuid: string
  readonly query: string
  readonly holder?: string
  /** A position that the client sent, which becomes its cursor. */
  readonly position?: bigint | undefined
  /** Whether it starts now, with neither a position nor a snapshot. */
  readonly isFresh?: boolean
}

export interface Claim {
  readonly owner: string
  /** `new`: starts now. `known`: resumes where it stopped. `expired`: is sent a gap, and starts now. */
  readonly kind: 'new' | 'known' | 'expired'
  readonly cursor: bigint
  /** The client was not sent alarms that were pushed before this time. */
  readonly sentFrom: number
  /** Whether the store may have lost an earlier registration of the client, which is then sent a gap, once. */
  readonly mayHaveGap: boolean
}

interface PendingRequest {
  readonly request: RegistrationRequest
  resolve(claim: Claim): void
  reject(error: unknown): void
}

const day = 24 * 3600 * 1000
/**
 * Registrations per holder: otherwise anyone who may read events could fill the disk with names that never come back.
 */
const perHolder = 10_000

export function requireUuid(uuid: string): string {
  const length = [...uuid].length
  if (length >= 1 && length <= 256 && !/\p{Cc}/u.test(uuid) && uuid.isWellFormed()) return uuid
  const message = 'uuid: expected 1 to 256 characters, none of them a control character'
  throw new Fault('invalid', `${message}; received ${shownUuid(uuid)}`, { field: 'uuid' })
}

const shownUuid = (uuid: string) =>
  uuid.length > 60 ? `${JSON.stringify(uuid.slice(0, 60))}… (${[...uuid].length})` : JSON.stringify(uuid)

export class RegistrationClaims {
  readonly #database: Store
  /** The name of this node; empty where there is only one. */
  readonly #node: string
  readonly #keepDays: number
  readonly #pending: PendingRequest[] = []

  constructor(database: Store, node: string, keepDays: number) {
    this.#database = database
    this.#node = node
    this.#keepDays = keepDays
  }

  /**
   * Concurrent requests share a transaction: after a restart hundreds of clients register, and each commit takes time.
   */
  claim(request: RegistrationRequest): Promise<Claim> {
    const { promise, resolve, reject } = Promise.withResolvers<Claim>()
    this.#pending.push({ request, resolve, reject })
    if (this.#pending.length === 1) void this.#writePending()
    return promise
  }

  async #writePending(): Promise<void> {
    let pending: PendingRequest[] = []
    try {
      const outcomes = await this.#database.transaction(async (tx) => {
        // Only now: more may have been added while this transaction waited for others.
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
      // The transaction may have failed before it began.
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
    const knownFrom = row && kind === 'known' ? Number(row.given_from) : tx.now
    const sentFrom = isFresh ? knownFrom : 0
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

  /** Whether the store lost entries so recently that registrations may have been lost with them. */
  async #mayHaveBeenLost(tx: Transaction): Promise<boolean> {
    const lostAt = await readCounter(tx, lostAtCounter)
    return lostAt !== undefined && tx.now - Number(lostAt) < this.#keepDays * day
  }
}

/** A registration that is refused does not undo the others. */
function onlyFaults(error: unknown): Fault {
  if (error instanceof Fault) return error
  throw error
}

interface StartingPoint {
  readonly cursor: bigint
  /** Entries after the cursor were written up to this number on at least one connection. */
  readonly once: bigint
  /** The same for at least two connections. */
  readonly twice: bigint
}

const startAt = (cursor: bigint): StartingPoint => ({ cursor, once: cursor, twice: cursor })

/**
 * Where the next connection starts. Each connection starts at the cursor, so the number it reached says what it has
 * written. Entries that three connections have written count as delivered, or a client whose connections keep breaking
 * would never advance.
 */
function startOf(row: Row): StartingPoint {
  const [cursor, once, twice, last] = [row.cursor, row.written_once, row.written_twice, row.position]
  const reached = [once, twice, last].map((number) => number as bigint).sort((a, b) => (a > b ? -1 : 1))
  const start = [cursor as bigint, reached[2] ?? 0n].reduce((a, b) => (a > b ? a : b))
  return { cursor: start, once: reached[0] ?? 0n, twice: reached[1] ?? 0n }
}

/**
 * At the limit, the holder's registration that has been disconnected longest expires, as it would after a long absence:
 * its client is sent a gap when it comes back.
 */
async function makeRoom(tx: Transaction, holder: string): Promise<void> {
  const [row] = await tx.all('select count(*) as n from registration where holder = ? and expired = 0', [
    holder,
  ])
  if (Number(row?.n) < perHolder) return
  const expired = await tx.run(
    'update registration set expired = 1 where uuid = (select uuid from registration where holder = ? and expired = 0 and connected = 0 order by last_seen, uuid limit 1)',
    [holder],
  )
  if (expired === 0) {
    const message = `there are ${perHolder} registrations already, and all of their clients are connected: delete some first`
    throw new Fault('conflict', message, { field: 'uuid' })
  }
  // The number of expired registrations is limited, too.
  await tx.run(
    'delete from registration where uuid = (select uuid from registration where holder = ? and expired = 1 order by last_seen, uuid limit 1) and (select count(*) from registration where holder = ? and expired = 1) > ?',
    [holder, holder, perHolder],
  )
}
