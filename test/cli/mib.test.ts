// `belfry mib` as an operator uses it, up to the alarm that a real trap raises and ends.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { until } from '../intake/sending.ts'
import { moduleFile } from '../mibs/modules.ts'
import { startService, temporaryFolder, texts } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { belfry, fail, succeed } from './here.ts'

const service = await startService()
const data = ['--data', service.config.data]
const root = '1.3.6.1.4.1.32473.700.1'

/** A folder with modules, one of them in a folder below, and a file that is none. */
const folder = temporaryFolder()
mkdirSync(join(folder, 'below'))
cpSync(moduleFile('ACME-TOWER-MIB.mib'), join(folder, 'a-tower.txt'))
cpSync(moduleFile('ACME-SMI.mib'), join(folder, 'below', 'z-smi'))
writeFileSync(join(folder, 'README'), 'Modules of Acme.')
symlinkSync(folder, join(folder, 'circle'))
symlinkSync(join(folder, 'gone'), join(folder, 'dangling'))

test('a folder is loaded in any order; files without a module are skipped', async () => {
  const { stdout } = await succeed(['mib', 'load', folder, ...data])
  assert.deepEqual(stdout.trim().split('\n'), [
    'ACME-TOWER-MIB: 18 objects, 8 notifications',
    'ACME-SMI: 0 objects, 0 notifications',
    '1 file without a module skipped',
    '2 modules loaded; 8 notifications without a definition: belfry mib proposals',
  ])
})

test('of files that define the same module, the last in order is used', async () => {
  const same = temporaryFolder()
  const names = Array.from({ length: 12 }, (_, at) => `file${at + 10}.mib`)
  for (const [at, name] of names.entries()) {
    // The first files take longest.
    const nodes = Array.from(
      { length: 12 * (12 - at) },
      (_, n) => `node${n} OBJECT IDENTIFIER ::= { enterprises 32473 77 ${n} }`,
    )
    const title = at % 2 === 0 ? 'ACME-SAME-MIB' : 'Acme-Other-MIB { iso 3 }'
    writeFileSync(
      join(same, name),
      `${title} DEFINITIONS ::= BEGIN\nIMPORTS enterprises FROM RFC1155-SMI;\nmark${at} OBJECT-TYPE SYNTAX INTEGER ACCESS read-only STATUS current ::= { enterprises 32473 78 ${at} }\n${nodes.join('\n')}\nEND\n`,
    )
  }
  const { stdout } = await succeed(['mib', 'load', same, ...data])
  const replaced = stdout.split('\n').filter((line) => line.includes(' is used'))
  assert.deepEqual(
    replaced,
    names
      .slice(2)
      .map(
        (name, at) =>
          `${at % 2 === 0 ? 'ACME-SAME-MIB' : 'Acme-Other-MIB'} is in ${join(same, names[at] as string)} and in ${join(same, name)}: the latter is used`,
      ),
  )
  for (const [name, mark] of [
    ['ACME-SAME-MIB', 'mark10'],
    ['Acme-Other-MIB', 'mark11'],
  ]) {
    const module = await (await fetch(`${service.url}/fault/mibModule/${name}`)).text()
    assert.deepEqual(texts(/<object>.*<\/object>/.exec(module)?.[0] ?? '', 'name'), [mark])
    await succeed(['mib', 'remove', name as string, ...data])
  }
})

test('what does not parse is reported with file, line and reason, and the exit code shows it', async () => {
  const file = moduleFile('broken.mib')
  const { code, stdout } = await belfry(['mib', 'load', file, moduleFile('sloppy.mib'), '--remarks', ...data])
  assert.equal(code, 1)
  assert.ok(stdout.includes(`${file}:13: expected ::= of noPlace, found good1\n`), stdout)
  assert.ok(
    stdout.includes(`${file}:41: nobody is not known: it is neither defined nor imported here\n`),
    stdout,
  )
  assert.ok(stdout.includes('sloppy.mib:31: accepted: END is missing\n'), stdout)
  assert.match(stdout, /2 modules loaded/)
  const large = join(temporaryFolder(), 'large.mib')
  writeFileSync(large, Buffer.alloc(4 * 1024 * 1024 + 1))
  const refused = await belfry(['mib', 'load', large, ...data])
  assert.deepEqual(
    [refused.code, refused.stdout.split('\n')[0]],
    [1, `${large}:1: it is larger than 4194304 bytes`],
  )
  const readme = await belfry(['mib', 'load', join(folder, 'README'), ...data])
  assert.equal(readme.code, 1, 'a file that was named itself must be a module')
  assert.match(readme.stdout, /README:1: there is no module in it/)
})

test('what is loaded is listed, and removed', async () => {
  const { stdout } = await succeed(['mib', 'list', ...data])
  assert.match(stdout, /^ACME-TOWER-MIB +18 objects, +8 notifications {2}a-tower\.txt$/m)
  assert.match(stdout, /^ {4}line 13: expected ::= of noPlace/m)
  await succeed(['mib', 'remove', 'ACME-BROKEN-MIB', 'ACME-SLOPPY-MIB', ...data])
  assert.match((await succeed(['mib', 'list', ...data])).stdout, /^2 modules$/m)
  assert.match(await fail(2, ['mib', 'remove', 'ACME-BROKEN-MIB', ...data]), /has not been loaded/)
})

test('proposals are shown with reasons, and one command accepts them', async () => {
  const { stdout } = await succeed(['mib', 'proposals', 'ACME-TOWER-MIB', ...data])
  assert.match(
    stdout,
    /^ {2}bellFailed {2}major {2}\(confidence high\) {2}1\.3\.6\.1\.4\.1\.32473\.700\.1\.0\.1\n {6}Bell failed: .*\n {6}Level 2: "failed"/m,
  )
  assert.match(
    (await succeed(['mib', 'proposals', '--confidence', 'high', ...data])).stdout,
    /^2 proposals;/m,
  )
  const none = await belfry(['mib', 'proposals', 'NO-MIB', ...data])
  assert.deepEqual([none.code, none.stdout], [1, 'NO-MIB is not loaded\n'])
  const accepted = await succeed(['mib', 'accept', 'ACME-TOWER-MIB', ...data])
  assert.match(accepted.stdout, /^bellRestored is definition \d+ \(1\.3\.6\.1\.4\.1\.32473\.700\.1\.0\.2\)$/m)
  assert.match(accepted.stdout, /^doorNotification is not sure enough: name it, or say --confidence low$/m)
  assert.match(accepted.stdout, /^7 definitions made$/m)
  const again = await belfry(['mib', 'accept', 'ACME-TOWER-MIB', 'nothing', ...data])
  assert.equal(again.code, 1)
  assert.match(again.stdout, /bellFailed has a definition already: \d+ .* stays as it is/)
  assert.match(again.stdout, /nothing is neither a loaded module nor a notification of one/)
})

const alarms = async () => (await service.get('/fault/alarm?size=10')).text

test('the traps of the accepted pair raise and end one alarm', withoutTool('snmptrap', 'snmp'), async () => {
  const send = (event: number, health: number) => {
    const variables = [`${root}.1.10.1.2.4`, 's', 'Susanne', `${root}.1.10.1.3.4`, 'i', String(health)]
    const to = `127.0.0.1:${service.trapPort}`
    const { error } = spawnSync('snmptrap', [
      '-v2c',
      '-c',
      'public',
      to,
      '',
      `${root}.0.${event}`,
      ...variables,
    ])
    assert.equal(error, undefined)
  }
  send(1, 3)
  await until('the alarm', async () => texts(await alarms(), 'alarmDesc').length === 1)
  assert.deepEqual(texts(await alarms(), 'alarmDesc'), ['Bell failed: name Susanne, health broken'])
  assert.deepEqual(texts(await alarms(), 'recStatus'), ['0'])
  send(2, 1)
  await until('its end', async () => texts(await alarms(), 'recStatus').every((status) => status === '1'))
})

test('help shows what to type, and what is wrong is reported in a sentence', async () => {
  const { stdout } = await succeed(['mib', '--help'])
  assert.match(stdout, /belfry mib accept MODULE\|OID\|NAME/)
  assert.equal((await belfry(['mib'])).code, 2)
  assert.match(await fail(2, ['mib', 'eat', ...data]), /"eat" is not known: expected load, list/)
  assert.match(await fail(2, ['mib', 'load', ...data]), /name a file or a folder/)
  assert.match(
    await fail(2, ['mib', 'load', join(dirname(folder), 'no-such-file'), ...data]),
    /cannot be read/,
  )
  assert.match(
    await fail(2, ['mib', 'accept', 'x', '--confidence', 'total', ...data]),
    /expected high, medium or low/,
  )
})
