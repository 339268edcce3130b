// Nodes on a database of their own in PostgreSQL.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { newKeyText } from '../src/keys/key-file.ts'
import type { PostgresServer } from '../test/postgres-server.ts'
import type { Stage } from './frame.ts'
import type { Served } from './processes.ts'
import { freePort } from './trap-datagram.ts'

export interface BenchNode extends Served {
  readonly trapPort: number
}

/** A new database on the server, and the key that its nodes share. */
export async function newStore(
  server: PostgresServer,
  database: string,
  folder: string,
): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: `${server.address}/postgres` })
  await client.connect()
  await client.query(`create database ${database}`)
  await client.end()
  const keyFile = join(folder, 'key')
  writeFileSync(keyFile, newKeyText(), { mode: 0o600 })
  return { store: `${server.address}/${database}`, 'key-file': keyFile }
}

export async function startNode(
  { processes, folder }: Stage<unknown>,
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<BenchNode> {
  const trapPort = await freePort()
  const served = await processes.service(join(folder, name), { ...settings, traps: `127.0.0.1:${trapPort}` })
  return { ...served, trapPort }
}
