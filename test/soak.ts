// The long rounds: kills, cuts and full disks again and again, ROUNDS times where a test has rounds (20 by default).
// `npm run soak` takes the better part of an hour; a round of it is in `npm run test:faults`.

import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'

const { ROUNDS = '20' } = process.env
const files = globSync('test/**/*.faults.ts')
const run = spawn(process.execPath, ['--test', '--test-concurrency=1', ...files], {
  stdio: 'inherit',
  env: { ...process.env, ROUNDS, SOAK: 'true' },
})
run.on('exit', (code) => {
  process.exitCode = code ?? 1
})
