// Work for callers: few wait, and each only as long as its caller does.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallerQueue } from '../../src/pacing/caller-queue.ts'

const caller = (by: string) => {
  const leaving = new AbortController()
  return { asked: { by, gone: leaving.signal }, leave: () => leaving.abort() }
}

/** Work that lasts until it is told to end, and the order in which it began. */
function works(queue: CallerQueue) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string, { asked }: Partial<ReturnType<typeof caller>> = {}) =>
    queue.run(asked, async (dropped) => {
      begun.push(name)
      await new Promise<void>((resolve) => {
        ends.set(name, resolve)
        dropped.addEventListener('abort', () => resolve())
      })
      return name
    })
  return { begun, run, end: (name: string) => ends.get(name)?.() }
}

const full = { code: 'too-many-requests' }
const dropped = { code: 'unavailable' }

test('no more wait than the limits say, of one caller and of all; the own work of the service always may', async () => {
  const { begun, run, end } = works(new CallerQueue({ noun: 'things', atOnce: 1, overall: 3, each: 2 }))
  const [one, two, three] = [caller('one'), caller('two'), caller('three')]
  const running = [run('a', one), run('b', one)]
  await assert.rejects(run('c', one), { ...full, message: /^2 things for you/ })
  running.push(run('d', two))
  await assert.rejects(run('e', three), { ...full, message: /^3 things are/ })
  running.push(run('own'))
  for (const name of ['a', 'b', 'd', 'own']) {
    end(name)
    await new Promise(setImmediate)
  }
  assert.deepEqual(await Promise.all(running), ['a', 'b', 'd', 'own'])
  assert.deepEqual(begun, ['a', 'b', 'd', 'own'])
})

test('whoever leaves is not worked for, and makes room', async () => {
  const { begun, run, end } = works(new CallerQueue({ noun: 'things', atOnce: 1, overall: 2, each: 2 }))
  const [one, two] = [caller('one'), caller('two')]
  const first = run('a', one)
  const second = run('b', two)
  two.leave()
  await assert.rejects(second, dropped)
  const third = run('c', one)
  // Under way: the work is told, and ends.
  one.leave()
  assert.equal(await first, 'a')
  await assert.rejects(third, dropped)
  const last = run('d', caller('one'))
  await new Promise(setImmediate)
  end('d')
  assert.equal(await last, 'd')
  assert.deepEqual(begun, ['a', 'd'])
  await assert.rejects(run('e', two), dropped, 'one that is gone already')
})

test('at a stop callers are told so, and the own work of the service still ends', async () => {
  const queue = new CallerQueue({ noun: 'things', atOnce: 2, overall: 9, each: 9 })
  const { begun, run, end } = works(queue)
  const one = caller('one')
  const under = [run('a', one), run('b', one)]
  const waiting = run('c', one)
  const own = run('own')
  await new Promise(setImmediate)
  queue.stop()
  await assert.rejects(waiting, { ...dropped, message: 'the service is stopping' })
  await assert.rejects(run('d', one), { message: 'the service is stopping' })
  await Promise.all(under)
  await new Promise(setImmediate)
  end('own')
  assert.equal(await own, 'own')
  assert.deepEqual(begun, ['a', 'b', 'own'])
})
