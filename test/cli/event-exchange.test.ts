// `belfry event import` and `export`: definitions of files, as the caller, all or none; what one service exports, another
// has exactly.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { variable } from '../alarms/world.ts'
import { startService, temporaryFolder } from '../support.ts'
import { belfry, succeed } from './here.ts'

const service = await startService()
const other = await startService()
const data = ['--data', service.config.data]
const folder = temporaryFolder()
const own = '1.3.6.1.4.1.32473.86'
const linkDown = '1.3.6.1.6.3.1.1.5.3'

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

async function definitionsOf(at: typeof service, oid: string): Promise<Record<string, unknown>[]> {
  const { text } = await at.get(`/fault/trapEvent?eventOid=${oid}&size=100`, { Accept: 'application/json' })
  return JSON.parse(text).trapEvent
}

const conf = file(
  'snmptt.conf',
  `EVENT wetCellar .${own}.0.1 "x" Major\nFORMAT Cellar $1 is wet\nEVENT linkDown .${linkDown} "x" Critical\nFORMAT Link $1 fell\n`,
)

test('a dry run says what an import would do, and saves nothing', async () => {
  const { code, stdout, stderr } = await belfry(['event', 'import', conf, '--dry-run', ...data])
  assert.equal(
    stdout,
    '1 definition would be made, 0 would be replaced, 1 kept as they are, 0 events of the files left out\n',
  )
  assert.match(
    stderr,
    /^linkDown 1\.3\.6\.1\.6\.3\.1\.1\.5\.3: it has a definition, \d+, which stays: --replace replaces it\n$/,
  )
  assert.equal(code, 1)
  assert.deepEqual(await definitionsOf(service, `${own}*`), [])
})

test('definitions that are there stay, unless they are to be replaced; the audit log has both', async () => {
  const before = await definitionsOf(service, linkDown)
  await belfry(['event', 'import', conf, ...data])
  assert.deepEqual(await definitionsOf(service, linkDown), before)
  assert.equal((await definitionsOf(service, `${own}*`))[0]?.alarmDesc, 'Cellar {value1} is wet')
  const { stdout } = await succeed(['event', 'import', conf, '--replace', ...data])
  assert.equal(stdout, '0 definitions made, 2 replaced, 0 kept as they are, 0 events of the files left out\n')
  const [after] = await definitionsOf(service, linkDown)
  assert.deepEqual(
    [after?.id, after?.alarmDesc, after?.alarmLevel],
    [before[0]?.id, 'Link {value1} fell', '1'],
  )
  const audit = await service.get('/plat/audit?size=20&desc=true', { Accept: 'application/json' })
  const entries = (JSON.parse(audit.text).audit as { action: string; resource: string }[]).filter(
    ({ resource }) => resource === 'trapEvent',
  )
  assert.deepEqual(entries.map(({ action }) => action).toSorted(), ['import', 'import', 'modify'])
})

test('what is refused by the store leaves nothing', async () => {
  const bad = (name: string, oid: string) => ({ eventOid: oid, name, alarmLevel: 3, alarmCategory: 4 })
  const rows = [
    bad('first', `${own}.7`),
    { ...bad('second', `${own}.8`), state: [{ parameter: 'x', values: '1', handling: 2 }] },
  ]
  const path = file('bad.json', JSON.stringify({ trapEvent: rows }, undefined, 1))
  const { code, stderr } = await belfry(['event', 'import', path, ...data])
  assert.equal(code, 2)
  assert.match(stderr, /bad\.json: line \d+: state\/parameter: state: "x" is not a parameter/)
  assert.deepEqual(await definitionsOf(service, `${own}.7`), [])
})

test('what one service exports, another imports and has exactly', async () => {
  const definition = {
    ...{ eventOid: `${own}.0.2`, name: 'allOfIt', alarmLevel: '2', alarmCategory: '4' },
    ...{ alarmDesc: 'Part {part} "x" <y>\nü', handling: '1', outOfReach: 'true', recovers: [`${own}.0.1`] },
    parameter: [
      { oid: `${own}.1`, name: 'part', isKey: 'true', fromIndex: 'true' },
      { oid: '#2', name: 'state', labels: '1=up;2=down', pattern: '(\\w+)$' },
    ],
    state: [
      { parameter: 'state', values: 'down;*fail*', handling: '1', alarmLevel: '1' },
      { parameter: 'state', values: 'up', handling: '2' },
    ],
  }
  assert.equal((await service.sendJson('POST', '/fault/trapEvent', definition)).status, 201)
  const { stdout } = await succeed(['event', 'export', ...data])
  const exported = JSON.parse(stdout).trapEvent as { name: string }[]
  assert.deepEqual(exported.map(({ name }) => name).toSorted(), ['allOfIt', 'linkDown', 'wetCellar'])
  assert.deepEqual(
    exported.find(({ name }) => name === 'allOfIt'),
    definition,
  )
  const path = file('ours.json', stdout)
  await succeed(['event', 'import', path, '--replace', '--data', other.config.data])
  const again = await succeed(['event', 'export', '--data', other.config.data])
  assert.deepEqual(
    JSON.parse(again.stdout).trapEvent.toSorted(byOid),
    JSON.parse(stdout).trapEvent.toSorted(byOid),
  )
})

const byOid = (a: { eventOid: string }, b: { eventOid: string }) => (a.eventOid < b.eventOid ? -1 : 1)

test('chosen definitions are exported by name or OID', async () => {
  const { stdout } = await succeed(['event', 'export', 'WETCELLAR', `.${linkDown}`, 'linkUp', ...data])
  assert.deepEqual(
    JSON.parse(stdout).trapEvent.map(({ name }: { name: string }) => name),
    ['wetCellar', 'linkDown', 'linkUp'],
  )
  const none = await belfry(['event', 'export', 'nobody', ...data])
  assert.equal(none.code, 2)
  assert.match(none.stderr, /no definition is called nobody/)
})

test('what was imported over a definition of the catalogue is no longer compared with it', async () => {
  const fanFailure = '1.3.6.1.4.1.2636.4.1.2'
  const trap = {
    kind: 'trap',
    receivedAt: Date.now(),
    sourceIp: '192.0.2.1',
    agentIp: undefined,
    version: '2c',
    oid: fanFailure,
    variables: [variable('1.3.6.1.4.1.2636.3.1.8.1.6.4.1.1.0', 'Fan Tray 0', 'OctetString')],
  } as const
  await service.engine.handle([trap])
  const before = await succeed(['event', 'diff', ...data])
  assert.equal(before.stdout, '1 definition of the catalogue in use; 0 would change with this version\n')
  const path = file('fan.conf', `EVENT ourFan .${fanFailure} "x" Minor\nFORMAT Our fan\n`)
  await succeed(['event', 'import', path, '--replace', ...data])
  const after = await succeed(['event', 'diff', ...data])
  assert.equal(after.stdout, '0 definitions of the catalogue in use; 0 would change with this version\n')
  const [one] = await definitionsOf(service, fanFailure)
  assert.deepEqual([one?.name, one?.alarmLevel, one?.source], ['ourFan', '3', undefined])
})

test('files that cannot be read are refused by their names', async () => {
  const latin = join(folder, 'latin.conf')
  writeFileSync(latin, Buffer.from([0x45, 0xe4]))
  for (const [args, reason] of [
    [[], /name files or folders to import/],
    [[latin], /latin\.conf: the file is not valid UTF-8/],
    [[join(folder, 'missing.conf')], /missing\.conf/],
    [[temporaryFolder()], /no file that ends in \.xml, \.conf, \.json, \.yaml or \.yml/],
    [[file('odd.conf', 'FROMAT x')], /odd\.conf: line 1: expected EVENT, FORMAT/],
  ] as const) {
    const { code, stderr } = await belfry(['event', 'import', ...args, ...data])
    assert.equal(code, 2, stderr)
    assert.match(stderr, reason)
  }
})
