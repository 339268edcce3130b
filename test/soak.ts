// The long rounds: kills, cuts and full disks again and again, ROUNDS times where a test has rounds (20 by default).
// `npm run soak` takes about an hour on a machine that has nothing else to do; a few rounds are in `npm run
// test:faults`.
// With names of files, only these: `npm run soak -- test/nodes/cut.faults.ts`.

import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'

const { ROUNDS = '20' } = process.env
const named = process.argv.slice(2)
const files = named.length > 0 ? named : globSync('test/**/*.faults.ts')
const run = spawn(process.execPath, ['--test', '--test-concurrency=1', ...files], {
  stdio: 'inherit',
  env: { ...process.env, ROUNDS, SOAK: 'true' },
})
run.on('exit', (code) => {
  process.exitCode = code ?? 1
})
