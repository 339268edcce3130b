import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { RequestScheduler } from '../../src/pacing/request-scheduler.ts'
import { startService } from '../support.ts'

/** On a machine that is busy with other things, a turn may seem long. */
const standing = () => 0
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a request is begun at once where nobody waits', () => {
  const begun: string[] = []
  const turns = new RequestScheduler(standing)
  turns.take('a', () => begun.push('a'))
  turns.take('b', () => begun.push('b'))
  assert.deepEqual(begun, ['a', 'b'])
})

test('of many requests at once a few are started in each turn, the addresses in turn', async () => {
  const begun: string[] = []
  const turns = new RequestScheduler(standing)
  for (let n = 0; n < 100; n += 1) turns.take('greedy', () => begun.push('greedy'))
  assert.equal(begun.length, 8)
  turns.take('modest', () => begun.push('modest'))
  turns.take('other', () => begun.push('other'))
  await turn()
  assert.deepEqual(begun.slice(8, 11), ['greedy', 'modest', 'other'])
  assert.equal(begun.length, 16)
  while (begun.length < 102) await turn()
  assert.equal(begun.filter((name) => name === 'greedy').length, 100)
})

test('requests that follow from a started one wait for their turn like others', async () => {
  const turns = new RequestScheduler(standing)
  let begun = 0
  const again = () => {
    begun += 1
    if (begun < 50) turns.take('a', again)
  }
  turns.take('a', again)
  assert.equal(begun, 8)
  while (begun < 50) await turn()
})

test('a monitor does not wait for the other requests of its machine', async () => {
  const service = await startService()
  const { hostname, port } = new URL(service.url)
  const answered: string[] = []
  const paths = [...Array.from({ length: 60 }, () => '/fault/alarm?size=100'), '/health']
  const sockets = await Promise.all(
    paths.map(async (path) => {
      const socket = connect(Number(port), hostname)
      const ask = (what: string) => socket.write(`GET ${what} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
      // Once it is answered, the service has accepted the connection.
      ask('/health')
      await once(socket, 'data')
      socket.once('data', () => answered.push(path))
      return { socket, ask: () => ask(path) }
    }),
  )
  for (const { ask } of sockets) ask()
  while (answered.length < paths.length) await turn()
  for (const { socket } of sockets) socket.destroy()
  assert.ok(answered.indexOf('/health') < 30, `it was answered after ${answered.indexOf('/health')} others`)
})
