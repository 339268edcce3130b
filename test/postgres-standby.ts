// A PostgreSQL with a synchronous standby, from Debian's package: the npm package has no pg_basebackup.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './free-port.ts'
import type { PostgresServer } from './postgres-server.ts'

const programs = '/usr/lib/postgresql/15/bin'
export const hasStandbys = existsSync(join(programs, 'pg_basebackup'))
/** PostgreSQL refuses to run as root: it runs as the user nobody. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

function run(program: string, flags: readonly string[]): void {
  const done = spawnSync(join(programs, program), flags, { ...nobody, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`${program} failed: ${done.error ?? done.stderr}`)
}

/** Gives its address once it answers. */
async function serve(data: string, sockets: string, servers: ChildProcess[]): Promise<string> {
  const port = await freePort()
  const flags = ['-D', data, '-k', sockets, '-p', String(port)]
  const server = spawn(join(programs, 'postgres'), flags, { ...nobody, stdio: 'ignore' })
  servers.push(server)
  const address = `postgres://postgres@127.0.0.1:${port}`
  for (let tries = 0; tries < 600 && server.exitCode === null; tries += 1) {
    const client = new pg.Client({ connectionString: `${address}/postgres` })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return address
    } catch {
      await wait(50)
    }
  }
  throw new Error(`PostgreSQL did not start (exit code ${server.exitCode})`)
}

export async function startWithStandby(): Promise<PostgresServer & { readonly standby: string }> {
  const scratch = mkdtempSync(join(tmpdir(), 'belfry-standby-'))
  if (nobody.uid !== undefined) chownSync(scratch, nobody.uid, nobody.gid)
  const servers: ChildProcess[] = []
  const stop = async () => {
    for (const server of servers) {
      if (server.exitCode !== null || server.signalCode !== null) continue
      const gone = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await gone
    }
    rmSync(scratch, { recursive: true, force: true })
  }
  try {
    const [data, copy] = [join(scratch, 'primary'), join(scratch, 'standby')]
    run('initdb', [
      '-D',
      data,
      '-U',
      'postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--no-locale',
      '--no-sync',
    ])
    const address = await serve(data, scratch, servers)
    const named = `${address}/postgres?application_name=standby`
    run('pg_basebackup', ['-d', named, '-D', copy, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
    const standby = await serve(copy, scratch, servers)
    const admin = new pg.Client({ connectionString: `${address}/postgres` })
    await admin.connect()
    await admin.query("alter system set synchronous_standby_names = 'standby'")
    await admin.query('select pg_reload_conf()')
    await admin.end()
    return { address, standby, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
