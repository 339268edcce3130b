// The password for the store in PostgreSQL, from a file.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { newDatabase } from '../postgres-database.ts'
import { temporaryFolder } from '../support.ts'

const right = `it's % right: @/?#`
const role = `with_password_${process.pid}`
const address = new URL(await newDatabase())
const administrator = new pg.Client({ connectionString: address.href })
await administrator.connect()
await administrator.query(`create role ${role} login password ${pg.escapeLiteral(right)}`)
const file = String((await administrator.query('show hba_file')).rows[0].hba_file)
writeFileSync(file, `host all ${role} all scram-sha-256\n${readFileSync(file, 'utf8')}`)
await administrator.query('select pg_reload_conf()')
await administrator.end()
address.username = role

async function ask(password: string): Promise<unknown> {
  const passwordFile = join(temporaryFolder(), 'password')
  writeFileSync(passwordFile, `${password}\n`)
  const database = new Postgres(address.href, { passwordFile })
  try {
    return (await database.all('select current_user as me'))[0]?.me
  } finally {
    await database.close()
  }
}

/** The server reads its rules anew soon after it is asked to. */
async function refusal(password: string): Promise<string> {
  for (let time = 0; time < 1000; time += 1) {
    try {
      await ask(password)
    } catch (error) {
      return (error as Error).message
    }
    await sleep(50)
  }
  return 'it was let in'
}

test('the password in a file is taken as it is, whatever letters it has', async () => {
  assert.match(
    await refusal('wrong'),
    /refuses the connection: password authentication failed for user "with_/,
  )
  assert.equal(await ask(right), role)
})

const openSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

test('where the server asks for a password and there is none, settings are named, and no connection stays open', async () => {
  delete process.env.PGPASSWORD
  process.env.PGPASSFILE = join(temporaryFolder(), 'none')
  const before = openSockets()
  const database = new Postgres(address.href)
  for (const asked of [
    () => database.all('select 1'),
    () => database.transaction((tx) => tx.all('select 1')),
    () => database.writeConcurrently((tx) => tx.all('select 1')),
  ]) {
    await assert.rejects(asked, /neither store-password-file nor PGPASSWORD nor PGPASSFILE gives one/)
  }
  await database.close()
  // A socket that was given up needs a turn to close.
  for (let turn = 0; turn < 3000 && openSockets() > before; turn += 1) await sleep(10)
  assert.equal(openSockets(), before)
})
