// What tests share: a service on a port of its own, requests to it, and stores of both kinds.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { App, AppOptions } from '../src/app.ts'
import { type Config, readConfig } from '../src/config/config.ts'
import type { Limits } from '../src/config/limits.ts'
import type { Store } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'
import { Postgres } from '../src/store/postgres/postgres.ts'
import { openSqlite } from '../src/store/sqlite/sqlite.ts'
import { newDatabase, newMigratedDatabase } from './postgres-database.ts'

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/**
 * Removed when the process ends, not by `after`: what was asked for first is removed first there, and a service that
 * uses the folder would still be running.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'belfry-test-'))
  folders.push(folder)
  return folder
}

/** A key file of one key, which is the same for all services of a test: nodes need it. */
export function testKeyFile(): string {
  const file = join(temporaryFolder(), 'key')
  writeFileSync(file, `${Buffer.alloc(32, 'test').toString('base64')}\n`, { mode: 0o600 })
  return file
}

/** Settings for a test: a free port, a folder of its own. */
export function testConfig(flags: Record<string, string> = {}, limits: Partial<Limits> = {}): Config {
  const own = {
    listen: '127.0.0.1:0',
    traps: '127.0.0.1:0',
    data: temporaryFolder(),
    'key-file': testKeyFile(),
    // No test asks a device unless it says so.
    'ask-seconds': '0',
  }
  return readConfig({ ...own, ...flags }, {}, limits)
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  json(): Record<string, unknown>
}

export interface Ask {
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
}

export interface TestService extends App {
  readonly config: Config
  /** Sends a request; an XML answer is checked against the published schema. */
  ask(method: string, path: string, ask?: Ask): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** Sends an XML body. */
  send(method: string, path: string, xml: string): Promise<Answer>
  sendJson(method: string, path: string, body: unknown): Promise<Answer>
}

/** In the second pass, tests that run on SQLite run on PostgreSQL instead: see on-postgres.ts. */
const isOnPostgres = process.env.TEST_STORE === 'postgres'
/** By data folder: a second start on the same folder gets the same store. */
const stands = new Map<string, Promise<string>>()

async function placedConfig(flags: Record<string, string>, limits: Partial<Limits> = {}): Promise<Config> {
  if (!isOnPostgres || (flags.store ?? '') !== '') return testConfig(flags, limits)
  const { data = temporaryFolder() } = flags
  const known = stands.get(data) ?? newMigratedDatabase()
  stands.set(data, known)
  return testConfig({ ...flags, data, store: await known }, limits)
}

export interface TestOptions extends AppOptions {
  /** Other limits than those of the program. */
  readonly limits?: Partial<Limits>
}

/** A service for the tests of one file (or one suite); it stops when they are over. */
export async function startService(
  flags: Record<string, string> = {},
  options: TestOptions = {},
): Promise<TestService> {
  // A store that the test opens is no setting of the service.
  const config = await (options.open ? testConfig : placedConfig)(flags, options.limits)
  // Only here, since every file of tests is a process of its own, and many need no more than a folder or a store.
  const { startApp } = await import('../src/app.ts')
  const { open } = options
  let stopped: Promise<void> | undefined
  const stop = () => {
    // One that failed to start has stopped already, and its test has the error.
    stopped ??= starting.then(
      (app) => app.stop(),
      () => undefined,
    )
    return stopped
  }
  // Hooks run in the order of their making: a store that a test opens is closed by one, after the service has stopped.
  const stoppedFirst = () => {
    after(stop)
    return open?.() ?? assert.fail('no store')
  }
  const starting = startApp(config, open ? { ...options, open: stoppedFirst } : options)
  const app = await starting
  if (!open) after(stop)
  const ask = async (method: string, path: string, { headers = {}, body }: Ask = {}) => {
    const answer = await sendRequest(app.url, method, path, { headers, ...(body !== undefined && { body }) })
    if (answer.headers['content-type'] === 'application/xml' && answer.text !== '') {
      const { requireValid } = await import('./published-schema.ts')
      requireValid(answer.text)
    }
    return answer
  }
  const typed = (type: string) => ({ 'Content-Type': type, Accept: type.split(';')[0] ?? '' })
  return {
    ...app,
    config,
    stop,
    ask,
    get: (path, headers = {}) => ask('GET', path, { headers }),
    send: (method, path, xml) =>
      ask(method, path, { body: xml, headers: typed('application/xml; charset=UTF-8') }),
    sendJson: (method, path, body) =>
      ask(method, path, { body: JSON.stringify(body), headers: typed('application/json') }),
  }
}

export function sendRequest(
  base: string,
  method: string,
  path: string,
  { headers = {}, body }: Ask,
): Promise<Answer> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: () => JSON.parse(text),
        })
      })
    })
    request.on('error', reject)
    if (body !== undefined) request.setHeader('Content-Length', Buffer.byteLength(body))
    request.end(body)
  })
}

/** The text of every element with that name, in order. */
export function texts(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map((match) => match[1] ?? '')
}

export interface TestStore {
  readonly name: string
  /** An empty store, not yet migrated. */
  open(clock?: () => number): Promise<Store>
  /** A store with all tables. */
  openMigrated(clock?: () => number): Promise<Store>
}

function openedSqlite(clock?: () => number): Store {
  const database = openSqlite(join(temporaryFolder(), 'test.db'), clock ? { clock } : {})
  after(() => database.close())
  return database
}

function openedPostgres(address: string, clock?: () => number): Store {
  const database = new Postgres(address, clock ? { clock } : {})
  after(() => database.close())
  return database
}

export const bothStores: readonly TestStore[] = [
  {
    name: 'SQLite',
    open: async (clock) => openedSqlite(clock),
    openMigrated: async (clock) => {
      const database = openedSqlite(clock)
      await migrate(database)
      return database
    },
  },
  {
    name: 'PostgreSQL',
    open: async (clock) => openedPostgres(await newDatabase(), clock),
    openMigrated: async (clock) => openedPostgres(await newMigratedDatabase(), clock),
  },
]

const { TEST_STORE = '' } = process.env
export const stores = bothStores.filter(
  ({ name }) => TEST_STORE === '' || name.toLowerCase().startsWith(TEST_STORE),
)

/** One migrated store of each kind, with a clock that stands still until it is set. */
export function everyStore(): Promise<{ store: TestStore; database: Store; clock: { now: number } }[]> {
  return Promise.all(
    stores.map(async (store) => {
      const clock = { now: 1_700_000_000_000 }
      return { store, clock, database: await store.openMigrated(() => clock.now) }
    }),
  )
}
