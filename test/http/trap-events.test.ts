// What events mean (`/fault/trapEvent`), and the names of categories.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf, pathOf, refused, value, values } from './reading.ts'

const service = await startService()
const events = '/fault/trapEvent'
const categories = '/fault/alarmCategory'
const post = (xml: string) => service.send('POST', events, xml)
const event = (eventOid: string, inside = '') =>
  `<trapEvent><eventOid>${eventOid}</eventOid><name>Fan</name><alarmLevel>2</alarmLevel><alarmCategory>5</alarmCategory>${inside}</trapEvent>`

test('a new store knows the standard notifications with their recoveries', async () => {
  const answer = await service.get(`${events}?name=link*&orderBy=name`)
  assert.deepEqual(values(answer.text, 'name').slice(0, 2), ['linkDown', 'ifIndex'])
  const up = await service.get(`${events}?eventOid=.1.3.6.1.6.3.1.1.5.4`)
  assert.deepEqual([up.headers.total, value(up.text, 'recovers')], ['1', '1.3.6.1.6.3.1.1.5.3'])
  assert.ok(Number((await service.get(`${events}?total=true`)).headers.total) >= 60)
})

test('a definition is found by either spelling of its OID, as a trap is', async () => {
  for (const spelling of ['1.3.6.1.2.1.33.2.0.3', '.1.3.6.1.2.1.33.2.0.3', '1.3.6.1.2.1.33.2.3']) {
    const answer = await service.get(`${events}?eventOid=${spelling}`)
    assert.deepEqual([answer.headers.total, value(answer.text, 'name')], ['1', 'upsTrapAlarmEntryAdded'])
  }
  for (const other of ['1.3.6.1.2.1.33.2.0', 'nonsense', '*.33.2.0.3'])
    assert.equal((await service.get(`${events}?eventOid=${other}`)).headers.total, '0', other)
})

test('a definition is created with 201 and Location, read, modified and deleted', async () => {
  const parameter =
    '<parameter><oid>1.3.6.1.4.1.32473.3.9</oid><name>fan</name><isKey>true</isKey><fromIndex>true</fromIndex><labels>1=fine;2=broken</labels></parameter>'
  const inside = `<alarmDesc>Fan {fan} fails</alarmDesc><handling>1</handling>${parameter}<recovers>1.3.6.1.4.1.32473.3.7</recovers><recovers>.1.3.6.1.4.1.32473.3.8</recovers>`
  const answer = await post(event('.1.3.6.1.4.1.32473.3.1', inside))
  assert.equal(answer.status, 201)
  assert.equal(answer.headers.location, `${service.url}${events}/${idOf(answer)}`)
  const path = pathOf(answer)
  const { text } = await service.get(path)
  const plain = inside.replace('>.1.3', '>1.3')
  assert.ok(
    text.endsWith(event('1.3.6.1.4.1.32473.3.1', plain).replace('>', `><id>${idOf(answer)}</id>`)),
    text,
  )
  const changed = event('1.3.6.1.4.1.32473.3.1', '<recovers/><parameter/>').replace(
    '<name>Fan',
    '<name>Blower',
  )
  assert.equal((await service.send('PUT', path, changed)).status, 204)
  const after = (await service.get(path)).text
  assert.deepEqual(
    [value(after, 'name'), values(after, 'recovers'), values(after, 'oid')],
    ['Blower', [], []],
  )
  assert.equal(value(after, 'alarmDesc'), 'Fan {fan} fails', 'what is not mentioned stays')
  assert.equal((await service.ask('DELETE', path)).status, 204)
  refused(await service.get(path), 404)
  refused(await service.send('PUT', path, changed), 404)
  refused(await service.ask('DELETE', path), 410)
})

test('an event has one definition, and a definition its needed fields', async () => {
  refused(await post(event('1.3.6.1.6.3.1.1.5.3')), 409, 'eventOid')
  refused(await post(event('linkDown')), 400, 'eventOid')
  refused(await post('<trapEvent><eventOid>1.2.3</eventOid></trapEvent>'), 400, 'name')
  refused(await post(event('1.2.3', '<handling>2</handling>')), 400, 'handling')
  refused(await post(event('1.2.3', '<parameter><name>x</name></parameter>')), 400, 'parameter[1]/oid')
  refused(await post(event('1.2.3', '<recovers>x</recovers>')), 400, 'recovers[1]')
  const named = (more: string) => `<parameter><oid>1.2.9</oid><name>health</name>${more}</parameter>`
  const state = (name: string, more: string) =>
    `<state><parameter>${name}</parameter><values>1</values>${more}</state>`
  refused(await post(event('1.2.3', named('<pattern>(?=a)</pattern>'))), 400, 'parameter[1]/pattern')
  const repeated = '<pattern>(?:\\pL{20}){15}</pattern>'
  refused(await post(event('1.2.3', named(repeated))), 400, 'parameter[1]/pattern')
  refused(await post(event('1.2.3', state('health', '<handling>1</handling>'))), 400, 'state/parameter')
  refused(
    await post(event('1.2.3', named('') + state('health', '<handling>3</handling>'))),
    400,
    'state[1]/handling',
  )
  const level = state('health', '<handling>2</handling><alarmLevel>1</alarmLevel>')
  refused(await post(event('1.2.3', named('') + level)), 400, 'state/alarmLevel')
})

test('states and patterns are kept, and come back as they were given', async () => {
  const inside =
    '<parameter><oid>1.2.9</oid><name>health</name><pattern>is (\\w+)</pattern></parameter><state><parameter>health</parameter><values>1;bad*</values><handling>1</handling><alarmLevel>1</alarmLevel></state><state><parameter>health</parameter><values>2</values><handling>2</handling></state>'
  const answer = await post(event('1.3.6.1.4.1.32473.5.1', inside))
  assert.equal(answer.status, 201)
  assert.ok((await service.get(pathOf(answer))).text.includes(inside))
  assert.equal(
    (await service.send('PUT', pathOf(answer), event('1.3.6.1.4.1.32473.5.1', '<state/>'))).status,
    204,
  )
  assert.deepEqual(values((await service.get(pathOf(answer))).text, 'values'), [])
})

test('definitions are filtered by OID, name, level and category', async () => {
  for (const number of [1, 2, 3]) await post(event(`1.3.6.1.4.1.32473.4.${number}`))
  const found = async (query: string) => (await service.get(`${events}?total=true&${query}`)).headers.total
  assert.equal(await found('eventOid=1.3.6.1.4.1.32473.4.*'), '3')
  assert.equal(await found('name=fan&eventOid=*.32473.4.*'), '3')
  assert.equal(await found('name=FAN&alarmLevel=1,2&alarmCategory=5&eventOid=*.4.?'), '3')
  assert.equal(await found('name=fan&alarmLevel=1'), '0')
  refused(await service.get(`${events}?alarmLevel=9`), 400, 'alarmLevel')
})

test('a changed definition applies to the next trap', async () => {
  const oid = '1.3.6.1.4.1.32473.4.9'
  const trap = (sourceIp: string) =>
    service.engine.handle([
      { kind: 'trap', receivedAt: 1, sourceIp, agentIp: undefined, version: '1', oid, variables: [] },
    ])
  await trap('10.0.0.1')
  const path = pathOf(await post(event(oid, '<alarmDesc>Fan of {deviceName}</alarmDesc>')))
  await trap('10.0.0.2')
  await service.send('PUT', path, event(oid, '<handling>0</handling>'))
  assert.deepEqual(await trap('10.0.0.3'), ['stored-only'])
  const { text } = await service.get(`/fault/alarm?faultOid=${oid}`)
  assert.deepEqual(values(text, 'alarmDesc'), [`Unknown trap ${oid} from 10.0.0.1`, 'Fan of 10.0.0.2'])
})

test('categories are data: a new name shows in every alarm', async () => {
  const all = await service.get(categories)
  const ids = values(all.text, 'id')
  assert.equal(all.headers.total, String(ids.length))
  for (const [id, name] of [
    ['2', 'Device availability'],
    ['3', 'Interface and link'],
    ['15', 'Other'],
  ]) {
    assert.equal(value((await service.get(`${categories}/${id}`)).text, 'name'), name)
  }
  const made = await service.send('POST', categories, '<alarmCategory><name>Weather</name></alarmCategory>')
  assert.equal(made.status, 201)
  const alarm = { OID: '1.3.6.1.4.1.32473.4.10', alarmLevel: 4, alarmCategory: idOf(made) }
  const raised = pathOf(await service.sendJson('POST', '/fault/alarm', alarm))
  const shown = async () => value((await service.get(raised)).text, 'alarmCategoryDesc')
  assert.equal(await shown(), 'Weather')
  await service.send('PUT', pathOf(made), '<alarmCategory><name>Climate</name></alarmCategory>')
  assert.equal(await shown(), 'Climate')
  assert.equal((await service.ask('DELETE', pathOf(made))).status, 204)
  assert.equal((await shown()) ?? '', '')
  refused(await service.send('POST', categories, '<alarmCategory/>'), 400, 'name')
})

test("the catalogue of vendors' events is searched by name, OID and vendor", async () => {
  const search = (query: string) => service.get(`${events}?catalogue=true&${query}`)
  const byName = await search('name=jnxfan*')
  assert.deepEqual([byName.status, Number(byName.headers.total) >= 2], [200, true])
  assert.match(
    byName.text,
    /<eventOid>1\.3\.6\.1\.4\.1\.2636\.4\.1\.2<\/eventOid><name>jnxFanFailure<\/name>/,
  )
  assert.match(byName.text, /<source>JUNIPER-MIB[^<]*<\/source>/)
  assert.equal(values(byName.text, 'id').length, 0, 'they are no records')
  const one = await search('eventOid=.1.3.6.1.4.1.2636.4.1.2')
  assert.deepEqual([one.headers.total, values(one.text, 'eventOid').length], ['1', 1])
  const [named, numbered] = [
    await search('vendor=juniper&total=true'),
    await search('vendor=2636&total=true'),
  ]
  assert.ok(Number(numbered.headers.total) > 100)
  assert.ok(Number(named.headers.total) >= Number(numbered.headers.total))
  assert.equal((await search('name=*&size=100000')).text.match(/<\/trapEvent>/g)?.length, 1000)
  assert.equal((await search('name=nothing-is-called-so')).headers.total, '0')
  const json = await service.get(`${events}?catalogue=true&name=jnxFanOK`, { Accept: 'application/json' })
  assert.equal(JSON.parse(json.text).trapEvent[0].recovers[0], '1.3.6.1.4.1.2636.4.1.2')
  const listed = await service.get(`${events}?name=jnxFan*`)
  assert.equal(listed.headers.total, '0', 'unless it is asked for, nothing of it is shown')
  refused(await search('alarmLevel=2'), 400, 'alarmLevel')
  refused(await search('orderBy=name'), 400, 'orderBy')
  refused(await service.get(`${events}?vendor=juniper`), 400, 'vendor')
  refused(await service.get(`${events}?catalogue=yes`), 400, 'catalogue')
})

test('what the store defines itself is not in the catalogue any more, and nobody can set a source', async () => {
  const oid = '1.3.6.1.4.1.2636.4.1.3'
  const answer = await post(event(oid, '<source>JUNIPER-MIB</source>'))
  assert.equal(answer.status, 201)
  assert.equal(values((await service.get(pathOf(answer))).text, 'source').length, 0)
  assert.equal((await service.get(`${events}?catalogue=true&eventOid=${oid}`)).headers.total, '0')
})
