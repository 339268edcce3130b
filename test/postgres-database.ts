// Databases for tests, in the server that all files of a run share, or one of this file where it is run by itself.

import { after } from 'node:test'
import pg from 'pg'
import { addressVariable, type PostgresServer, startPostgres } from './postgres-server.ts'

let own: Promise<PostgresServer> | undefined
let databases = 0

// When all tests of the file are over, whichever of them asked for it.
after(async () => (await own)?.stop())

/** A new, empty database. */
export async function newDatabase(): Promise<string> {
  const given = process.env[addressVariable]
  if (given === undefined) own ??= startPostgres()
  const address = given ?? (await own)?.address
  databases += 1
  const name = `test_${process.pid}_${databases}`
  const client = new pg.Client({ connectionString: `${address}/postgres` })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return `${address}/${name}`
}
