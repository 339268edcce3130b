// Connections to PostgreSQL: how they are opened, their settings, and transactions.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { Fault } from '../../fault.ts'
import { Client } from './client.ts'
import type { Hosts } from './hosts.ts'
import type { Liveness } from './liveness.ts'
import { translate, translateRefusal } from './postgres-faults.ts'

const asBigint = (text: string) => BigInt(text)
const integerTypes = new Set([pg.types.builtins.INT2, pg.types.builtins.INT4, pg.types.builtins.INT8])

export function connectionSettings(
  hosts: Hosts,
  passwordFile: string,
  more: Pick<pg.ClientConfig, 'pipeline'> = {},
): pg.ClientConfig {
  return {
    ...more,
    // Read anew for every connection: the primary may be another host by then, and the password another one.
    get connectionString() {
      return withPassword(withTls(hosts.current), passwordFile)
    },
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    connectionTimeoutMillis: 10_000,
    application_name: `belfry ${randomUUID()}`,
    types: {
      getTypeParser: (type, format) =>
        integerTypes.has(type) ? asBigint : pg.types.getTypeParser(type, format as 'text'),
    },
  }
}

/** As a part of the address: the driver takes the address as complete, also where it has no password. */
function withPassword(address: string, file: string): string {
  if (file === '') return address
  const url = new URL(address)
  url.password = encodeURIComponent(readPassword(file))
  return url.href
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    const message = `store-password-file: ${file} cannot be read: ${(cause as Error).message}`
    throw new Fault('invalid', message, { field: 'store-password-file', cause })
  }
}

const thisMachine = new Set(['', 'localhost', '127.0.0.1', '[::1]'])

/** Between machines the server must present a certificate that can be verified, unless the address says otherwise. */
function withTls(address: string): string {
  const url = new URL(address)
  const isLocal = thisMachine.has(url.hostname) && !url.searchParams.has('host')
  if (!isLocal && !url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'verify-full')
  return url.href
}

/** Seconds: a server that is no longer the primary is not read from for longer. */
const lifetime = 60

export interface Lifeline {
  readonly onLost: (error: Error) => void
  readonly liveness: Liveness
}

interface PoolWants {
  readonly max: number
  /** Done with each connection before it is used. */
  readonly prepare: (session: pg.ClientBase) => Promise<void>
}

/** Connections of a pool may break at any time, also between two statements of whoever has one. */
export function openPool(
  settings: pg.ClientConfig,
  { max, prepare }: PoolWants,
  { onLost, liveness }: Lifeline,
): pg.Pool {
  const onConnect = (client: pg.ClientBase) => {
    // Its user gets the error from its next statement.
    client.on('error', () => undefined)
    liveness.watch(client)
    return prepare(client)
  }
  const wanted = { ...settings, Client, max, onConnect, maxLifetimeSeconds: lifetime }
  const pool = new pg.Pool(wanted).on('error', onLost)
  Object.defineProperty(pool.options, 'connectionString', { get: () => settings.connectionString })
  return pool
}

export async function connect(pool: pg.Pool, hosts: Hosts): Promise<pg.PoolClient> {
  try {
    return await hosts.connect(() => pool.connect())
  } catch (error) {
    throw translateRefusal(error)
  }
}

/** Milliseconds to wait for a lock that somebody else holds: readers, too, meet those of an administrator. */
export const lockTimeout = 5000

/**
 * Settings of a session that writes. A node that is suspended or cut off inside a transaction holds locks that others
 * wait for: the server ends such a session after seconds.
 */
const asked: Readonly<Record<string, string>> = {
  // What a caller was promised survives a crash of the server.
  synchronous_commit: 'on',
  // A commit that waits for a standby must not be cancelled: its outcome would be unknown.
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '3000',
  lock_timeout: String(lockTimeout),
}
/** The same for connections over a network; a local socket does not have them. */
const askedOverTcp: Readonly<Record<string, string>> = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10000',
}

/** Makes the settings, and reads them back: a pooler, or a rule of the server, may override them. */
export async function prepareSession(session: pg.ClientBase): Promise<void> {
  const { rows } = await session.query('select inet_server_addr() is not null as tcp')
  const wanted = rows[0].tcp ? { ...asked, ...askedOverTcp } : asked
  const names = Object.keys(wanted)
  await session.query(
    'select set_config(name, value, false) from unnest($1::text[], $2::text[]) as given(name, value)',
    [names, Object.values(wanted)],
  )
  const found = await session.query('select name, setting from pg_settings where name = any($1)', [names])
  for (const { name, setting } of found.rows) {
    if (setting === wanted[name]) continue
    const message = `PostgreSQL does not keep what is asked of it: ${name} is ${setting} instead of ${wanted[name]}`
    throw new Fault('unavailable', message)
  }
}

/** A connection that stays; when it is lost, the next use opens another. */
export class Session {
  readonly #settings: pg.ClientConfig
  readonly #lifeline: Lifeline
  readonly #hosts: Hosts
  readonly #onReopened: () => void
  #client: pg.Client | undefined
  #wasOpen = false

  constructor(settings: pg.ClientConfig, hosts: Hosts, lifeline: Lifeline, onReopened: () => void) {
    this.#settings = settings
    this.#hosts = hosts
    this.#lifeline = lifeline
    this.#onReopened = onReopened
  }

  async client(): Promise<pg.Client> {
    this.#client ??= await this.#hosts.connect(() => this.#open())
    return this.#client
  }

  async #open(): Promise<pg.Client> {
    const client = new Client(this.#settings)
    client.on('error', (error) => {
      if (this.#client === client) this.#client = undefined
      this.#lifeline.onLost(error)
    })
    try {
      await client.connect()
      this.#lifeline.liveness.watch(client)
      await this.#hosts.require(client)
      await prepareSession(client)
      if (this.#wasOpen) this.#onReopened()
      this.#wasOpen = true
      return client
    } catch (error) {
      await client.end().catch(() => undefined)
      throw translateRefusal(error)
    }
  }

  async close(): Promise<void> {
    await this.#client?.end()
  }
}

/** `begin` opens the transaction and takes its locks. */
export async function inTransaction<T>(
  session: pg.ClientBase,
  begin: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    await begin()
    const result = await work()
    await commit(session)
    return result
  } catch (error) {
    // A session that is gone has rolled back by itself.
    await session.query('rollback').catch(() => undefined)
    throw translate(error)
  }
}

/** Warnings, and what an administrator did to the session. */
const warnings = /^(01|57)/

/**
 * A commit that no longer waits for its standby (somebody cancelled the wait) is reported by a warning only: it is
 * committed here and may be lost with this server, so it does not count.
 */
async function commit(session: pg.ClientBase): Promise<void> {
  let warning: string | undefined
  const note = ({ code = '', message }: { code?: string | undefined; message?: string | undefined }) => {
    if (warnings.test(code)) warning = message ?? code
  }
  session.on('notice', note)
  try {
    const { command } = await session.query('commit')
    if (command !== 'COMMIT') throw new Error('a statement failed, and the work went on as if it had not')
  } finally {
    session.removeListener('notice', note)
  }
  if (warning !== undefined)
    throw new Fault('unavailable', `PostgreSQL does not promise that the commit is kept: ${warning}`)
}
