// The real-time board of the iMC interface: `GET /fault/faultRealTime`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { refused, value, values } from './reading.ts'

const service = await startService()
const path = '/fault/faultRealTime'
const raise = async (text: string, more: object = {}) => {
  const body = { OID: '1.3.6.1.4.1.5.1', alarmLevel: 2, resource: text, alarmDesc: text, ...more }
  const answer = await service.sendJson('POST', '/fault/alarm', body)
  assert.equal(answer.status, 201)
  return answer.headers.location?.split('/').at(-1) ?? ''
}

test('with no alarm open the board is empty: an element without content, and an empty list', async () => {
  const xml = await service.get(path)
  assert.ok(xml.text.endsWith('?><faultRealTime></faultRealTime>') || xml.text.endsWith('?><faultRealTime/>'))
  const json = await service.get(path, { Accept: 'application/json' })
  assert.deepEqual(json.json(), { faultRealTime: { faultRealTimeList: [] } })
  assert.equal(json.headers.total, '0')
})

test('the board has what is not over, the newest first, with level, time, address and who has seen it', async () => {
  const first = await raise('Fan 1', { deviceIp: '10.0.0.7', deviceName: 'core' })
  const second = await raise('Fan 2', { alarmLevel: 1 })
  const third = await raise('Fan 3')
  await service.ask('PUT', `/fault/alarm/acknowledge/${first}`)
  await service.ask('PUT', `/fault/alarm/recover/${third}`)
  const { text, headers } = await service.get(path)
  assert.equal(headers.total, '2')
  assert.deepEqual(values(text, 'id'), [second, first])
  assert.deepEqual(values(text, 'severity'), ['1', '2'])
  assert.deepEqual(values(text, 'userAckType'), ['0', '1'])
  assert.deepEqual(values(text, 'deviceDisplay'), ['127.0.0.1', '10.0.0.7'])
  const detail = (await service.get(`/fault/alarm/${first}`)).text
  assert.equal(values(text, 'faultTime')[1], value(detail, 'faultTime'))
  assert.equal(values(text, 'userAckUserName').at(-1), value(detail, 'ackUserName'))
  assert.equal(values(text, 'faultDesc')[1], 'Fan 1')
})

test('it has 100 alarms at most unless a size is given, and never more than 1000', async () => {
  for (let index = 0; index < 105; index += 1) await raise(`Many ${index}`)
  const count = async (query: string) => values((await service.get(`${path}?${query}`)).text, 'id').length
  assert.equal(await count('operatorName=admin'), 100)
  assert.equal(await count('size=103'), 103)
  assert.equal(await count('size=-1'), 100)
  assert.equal(await count('size=99999999999'), 107)
  assert.equal(await count('size=50&start=100'), 7)
  const total = await service.get(`${path}?total=true`)
  assert.deepEqual([total.headers.total, total.text], ['107', ''])
  refused(await service.get(`${path}?size=x`), 400, 'size')
  assert.equal((await service.ask('POST', path)).status, 405)
})
