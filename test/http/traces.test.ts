// What leaves the service, who comes in, and who tries what they may not: all of it is in the audit log, in few entries.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, startGuarded, tokenOf } from './credentials.ts'

const service = await startGuarded()

interface Entry {
  readonly name: string
  readonly action: string
  readonly resource: string
  readonly address: string
  readonly detail?: string
  readonly count: string
}

async function entries(query: string): Promise<Entry[]> {
  const headers = { Accept: 'application/json' }
  const answer = await service.as('administrator', 'GET', `/plat/audit?${query}&size=1000`, { headers })
  return (answer.json().audit ?? []) as Entry[]
}

/** They are written within seconds. */
async function until(query: string, met: (found: readonly Entry[]) => boolean): Promise<Entry[]> {
  for (;;) {
    const found = await entries(query)
    if (met(found)) return found
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

test('exporting the audit log is recorded, and so is reading a backup; asking for the headers is not', async () => {
  assert.equal((await service.as('administrator', 'HEAD', '/plat/data/audit')).status, 200)
  assert.equal((await entries('action=export')).length, 0)
  assert.equal((await service.as('administrator', 'GET', '/plat/data/audit?format=csv')).status, 200)
  const [exported, ...more] = await entries('action=export')
  assert.deepEqual([exported?.name, exported?.resource, more.length], ['administrator', 'audit', 0])
  assert.equal((await service.as('administrator', 'GET', '/plat/data/zone?format=csv')).status, 200)
  assert.equal((await entries('action=export')).length, 1, 'others are no secret')
  const backup = await service.as('administrator', 'GET', '/plat/backup')
  // A store in PostgreSQL is backed up by its own tools.
  const taken = await entries('action=read&resource=backup')
  assert.equal(taken.length, backup.status === 200 ? 1 : taken.length)
})

test('logins of every kind are recorded once, however many requests follow', async () => {
  const token = await tokenOf(service, 'operator', { scope: 'viewer' })
  for (let count = 0; count < 20; count += 1) {
    assert.equal((await service.get('/ram/zone', bearer(token))).status, 200)
    assert.equal((await service.as('operator', 'GET', '/ram/zone')).status, 200)
  }
  const found = await until('action=login&name=operator', (some) => some.length >= 2)
  const ways = found.map(({ detail = '' }) => detail.replace(/\d+/, 'N')).sort()
  assert.deepEqual(ways, ['digest', 'token N'])
  assert.ok(found.every(({ address, count }) => address === '127.0.0.1' && count === '1'))
})

test('calls that the caller may not make are recorded, hundreds of them in few entries', async () => {
  for (let count = 0; count < 100; count += 1)
    assert.equal((await service.as('viewer', 'DELETE', `/ram/zone/${count + 1}`)).status, 403)
  const [first] = await until('action=forbidden&name=viewer', (some) => some.length > 0)
  assert.match(first?.detail ?? '', /^DELETE \/ram\/zone\/\{id\}: this needs the role operator/)
  assert.ok((await entries('action=forbidden&name=viewer')).length <= 6, 'a few in a minute')
})
