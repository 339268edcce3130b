// What the ledger calls the channels that belong to nobody: rooms and ticket systems.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGuarded } from '../http/credentials.ts'
import { idOf } from '../http/reading.ts'
import { until } from '../intake/sending.ts'
import { startReceiver } from './receiver.ts'

test('the ledger names rooms, by their own name or that of the gateway, and never the channels of people', async () => {
  const service = await startGuarded({ 'notify-loopback': 'yes' })
  const { url } = await startReceiver()
  const made = async (path: string, body: object) => {
    const answer = await service.asJson('administrator', 'POST', path, body)
    assert.ok(answer.status < 300, answer.text)
    return idOf(answer)
  }
  const gatewayId = await made('/notify/gateway', { name: 'Phones', kind: 'webhook', url })
  const contactId = await made('/notify/contact', { name: 'Porter' })
  const targets = []
  for (const channel of [{ name: 'NOC room' }, {}, { name: 'my own', contactId }]) {
    const id = await made('/notify/channel', { gatewayId, address: `at ${targets.length}`, ...channel })
    await service.database.transaction((tx) =>
      tx.run('update channel set confirmed = 1 where id = ?', [BigInt(id)]),
    )
    targets.push(`channel:${id}`)
  }
  await made('/notify/route', { name: 'rooms', step: [{ target: targets.join(',') }] })
  const alarmId = await made('/fault/alarm', {
    ...{ OID: '1.3.6.1.4.1.32473.8.1', alarmLevel: 2, alarmDesc: 'The door is open' },
  })
  const rows = async (): Promise<Record<string, string>[]> => {
    const path = `/notify/notification?alarmId=${alarmId}`
    return (
      await service.as('administrator', 'GET', path, { headers: { Accept: 'application/json' } })
    ).json().notification as Record<string, string>[]
  }
  await until('all are told', async () => (await rows()).length === targets.length)
  const named = (await rows()).map(({ contactName, channelName }) => `${contactName}, ${channelName}`)
  const expected = ['Porter, undefined', 'undefined, NOC room', 'undefined, Phones']
  assert.deepEqual(named.toSorted(), expected)
  const names = (told: Record<string, string>[]) =>
    told
      .map(({ contactName, channelName }) => `${contactName || undefined}, ${channelName || undefined}`)
      .toSorted()
  const headers = { Accept: 'application/json' }
  const explained = await service.as('administrator', 'GET', `/fault/alarm/${alarmId}/notification`, {
    headers,
  })
  assert.deepEqual(names(explained.json().notification as Record<string, string>[]), expected)
  const plan = await service.asJson('administrator', 'POST', '/notify/dryRun', { alarmId })
  assert.deepEqual(names(plan.json().message as Record<string, string>[]), expected)
})
