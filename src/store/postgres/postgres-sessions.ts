// Connections to PostgreSQL: opening them, their settings, and running transactions on them.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { Fault } from '../../fault.ts'
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
    // Evaluated for every connection: the primary and the password may have changed.
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

/** Adds the password to the address: the driver ignores other sources if it has an address. */
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

const localHosts = new Set(['', 'localhost', '127.0.0.1', '[::1]'])

/** A remote server must present a valid certificate, unless the address says otherwise. */
function withTls(address: string): string {
  const url = new URL(address)
  const isLocal = localHosts.has(url.hostname) && !url.searchParams.has('host')
  if (!isLocal && !url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'verify-full')
  return url.href
}

/** Seconds after which a connection is replaced, so that a former primary is not read from for longer. */
const connectionLifetime = 60

export interface ConnectionWatch {
  readonly onLost: (error: Error) => void
  readonly liveness: Liveness
}

interface PoolOptions {
  readonly max: number
  /** Called with each new connection. */
  readonly prepare: (session: pg.ClientBase) => Promise<void>
}

/** Connections of a pool may break at any time, also while in use. */
export function openPool(
  settings: pg.ClientConfig,
  { max, prepare }: PoolOptions,
  { onLost, liveness }: ConnectionWatch,
): pg.Pool {
  const onConnect = (client: pg.ClientBase) => {
    // The user of the connection gets the error from its next statement.
    client.on('error', () => undefined)
    liveness.watch(client)
    return prepare(client)
  }
  const wanted = { ...settings, Client, max, onConnect, maxLifetimeSeconds: connectionLifetime }
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

/** Milliseconds to wait for a lock: readers, too, may meet locks of an administrator. */
export const lockTimeout = 5000

/**
 * Settings of a session that writes. The server ends the session of a node that is suspended or cut off inside a
 * transaction after seconds, because others wait for its locks.
 */
const writerSettings: Readonly<Record<string, string>> = {
  // A confirmed commit survives a crash of the server.
  synchronous_commit: 'on',
  // A commit that waits for a standby must not be cancelled: its outcome would be unknown.
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '3000',
  lock_timeout: String(lockTimeout),
}

/** Additional settings of TCP connections. */
const tcpSettings: Readonly<Record<string, string>> = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10000',
}

/** Applies the settings, and reads them back: a pooler or the server may override them. */
export async function prepareSession(session: pg.ClientBase): Promise<void> {
  const { rows } = await session.query('select inet_server_addr() is not null as tcp')
  const wanted = rows[0].tcp ? { ...writerSettings, ...tcpSettings } : writerSettings
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

/** A permanent connection; if it is lost, the next use opens another. */
export class Session {
  readonly #settings: pg.ClientConfig
  readonly #lifeline: ConnectionWatch
  readonly #hosts: Hosts
  readonly #onReopened: () => void
  #client: pg.Client | undefined
  #wasOpen = false

  constructor(settings: pg.ClientConfig, hosts: Hosts, lifeline: ConnectionWatch, onReopened: () => void) {
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

/** Runs `work` in a transaction; `begin` opens it and takes its locks. */
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
    // A lost session has already rolled back.
    await session.query('rollback').catch(() => undefined)
    throw translate(error)
  }
}

/** SQLSTATE classes of warnings and of interventions by an administrator. */
const warnings = /^(01|57)/

/**
 * If somebody cancels a commit's wait for its standby, the server only warns: the commit may be lost with this server,
 * so it counts as failed.
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

/**
 * Closes the socket if connecting fails. If the server asks for a password and there is none, the driver leaves it
 * open, which would delay the end of the process by a minute.
 */
export class Client extends pg.Client {
  override connect(): Promise<this>
  override connect(callback: (error: Error | null) => void): void
  override connect(callback?: (error: Error | null) => void): Promise<this> | undefined {
    // Pools pass a callback.
    if (!callback) {
      return new Promise((resolve, reject) => {
        this.connect((error) => (error ? reject(error) : resolve(this)))
      })
    }
    super.connect((error: Error | null) => {
      if (error) this.connection.stream.destroy()
      callback(error)
    })
    return undefined
  }
}
