// `npm run golden`: runs the tests of recorded outputs on both stores, and writes what they find instead of comparing it.
// `npm run golden -- day` does that for one of them.
//
// Then look at the difference that git shows: every line of it is something that callers will see.

import { spawn } from 'node:child_process'
import { globSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('./', import.meta.url))
const wanted = process.argv.slice(2)
const all = globSync(`${folder}*.test.ts`).sort()
const files = all.filter(
  (file) => wanted.length === 0 || wanted.some((name) => basename(file) === `${name}.test.ts`),
)
if (files.length === 0) {
  console.error(
    `expected some of ${all.map((file) => basename(file, '.test.ts')).join(', ')}, or nothing for all`,
  )
  process.exit(2)
}
if (wanted.length === 0 || wanted.includes('day')) rmSync(`${folder}recorded/day.br`, { force: true })
const options = ['--test', '--test-global-setup=test/postgres-server.ts', '--test-concurrency=1']
const { TEST_STORE: _both, ...environment } = process.env
const child = spawn(process.execPath, [...options, ...files], {
  stdio: 'inherit',
  env: { ...environment, GOLDEN: 'write' },
})
child.on('exit', (code) => process.exit(code ?? 1))
