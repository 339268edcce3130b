// Integers, longs and booleans in documents: both ends checked, no precision lost anywhere.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { idOf, pathOf, refused, value, values } from './reading.ts'

const service = await startService()
const binding = '/res/access/macAccessBind'
const template = '/report/reportTemplate'
let count = 0
const mac = () => `00:00:00:00:00:${(count++).toString(16).padStart(2, '0')}`

const ends = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '0']
/** Devices and interfaces have no negative numbers. */
const fromZero = ends.filter((end) => !end.startsWith('-'))
const beyond = [
  '9223372036854775808',
  '-9223372036854775809',
  '99999999999999999999999999999',
  '1e18',
  '1.0',
  'x',
]

const bound = (id: string) =>
  `<macAccessBind><terminalMac>${mac()}</terminalMac><bindType>2</bindType><ifInfo><deviceId>${id}</deviceId><ifIndex>${id}</ifIndex></ifInfo></macAccessBind>`
const typed = (id: string) =>
  `<reportTemplate><name>T</name><reportTypeName>R</reportTypeName><reportTypeId>${id}</reportTypeId></reportTemplate>`

test('64-bit longs survive the round trip in XML', async () => {
  for (const id of fromZero) {
    const one = await service.get(pathOf(await service.send('POST', binding, bound(id))))
    assert.deepEqual([value(one.text, 'deviceId'), value(one.text, 'ifIndex')], [id, id])
  }
})

test('64-bit longs survive the round trip in JSON, sent as numbers and as strings', async () => {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
  for (const id of fromZero) {
    for (const written of [id, `"${id}"`]) {
      const body = `{"terminalMac":"${mac()}","bindType":2,"ifInfo":[{"deviceId":${written},"ifIndex":${written}}]}`
      const answer = await service.ask('POST', binding, { body, headers })
      assert.equal(answer.status, 201, answer.text)
      const { ifInfo } = (await service.get(pathOf(answer), headers)).json() as unknown as {
        ifInfo: Record<string, string>[]
      }
      assert.deepEqual([ifInfo[0]?.deviceId, ifInfo[0]?.ifIndex], [id, id])
    }
  }
})

test('what a 64-bit long refers to is named to the last digit where it is not there', async () => {
  for (const id of ends) {
    const answer = await service.send('POST', template, typed(id))
    refused(answer, 409, 'reportTypeId')
    assert.ok(answer.text.includes(id), answer.text)
  }
})

test('64-bit longs can be filtered by', async () => {
  for (const id of fromZero) {
    const { text } = await service.get(`${binding}?deviceId=${id}`)
    assert.deepEqual(new Set(values(text, 'deviceId')), new Set([id]))
  }
  assert.equal((await service.get(`${binding}?deviceId=9007199254740992`)).headers.total, '0')
})

test('longs beyond 64 bits, and what is no whole number, are refused', async () => {
  for (const id of beyond) {
    refused(await service.send('POST', binding, bound(id)), 400, 'ifInfo[1]/deviceId')
    refused(await service.send('POST', template, typed(id)), 400, 'reportTypeId')
    refused(await service.get(`${binding}?deviceId=${id}`), 400, 'deviceId')
    refused(await service.get(`${binding}/${id}`), 400, 'id')
  }
})

test('a path id at the ends of 64 bits names nothing, one beyond them is refused', async () => {
  for (const id of ends) refused(await service.get(`/ram/zone/${id}`), 404)
  refused(await service.get('/ram/zone/9223372036854775808'), 400, 'id')
})

test('ids that the service assigns stay below 2³¹', async () => {
  const csv = async (id: string) =>
    service.ask('POST', '/plat/data/zone', {
      headers: { 'Content-Type': 'text/csv' },
      body: `zoneId,name\n${id},Z${id}\n`,
    })
  for (const id of ['0', '-1', '1073741824', '2147483647', '2147483648']) refused(await csv(id), 400)
  assert.equal((await csv('1073741823')).status, 200)
  const more = await service.send('POST', '/ram/zone', '<zone><name>One more</name></zone>')
  assert.equal(idOf(more), '1073741824')
})
