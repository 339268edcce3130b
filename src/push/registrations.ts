// The table of durable clients: a uuid, its filter and its cursor over the log. The newest registration owns the uuid.

import { Fault } from '../fault.ts'
import { audit } from '../resources/access/audit-entry.ts'
import { type Actor, bulk, type Row, type Store, type Transaction } from '../store/database.ts'
import { type Claim, RegistrationClaims, type RegistrationRequest } from './registration-claims.ts'

export interface Progress {
  readonly uuid: string
  readonly owner: string
  /** Everything up to here counts as received. */
  readonly cursor: bigint
  /** Everything up to here was written. */
  readonly position: bigint
  readonly lastWrite: number
  readonly connected: boolean
  /** Whether the first document counts as received. */
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
/** For how much longer an expired registration is remembered, so that its client is sent a gap. */
const tombstoneDays = 90

export class Registrations {
  readonly #database: Store
  /** The name of this node; empty where there is only one. */
  readonly #node: string
  readonly #claims: RegistrationClaims
  /** The version of the table at which the owners of our clients were checked. */
  #checkedAt = -1

  constructor(database: Store, node = '', keepDays = 0) {
    this.#database = database
    this.#node = node
    this.#claims = new RegistrationClaims(database, node, keepDays)
  }

  /** Marks all clients of this node as disconnected, as of now: an earlier run may have been interrupted. */
  async start(): Promise<void> {
    await this.#database.transaction(async (tx) => {
      // Rows without a node were written when there was only one.
      for (const node of new Set(['', this.#node])) await disconnect(tx, node)
    })
  }

  /** Marks the clients of a node that is gone as disconnected. */
  async disconnectFrom(node: string, leaderDatabase = this.#database): Promise<void> {
    await leaderDatabase.transaction((tx) => disconnect(tx, node))
  }

  /** Of these uuids and their owners, returns the uuids that another connection owns by now, at any node. */
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

  /** A uuid belongs to the operator who registered it; one without an operator, to the first who registers it. */
  async requireHolder(uuid: string, holder: string): Promise<void> {
    const [row] = await this.#database.all('select holder from registration where uuid = ? and expired = 0', [
      uuid,
    ])
    if (!row || row.holder === '' || row.holder === holder) return
    throw new Fault('forbidden', 'this uuid is registered by another operator', { field: 'uuid' })
  }

  claim(request: RegistrationRequest): Promise<Claim> {
    return this.#claims.claim(request)
  }

  /** Saves how far clients have come; returns those whose uuid belongs to another connection now. */
  save(progress: readonly Progress[]): Promise<Progress[]> {
    // All transactions lock rows in the same order.
    const inOrder = progress.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1))
    return this.#database.writeConcurrently(async (tx) => {
      const rows = inOrder.map(({ uuid, owner, cursor, position, lastWrite, connected, hasBegun }) => [
        cursor,
        position,
        connected ? 1 : 0,
        tx.now,
        lastWrite,
        hasBegun ? 0 : 1,
        uuid,
        owner,
      ])
      const saved = new Set((await tx.allEach(saveProgress, rows)).map((row) => row.owner))
      return progress.filter(({ owner }) => !saved.has(owner))
    })
  }

  async list(): Promise<Registration[]> {
    const rows = await this.#database.all('select * from registration where expired = 0 order by uuid')
    return rows.map(registrationOf)
  }

  /** Returns whether there was a registration to delete. */
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

  /** Expires the registrations of clients that stayed away too long, and deletes those that expired long ago. */
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
const saveProgress = bulk(
  'update registration set cursor = ?, position = ?, connected = ?, last_seen = ?, last_write = ?, unsure = unsure * ? where uuid = ? and owner = ? returning owner',
  ['bigint', 'bigint', 'integer', 'bigint', 'bigint', 'integer', 'text', 'text'],
)

const disconnect = (tx: Transaction, node: string) =>
  tx.run('update registration set connected = 0, last_seen = ? where connected = 1 and node = ?', [
    tx.now,
    node,
  ])

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
