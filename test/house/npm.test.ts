import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('a service started with npm start stops when npm is told to stop', async () => {
  const environment = { ...process.env, BELFRY_LISTEN: '127.0.0.1:0', BELFRY_DATA: temporaryFolder() }
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(createInterface({ input: npm.stdout }), 'line')
  const url = /listens on (\S+)/.exec(line)?.[1]
  assert.ok(url, line)
  assert.equal((await fetch(`${url}/health`)).status, 200)
  npm.kill('SIGTERM')
  const deadline = Date.now() + 10_000
  while (Date.now() < deadline) {
    const answers = await fetch(`${url}/health`).then(
      () => true,
      () => false,
    )
    if (!answers) return
    await sleep(100)
  }
  assert.fail('the service is still there')
})
