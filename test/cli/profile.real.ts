// belfry profile as it is typed, with an agent on loopback.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Variable } from '../../src/snmp/variables.ts'
import { TestAgent } from '../ask/agent.ts'
import { temporaryFolder } from '../support.ts'
import { fail, succeed } from './running.ts'

const values: readonly Variable[] = [
  { oid: '1.3.6.1.2.1.1.1.0', type: 'OctetString', value: 'An example switch', hex: false },
  { oid: '1.3.6.1.2.1.1.2.0', type: 'ObjectIdentifier', value: '1.3.6.1.4.1.32473.1', hex: false },
  { oid: '1.3.6.1.2.1.1.3.0', type: 'TimeTicks', value: '4711', hex: false },
  { oid: '1.3.6.1.2.1.1.5.0', type: 'OctetString', value: 'sw1', hex: false },
]

test('belfry profile adds, lists, tests and removes profiles', async () => {
  const folder = temporaryFolder()
  const file = (name: string, content: string) => {
    const where = join(folder, name)
    writeFileSync(where, content)
    return where
  }
  const user = { name: 'ops', auth: { algorithm: 'sha256', password: 'secret-51d4' } } as const
  await using agent = await TestAgent.start({ values, users: [user] })
  const { port } = agent.device
  const on = ['--data', join(folder, 'data')]
  const users = file('users.json', JSON.stringify([user, { name: 'other' }]))
  const place = ['--range', '127.0.0.0/8', '--port', String(port)]
  const several = await fail(2, ['profile', 'add', 'lab', ...place, '--user-file', users, ...on])
  assert.match(several, /several users: choose one with --user/)
  await succeed(['profile', 'add', 'lab', ...place, '--user-file', users, '--user', 'ops', ...on])
  const community = file('community.txt', 'secret-51d5\n')
  await succeed(['profile', 'add', 'old', ...place, '--v1', '--community-file', community, ...on])
  const { stdout: listed } = await succeed(['profile', 'list', ...on])
  assert.equal(
    listed,
    `lab: version 3 as ops, port ${port}, 127.0.0.0/8\nold: version 1, port ${port}, 127.0.0.0/8\n`,
  )
  assert.match(
    (await succeed(['profile', 'test', 'lab', '127.0.0.1', ...on])).stdout,
    /^127\.0\.0\.1 answers after \d+ ms: sw1\nAn example switch\n$/,
  )
  assert.match(await fail(2, ['profile', 'test', 'lab', '192.0.2.1', ...on]), /not in an addressRange/)
  await succeed(['profile', 'remove', 'old', ...on])
  assert.match(await fail(2, ['profile', 'remove', 'old', ...on]), /there is no profile "old"/)
})
