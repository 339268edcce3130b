// A receiver that answers after 29 seconds has the message, and gets it once.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../intake/sending.ts'
import { startService, temporaryFolder } from '../support.ts'

test('200 after 29 seconds is an answer, and what follows waits for it', async (t) => {
  const got: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    got.push(JSON.parse(String(Buffer.concat(chunks))).change)
    if (got.length === 1) await sleep(29_000)
    response.end('ok')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.after(() => server.close())
  const { port } = server.address() as { port: number }
  const service = await startService({ data: temporaryFolder(), 'notify-loopback': 'yes' })
  t.after(() => service.stop())
  const post = async (path: string, body: unknown, method = 'POST') => {
    const answer = await service.sendJson(method, path, body)
    assert.ok(answer.status < 300, answer.text)
    return String(answer.headers.location ?? '')
      .split('/')
      .at(-1)
  }
  await post('/notify/gateway', { name: 'slow', kind: 'webhook', url: `http://127.0.0.1:${port}/` })
  await post('/notify/channel', { gatewayId: '1', address: 'room' })
  await post('/notify/channel/1/confirm', {}, 'PUT')
  await post('/notify/route', { name: 'all', step: [{ target: 'channel:1' }] })
  const body = { OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 2, alarmDesc: 'slow' }
  const id = await post('/fault/alarm', body)
  await until('it is being sent', () => got.length === 1)
  await post(`/fault/alarm/recover/${id}`, {}, 'PUT')
  const rows = () => service.database.all('select change, outcome, attempts from notification order by id')
  await until(
    'both were answered',
    async () => (await rows()).every(({ outcome }) => outcome === 'delivered'),
    60,
  )
  assert.deepEqual(await rows(), [
    { change: 'raised', outcome: 'delivered', attempts: 1n },
    { change: 'recovered', outcome: 'delivered', attempts: 1n },
  ])
  assert.deepEqual(got, ['raised', 'recovered'])
})
