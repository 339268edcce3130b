// Between two blocks of traps others get their turn, for as long as the block took at most.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { giveWay } from '../../src/intake/giving-way.ts'

/** Rounds of the event loop that take as long as said, and then nothing; answers when it went on. */
async function goesOnAfter(took: number, rounds: readonly number[]): Promise<number> {
  let now = 1000
  let next = 0
  await giveWay(
    took,
    () => now,
    async () => {
      now += rounds[next++] ?? 0
    },
  )
  return now - 1000
}

test('settling goes on at once where nobody else has something to do', async () => {
  assert.equal(await goesOnAfter(40, []), 0)
})

test('whoever has something to do gets his turn, also where it begins after a quiet round', async () => {
  assert.equal(await goesOnAfter(40, [0, 0, 3, 0, 0, 2, 5]), 10)
})

test('others have no more than the time that the block took, and the round that was begun', async () => {
  assert.equal(await goesOnAfter(40, Array(1000).fill(3)), 42)
})
