// The way to one client, tried with an alarm that is in no list.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field } from '../push/reader.ts'
import { eventually } from '../push/station.ts'
import { startService } from '../support.ts'
import { listeningTo } from './listening.ts'

test('a test alarm reaches the one client it is meant for, whatever that asked for, and no list', async () => {
  const service = await startService()
  const { listen } = listeningTo(service)
  const desk = await listen('uuid=desk/1&alarmLevel=1')
  const other = await listen('uuid=other')
  const answer = await service.ask('POST', '/events/registrations/desk%2F1/test')
  assert.equal(answer.status, 204)
  await eventually(() => desk.documents.length === 1, 'the test alarm')
  const [document = ''] = desk.documents
  assert.deepEqual(
    [field(document, 'id'), field(document, 'OID'), field(document, 'alarmLevel')],
    ['0', '1.3.6.1.4.1.32473.1.20', '5'],
  )
  assert.equal(other.documents.length, 0)
  assert.equal((await service.get('/fault/alarm?total=true')).headers.total, '0')
  other.close()
})

test('a test alarm for a client that is not connected, or unknown, is refused', async () => {
  const service = await startService()
  const { listen, gone } = listeningTo(service)
  const desk = await listen('uuid=desk')
  desk.close()
  await gone('desk')
  assert.equal((await service.ask('POST', '/events/registrations/desk/test')).status, 409)
  assert.equal((await service.ask('POST', '/events/registrations/nobody/test')).status, 404)
})
