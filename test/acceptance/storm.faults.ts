// A storm of traps at the highest rate the machine sends: each is in a bin or among the kernel's drops, and memory
// stays bounded.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { counted, until } from '../intake/sending.ts'
import { record } from '../outcome.ts'
import { temporaryFolder } from '../support.ts'
import { startProcess } from './process.ts'

const storming = fileURLToPath(new URL('./storming.ts', import.meta.url))
const storm = 200_000
const megabyte = 1024 * 1024

test('200,000 traps end in bins that sum to what was sent minus what the kernel dropped', {
  timeout: 360_000,
}, async () => {
  // Nothing is held back: what is tested is the load itself.
  const guardsOff = { 'storm-source': '0', 'storm-overall': '0', 'duplicate-seconds': '0', 'flap-count': '0' }
  const service = await startProcess(temporaryFolder(), guardsOff)
  const before = service.memory()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, service.memory())
  }, 50)
  const sender = spawn(process.execPath, [storming, String(service.trapPort), String(storm)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await once(sender.stdout, 'data')
  assert.equal(Number(said), storm)
  await until('every trap is accounted for', async () => {
    const { binned, drops } = await counted(service)
    return binned + drops >= storm
  })
  clearInterval(watch)
  const { received, binned, drops, bins } = await counted(service)
  const health = (await service.get('/health')).text
  const wrongHealth = health === 'ready\n' ? 0 : 1
  record({
    rounds: 1,
    lost: Math.max(0, received - binned),
    doubled: Math.max(0, binned - received),
    wrongHealth,
  })
  assert.equal(binned, received)
  assert.equal(received + drops, storm, JSON.stringify({ received, drops, bins }))
  const ledger = (await service.get('/fault/trapLedger', { Accept: 'application/json' })).json()
  const lines = ledger.trapBin as { count: string }[]
  assert.equal(
    lines.reduce((all, { count }) => all + Number(count), 0),
    received,
  )
  assert.equal(health, 'ready\n')
  const growth = (most - before) / megabyte
  assert.ok(growth < 500, `memory grew by ${growth.toFixed()} MB`)
  await service.kill()
})
