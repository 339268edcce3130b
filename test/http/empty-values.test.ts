// Empty or absent: what clears a field, what leaves it, what counts as not given.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { pathOf, refused, value } from './reading.ts'

const service = await startService()
const binding = '/res/access/macAccessBind'
let count = 0
const mac = () => `00:00:00:00:00:${(count++).toString(16).padStart(2, '0')}`
const full = {
  terminalName: 'Printer',
  maintainer: 'Li Na',
  bindType: 2,
  ifInfo: [{ deviceId: 1, ifIndex: 2 }],
}

async function fresh(): Promise<{ path: string; terminalMac: string }> {
  const terminalMac = mac()
  return { terminalMac, path: pathOf(await service.sendJson('POST', binding, { ...full, terminalMac })) }
}

/** What a PUT with this in it leaves of terminalName, maintainer and the number of interfaces. */
async function after(inside: string): Promise<unknown[]> {
  const { path, terminalMac } = await fresh()
  const xml = `<macAccessBind><terminalMac>${terminalMac}</terminalMac>${inside}</macAccessBind>`
  const answer = await service.send('PUT', path, xml)
  assert.equal(answer.status, 204, answer.text)
  return left(path)
}
async function afterJson(fields: object): Promise<unknown[]> {
  const { path, terminalMac } = await fresh()
  const answer = await service.sendJson('PUT', path, { terminalMac, ...fields })
  assert.equal(answer.status, 204, answer.text)
  return left(path)
}
async function left(path: string): Promise<unknown[]> {
  const record = (await service.get(path, { Accept: 'application/json' })).json()
  return [record.terminalName, record.maintainer, (record.ifInfo as unknown[]).length]
}
const type2 = '<bindType>2</bindType>'

test('<x/> clears an optional field on PUT, and so does <x></x>', async () => {
  assert.deepEqual(await after(`${type2}<terminalName/>`), ['', 'Li Na', 1])
  assert.deepEqual(await after(`${type2}<terminalName></terminalName><maintainer/>`), ['', '', 1])
})

test('an element that holds only white space counts as not given: on PUT it leaves the field as it was', async () => {
  assert.deepEqual(await after(`${type2}<terminalName>  \n\t</terminalName>`), ['Printer', 'Li Na', 1])
  assert.deepEqual(await after(`${type2}<ifInfo>  </ifInfo>`), ['Printer', 'Li Na', 1])
})

test('an absent element leaves the field as it was', async () => {
  assert.deepEqual(await after(type2), ['Printer', 'Li Na', 1])
})

test('<x/> is "no value" on POST', async () => {
  const xml = `<macAccessBind><terminalMac>${mac()}</terminalMac><bindType>1</bindType><terminalName/><ifInfo/></macAccessBind>`
  const answer = await service.send('POST', binding, xml)
  assert.equal(answer.status, 201)
  assert.deepEqual(await left(pathOf(answer)), ['', '', 0])
})

test('an empty required field is refused, on POST and on PUT, whichever way it is empty', async () => {
  const path = pathOf(await service.send('POST', '/ram/zone', '<zone><name>Full</name></zone>'))
  for (const name of ['<name/>', '<name></name>', '<name>  </name>', '<name><!-- --></name>', '']) {
    refused(await service.send('POST', '/ram/zone', `<zone>${name}</zone>`), 400, 'name')
    refused(await service.send('PUT', path, `<zone>${name}</zone>`), 400, 'name')
  }
  for (const name of ['', ' ', null, []]) {
    refused(await service.sendJson('POST', '/ram/zone', { name }), 400, 'name')
    refused(await service.sendJson('PUT', path, { name }), 400, 'name')
  }
  assert.equal(value((await service.get(path)).text, 'name'), 'Full')
})

test('JSON: "" clears a field, [] clears a group', async () => {
  assert.deepEqual(await afterJson({ bindType: 2, terminalName: '' }), ['', 'Li Na', 1])
  assert.deepEqual(await afterJson({ bindType: 1, ifInfo: [] }), ['Printer', 'Li Na', 0])
  assert.deepEqual(await afterJson({ bindType: 2, terminalName: [] }), ['', 'Li Na', 1])
})

test('JSON: null is not given', async () => {
  const answer = await afterJson({ bindType: 2, terminalName: null, maintainer: null, ifInfo: null })
  assert.deepEqual(answer, ['Printer', 'Li Na', 1])
})

test('JSON: a string of white space is not given, as in XML', async () => {
  assert.deepEqual(await afterJson({ bindType: 2, terminalName: '  ' }), ['Printer', 'Li Na', 1])
})

test('a cleared description of a zone is an empty element again, "" in JSON', async () => {
  const path = pathOf(await service.sendJson('POST', '/ram/zone', { name: 'Z', description: 'text' }))
  assert.equal((await service.send('PUT', path, '<zone><name>Z</name><description/></zone>')).status, 204)
  assert.match((await service.get(path)).text, /<description\/>/)
  assert.equal((await service.get(path, { Accept: 'application/json' })).json().description, '')
})

test('numbers are cleared like text: the id of a type is then the one that it has', async () => {
  const template = { name: 'T', reportTypeName: 'R', reportTypeId: '55' }
  const path = pathOf(await service.sendJson('POST', '/report/reportTemplate', template))
  const put =
    '<reportTemplate><name>T</name><reportTypeName>R</reportTypeName><reportTypeId/></reportTemplate>'
  assert.equal((await service.send('PUT', path, put)).status, 204)
  assert.match((await service.get(path)).text, /<reportTypeId>55<\/reportTypeId>/)
})

test('no body at all is a document without content', async () => {
  refused(await service.ask('POST', '/ram/zone'), 400, 'name')
  refused(await service.ask('PUT', '/ram/zone/1'), 400, 'name')
})
