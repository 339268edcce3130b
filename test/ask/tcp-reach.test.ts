// Whether machines are there, by TCP: an open port, a refusal, silence, and a way that ends.

import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { after, test } from 'node:test'
import { TcpReach } from '../../src/ask/reach/tcp-reach.ts'
import { freePort } from '../free-port.ts'
import { until } from '../intake/sending.ts'
import { startService } from '../support.ts'
import { addDevice, idFrom, reachOf } from './reach-world.ts'

class Attempt extends EventEmitter {
  destroyed = false
  destroy(): this {
    this.destroyed = true
    return this
  }
}

const device = { address: '127.0.0.1', port: 22 }
const questions = { turn: async () => undefined }

/** What it says where each connection ends like this; undefined: it does not end. */
async function outcome(code: string | undefined): Promise<string> {
  const attempts: Attempt[] = []
  const reach = new TcpReach(questions, () => {
    const attempt = new Attempt()
    attempts.push(attempt)
    if (code !== undefined)
      queueMicrotask(() =>
        code === ''
          ? attempt.emit('connect')
          : attempt.emit('error', Object.assign(new Error(code), { code })),
      )
    return attempt as unknown as ReturnType<typeof import('node:net').connect>
  })
  const said = await reach.ask(device, { attempts: 2, timeout: 1 }).then(
    () => 'there',
    (error) => error.reason,
  )
  assert(attempts.every(({ destroyed }) => destroyed))
  return `${said} ${attempts.length}`
}

test('a connection and a refusal are answers; time-outs and ends of the way are silence; the rest was not sent', async () => {
  assert.deepEqual(
    await Promise.all(['', 'ECONNREFUSED', undefined, 'EHOSTUNREACH', 'ENETUNREACH', 'EMFILE'].map(outcome)),
    [...['there 1', 'there 1', 'silent 2', 'silent 2', 'unsent 1', 'unsent 1']],
  )
})

test('a profile of TCP needs no credentials, and its devices answer with open and closed ports', async () => {
  const port = await freePort()
  const service = await startService({ 'ask-seconds': '1' })
  const server: Server = createServer((socket) => socket.destroy()).listen(port, '127.0.51.1')
  await once(server, 'listening')
  after(() => server.close())
  const given = {
    name: 'tcp',
    version: 'tcp',
    addressRange: ['127.0.51.0/24'],
    port,
    timeoutSeconds: 1,
    tries: 1,
  }
  const refused = await service.sendJson('POST', '/plat/askProfile', { ...given, community: 'secret-77' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /community is not accepted for version=tcp: expected no credentials/)
  const profile = await idFrom(await service.sendJson('POST', '/plat/askProfile', given))
  const devices = ['127.0.51.1', '127.0.51.2'].map((host) => ({ host, id: '' }))
  for (const one of devices) await addDevice(service, one)
  for (const { id, host } of devices) {
    await until(`${host} answers`, async () => (await reachOf(service, id))?.state === 'answering')
    const shown = await reachOf(service, id)
    assert.deepEqual([shown?.profileId, shown?.reason, shown?.restartTime], [profile, '', '0'])
  }
  const json = { Accept: 'application/json' }
  const trial = await service.ask('POST', `/plat/askProfile/${profile}/test`, {
    headers: { ...json, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ip: '127.0.51.2' }),
  })
  const { milliseconds, ...said } = trial.json()
  assert(Number(milliseconds) >= 0)
  assert.deepEqual(said, { answers: 'true' })
  assert.equal((await service.get(`/plat/askProfile/${profile}`, json)).json().port, String(port))
})
