// The audit log as it is read: what entries say, filters, export, retention; and failed logins.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LoginSummary } from '../../src/access/login-summary.ts'
import { create } from '../../src/resources/collection.ts'
import { zones } from '../../src/resources/inventory/zone.ts'
import { ActorDatabase, type Database } from '../../src/store/database.ts'
import { nextId } from '../../src/store/ids.ts'
import { sweep } from '../../src/upkeep/retention.ts'
import { belfry } from '../cli/here.ts'
import { startService, stores } from '../support.ts'
import { idOf, load, refused } from './reading.ts'

const time = { now: Date.UTC(2026, 6, 1, 12) }
const service = await startService({}, { clock: () => time.now })

type Entry = Record<string, string>
const list = async (query: string): Promise<Entry[]> =>
  JSON.parse((await service.get(`/plat/audit?${query}`, { Accept: 'application/json' })).text).audit
const parsed = (text: string | undefined) => JSON.parse(text ?? 'null')

test('an entry says what was before and after, of a modification only what changed', async () => {
  const id = idOf(await service.sendJson('POST', '/ram/zone', { name: 'Lyon', description: 'Plant' }))
  await service.sendJson('PUT', `/ram/zone/${id}`, { name: 'Lyon Plant' })
  await service.ask('DELETE', `/ram/zone/${id}`)
  const entries = await list(`resource=zone&resourceId=${id}&size=10`)
  assert.deepEqual(
    entries.map(({ action, before, after }) => [action, parsed(before), parsed(after)]),
    [
      ['create', null, { zoneId: id, name: 'Lyon', description: 'Plant' }],
      ['modify', { name: 'Lyon' }, { name: 'Lyon Plant' }],
      ['delete', { zoneId: id, name: 'Lyon Plant', description: 'Plant' }, null],
    ],
  )
})

test('an import is one entry with its count and the digest of the file, and one for each record it changed', async () => {
  const before = Number((await list('desc=true&size=1'))[0]?.id)
  await load(service, 'zone', [
    'zoneId,name',
    ...Array.from({ length: 300 }, (_, n) => `${n + 100},Zone ${n}`),
  ])
  const body = 'zoneId,name\n100,Zone 0\n101,Renamed\n900,New\n'
  const answer = await service.ask('POST', '/plat/data/zone?replace=true', {
    headers: { 'Content-Type': 'text/csv' },
    body,
  })
  assert.equal(answer.status, 200, answer.text)
  const recorded = (await list('desc=true&size=10')).filter(({ id }) => Number(id) > before).toReversed()
  assert.deepEqual(
    recorded.map(({ action, count, resourceId }) => [action, count, resourceId]),
    [
      ['import', '300', ''],
      ['modify', '1', '101'],
      ['import', '3', ''],
    ],
  )
  assert.match(
    recorded[2]?.detail ?? '',
    /^1 new, 2 replaced, from a csv file with the SHA-256 [0-9a-f]{64}$/,
  )
})

test('what is deleted together with a record is recorded record by record', async () => {
  const scopes = '/res/access/assignedIpScope'
  const outer = idOf(
    await service.sendJson('POST', scopes, { startIp: '10.1.0.0', endIp: '10.1.255.255', name: 'O' }),
  )
  const inner = idOf(
    await service.sendJson('POST', `${scopes}/${outer}`, {
      startIp: '10.1.1.0',
      endIp: '10.1.1.255',
      name: 'I',
    }),
  )
  const rows = Array.from({ length: 520 }, (_, n) => `10.1.${4 + (n >> 8)}.${n & 255},Owner ${n},${outer}`)
  await load(service, 'assignedIpInfo', ['ip,name,parentId', ...rows])
  const [{ id: before = '' } = {}] = await list('desc=true&size=1')
  await service.ask('DELETE', `${scopes}/${outer}`)
  const recorded = (await list('action=delete&size=1000')).filter(({ id }) => Number(id) > Number(before))
  assert.equal(recorded.length, 522)
  assert.deepEqual(
    parsed(
      recorded.find(({ resource, resourceId }) => resource === 'assignedIpScope' && resourceId === inner)
        ?.before,
    ).name,
    'I',
  )
  assert.equal(
    new Set(
      recorded.filter(({ resource }) => resource === 'assignedIpInfo').map((one) => parsed(one.before).ip),
    ).size,
    520,
  )
})

test('lists are filtered by name, address, action, resource, id and time, and ordered', async () => {
  const zone = idOf(await service.sendJson('POST', '/ram/zone', { name: 'Filtered' }))
  const total = async (query: string) =>
    Number((await service.get(`/plat/audit?total=true&${query}`)).headers.total)
  const all = await total('')
  assert.ok(all > 500)
  assert.equal(await total('name=ANONYM*'), all)
  assert.equal(await total('name=anna'), 0)
  assert.equal(await total('address=127.0.0.1'), all)
  assert.equal(await total('address=::ffff:127.0.0.1'), all, 'another spelling')
  assert.equal(await total('address=10.*'), 0)
  assert.equal(await total(`resource=ZONE&resourceId=${zone}`), 1)
  assert.equal(await total(`resource=assignedIp*&resourceId=${zone}&action=login-refused`), 0)
  const seconds = Math.floor(time.now / 1000)
  assert.equal(await total(`startTime=${seconds}`), all)
  assert.equal(await total(`startTime=${seconds + 1}`), 0)
  assert.equal(await total(`endTime=${seconds - 1}`), 0)
  const ids = (await list('desc=true&size=20')).map(({ id }) => Number(id))
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => b - a),
  )
  assert.deepEqual(
    (await list('orderBy=time&size=2')).map(({ id }) => id),
    ['1', '2'],
  )
  refused(await service.get('/plat/audit?startTime=yesterday'), 400, 'startTime')
  refused(await service.get('/plat/audit?orderBy=before'), 400, 'orderBy')
})

test('one entry is read by its id; nothing in the log can be made, changed or deleted', async () => {
  const answer = await service.get('/plat/audit/1')
  assert.equal(answer.status, 200)
  assert.match(answer.text, /<audit><id>1<\/id><time>\d+<\/time><name>anonymous<\/name>/)
  refused(await service.get('/plat/audit/999999'), 404)
  for (const [method, path] of [
    ['POST', '/plat/audit'],
    ['PUT', '/plat/audit/1'],
    ['DELETE', '/plat/audit/1'],
    ['DELETE', '/plat/audit'],
    ['POST', '/plat/data/audit'],
  ] as const)
    refused(await service.ask(method, path), 405)
})

test('the log is exported as XML, JSON and CSV, over HTTP and by command', async () => {
  const exported = async (format: string) => (await service.get(`/plat/data/audit?format=${format}`)).text
  const [xml, json, csv] = await Promise.all([exported('xml'), exported('json'), exported('csv')])
  const rows: Entry[] = JSON.parse(json ?? '').audit
  // The exports themselves are entries, too.
  const count = async (query: string) =>
    Number((await service.get(`/plat/audit?total=true&${query}`)).headers.total)
  const total = (await count('')) - (await count('action=export'))
  assert.equal(rows.filter(({ action }) => action !== 'export').length, total)
  const found = (pattern: RegExp) => (xml ?? '').match(pattern)?.length ?? 0
  assert.equal(found(/<audit>/g) - found(/<action>export</g), total)
  const others = (text = '') => text.split('\r\n').filter((line) => !line.includes(',export,audit,'))
  const [head, ...lines] = others(csv.trimEnd())
  assert.equal(head, 'id,time,name,role,address,action,resource,resourceId,count,detail,before,after')
  assert.equal(lines.length, total)
  const command = await belfry(['export', 'audit', '--format', 'csv', '--data', service.config.data])
  assert.deepEqual(others(command.stdout), others(csv), command.stderr)
})

for (const engine of stores) {
  describe(`the audit log on ${engine.name}`, async () => {
    const clock = { now: Date.UTC(2026, 6, 1) }
    const database = await engine.openMigrated(() => clock.now)
    const anna = { name: 'anna', role: 'operator', address: '10.0.0.1' }
    const acted = new ActorDatabase(database, anna)
    const count = async (table = 'audit') =>
      Number((await database.all(`select count(*) as n from ${table}`))[0]?.n)

    test('a change on behalf of someone that is not recorded is undone, and so is one whose recording fails', async () => {
      const unrecorded = acted.transaction((tx) =>
        tx.run("insert into zone (id, name, name_key) values (901, 'x', 'x')"),
      )
      await assert.rejects(unrecorded, /a change of zone was not recorded in the audit log/)
      assert.equal(await count('zone'), 0)
      const broken = failing(database, /insert into audit/)
      await assert.rejects(create(new ActorDatabase(broken, anna), zones, { name: 'Not kept' }), /disk/)
      assert.deepEqual([await count('zone'), await count()], [0, 0])
      await create(acted, zones, { name: 'Kept' })
      assert.deepEqual([await count('zone'), await count()], [1, 1])
    })

    test('reading, and opening a counter, need no entry; nor does what the service does by itself', async () => {
      await acted.transaction((tx) => tx.all('select * from zone'))
      await acted.transaction((tx) => nextId(tx, 'thing'))
      await create(database, zones, { name: 'By itself' })
      assert.equal(await count(), 1)
    })

    test('retention removes old entries by number and by age, and nothing else', async () => {
      for (let n = 0; n < 20; n += 1) await create(acted, zones, { name: `Zone ${n}` })
      const endless = { count: 1_000_000, days: 10_000 }
      const keep = (audit: typeof endless) => ({ traps: endless, alarms: endless, log: endless, audit })
      assert.equal(await sweep(database, keep(endless)), 0)
      await sweep(database, keep({ count: 5, days: 10_000 }))
      assert.equal(await count(), 5)
      clock.now += 10 * 24 * 3600 * 1000
      await create(acted, zones, { name: 'Today' })
      await sweep(database, keep({ count: 100, days: 9 }))
      assert.equal(await count(), 1)
      assert.equal(await count('zone'), 23)
    })

    test('failed logins are recorded: the first at once, the others of a minute as one', async () => {
      const logins = new LoginSummary(database, () => clock.now, 'login-refused')
      const attempt = { name: 'root', address: '10.9.9.9', reason: 'wrong password' }
      const recorded = async () => {
        const rows = await database.all(
          "select name, address, count, detail from audit where action = 'login-refused' order by id",
        )
        return rows.map((row) => [row.name, row.address, row.count])
      }
      logins.add(attempt)
      await logins.record()
      assert.deepEqual(await recorded(), [['root', '10.9.9.9', 1n]])
      for (let n = 0; n < 100_000; n += 1) logins.add(attempt)
      logins.add({ ...attempt, address: '10.9.9.8' })
      await logins.record()
      assert.equal((await recorded()).length, 2, 'another address is recorded at once')
      clock.now += 60_000
      await logins.record()
      await logins.record()
      assert.deepEqual((await recorded()).slice(2), [['root', '10.9.9.9', 100_000n]])
      logins.add(attempt)
      await logins.record(true)
      assert.equal((await recorded()).length, 4, 'when the service stops')
    })

    test('a flood of names is few entries, and a name is kept short and legible', async () => {
      const logins = new LoginSummary(database, () => clock.now, 'login-refused')
      const before = await count()
      for (let n = 0; n < 10_000; n += 1) {
        logins.add({ name: `\0\u001b[2J${n}${'x'.repeat(10_000)}\ud800`, address: '10.9.9.7', reason: 'r' })
      }
      await logins.record()
      clock.now += 60_000
      await logins.record()
      assert.equal((await count()) - before, 21)
      const rows = await database.all(
        "select name, count from audit where address = '10.9.9.7' or name = '(others)'",
      )
      assert.equal(
        rows.reduce((sum, row) => sum + Number(row.count), 0),
        10_000,
      )
      for (const { name } of rows) assert.match(String(name), /^(\(others\)|\ufffd\ufffd\[2J\d+x+)$/)
    })
  })
}

/** A store whose disk fails at a statement. */
const failing = (database: Database, at: RegExp): Database =>
  new Proxy(database, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value
      const transaction: Database['transaction'] = (work, actor) =>
        target.transaction(
          (tx) =>
            work({
              ...tx,
              runEach: (statement, rows) =>
                at.test(statement.sql) ? Promise.reject(new Error('disk')) : tx.runEach(statement, rows),
            }),
          actor,
        )
      return transaction
    },
  })
