// The hosts in the address of a store: one of them is the primary, which may change.

import type pg from 'pg'
import { Fault } from '../../fault.ts'
import { readPrivate, writePrivate } from '../private-files.ts'

/** `postgres://user@one:5432,two:5432/store` names two. */
export function hostsIn(address: string): string[] {
  const start = address.indexOf('://') + '://'.length
  const slash = address.indexOf('/', start)
  const end = slash < 0 ? address.length : slash
  const authority = address.slice(start, end)
  const user = authority.slice(0, authority.lastIndexOf('@') + 1)
  const hosts = authority.slice(user.length).split(',')
  return hosts.map((host) => `${address.slice(0, start)}${user}${host}${address.slice(end)}`)
}

const serverSql = `select pg_is_in_recovery() as standby, system_identifier::text || '/' || (select oid from pg_database where datname = current_database()) as system,
  case when pg_is_in_recovery() then 0 else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint end as timeline
  from pg_control_system()`

/**
 * The newest known timeline of each database: a promotion begins a new one. Also saved in a file, because after a
 * restart the first server that answers may be a former primary.
 */
class Timelines {
  readonly #file: string | undefined
  readonly #newest: Map<string, bigint>

  constructor(file: string | undefined) {
    this.#file = file
    this.#newest = file === undefined ? new Map() : readTimelines(file)
  }

  newest(system: string): bigint {
    return this.#newest.get(system) ?? 0n
  }

  note(system: string, timeline: bigint): void {
    if (this.newest(system) === timeline) return
    this.#newest.set(system, timeline)
    if (this.#file === undefined) return
    const known = Object.fromEntries([...this.#newest].map(([name, number]) => [name, Number(number)]))
    try {
      writePrivate(this.#file, `${JSON.stringify(known)}\n`)
    } catch {
      // A full disk must not prevent the service from using its store.
    }
  }
}

/** A file that cannot be read is ignored. */
function readTimelines(file: string): Map<string, bigint> {
  try {
    const known: Record<string, number> = JSON.parse(readPrivate(file) ?? '{}')
    return new Map(Object.entries(known).map(([system, timeline]) => [system, BigInt(timeline)]))
  } catch {
    return new Map()
  }
}

export class Hosts {
  readonly #addresses: readonly string[]
  #index = 0
  readonly #onMoved: () => void
  readonly #timelines: Timelines
  #system = ''

  /** `onMoved` is called before anything is read from another server or timeline than before. */
  constructor(addresses: readonly string[], onMoved: () => void, timelineFile?: string) {
    this.#addresses = addresses
    this.#onMoved = onMoved
    this.#timelines = new Timelines(timelineFile)
  }

  get current(): string {
    return this.#addresses[this.#index % this.#addresses.length] ?? ''
  }

  /** Switches to the next host, unless another caller already has. */
  failed(address: string): void {
    if (address === this.current) this.#index += 1
  }

  /** Connects to the current host or, if that fails, to any of the others; throws the first error. */
  async connect<T>(connecting: () => Promise<T>): Promise<T> {
    let reason: unknown
    for (const _ of this.#addresses) {
      const { current } = this
      try {
        return await connecting()
      } catch (error) {
        reason ??= error
        this.failed(current)
      }
    }
    throw reason
  }

  /** Refuses a standby, and a former primary, whose data is old. */
  async require(session: pg.ClientBase): Promise<void> {
    const { rows } = await session.query(serverSql)
    const [{ standby, system, timeline }] = rows
    if (standby) throw new Fault('unavailable', 'this PostgreSQL is a standby: name the primary')
    const seen = this.#timelines.newest(system)
    if (timeline < seen) {
      const message = `this PostgreSQL is on timeline ${timeline}, and the store has been on ${seen}: another one has been promoted since`
      throw new Fault('unavailable', message)
    }
    if (timeline === seen && system === this.#system) return
    this.#timelines.note(system, timeline)
    this.#system = system
    this.#onMoved()
  }
}
