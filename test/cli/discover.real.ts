// belfry discover as it is typed, with an agent on loopback.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Switch } from '../ask/know-world.ts'
import { community } from '../ask/reach-world.ts'
import { freePort } from '../free-port.ts'
import { temporaryFolder } from '../support.ts'
import { fail, succeed } from './running.ts'

test('belfry discover searches ranges, prints what it found, and adds it', async () => {
  const folder = temporaryFolder()
  const port = await freePort()
  const facts = { name: 'sw1', serial: 'SN1', ports: [{ index: 1, name: 'Gi0/1' }] }
  await using _agent = await Switch.start('127.0.62.1', port, facts)
  const on = ['--data', join(folder, 'data')]
  const file = join(folder, 'community.txt')
  writeFileSync(file, `${community}\n`)
  const place = ['--range', '127.0.62.0/24', '--port', String(port)]
  await succeed(['profile', 'add', 'lab', ...place, '--community-file', file, ...on])
  const { stdout } = await succeed(['discover', '127.0.62.0/30', ...on])
  assert.match(
    stdout,
    /^2 addresses asked; known already: 0\n\n1 device answers\n {2}address +name +model +description\n {2}127\.0\.62\.1 +sw1 +EX-24 +An example switch\n/,
  )
  const { stdout: added } = await succeed(['discover', '127.0.62.0/30', '--add', ...on])
  assert.match(added, /\n1 device added to the inventory\n$/)
  assert.match(
    (await succeed(['discover', '127.0.62.0/30', ...on])).stdout,
    /^1 address asked; known already: 1\n/,
  )
  assert.match(await fail(2, ['discover', ...on]), /say where to search/)
  assert.match(await fail(2, ['discover', '10.0.0.0/8', ...on]), /65536 at most/)
})
