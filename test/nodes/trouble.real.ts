// What PostgreSQL says first is what callers, the log and the count of attempts go by: a server that is read-only, a
// statement that fails while nobody waits for it, a limit that a datagram exceeds.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { Fault } from '../../src/fault.ts'
import { bulk, type Store, type Transaction } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { device, inform, ledger, sum, until } from '../intake/sending.ts'
import { newDatabase } from '../postgres-database.ts'
import { startService } from '../support.ts'

async function opened(): Promise<{ database: Store; admin: pg.Client; reported: (string | undefined)[] }> {
  const address = await newDatabase()
  const reported: (string | undefined)[] = []
  const database = new Postgres(address, { onTrouble: (trouble) => reported.push(trouble?.message) })
  await migrate(database)
  const admin = new pg.Client({ connectionString: address })
  await admin.connect()
  after(async () => {
    await admin.end()
    await database.close()
  })
  return { database, admin, reported }
}

const failure = async (work: Promise<unknown>): Promise<Fault> => {
  const error = await work.then(
    () => assert.fail('it did not fail'),
    (reason) => reason,
  )
  assert.ok(error instanceof Fault, String(error))
  return error
}

const addZone = (tx: Transaction, id: bigint, name: string) =>
  tx.run('insert into zone (id, name, name_key) values (?, ?, ?)', [id, name, name])

/** Statements of this test fail with the error of this code. */
const failingWith = (admin: pg.Client, code: string) =>
  admin.query(`
    create or replace function fail() returns trigger language plpgsql as
      $$ begin raise exception 'as the test wants it' using errcode = '${code}'; end $$;
    create or replace trigger fail before insert on zone for each row when (new.name like 'fails%') execute function fail()`)

const zones = bulk('insert into zone (id, name, name_key) values (?, ?, ?)', ['bigint', 'text', 'text'])

test("a statement that nobody waits for fails: what it says is thrown, not PostgreSQL's refusal of the next one", async () => {
  const { database, admin } = await opened()
  await failingWith(admin, '53100')
  const next = failure(
    database.transaction(async (tx) => {
      await tx.runEach(zones, [[101n, 'fails', 'fails']])
      await tx.all('select 1 as one')
    }),
  )
  assert.match((await next).message, /as the test wants it/)
  const swallowed = failure(
    database.transaction(async (tx) => {
      await tx.runEach(zones, [[102n, 'fails', 'fails']])
      await addZone(tx, 103n, 'next').catch(() => undefined)
    }),
  )
  assert.match((await swallowed).message, /as the test wants it/)
  assert.equal((await next).code, 'unavailable')
})

test('a server that has become read-only is trouble of the store, for every kind of write', async () => {
  for (const kind of ['transaction', 'writeConcurrently', 'writeUrgently'] as const) {
    const { database, admin, reported } = await opened()
    const { rows } = await admin.query('select current_database() as name')
    await database[kind]((tx) => addZone(tx, 110n, 'before'))
    await admin.query(`alter database "${rows[0].name}" set default_transaction_read_only = on`)
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    let fault: Fault | undefined
    await until('it is refused', async () => {
      fault = await failure(database[kind]((tx) => addZone(tx, 111n, 'refused')))
      return /read-only/.test(fault.message)
    })
    assert.equal(fault?.code, 'unavailable', kind)
    assert.ok(database.trouble, kind)
    assert.equal(reported.length, 1, `${kind}: ${reported.join('; ')}`)
  }
})

test('a limit of PostgreSQL, or an error inside it, is answered with 503 and is no trouble of the store: any caller could cause it', async () => {
  const { database, admin } = await opened()
  for (const code of ['54000', 'XX000']) {
    await failingWith(admin, code)
    const fault = await failure(database.transaction((tx) => addZone(tx, 120n, 'fails')))
    assert.equal(fault.code, 'unavailable', code)
    assert.equal(database.trouble, undefined, code)
  }
})

test('a probe needs new room each time, leaves no row, and its table is emptied before it is large', async () => {
  const { database, admin } = await opened()
  const size = async () =>
    Number((await admin.query("select pg_total_relation_size('probe') as bytes")).rows[0].bytes)
  for (let round = 0; round < 3; round += 1) {
    const before = await size()
    await database.probe()
    assert.ok((await size()) > before, `${before} bytes before, ${await size()} after`)
  }
  assert.deepEqual((await admin.query('select filler from probe')).rows, [])
  const random =
    "(select string_agg(md5(random()::text || part), '') from generate_series(row, row + 220) part)"
  await admin.query(`begin; insert into probe select ${random} from generate_series(1, 2000) row; rollback`)
  assert.ok((await size()) > 8 * 2 ** 20, `${await size()} bytes`)
  await database.probe()
  assert.ok((await size()) < 100_000, `${await size()} bytes`)
})

/** What becomes of five datagrams where the server fails at one of them, with these errors, one after the other. */
async function failingWithAll(codes: readonly string[]) {
  const address = await newDatabase()
  const service = await startService({ node: 'a' }, { open: async () => new Postgres(address) })
  const admin = new pg.Client({ connectionString: address })
  await admin.connect()
  after(() => admin.end())
  // Sequences are not rolled back.
  await admin.query(`
    create sequence failures;
    create function fail() returns trigger language plpgsql as $$ declare code text; begin
      code := (string_to_array('${codes.join(' ')}', ' '))[nextval('failures')];
      if code is not null then raise exception 'as the test wants it' using errcode = code; end if;
      return new; end $$;
    create trigger fail before insert on alarm for each row when (new.paras like '%ifIndex=13') execute function fail()`)
  const router = await device(service.trapPort)
  await router.send(...Array.from({ length: 5 }, (_, index) => inform(index + 11)))
  await until('all are processed', async () => sum(await ledger(service)) === 5)
  return ledger(service)
}

const times = (count: number, code: string) => Array.from({ length: count }, () => code)

test('a datagram at which PostgreSQL reaches a limit each time is quarantined, and the others are processed', async () => {
  for (const code of ['54000', 'XX000']) {
    const found = await failingWithAll(times(20, code))
    assert.deepEqual(found, { 'raised no such alarm was open': 4, 'malformed unexpected': 1 }, code)
  }
})

test('where the store fails, nothing is quarantined, however often that was, also once datagrams are processed one by one', async () => {
  const failures = [...times(4, '53100'), ...times(3, '54000'), ...times(5, '53100')]
  assert.deepEqual(await failingWithAll(failures), { 'raised no such alarm was open': 5 })
})
