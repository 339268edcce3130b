// `belfry event`: searching the catalogue of vendors' events, what that of another version would change, and the way from a
// trap to a definition.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { variable } from '../alarms/world.ts'
import { startService, temporaryFolder } from '../support.ts'
import { belfry, succeed } from './here.ts'

const service = await startService()
const data = ['--data', service.config.data]
const fanFailure = '1.3.6.1.4.1.2636.4.1.2'

test('events are found by name, vendor and OID', async () => {
  const { stdout } = await succeed(['event', 'search', 'jnxFan*', '--vendor', 'juniper', ...data])
  assert.match(stdout, /^jnxFanFailure {2}major {2}1\.3\.6\.1\.4\.1\.2636\.4\.1\.2 {2}\(JUNIPER-MIB/m)
  const own = await succeed(['event', 'search', 'linkDown', ...data])
  assert.match(own.stdout, /^linkDown .*\(definition \d+\)$/m)
  const byOid = await succeed(['event', 'search', '--oid', fanFailure, ...data])
  assert.match(byOid.stdout, /1 event$/m)
  const none = await belfry(['event', 'search', 'nothing-is-called-so', ...data])
  assert.deepEqual([none.code, none.stdout], [1, 'nothing found\n'])
})

test('wrong arguments are refused', async () => {
  for (const args of [
    ['search'],
    ['diff', 'x'],
    ['search', 'a', 'b'],
    ['find'],
    [],
    ['from-trap'],
    ['from-trap', 'x'],
    ['relabel'],
    ['relabel', 'nobody'],
  ]) {
    const { code, stderr } = await belfry(['event', ...args, ...data])
    assert.equal(code, 2, `${args.join(' ')}: ${stderr}`)
  }
  const alone = await belfry(['event', 'diff', '--data', temporaryFolder()])
  assert.equal(alone.code, 1)
  assert.match(alone.stderr, /no service runs on/)
})

test('diff shows which definitions in use would change, and what becomes of stored traps', async () => {
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
  const same = await succeed(['event', 'diff', ...data])
  assert.equal(same.stdout, '1 definition of the catalogue in use; 0 would change with this version\n')
  // As an older catalogue would have had it.
  await service.database.transaction((tx) =>
    tx.run('update trap_event set alarm_level = 4, handling = 0 where event_oid = ?', [fanFailure]),
  )
  const { stdout } = await succeed(['event', 'diff', ...data])
  assert.match(stdout, /^jnxFanFailure {2}1\.3\.6/m)
  assert.match(stdout, /alarmLevel: 4 → 2/)
  assert.match(stdout, /handling: 0 → none/)
  assert.match(stdout, /of 1 stored trap: 0 alarms, 0 ended, 1 stored → 1 alarm, 0 ended, 0 stored/)
})

test('a definition is proposed for a trap, tested from a file, saved, and used for open alarms', async () => {
  const oid = '1.3.6.1.4.1.32473.71.0.1'
  const sent = (severity: string) => ({
    kind: 'trap' as const,
    receivedAt: Date.now(),
    sourceIp: '192.0.2.7',
    agentIp: undefined,
    version: '2c',
    oid,
    variables: [variable('1.3.6.1.4.1.32473.71.1.3.5', severity, 'OctetString')],
  })
  await service.engine.handle([sent('critical')])
  const [row] = await service.database.all('select max(id) as id from trap')
  const id = String(row?.id)
  const proposed = await succeed(['event', 'from-trap', id, ...data])
  assert.match(proposed.stderr, /trap 71\.0\.1: from the trap, confidence low: .*the severity is in value1/)
  const folder = temporaryFolder()
  const definitions = join(folder, 'trapEvent.json')
  writeFileSync(definitions, proposed.stdout)
  const traps = join(folder, 'traps.json')
  const variables = (value: string) => [{ oid: '1.3.6.1.4.1.32473.71.1.3.5', value }]
  writeFileSync(
    traps,
    JSON.stringify({
      trap: [{ id: '9', bin: 'raised', OID: oid, sourceIp: '192.0.2.7', variables: variables('cleared') }],
    }),
  )
  const tested = await succeed(['event', 'test', definitions, '--trap', id, '--traps', traps, ...data])
  assert.match(
    tested.stdout,
    /^1\. trap \d+ .*trap 71\.0\.1 raises critical \[row=5\]: .*trap 71\.0\.1 at 192\.0\.2\.7: value1 critical$/m,
  )
  assert.match(tested.stdout, /^2\. .*trap 71\.0\.1 ends the alarm of 1\. \[row=5\]$/m)
  const wrong = await belfry(['event', 'test', traps, ...data])
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /expected a list of definitions/)
  const saved = await succeed(['event', 'from-trap', id, '--accept', ...data])
  assert.equal(saved.stdout, '1 definition saved, for traps from now on\n')
  assert.equal(
    (await belfry(['event', 'from-trap', id, '--accept', ...data])).code,
    2,
    'it is defined by now',
  )
  const done = await succeed(['event', 'relabel', oid, ...data])
  assert.match(done.stdout, /trap 71\.0\.1: 1 alarm raised anew, 0 ended, 0 left as they are/)
  await service.engine.handle([sent('cleared')])
  const open = await service.database.all('select id from alarm where oid = ? and rec_status = 0', [oid])
  assert.deepEqual(open, [], 'its end ends it')
})
