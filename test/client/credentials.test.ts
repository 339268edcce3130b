import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, RefusedError } from '../../src/client/connect.ts'
import { passwordOf, startGuarded, tokenOf } from '../http/credentials.ts'
import { take } from './world.ts'

test('a token, or the password of an operator over Digest, opens a service that asks for one', async () => {
  const service = await startGuarded()
  const alarm = { OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 1, alarmDesc: 'guarded' }
  assert.equal((await service.asJson('operator', 'POST', '/fault/alarm', alarm)).status, 201)
  const token = await tokenOf(service, 'viewer', { scope: 'events' })
  const user = { name: 'viewer', password: passwordOf('viewer') }
  for (const access of [{ token }, { user }]) {
    const stream = connect(service.url, { snapshot: true, ...access })
    assert.deepEqual(await take(stream, 1), ['guarded'])
  }
  for (const access of [{}, { token: 'bfy_wrong' }, { user: { ...user, password: 'wrong-password-1' } }]) {
    const refusal = await take(connect(service.url, access), 1).catch((error) => error)
    assert.ok(refusal instanceof RefusedError)
    assert.deepEqual([refusal.status, refusal.code], [401, 'unauthorized'])
  }
})
