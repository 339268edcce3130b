// Durable clients: a uuid, its filter and its cursor over the log. The newest registration owns the uuid.

import { randomUUID } from 'node:crypto'
import { head } from '../alarms/log.ts'
import { Fault } from '../fault.ts'
import { tell } from '../resources/audit-entry.ts'
import type { Actor, Database, Row, Transaction } from '../store/database.ts'

export interface Claim {
  readonly owner: string
  /** `new`: from now on. `known`: where it stopped. `expired`: it was forgotten, and is told so. */
  readonly kind: 'new' | 'known' | 'expired'
  readonly cursor: bigint
}

export interface Progress {
  readonly uuid: string
  readonly owner: string
  readonly cursor: bigint
  readonly position: bigint
  readonly lastWrite: number
  readonly connected: boolean
}

interface Registration {
  readonly uuid: string
  readonly holder: string
  readonly query: string
  readonly cursor: bigint
  readonly position: bigint
  readonly connected: boolean
  readonly createdTime: number
  readonly lastSeen: number
  readonly lastWrite: number
}

const day = 24 * 3600 * 1000
const tombstoneDays = 90
/** For one holder: whoever may read events could otherwise fill the disk with names that never come back. */
const perHolder = 10_000
const uuidForm = /^[\x21-\x7e]{1,128}$/

export function requireUuid(uuid: string): string {
  if (uuidForm.test(uuid)) return uuid
  throw new Fault('invalid', 'uuid: expected 1 to 128 visible ASCII characters', { field: 'uuid' })
}

export class Registrations {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Nobody is connected when the service starts; who was when it broke off has been away since then only. */
  async start(): Promise<void> {
    await this.#database.transaction((tx) =>
      tx.run('update registration set connected = 0, last_seen = ? where connected = 1', [tx.now]),
    )
  }

  /** A uuid belongs to the one who registered it; one from the time before there were operators, to the first who comes. */
  async requireHolder(uuid: string, holder: string): Promise<void> {
    const [row] = await this.#database.all('select holder from registration where uuid = ? and expired = 0', [
      uuid,
    ])
    if (!row || row.holder === '' || row.holder === holder) return
    throw new Fault('forbidden', 'this uuid is registered by another operator', { field: 'uuid' })
  }

  /** A position that the client brought is its cursor from now on. */
  claim(uuid: string, query: string, brought?: bigint, holder = ''): Promise<Claim> {
    return this.#database.transaction(async (tx) => {
      const [row] = await tx.all('select cursor, expired from registration where uuid = ?', [uuid])
      const kind = row === undefined ? 'new' : row.expired === 1n ? 'expired' : 'known'
      const cursor = brought ?? (row === undefined ? await head(tx) : (row.cursor as bigint))
      const owner = randomUUID()
      if (kind !== 'known') await requireRoom(tx, holder)
      await tx.run(
        'insert into registration (uuid, owner, holder, query, cursor, position, connected, created_at, last_seen, last_write, expired) values (?, ?, ?, ?, ?, ?, 1, ?, ?, 0, 0) on conflict (uuid) do update set owner = excluded.owner, holder = excluded.holder, query = excluded.query, cursor = excluded.cursor, connected = 1, last_seen = excluded.last_seen, expired = 0',
        [uuid, owner, holder, query, cursor, cursor, tx.now, tx.now],
      )
      return { owner, kind, cursor }
    })
  }

  /** Saves how far clients have come; answers those whose uuid belongs to another connection now. */
  save(progress: readonly Progress[]): Promise<Progress[]> {
    return this.#database.transaction(async (tx) => {
      const lost: Progress[] = []
      for (const one of progress) {
        const changed = await tx.run(
          'update registration set cursor = ?, position = ?, connected = ?, last_seen = ?, last_write = ? where uuid = ? and owner = ?',
          [one.cursor, one.position, one.connected ? 1 : 0, tx.now, one.lastWrite, one.uuid, one.owner],
        )
        if (changed === 0) lost.push(one)
      }
      return lost
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
      await tell(tx, { action: 'delete', resource: 'registration', id: uuid, before })
      return true
    }, actor)
  }

  /** Those that stayed away too long are forgotten, first in part and then altogether. */
  async expire(keepDays: number): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await tx.run(
        'update registration set expired = 1 where connected = 0 and expired = 0 and last_seen < ?',
        [tx.now - keepDays * day],
      )
      await tx.run('delete from registration where connected = 0 and expired = 1 and last_seen < ?', [
        tx.now - (keepDays + tombstoneDays) * day,
      ])
    })
  }
}

async function requireRoom(tx: Transaction, holder: string): Promise<void> {
  const [row] = await tx.all('select count(*) as n from registration where holder = ? and expired = 0', [
    holder,
  ])
  if (Number(row?.n) < perHolder) return
  const message = `there are ${perHolder} registrations already, of which each has its uuid: delete some first`
  throw new Fault('conflict', message, { field: 'uuid' })
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
})
