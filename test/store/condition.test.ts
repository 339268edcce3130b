// What is known of a store's health: trouble is reported once, held on to for a while, and over when it works again.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../../src/fault.ts'
import { StoreCondition } from '../../src/store/store-condition.ts'

const full = new Fault('unavailable', 'the disk is full: nothing was saved')
const unreadable = new Fault('unavailable', 'the disk failed: disk I/O error')

/** A store that fails when it is asked to. */
function watched() {
  const state = { now: 0, isFull: false, probes: 0, reported: [] as (string | undefined)[] }
  const condition: StoreCondition = new StoreCondition(
    async () => {
      state.probes += 1
      if (!state.isFull) return condition.wrote()
      condition.failed('writing', full)
      throw full
    },
    (trouble) => state.reported.push(trouble?.message),
    () => state.now,
  )
  return { state, condition }
}

test('a request for the condition makes a write, unless one was made just now', async () => {
  const { state, condition } = watched()
  await condition.requireHealthy()
  await condition.requireHealthy()
  assert.equal(state.probes, 1)
  state.now = 4000
  condition.wrote()
  state.now = 8000
  await condition.requireHealthy()
  assert.equal(state.probes, 1)
  state.now = 9001
  await condition.requireHealthy()
  assert.equal(state.probes, 2)
})

test('a disk that filled up while nothing was written is noticed at the next request', async () => {
  const { state, condition } = watched()
  await condition.requireHealthy()
  state.now = 60_000
  state.isFull = true
  await assert.rejects(condition.requireHealthy(), full)
  assert.equal(condition.trouble, full)
})

test('failures by the thousand are reported once; it is over when a write works again', async () => {
  const { state, condition } = watched()
  for (; state.now < 60_000; state.now += 50) condition.failed('writing', full)
  assert.deepEqual(state.reported, [full.message])
  // Some writes fit in where others do not: that is not the end of it.
  condition.wrote()
  state.now += 3000
  await assert.rejects(condition.requireHealthy(), full)
  state.isFull = true
  state.now += 10_000
  condition.failed('writing', full)
  state.now += 10_000
  await assert.rejects(condition.requireHealthy(), full)
  state.isFull = false
  state.now += 10_000
  await condition.requireHealthy()
  assert.equal(condition.trouble, undefined)
  assert.deepEqual(state.reported, [full.message, undefined])
})

test('what could not be read is over when the same read works', async () => {
  const { state, condition } = watched()
  let isBad = true
  const read = async () => {
    if (isBad) condition.failed('reading', unreadable, read)
  }
  await read()
  for (let round = 0; round < 3; round += 1) {
    state.now += 11_000
    condition.wrote()
    await assert.rejects(condition.requireHealthy(), unreadable)
  }
  isBad = false
  state.now += 11_000
  await condition.requireHealthy()
  assert.deepEqual(state.reported, [unreadable.message, undefined])
})

test('two failures at once are one condition: it is over when both are', async () => {
  const { state, condition } = watched()
  condition.failed('journal', unreadable)
  condition.failed('writing', full)
  state.now += 11_000
  await assert.rejects(condition.requireHealthy(), unreadable)
  condition.works('journal')
  await condition.requireHealthy()
  assert.deepEqual(state.reported, [unreadable.message, undefined])
})
