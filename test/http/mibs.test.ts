// Modules (MIBs) over HTTP: load, list, read, remove, proposals.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readModules } from '../../src/mibs/module-reader.ts'
import { clock, moduleText, smi, tower } from '../mibs/modules.ts'
import { startService } from '../support.ts'
import { refused, value, values } from './reading.ts'

const service = await startService()
const path = '/fault/mibModule'
const acme = '1.3.6.1.4.1.32473'

const load = (body: string | Buffer, file = 'x.mib') =>
  service.ask('POST', `${path}?file=${encodeURIComponent(file)}`, {
    body,
    headers: { 'Content-Type': 'text/plain' },
  })
const json = async (where: string) => (await service.get(where, { Accept: 'application/json' })).json()
const names = async () => values((await service.get(`${path}?size=100`)).text, 'name')
const remarksOf = async (name: string) => {
  const { remark } = (await json(`${path}/${name}`)) as {
    remark: { kind: string; line: string; reason: string }[]
  }
  return remark.map(({ kind, line, reason }) => `${kind} ${line}: ${reason}`)
}
const accept = (body: string) =>
  service.send('POST', '/fault/mibProposal/accept', `<mibAccept>${body}</mibAccept>`)

test('a file that is compressed is refused, and not read as a module', async () => {
  const encoded = (encoding: string) =>
    service.ask('POST', path, {
      body: clock,
      headers: { 'Content-Type': 'text/plain; charset=iso-8859-1', 'Content-Encoding': encoding },
    })
  refused(await encoded('gzip'), 415)
  assert.deepEqual(await names(), [])
  assert.equal((await encoded('identity')).status, 200)
  for (const name of await names()) await service.ask('DELETE', `${path}/${name}`)
})

test('a file is loaded and answered with its modules and remarks', async () => {
  const answer = await load(tower, 'TOWER.mib')
  assert.equal(answer.status, 200)
  assert.deepEqual(
    ['file', 'name', 'objects', 'notifications', 'replaced'].map((name) => value(answer.text, name)),
    ['TOWER.mib', 'ACME-TOWER-MIB', '18', '8', 'false'],
  )
  assert.match(
    answer.text,
    /<remark><module>ACME-TOWER-MIB<\/module><kind>unknown<\/kind><line>15<\/line><reason>acmeProducts is not known: its module ACME-SMI has not been loaded<\/reason>/,
  )
})

test('an unknown name is resolved when its module is loaded', async () => {
  assert.equal((await remarksOf('ACME-TOWER-MIB')).length, 1)
  await load(smi)
  assert.deepEqual(await remarksOf('ACME-TOWER-MIB'), [])
  assert.deepEqual(await names(), ['ACME-SMI', 'ACME-TOWER-MIB'])
})

test('a module is read with its objects and notifications', async () => {
  const { text } = await service.get(`${path}/ACME-TOWER-MIB`)
  assert.match(
    text,
    new RegExp(
      `<object><name>bellHealth</name><oid>${acme}.700.1.1.10.1.3</oid><kind>column</kind><type>INTEGER</type><values>1=fine;2=limping;3=broken</values><index>bellIndex</index></object>`,
    ),
  )
  assert.match(text, /<name>towerTemperature<\/name>.*?<hint>d-1<\/hint><units>celsius<\/units>/)
  assert.match(
    text,
    new RegExp(
      `<notification><name>bellFailed</name><oid>${acme}.700.1.0.1</oid><object>bellName</object><object>bellHealth</object>`,
    ),
  )
  refused(await service.get(`${path}/NO-SUCH-MIB`), 404)
})

test('what cannot be read is listed, and the rest is loaded', async () => {
  const answer = await load(moduleText('broken.mib'))
  assert.equal(answer.status, 200)
  assert.deepEqual(await remarksOf('ACME-BROKEN-MIB'), [
    'lost 13: expected ::= of noPlace, found good1',
    'lost 21: expected a number, found two',
    'accepted 31: the text that begins here has no closing quote',
    'accepted 48: a character that has no meaning in a module was passed over (6 times)',
    'lost 50: lonely has no ENTERPRISE',
    'unknown 41: nobody is not known: it is neither defined nor imported here',
  ])
  const none = await load('hello')
  assert.deepEqual([none.status, value(none.text, 'kind')], [200, 'lost'])
  assert.equal((await load('')).status, 200)
})

test('several modules in one file, in Latin 1, are loaded together', async () => {
  const text = Buffer.from(`${clock}\nM2 DEFINITIONS ::= BEGIN -- Gl\u00f6cklein\nEND`, 'latin1')
  const answer = await load(text)
  assert.deepEqual(values(answer.text, 'name'), ['ACME-CLOCK-V1-MIB', 'M2'])
})

test('loading again replaces a module, but not by an empty one', async () => {
  const again = await load(tower)
  assert.equal(value(again.text, 'replaced'), 'true')
  const cut = await load('ACME-TOWER-MIB DEFINITIONS ::= BEGIN')
  assert.match(cut.text, /nothing in it can be used: what was loaded before stays/)
  assert.equal((await json(`${path}/ACME-TOWER-MIB`)).notifications, '8')
  const twice = await load(
    'TWICE DEFINITIONS ::= BEGIN END\nTWICE DEFINITIONS ::= BEGIN\na OBJECT IDENTIFIER ::= { iso 1 }\nEND',
  )
  assert.match(twice.text, /TWICE stands in the file again/)
  assert.deepEqual(
    (await names()).filter((name) => name === 'TWICE'),
    ['TWICE'],
  )
})

test('modules of one name from two vendors are kept side by side, and removed together', async () => {
  const rack = (enterprise: number) =>
    `RACK-MIB DEFINITIONS ::= BEGIN\nrack OBJECT IDENTIFIER ::= { enterprises ${enterprise} }\nEND`
  await load(rack(32473))
  const second = await load(rack(32474))
  assert.equal(value(second.text, 'replaced'), 'false')
  assert.equal(value((await load(rack(32473))).text, 'replaced'), 'true')
  assert.deepEqual(values((await service.get(`${path}?name=RACK-MIB`)).text, 'enterprise').sort(), [
    'enterprises.32473',
    'enterprises.32474',
  ])
  assert.equal((await service.ask('DELETE', `${path}/RACK-MIB`)).status, 204)
  assert.equal((await service.get(`${path}?name=RACK-MIB`)).headers.total, '0')
})

test('the list is filtered by name; a module is removed once', async () => {
  assert.deepEqual(values((await service.get(`${path}?name=acme*clock*`)).text, 'name'), [
    'ACME-CLOCK-V1-MIB',
  ])
  assert.equal((await service.ask('DELETE', `${path}/TWICE`)).status, 204)
  refused(await service.ask('DELETE', `${path}/TWICE`), 410)
  assert.equal((await service.get(`${path}?name=TWICE`)).headers.total, '0')
})

test('files that are too large are refused', async () => {
  refused(await load(Buffer.alloc(4 * 1024 * 1024 + 1, ' ')), 413)
  refused(await load('', 'a\u0000b'), 400, 'file')
})

test('proposals are listed by module and confidence', async () => {
  const all = await json('/fault/mibProposal')
  const high = await json('/fault/mibProposal?module=ACME-TOWER-MIB&confidence=high')
  const called = ({ mibProposal }: typeof all) => (mibProposal as { name: string }[]).map(({ name }) => name)
  assert.ok(called(all).includes('clockStopped'))
  assert.deepEqual(called(high), ['bellFailed', 'bellRestored'])
  const answer = await service.get('/fault/mibProposal')
  assert.equal(answer.headers.total, String(called(all).length))
  assert.ok(values(answer.text, 'reason').every((reason) => reason.length > 20))
  // Counted without making them: how many of each there are.
  for (const query of ['', '?module=ACME-TOWER-MIB', '?confidence=high', '?module=NONE-MIB']) {
    const { total } = (await service.get(`/fault/mibProposal${query}`)).headers
    assert.equal((await service.ask('HEAD', `/fault/mibProposal${query}`)).headers.total, total, query)
    const sign = query === '' ? '?' : '&'
    assert.equal((await service.get(`/fault/mibProposal${query}${sign}total=true`)).headers.total, total)
  }
  refused(await service.get('/fault/mibProposal?confidence=some'), 400, 'confidence')
})

test('accepting makes ordinary definitions, leaves others alone, and says what it did', async () => {
  await service.send(
    'POST',
    '/fault/trapEvent',
    `<trapEvent><eventOid>${acme}.700.1.0.6</eventOid><name>mine</name><alarmLevel>1</alarmLevel><alarmCategory>15</alarmCategory></trapEvent>`,
  )
  const answer = await accept('<choice>ACME-TOWER-MIB</choice><choice>nonsense</choice>')
  assert.equal(answer.status, 200)
  const rows = [...answer.text.matchAll(/<mibAccepted><name>(\w+)<.*?<outcome>(\w+)</g)].map(
    ([, name, outcome]) => `${name} ${outcome}`,
  )
  assert.deepEqual(rows.sort(), [
    'bellFailed accepted',
    'bellRestored accepted',
    'doorNotification unsure',
    'nonsense unknown',
    'ropeLost defined',
    'temperatureHigh accepted',
    'temperatureLow accepted',
    'temperatureNormal accepted',
    'towerHeartbeat accepted',
  ])
  const { text } = await service.get(`/fault/trapEvent?eventOid=${acme}.700.1.0.2`)
  assert.deepEqual([value(text, 'name'), value(text, 'recovers')], ['bellRestored', `${acme}.700.1.0.1`])
  const low = await accept(`<choice>.${acme}.700.1.0.7</choice>`)
  assert.equal(value(low.text, 'outcome'), 'accepted', 'named itself it is accepted however sure')
  const again = await accept('<choice>ACME-TOWER-MIB</choice><confidence>low</confidence>')
  assert.deepEqual([...new Set(values(again.text, 'outcome'))], ['defined'])
  assert.equal((await service.get('/fault/mibProposal?module=ACME-TOWER-MIB')).headers.total, '0')
  refused(await accept(''), 400, 'choice')
  refused(await accept('<choice>x</choice><confidence>total</confidence>'), 400, 'confidence')
})

test('a file that takes long to read does not delay others', async () => {
  const hostile = `X DEFINITIONS ::= BEGIN\n${'{ a OBJECT-TYPE ( '.repeat(100_000)}`
  /**
   * Processor time of this thread, which is the service's own: unlike wall time, it does not depend on other programs.
   */
  const worked = async (work: () => unknown) => {
    const before = process.threadCpuUsage()
    await work()
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  }
  const whole = await worked(() => readModules(hostile))
  const here = await worked(async () => assert.equal((await load(hostile)).status, 200))
  assert.ok(here < whole / 2, `${here} of ${whole} µs were worked in everybody's way`)
})
