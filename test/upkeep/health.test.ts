// What is known of a service's health: looked at by itself, never for a request, and good for five seconds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../../src/fault.ts'
import { Health } from '../../src/upkeep/service-health.ts'

const full = new Fault('unavailable', 'the disk is full: nothing was saved')
const notReceived = new Fault('unavailable', 'traps are not received: a test')
const notProcessed = new Fault('unavailable', 'traps are not processed: a test')

function watched() {
  const state = {
    now: 0,
    looks: 0,
    receiving: undefined as Fault | undefined,
    keeping: undefined as unknown,
    processing: undefined as Fault | undefined,
    known: undefined as Fault | undefined,
    hangs: new Set<'keeping' | 'processing'>(),
  }
  const found = async (part: 'keeping' | 'processing') => {
    state.looks += 1
    if (state.hangs.has(part)) await new Promise(() => undefined)
    if (state[part]) throw state[part]
  }
  const parts = {
    requireReceiving: () => {
      if (state.receiving) throw state.receiving
    },
    probeIntake: () => found('keeping'),
    probeProcessing: () => found('processing'),
    storeTrouble: () => state.known,
  }
  return { state, health: new Health(parts, () => state.now) }
}

const outcome = (ask: () => void): string => {
  try {
    ask()
    return 'ready'
  } catch (error) {
    return (error as Error).message
  }
}
const asked = (health: Health) => [
  outcome(() => health.requireReady()),
  outcome(() => health.requireIntake()),
]

test('nobody who asks causes a look; before the first one, nothing is known', async () => {
  const { state, health } = watched()
  const silent = 'the store has not answered for 5 seconds'
  assert.deepEqual(asked(health), [silent, silent])
  await health.probeOnce()
  for (let round = 0; round < 100; round += 1) assert.deepEqual(asked(health), ['ready', 'ready'])
  assert.equal(state.looks, 2)
})

test('what was found is good for five seconds; a look that does not come back leaves it to grow old', async () => {
  const { state, health } = watched()
  await health.probeOnce()
  state.hangs.add('keeping').add('processing')
  void health.probeOnce()
  state.now = 5000
  assert.deepEqual(asked(health), ['ready', 'ready'])
  state.now = 5001
  const silent = 'the store has not answered for 5 seconds'
  assert.deepEqual(asked(health), [silent, silent])
  state.hangs.clear()
  await health.probeOnce()
  assert.deepEqual(asked(health), ['ready', 'ready'])
})

test('traps that can be received and kept, but are not processed, are trouble of all nodes, and not of this one alone', async () => {
  const { state, health } = watched()
  state.processing = notProcessed
  await health.probeOnce()
  assert.deepEqual(asked(health), [notProcessed.message, 'ready'])
  assert.equal(health.processingTrouble, notProcessed)
  assert.equal(health.storeTrouble, undefined)
  state.processing = undefined
  state.hangs.add('processing')
  await Promise.race([health.probeOnce(), new Promise(setImmediate)])
  state.now = 5001
  await Promise.race([health.probeOnce(), new Promise(setImmediate)])
  assert.equal(asked(health)[1], 'ready')
  assert.notEqual(asked(health)[0], 'ready')
})

test('a store that cannot keep anything, or a socket that is gone, is trouble of both', async () => {
  const { state, health } = watched()
  state.keeping = full
  state.processing = notProcessed
  await health.probeOnce()
  assert.deepEqual(asked(health), [full.message, full.message])
  assert.equal(health.processingTrouble, undefined, 'one cause, one alarm')
  state.keeping = new TypeError('a bug')
  await health.probeOnce()
  assert.deepEqual(asked(health), ['a bug', 'a bug'])
  state.keeping = undefined
  state.processing = undefined
  state.receiving = notReceived
  await health.probeOnce()
  assert.deepEqual(asked(health), [notReceived.message, notReceived.message])
})

test('what fails elsewhere in the store makes the service not ready at once, without a look', async () => {
  const { state, health } = watched()
  await health.probeOnce()
  state.known = full
  assert.deepEqual(asked(health), [full.message, 'ready'])
  state.known = undefined
  assert.deepEqual(asked(health), ['ready', 'ready'])
})

test('it looks again by itself, and no more once it is ended', async () => {
  const looks = Promise.withResolvers<void>()
  let count = 0
  const health = new Health({
    requireReceiving: () => undefined,
    probeIntake: async () => {
      count += 1
      if (count === 2) looks.resolve()
    },
    storeTrouble: () => undefined,
  })
  const end = health.watch()
  const kept = setInterval(() => undefined, 1000)
  await looks.promise
  clearInterval(kept)
  await end()
  assert.equal(count, 2)
  assert.deepEqual(asked(health), ['ready', 'ready'])
})
