// Traps are received before anybody learns that the service is ready, and until it has processed what it has.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { freePort } from '../free-port.ts'
import { sendRequest, startService, temporaryFolder } from '../support.ts'
import { Gate, gatedStore } from './gated.ts'
import { device, ifIndex, ledger, linkDown, sum, until, v2c } from './sending.ts'

const raised = 'raised no such alarm was open'

test('a trap sent as soon as /health says ready is received', async () => {
  const http = await freePort(2)
  const traps = http + 1
  const router = await device(traps)
  const starting = startService({ listen: `127.0.0.1:${http}`, traps: `127.0.0.1:${traps}` })
  const health = () =>
    sendRequest(`http://127.0.0.1:${http}`, 'GET', '/health', {}).catch(() => ({ status: 0 }))
  while ((await health()).status !== 200) await sleep(1)
  await router.send(v2c(linkDown, [ifIndex(1)]))
  const service = await starting
  await until('it is processed', async () => sum(await ledger(service)) === 1)
})

test('traps that come while the store is being opened wait, and are processed', async () => {
  const traps = await freePort()
  const router = await device(traps)
  const data = temporaryFolder()
  const sent = Array.from({ length: 2000 }, (_, index) => v2c(linkDown, [ifIndex(index)]))
  const open = async () => {
    for (let at = 0; at < sent.length; at += 100) {
      await router.send(...sent.slice(at, at + 100))
      await sleep(5)
    }
    return openSqlite(join(data, 'belfry.db'))
  }
  const service = await startService({ data, traps: `127.0.0.1:${traps}` }, { open })
  await until('all are processed', async () => sum(await ledger(service)) === sent.length)
  assert.deepEqual(await ledger(service), { [raised]: sent.length })
})

test('while a service that was asked to stop processes what it has, it still receives', async () => {
  const gate = new Gate()
  const data = temporaryFolder()
  const service = await startService({ data }, { open: gatedStore(data, gate) })
  const router = await device(service.trapPort)
  const came = gate.came
  gate.close()
  await router.send(v2c(linkDown, [ifIndex(1)]))
  await until('it waits to be committed', () => gate.came > came)
  const stopped = service.stop()
  // The socket used to be closed by now.
  await sleep(300)
  await router.send(v2c(linkDown, [ifIndex(2)]))
  await sleep(50)
  gate.open()
  await stopped
  const again = await startService({ data })
  assert.deepEqual(await ledger(again), { [raised]: 2 })
})
