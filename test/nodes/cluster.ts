// PostgreSQL servers of Debian's package, which can be killed and restarted, copied and promoted, and a proxy in front
// of them that can stop passing data. TEST_POSTGRES_PROGRAMS names the folder of other programs: those of the npm package
// lack what makes dumps and standbys, and serve for the rest.

import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { freePort } from '../free-port.ts'

const programs =
  process.env.TEST_POSTGRES_PROGRAMS ??
  ['15', '16', '17', '18'].map((version) => `/usr/lib/postgresql/${version}/bin`).find(existsSync)

/** For tests that need it. */
export const withoutDebianPostgres = {
  skip:
    programs === undefined && process.env.CI !== 'true' && 'install the Debian package postgresql for this',
}

/** PostgreSQL refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

function run(program: string, ...args: string[]): void {
  const done = spawnSync(join(programs ?? '', program), args, {
    ...nobody,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (done.status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${done.error ?? done.stderr}`)
}

function copyFolder(from: string, to: string): void {
  const done = spawnSync('cp', ['--archive', from, to], { ...nobody, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`cp failed: ${done.error ?? done.stderr}`)
}

function folderFor(what: string): string {
  const folder = mkdtempSync(join(tmpdir(), `belfry-${what}-`))
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid)
  return folder
}

export class Cluster {
  readonly port: number
  readonly #data: string
  readonly #folder: string
  /** What it is always started with. */
  readonly #settings: Readonly<Record<string, string>>
  #runs = false
  #copies = 0

  private constructor(
    folder: string,
    port: number,
    { data, settings = {} }: { data?: string | undefined; settings?: Readonly<Record<string, string>> } = {},
  ) {
    this.#folder = folder
    this.#data = data ?? join(folder, 'data')
    this.#settings = settings
    this.port = port
    after(() => {
      this.stop()
      rmSync(folder, { recursive: true, force: true })
    })
  }

  /** `places`: folders on disks of their own, which must not exist yet. */
  static async make(
    settings: Readonly<Record<string, string>> = {},
    places: { readonly data?: string; readonly wal?: string } = {},
  ): Promise<Cluster> {
    const cluster = new Cluster(folderFor('cluster'), await freePort(), { data: places.data, settings })
    run(
      'initdb',
      '-D',
      cluster.#data,
      '-U',
      'postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--no-locale',
      '--no-sync',
      // Smaller parts of the journal, where it has a disk of its own.
      ...(places.wal === undefined ? [] : [`--waldir=${places.wal}`, '--wal-segsize=1']),
    )
    cluster.start()
    await cluster.ask('create database belfry')
    return cluster
  }

  start(settings: Readonly<Record<string, string>> = {}): void {
    // A crash of the server alone loses nothing that it has written.
    const all = {
      port: String(this.port),
      fsync: 'off',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: this.#folder,
      max_connections: '100',
      ...this.#settings,
      ...settings,
    }
    const flags = Object.entries(all).map(([name, value]) => `-c ${name}='${value}'`)
    run('pg_ctl', '-D', this.#data, '-l', join(this.#folder, 'log'), '-w', '-o', flags.join(' '), 'start')
    this.#runs = true
  }

  /** `immediate` is as if its machine had lost power. */
  stop(mode: 'fast' | 'immediate' = 'immediate'): void {
    if (!this.#runs) return
    this.#runs = false
    run('pg_ctl', '-D', this.#data, '-m', mode, '-w', 'stop')
  }

  /** A dump of the store. */
  dump(database = 'belfry'): string {
    const file = join(this.#folder, `dump-${++this.#copies}`)
    run('pg_dump', '--format=custom', '--file', file, '--dbname', this.address().replace(/belfry$/, database))
    return file
  }

  /** Puts a dump back: in the place of the store, or into a new database. */
  async restore(dump: string, database = 'belfry'): Promise<void> {
    if (database !== 'belfry') await this.ask(`create database ${database}`)
    const to = this.address().replace(/belfry$/, database)
    for (let attempt = 1; ; attempt += 1) {
      try {
        return run('pg_restore', '--clean', '--if-exists', '--single-transaction', '--dbname', to, dump)
      } catch (error) {
        // A node that runs may hold a table that is to be dropped; then nothing was done, and one tries again.
        if (attempt === 5 || !String(error).includes('deadlock detected')) throw error
      }
    }
  }

  /** A copy of the data directory, made while the server is stopped. */
  copyCold(): string {
    const copy = join(this.#folder, `copy-${++this.#copies}`)
    this.stop('fast')
    copyFolder(this.#data, copy)
    this.start()
    return copy
  }

  /** The server is left without its power; then it goes on with the copy. */
  putBackCold(copy: string): void {
    this.stop('immediate')
    rmSync(this.#data, { recursive: true })
    copyFolder(copy, this.#data)
    this.start()
  }

  /** Stops it, unless it has ended by itself, and starts it in recovery, for ever, or as what it was. */
  restart(as: 'standby' | 'primary'): void {
    this.#runs = false
    const ended = spawnSync(join(programs ?? '', 'pg_ctl'), ['-D', this.#data, '-m', 'fast', '-w', 'stop'], {
      ...nobody,
      stdio: 'ignore',
    })
    if (ended.error) throw ended.error
    const signal = join(this.#data, 'standby.signal')
    if (as === 'standby') writeFileSync(signal, '')
    else rmSync(signal, { force: true })
    this.start()
  }

  promote(): void {
    run('pg_ctl', '-D', this.#data, '-w', 'promote')
  }

  /** A standby of this one, as it is now. */
  async standby(name: string, port?: number): Promise<Cluster> {
    const standby = new Cluster(folderFor('standby'), port ?? (await freePort()))
    const from = `host=127.0.0.1 port=${this.port} user=postgres application_name=${name}`
    run('pg_basebackup', '-D', standby.#data, '-d', from, '-R', '-X', 'stream', '-c', 'fast', '--no-sync')
    standby.start()
    return standby
  }

  address(port = this.port, user = 'postgres'): string {
    return `postgres://${user}@127.0.0.1:${port}/belfry`
  }

  /** Lets each node connect as a user of its own, so that their sessions can be distinguished. */
  async admit(...users: readonly string[]): Promise<void> {
    for (const user of users) await this.ask(`create role ${user} superuser login`)
  }

  async connect(database = 'postgres'): Promise<pg.Client> {
    const client = new pg.Client({ host: '127.0.0.1', port: this.port, user: 'postgres', database })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  async ask(sql: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    const client = await this.connect(database)
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
}

/** A proxy in front of a server that can stop passing data, without closing connections. */
export class Way {
  readonly #sockets = new Set<Socket>()
  /** Connections that were made while it passed nothing. */
  readonly #unheard = new Set<Socket>()
  #isSilent = false
  port = 0

  static async to(port: number, host = '127.0.0.1'): Promise<Way> {
    const way = new Way()
    const server = createServer({ pauseOnConnect: true }, (socket) => way.#connect(socket, port))
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    way.port = (server.address() as { port: number }).port
    after(() => {
      server.close()
      for (const socket of [...way.#sockets, ...way.#unheard]) socket.destroy()
    })
    return way
  }

  #connect(near: Socket, port: number): void {
    if (this.#isSilent) {
      near.on('error', () => undefined)
      return void this.#unheard.add(near)
    }
    const far = createConnection(port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one)
      one.on('data', (bytes) => other.write(bytes))
      one.on('error', () => undefined)
      one.on('close', () => {
        this.#sockets.delete(one)
        // The end of a connection is held back, too.
        if (!this.#isSilent) other.destroy()
      })
      one.resume()
    }
  }

  silence(): void {
    this.#isSilent = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** Open connections stay silent; new ones get through. */
  healForOthers(): void {
    this.#isSilent = false
  }

  heal(): void {
    this.#isSilent = false
    for (const socket of this.#sockets) socket.resume()
    for (const socket of this.#unheard) socket.destroy()
    this.#unheard.clear()
  }
}
