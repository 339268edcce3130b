// JSON in and out: the family's mapped form.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { everything, pathOf, refused } from './reading.ts'

const service = await startService()
const json = { Accept: 'application/json' }
const read = async (path: string) => (await service.get(path, json)).json()
const raw = (path: string, body: string | Buffer) =>
  service.ask('POST', path, { body, headers: { ...json, 'Content-Type': 'application/json' } })
const binding = '/res/access/macAccessBind'

test('a list is an object with one array, named like its rows', async () => {
  const zones = await read('/ram/zone')
  assert.deepEqual(zones, {
    zone: [{ zoneId: '1', name: 'Default', description: 'Everything that is in no other zone' }],
  })
  assert.deepEqual(await read('/res/access/assignedIpScope/ip?ipScopeId=1'), { assignedIpInfo: [] })
  assert.deepEqual(await read(binding), { macAccessBind: [] }, 'an array also where there is none')
})

test('an object is bare, all scalars are strings, an empty element is ""', async () => {
  const answer = await service.sendJson('POST', '/ram/zone', { name: 'Bare' })
  assert.equal(answer.status, 201)
  assert.equal(answer.text, '')
  const path = pathOf(answer)
  const zoneId = path.split('/').at(-1)
  assert.deepEqual(await read(path), { zoneId, name: 'Bare', description: '' })
})

test('repeated things are always arrays, also one or none, also nested', async () => {
  const one = { displayName: 'Core', devID: '1' }
  const rule = pathOf(await service.sendJson('POST', '/fault/trapRule', { trapDevice: one }))
  const { trapDevice, trapInterfaces } = await read(rule)
  assert.deepEqual(trapDevice, [{ ...one, trapFilterEventParasInfo: [] }])
  assert.deepEqual(trapInterfaces, [])
  const plain = await service.sendJson('POST', binding, { terminalMac: '00:00:00:00:00:01', bindType: 1 })
  assert.deepEqual((await read(pathOf(plain))).ifInfo, [])
})

test('in requests numbers may be JSON numbers or strings', async () => {
  const ifInfo = [{ deviceId: 7, ifIndex: '8' }]
  const answer = await service.sendJson('POST', binding, {
    terminalMac: '00:00:00:00:00:02',
    bindType: '2',
    ifInfo,
  })
  assert.equal(answer.status, 201)
  const { bindType, ifInfo: stored } = await read(pathOf(answer))
  assert.deepEqual([bindType, stored], ['2', [{ deviceId: '7', ifIndex: '8' }]])
})

test('numbers that are not whole, or written in another way, are refused', async () => {
  for (const number of ['1.0', '1e0', '1.5', '"1.0"', 'true', '{}', '[1,2]']) {
    const body = `{"terminalMac":"00:00:00:00:00:03","bindType":${number}}`
    refused(await raw(binding, body), 400, 'bindType')
  }
})

test('a single object stands for an array of one', async () => {
  const answer = await service.sendJson('POST', binding, {
    terminalMac: '00:00:00:00:00:04',
    bindType: 2,
    ifInfo: { deviceId: 1, ifIndex: 2 },
  })
  assert.equal(answer.status, 201)
  assert.deepEqual((await read(pathOf(answer))).ifInfo, [{ deviceId: '1', ifIndex: '2' }])
})

test('an answer in JSON can be sent back', async () => {
  for (const path of ['/ram/zone/1', '/fault/trapRule/1', '/report/reportTemplate/1']) {
    const before = await read(path)
    assert.equal((await service.sendJson('PUT', path, before)).status, 204)
    assert.deepEqual(await read(path), before)
  }
})

test('an unknown field is refused with its name', async () => {
  refused(await service.sendJson('POST', '/ram/zone', { name: 'x', descripton: 'typo' }), 400, 'descripton')
  refused(await service.sendJson('POST', '/ram/zone', { zone: { name: 'x' } }), 400, 'zone')
  refused(await raw('/ram/zone', '{"name":"x","__proto__":{"a":1}}'), 400, '__proto__')
  const wrong = {
    terminalMac: '00:00:00:00:00:05',
    bindType: 2,
    ifInfo: [{ deviceId: 1, ifIndex: 1, port: 1 }],
  }
  refused(await service.sendJson('POST', binding, wrong), 400, 'ifInfo[1]/port')
})

test('malformed JSON, and JSON that is no object, are refused and change nothing', async () => {
  const before = await everything(service)
  for (const body of [
    '{',
    '{"name":"x"',
    "{'name':'x'}",
    '{"name":"x",}',
    '[]',
    '[{"name":"x"}]',
    'null',
    '"x"',
    '5',
    '{"name":["x",["y"]]}',
    '{"name":[null]}',
    '{"name":{"a":"b"}}',
    '<zone><name>x</name></zone>',
    ' ',
  ]) {
    refused(await raw('/ram/zone', body), 400)
  }
  refused(await raw('/ram/zone', Buffer.from('{"name":"Büro"}', 'latin1')), 400)
  assert.equal(await everything(service), before)
})

test('JSON nested too deep is refused', async () => {
  refused(await raw('/ram/zone', `{"a":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`), 400)
  refused(await raw('/ram/zone', '['.repeat(200_000)), 400)
  refused(await raw('/ram/zone', `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`), 400)
  refused(await raw('/ram/zone', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), 400)
})

test('characters that no text can hold are refused, also escaped', async () => {
  for (const sign of ['\\u0000', '\\u0001', '\\ud800', '\\uffff']) {
    refused(await raw('/ram/zone', `{"name":"a${sign}b"}`), 400, 'name')
  }
})

test('white space around a string is trimmed, as in XML', async () => {
  const path = pathOf(await service.sendJson('POST', '/ram/zone', { name: '  Trimmed \n' }))
  assert.equal((await read(path)).name, 'Trimmed')
})

test('a body in one form may be answered in the other', async () => {
  const answer = await service.ask('POST', '/ram/zone', {
    body: '{"nam":"x"}',
    headers: { 'Content-Type': 'application/json', Accept: 'application/xml' },
  })
  refused(answer, 400, 'nam')
  assert.match(answer.text, /^<\?xml/)
  const other = await service.ask('POST', '/ram/zone', {
    body: '<zone/>',
    headers: { 'Content-Type': 'application/xml', ...json },
  })
  assert.deepEqual(Object.keys(other.json()), ['code', 'message', 'field'])
})
