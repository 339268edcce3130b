// Several nodes on one store: a bell by NOTIFY, which carries nothing and may be missed.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { PostgresSignal } from '../../src/store/postgres/postgres-signal.ts'
import { newDatabase } from '../postgres-database.ts'
import { eventually } from '../push/station.ts'
import { Way } from './cluster.ts'

const address = await newDatabase()

function listening() {
  const heard = { times: 0, warned: [] as (string | undefined)[] }
  const database = new Postgres(address)
  after(() => database.close())
  database.onSignal({
    heard: () => {
      heard.times += 1
    },
    warn: (reason) => heard.warned.push(reason),
  })
  return { database, heard }
}

test('nodes, logSignal: a ring at one node wakes the others; many rings in a short time are combined', async () => {
  const [one, other] = [listening(), listening()]
  await eventually(() => one.heard.times > 0 && other.heard.times > 0, 'both are connected')
  const before = one.heard.times
  one.database.signal()
  const known = other.heard.times
  await eventually(() => other.heard.times > known || known > 1, 'the other hears')
  assert.equal(one.heard.times, before, 'nobody hears himself')
  const start = other.heard.times
  for (let ring = 0; ring < 1000; ring += 1) one.database.signal()
  await eventually(() => other.heard.times > start, 'the other hears again')
  one.database.signal()
  assert.ok(other.heard.times - start < 10, `${other.heard.times - start} notifications`)
})

test('nodes, logSignal: a node that was disconnected listens again', async () => {
  const { heard } = listening()
  await eventually(() => heard.times > 0, 'connected')
  const before = heard.times
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = 'listen belfry'",
  )
  await client.end()
  await eventually(() => heard.times > before, 'it looks when it is back')
})

test('nodes, logSignal: a node whose server no longer answers notices it by itself, and listens on another connection', async () => {
  const here = new URL(address)
  const way = await Way.to(Number(here.port))
  here.port = String(way.port)
  const other = listening()
  let times = 0
  const logSignal = new PostgresSignal(
    { connectionString: here.href },
    (sql, parameters) => other.database.all(sql, parameters),
    { checkInterval: 100, answerTimeout: 400 },
  )
  after(() => logSignal.close())
  logSignal.listen({
    heard: () => {
      times += 1
    },
    warn: () => undefined,
  })
  await eventually(() => times > 0 && other.heard.times > 0, 'both are connected')
  way.silence()
  way.healForOthers()
  const [before, heard] = [times, other.heard.times]
  // What it rings meanwhile is sent when it is back.
  logSignal.send()
  await eventually(() => times > before, 'it looks when it is back')
  await eventually(() => other.heard.times > heard, 'the other hears')
  const back = times
  other.database.signal()
  await eventually(() => times > back, 'it hears again')
})

test('nodes, logSignal: where notifications do not arrive, as behind a pooler, that is reported', async () => {
  // What is sent on the connections of others goes to another database, so that no node receives it.
  const elsewhere = new Postgres(await newDatabase())
  after(() => elsewhere.close())
  const warned: (string | undefined)[] = []
  const logSignal = new PostgresSignal({ connectionString: address }, (sql, parameters) =>
    elsewhere.all(sql, parameters),
  )
  after(() => logSignal.close())
  logSignal.listen({ heard: () => undefined, warn: (reason) => warned.push(reason) })
  await eventually(() => warned.length > 0, 'it is reported')
  assert.match(String(warned[0]), /pooler/)
})
