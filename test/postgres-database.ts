// Databases for tests, in the server that all files of a run share, or one of this file where it is run by itself.

import { after } from 'node:test'
import pg from 'pg'
import { migrate } from '../src/store/migrate.ts'
import { Postgres } from '../src/store/postgres/postgres.ts'
import { addressVariable, type PostgresServer, startPostgres } from './postgres-server.ts'

let own: Promise<PostgresServer> | undefined
let databases = 0

// When all tests of the file are over, whichever of them asked for it.
after(async () => (await own)?.stop())

async function serverAddress(): Promise<string> {
  const given = process.env[addressVariable]
  if (given !== undefined) return given
  own ??= startPostgres()
  return (await own).address
}

async function withClient<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: `${await serverAddress()}/${database}` })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function makeDatabase(options = ''): Promise<string> {
  databases += 1
  const name = `test_${process.pid}_${databases}`
  await withClient('postgres', (client) => client.query(`create database ${name} ${options}`))
  return `${await serverAddress()}/${name}`
}

/** A new, empty database. */
export const newDatabase = () => makeDatabase()

const template = 'test_migrated'
let migrated: Promise<void> | undefined

/** Makes, once for all files of a run, the database that the following ones are copies of. */
const makeTemplate = () =>
  withClient('postgres', async (client) => {
    await client.query('select pg_advisory_lock(1)')
    const { rows } = await client.query('select from pg_database where datname = $1', [template])
    if (rows.length > 0) return
    await client.query(`create database ${template}_new`)
    const database = new Postgres(`${await serverAddress()}/${template}_new`)
    await migrate(database)
    await database.close()
    await client.query(`alter database ${template}_new rename to ${template}`)
  })

/** A new database with all tables: a copy takes a fraction of the time of all migrations. */
export async function newMigratedDatabase(): Promise<string> {
  migrated ??= makeTemplate()
  await migrated
  return makeDatabase(`template ${template}`)
}
