// Profiles: which device has which, where secrets may be sent to, and that they are shown nowhere.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { KeyFile } from '../../src/keys/key-file.ts'
import { Keys } from '../../src/keys/key-ring.ts'
import { create, erase, modify } from '../../src/resources/collection.ts'
import { addressRange, isInRanges } from '../../src/resources/inventory/address-range.ts'
import {
  type AskProfile,
  askProfilesWith,
  ProfileIndex,
  profileSecrets,
  readProfiles,
} from '../../src/resources/inventory/ask-profile.ts'
import type { Variable } from '../../src/snmp/variables.ts'
import { startGuarded } from '../http/credentials.ts'
import { pathOf, refused } from '../http/reading.ts'
import { stores, temporaryFolder } from '../support.ts'
import { TestAgent } from './agent.ts'

const path = '/plat/askProfile'

test('a range has one spelling; typing errors and the whole world are refused', () => {
  for (const [given, kept] of [
    ['192.0.2.0/24', '192.0.2.0/24'],
    ['192.0.2.7', '192.0.2.7/32'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['2001:DB8:0::/48', '2001:db8::/48'],
    ['2001:db8::7', '2001:db8::7/128'],
    ['::ffff:192.0.2.7', undefined],
    ['192.0.2.7/24', undefined],
    ['0.0.0.0/0', undefined],
    ['10.0.0.0/7', undefined],
    ['10.0.0.0/33', undefined],
    ['10.0.0.0/', undefined],
    ['10.0.0.0/8/8', undefined],
    ['fe80::1%eth0', undefined],
    ['example.net', undefined],
    ['1'.repeat(100_000), undefined],
  ] as const) {
    if (kept === undefined) assert.throws(() => addressRange.read(given), { code: 'invalid' }, given)
    else assert.equal(addressRange.read(given), kept)
  }
  const ranges = ['192.0.2.0/25', '2001:db8::/48']
  const isIn = (address: string) => isInRanges(ranges, address)
  assert.deepEqual(['192.0.2.0', '192.0.2.127', '2001:db8::9'].map(isIn), [true, true, true])
  assert.deepEqual(['192.0.2.128', '192.0.1.255', '2001:db8:1::', '::192.0.2.1'].map(isIn), [
    ...[false, false, false, false],
  ])
})

test('the profile of a device is the one with the narrowest range, among those that are meant for it', () => {
  const profile = (id: bigint, ranges: string[], more: Partial<AskProfile> = {}) =>
    ({ id, addressRange: ranges, device: [], zone: [], ...more }) as unknown as AskProfile
  const index = new ProfileIndex([
    profile(4n, ['10.0.0.0/8']),
    profile(3n, ['10.0.0.0/8', '2001:db8::/32']),
    profile(5n, ['10.1.0.0/16'], { zone: [2n] }),
    profile(6n, ['10.1.1.0/24'], { device: [9n] }),
    profile(7n, ['10.1.1.1/32'], { device: [8n], zone: [3n] }),
  ])
  const found = (ip: string, id = 1n, zoneId = 1n) => index.find({ id, ip, zoneId })?.profile.id
  assert.equal(found('10.9.9.9'), 3n, 'of equal ones the oldest')
  assert.equal(found('10.1.9.9'), 3n, 'another zone')
  assert.equal(found('10.1.9.9', 1n, 2n), 5n)
  assert.equal(found('10.1.1.9', 9n, 2n), 6n)
  assert.equal(found('10.1.1.1', 9n, 2n), 6n)
  assert.equal(found('10.1.1.1', 8n), 7n)
  assert.equal(found('10.1.1.1', 1n, 3n), 7n)
  assert.equal(found('2001:db8::1'), 3n)
  assert.equal(found('192.0.2.1', 8n, 2n), undefined, 'whatever names it, no range does')
})

const tablesOf = {
  sqlite: "select name from sqlite_master where type = 'table'",
  postgres:
    "select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'",
}

for (const store of stores) {
  test(`on ${store.name} secrets are sealed, kept, asked for again where they would go elsewhere, and removed`, async () => {
    const database = await store.openMigrated()
    const file = new KeyFile({ data: temporaryFolder(), 'key-file': '' })
    const keys = await Keys.open(file, database, { isAlone: true })
    const profiles = askProfilesWith(keys)
    const refuses = (changes: object, field: string, code: string) =>
      assert.rejects(modify(database, profiles, id, changes), { field, code })
    const given = { name: 'Lab', version: '2c', community: 'secret-51d0', addressRange: ['192.0.2.0/24'] }
    const id = await create(database, profiles, given)
    const [made] = await readProfiles(database)
    const { port, timeoutSeconds, tries, secretSet } = made as AskProfile
    assert.deepEqual([port, timeoutSeconds, tries, secretSet], [161, 2, 3, ['community']])
    await modify(database, profiles, id, { description: 'changed', tries: 1, zone: [1n] })
    assert.deepEqual(await profileSecrets(keys, id), { community: 'secret-51d0' })
    for (const changes of [{ port: 1161 }, { addressRange: ['192.0.2.0/24', '198.51.100.0/24'] }])
      await refuses(changes, 'community', 'conflict')
    await refuses({ version: '1' }, 'community', 'conflict')
    await modify(database, profiles, id, { port: 1161, community: 'secret-51d1' })
    await modify(database, profiles, id, { addressRange: ['192.0.2.0/24'] })
    await refuses({ community: null }, 'community', 'invalid')
    await refuses({ userName: 'ops' }, 'userName', 'invalid')
    await refuses({ addressRange: [] }, 'addressRange', 'invalid')
    const user = { version: '3', userName: 'ops', community: '', authAlgorithm: 'sha1' }
    await refuses(user, 'authPassword', 'invalid')
    await refuses(
      { ...user, authPassword: 'secret-51d2', privPassword: 'secret-51d3' },
      'privAlgorithm',
      'invalid',
    )
    await modify(database, profiles, id, { ...user, authPassword: 'secret-51d2' })
    assert.deepEqual(await profileSecrets(keys, id), { authPassword: 'secret-51d2' })
    const tables = await database.all(tablesOf[database.kind])
    const rows = await Promise.all(tables.map(({ name }) => database.all(`select * from ${name}`)))
    const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    assert.match(text, /askProfile/)
    assert.doesNotMatch(text, /secret-51d/)
    if (database.kind === 'sqlite') {
      const backup = join(temporaryFolder(), 'backup.db')
      await database.copyTo(backup)
      assert.equal(readFileSync(backup).includes('secret-51d'), false)
    }
    await erase(database, profiles, id)
    assert.deepEqual(await database.all("select name from secret where name like 'askProfile%'"), [])
  })
}

const values: readonly Variable[] = [
  { oid: '1.3.6.1.2.1.1.1.0', type: 'OctetString', value: 'An example switch', hex: false },
  { oid: '1.3.6.1.2.1.1.2.0', type: 'ObjectIdentifier', value: '1.3.6.1.4.1.32473.1', hex: false },
  { oid: '1.3.6.1.2.1.1.3.0', type: 'TimeTicks', value: '4711', hex: false },
  { oid: '1.3.6.1.2.1.1.5.0', type: 'OctetString', value: 'sw1', hex: false },
]

test('a test asks one device in the ranges of a profile, and says what is wrong; secrets are shown nowhere', async () => {
  const service = await startGuarded()
  const asAdmin = (method: string, where: string, body: unknown) =>
    service.asJson('administrator', method, where, body)
  await using agent = await TestAgent.start({ values, community: 'secret-51d0' })
  const { port } = agent.device
  const given = { version: '2c', addressRange: ['127.0.0.1'], port, timeoutSeconds: 1, tries: 1 }
  const right = await asAdmin('POST', path, { ...given, name: 'Right', community: 'secret-51d0' })
  const wrong = await asAdmin('POST', path, { ...given, name: 'Wrong', community: 'secret-51d9' })
  const trial = await asAdmin('POST', `${pathOf(right)}/test`, { ip: '127.0.0.1' })
  assert.equal(trial.status, 200, trial.text)
  const { milliseconds, ...said } = trial.json() as Record<string, string>
  assert.ok(Number(milliseconds) >= 0)
  assert.deepEqual(said, {
    ...{ answers: 'true', sysName: 'sw1', sysDescription: 'An example switch' },
    ...{ sysOid: '1.3.6.1.4.1.32473.1', uptime: '47' },
  })
  const silent = await asAdmin('POST', `${pathOf(wrong)}/test`, { ip: '127.0.0.1' })
  const { problem, reason } = silent.json() as Record<string, string>
  assert.equal(problem, 'silent')
  assert.match(String(reason), /^no answer from 127\.0\.0\.1:\d+, asked once within 1 s; .*community/)
  const before = agent.received
  refused(await asAdmin('POST', `${pathOf(right)}/test`, { ip: '127.0.0.2' }), 409, 'ip')
  assert.equal(agent.received, before)
  const headers = { Accept: 'application/json' }
  const read = async (where: string) => (await service.as('administrator', 'GET', where, { headers })).text
  const shown = [
    ...[
      await read(path),
      await read(pathOf(right)),
      await read('/plat/audit?size=1000'),
      trial.text,
      silent.text,
    ],
    (await asAdmin('POST', path, { ...given, name: 'x', community: `secret-51d0${'0'.repeat(300)}` })).text,
    (await asAdmin('PUT', pathOf(right), { name: 'Right', version: '2c', port: 9 })).text,
  ]
  for (const one of shown) assert.doesNotMatch(one, /secret-51d/)
  for (const role of ['operator', 'viewer'])
    assert.equal((await service.as(role, 'GET', path, { headers })).status, 403)
})
