// `npm run soak`: rounds, and the table of what the cases came to.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../support.ts'

const root = join(import.meta.dirname, '../..')

test('the soak ends with a table: counts are added up, the longest pause counts, failed cases are in it', () => {
  const file = join(temporaryFolder(), 'made-up.faults.mjs')
  writeFileSync(
    file,
    `import { test } from 'node:test'
     import { record, rounds } from ${JSON.stringify(pathToFileURL(join(root, 'test/outcome.ts')).href)}
     test('kept | whole', () => {
       for (let round = 1; round <= rounds; round += 1) record({ rounds: 1, lost: 0, pause: 100 * round })
       record({ gapsOwed: 3, gapsTold: 3 })
     })
     test('in parts', async (context) => {
       await context.test('a part', () => record({ rounds: 1, doubled: 2 }))
       record({ wrongHealth: 1 })
       throw new Error('on purpose')
     })`,
  )
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const done = spawnSync(process.execPath, [join(root, 'test/soak.ts'), file], {
    encoding: 'utf8',
    env: { ...env, ROUNDS: '12' },
  })
  assert.equal(done.status, 1, done.stdout)
  const rows = done.stdout.split('\n').filter((line) => line.startsWith('| '))
  assert.deepEqual(rows.slice(1), [
    '| kept \\| whole | 12 | 0 | – | – | 3 of 3 | – | – | 1.2 s |',
    '| in parts | 1 | – | 2 | – | – | – | 1 | – |',
  ])
})
