// Trap filtering rules as documents: what is written, read and refused. When they are in force:
// trap-rule-validity.test.ts; what they filter: trap-rules-act.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf, pathOf, refused, value, values } from './reading.ts'

const service = await startService()
const collection = '/fault/trapRule'
const device = '<trapDevice><displayName>Core 1</displayName><devID>7</devID></trapDevice>'
const rule = (inside = '', devices = device) => `<trapRule>${devices}${inside}</trapRule>`
const post = (xml: string) => service.send('POST', collection, xml)
const newRule = async (inside = '') => pathOf(await post(rule(inside)))

test('a new store has a rule with id 1 to be edited', async () => {
  const answer = await service.get(`${collection}/1`)
  assert.equal(answer.status, 200)
  assert.ok(value(answer.text, 'trapRuleName'))
})

test('PUT /fault/trapRule/{id} modifies the rule and answers 204 with no body', async () => {
  const answer = await service.send('PUT', `${collection}/1`, rule('<trapRuleName>Edited</trapRuleName>'))
  assert.equal(answer.status, 204)
  assert.equal(answer.text, '')
  assert.equal(value((await service.get(`${collection}/1`)).text, 'trapRuleName'), 'Edited')
})

test('a rule comes back in the field order of docs/interface/rules.md with its nesting, whatever order it was sent in', async () => {
  // The order in which docs/interface/rules.md lists the fields.
  const parameters =
    '<trapFilterEventParasInfo><faultOid>1.3.6.1.6.3.1.1.5.3</faultOid><position>1</position><value>3*</value><name>ifIndex</name></trapFilterEventParasInfo>'
  const sent = `<trapRule><trapOId>1.3.6.1.6.3.1.1.5</trapOId><startDay>2030-01-01</startDay><trapDevice><displayName>Core 1</displayName><devID>7</devID>${parameters}</trapDevice><exectimeType>2</exectimeType><trapInterfaces><ifDesc>Gi1/*</ifDesc><deviceId>7</deviceId></trapInterfaces><endTime>04:00</endTime><selectedWeekDay>1,2</selectedWeekDay><endDay>2030-01-02</endDay><trapGroup>-1</trapGroup><startTime>02:00</startTime><trapRuleName>All of it</trapRuleName></trapRule>`
  const answer = await post(sent)
  assert.equal(answer.status, 201)
  assert.equal(answer.headers.location, `${service.url}${collection}/${idOf(answer)}`)
  const { text } = await service.get(pathOf(answer))
  const inOrder =
    `<trapRule><id>${idOf(answer)}</id><trapRuleName>All of it</trapRuleName><trapOId>1.3.6.1.6.3.1.1.5</trapOId><trapGroup>-1</trapGroup><exectimeType>2</exectimeType>` +
    '<startDay>2030-01-01</startDay><endDay>2030-01-02</endDay><startTime>02:00</startTime><endTime>04:00</endTime><selectedWeekDay>1,2</selectedWeekDay>' +
    `<trapDevice><displayName>Core 1</displayName><devID>7</devID>${parameters}</trapDevice><trapInterfaces><ifDesc>Gi1/*</ifDesc><deviceId>7</deviceId></trapInterfaces>`
  // Ours, behind the fields that the iMC interface knows.
  const hits = '<hits>0</hits><lastHit>0</lastHit></trapRule>'
  assert.ok(text.endsWith(inOrder + hits), text)
})

test("the body's id may be absent; if given it must equal the path's", async () => {
  assert.equal((await service.send('PUT', `${collection}/1`, rule('<id>1</id>'))).status, 204)
  assert.equal((await service.send('PUT', `${collection}/1`, rule('<id> 1 </id>'))).status, 204)
  assert.equal((await service.send('PUT', `${collection}/1`, rule('<id/>'))).status, 204)
  for (const id of ['2', 'one', '9223372036854775808']) {
    refused(await service.send('PUT', `${collection}/1`, rule(`<id>${id}</id>`)), 400, 'id')
  }
  refused(await service.send('PUT', `${collection}/1`, rule('<id>1</id><id>2</id>')), 400, 'id')
})

test('the path id is a long: anything else is refused, and one that names no rule answers 404', async () => {
  for (const id of ['one', '1.0', '9223372036854775808', '%20']) {
    refused(await service.send('PUT', `${collection}/${id}`, rule()), 400, 'id')
  }
  for (const id of ['999999', '9223372036854775807', '0', '-1']) {
    refused(await service.send('PUT', `${collection}/${id}`, rule()), 404)
  }
})

test('trapDevice is required, also on PUT', async () => {
  for (const devices of ['', '<trapDevice/>']) {
    refused(await post(rule('', devices)), 400, 'trapDevice')
    refused(await service.send('PUT', `${collection}/1`, rule('', devices)), 400, 'trapDevice')
  }
})

test('each trapDevice has displayName and devID', async () => {
  const noName = `${device}<trapDevice><devID>7</devID></trapDevice>`
  refused(await post(rule('', noName)), 400, 'trapDevice[2]/displayName')
  const noId = '<trapDevice><displayName>Core</displayName></trapDevice>'
  refused(await post(rule('', noId)), 400, 'trapDevice[1]/devID')
})

test('devID, exectimeType, position and deviceId are integers of 32 bits', async () => {
  const at = (devID: string) => `<trapDevice><displayName>C</displayName><devID>${devID}</devID></trapDevice>`
  for (const wrong of ['2147483648', '-2147483649', 'x', '1.5']) {
    refused(await post(rule('', at(wrong))), 400, 'trapDevice[1]/devID')
    refused(await post(rule(`<exectimeType>${wrong}</exectimeType>`)), 400, 'exectimeType')
    const place = `<trapInterfaces><deviceId>${wrong}</deviceId></trapInterfaces>`
    refused(await post(rule(place)), 400, 'trapInterfaces[1]/deviceId')
  }
  const position = `<trapDevice><displayName>C</displayName><devID>1</devID><trapFilterEventParasInfo><position>x</position></trapFilterEventParasInfo></trapDevice>`
  refused(await post(rule('', position)), 400, 'trapDevice[1]/trapFilterEventParasInfo[1]/position')
  assert.equal((await post(rule('', at('2147483647')))).status, 201)
})

test('trapDevice, trapFilterEventParasInfo and trapInterfaces repeat', async () => {
  const parameter = (name: string) =>
    `<trapFilterEventParasInfo><name>${name}</name></trapFilterEventParasInfo>`
  const first = `<trapDevice><displayName>A</displayName><devID>1</devID>${parameter('x')}${parameter('y')}</trapDevice>`
  const places = ['Gi1', 'Gi2'].map((name) => `<trapInterfaces><ifDesc>${name}</ifDesc></trapInterfaces>`)
  const path = pathOf(await post(rule(places.join(''), first + device)))
  const { text } = await service.get(path)
  assert.deepEqual(values(text, 'displayName'), ['A', 'Core 1'])
  assert.deepEqual(values(text, 'name'), ['x', 'y'])
  assert.deepEqual(values(text, 'ifDesc'), ['Gi1', 'Gi2'])
})

test('trapFilterEventParasInfo and trapInterfaces may be absent', async () => {
  const { text } = await service.get(await newRule())
  assert.doesNotMatch(text, /trapFilterEventParasInfo|trapInterfaces/)
})

test('an absent optional field is left as it was, an empty one is cleared', async () => {
  const path = await newRule(
    '<trapRuleName>Kept</trapRuleName><trapGroup>1</trapGroup><startTime>8:00</startTime>',
  )
  assert.equal((await service.send('PUT', path, rule('<startTime/>'))).status, 204)
  const { text } = await service.get(path)
  assert.equal(value(text, 'trapRuleName'), 'Kept')
  assert.equal(value(text, 'trapGroup'), '1')
  assert.equal(value(text, 'startTime'), undefined)
})

test('a present group replaces the group as a whole; an absent one stays; an empty one is cleared', async () => {
  const place = (name: string) => `<trapInterfaces><ifDesc>${name}</ifDesc></trapInterfaces>`
  const path = await newRule(place('Gi1') + place('Gi2'))
  const places = async () => values((await service.get(path)).text, 'ifDesc').join()
  await service.send('PUT', path, rule())
  assert.equal(await places(), 'Gi1,Gi2')
  await service.send('PUT', path, rule(place('Gi3')))
  assert.equal(await places(), 'Gi3')
  await service.send('PUT', path, rule('<trapInterfaces><ifDesc> </ifDesc></trapInterfaces>'))
  assert.equal(await places(), 'Gi3', 'white space counts as not given')
  await service.send('PUT', path, rule('<trapInterfaces/>'))
  assert.equal(await places(), '')
  const other = '<trapDevice><displayName>Edge</displayName><devID>9</devID></trapDevice>'
  await service.send('PUT', path, rule('', other))
  assert.deepEqual(values((await service.get(path)).text, 'displayName'), ['Edge'])
})

test('device ids are not checked for existence, and 0 stands for any device', async () => {
  const any = '<trapDevice><displayName>any</displayName><devID>0</devID></trapDevice>'
  assert.equal((await post(rule('', any))).status, 201)
})

test('trapGroup is -1, 0 or 1; anything else is refused', async () => {
  for (const group of ['-1', '0', '1'])
    assert.equal((await post(rule(`<trapGroup>${group}</trapGroup>`))).status, 201)
  for (const group of ['2', '-2', 'x']) {
    refused(await post(rule(`<trapGroup>${group}</trapGroup>`)), 400, 'trapGroup')
  }
})

test('trapOId and faultOid are object identifiers, with or without a leading dot', async () => {
  const path = await newRule('<trapOId>.1.3.6.1</trapOId>')
  assert.equal(value((await service.get(path)).text, 'trapOId'), '1.3.6.1')
  for (const oid of ['linkDown', '1..3', '1.3.', '1.3.x']) {
    refused(await post(rule(`<trapOId>${oid}</trapOId>`)), 400, 'trapOId')
  }
})

test('rules are listed by id with Total, filtered by name, group and OID, ordered by id or name', async () => {
  for (const [name, oid, group] of [
    ['List b', '1.3.6.1.4.1.9', '0'],
    ['list A', '1.3.6.1.4.1.25506.1', '-1'],
    ['List c', '1.3.6.1.4.1.25506.2', '-1'],
  ]) {
    await post(
      rule(`<trapRuleName>${name}</trapRuleName><trapOId>${oid}</trapOId><trapGroup>${group}</trapGroup>`),
    )
  }
  const found = async (query: string) => {
    const answer = await service.get(`${collection}?${query}`)
    const names = values(answer.text, 'trapRuleName')
    assert.equal(answer.headers.total, String(names.length))
    return names.join()
  }
  assert.equal(await found('trapRuleName=LIST*'), 'List b,list A,List c')
  assert.equal(await found('trapRuleName=list*&orderBy=trapRuleName'), 'list A,List b,List c')
  assert.equal(await found('trapRuleName=list*&orderBy=id&desc=true'), 'List c,list A,List b')
  assert.equal(await found('trapRuleName=list*&trapGroup=-1'), 'list A,List c')
  assert.equal(await found('trapOId=.1.3.6.1.4.1.9'), 'List b')
  assert.equal(
    await found('trapOId=1.3.6.1.4.1.25506.*'),
    'list A,List c',
    'every text filter takes wildcards',
  )
  refused(await service.get(`${collection}?trapGroup=7`), 400, 'trapGroup')
})

test('reading or modifying a rule that is not there answers 404, deleting one 410', async () => {
  const path = await newRule()
  assert.equal((await service.ask('DELETE', path)).status, 204)
  refused(await service.get(path), 404)
  refused(await service.send('PUT', path, rule()), 404)
  refused(await service.ask('DELETE', path), 410)
})
