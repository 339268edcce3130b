// Which parts are asked about again in one round.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Suspect } from '../../src/ask/verify/missed-faults.ts'
import { inTurn } from '../../src/ask/verify/moves.ts'
import type { Watch } from '../../src/ask/verify/watches.ts'

/** A part at `at` whose alarm is that of `from`: alarms have the ids of the places at which they were reported. */
const part = (at: number, from?: number, occupant?: number): Suspect => ({
  watch: {} as Watch,
  ...{ instance: String(at), name: '', names: [], before: undefined, own: undefined },
  moved: from === undefined ? undefined : BigInt(from),
  occupant: occupant === undefined ? undefined : BigInt(occupant),
})
const turns = (suspects: readonly Suspect[], budget: number) =>
  [...inTurn(suspects, budget)].map(({ instance }) => Number(instance))

test('who waits comes after the one that leaves; what waits for an alarm that stays is not asked about', () => {
  const chain = [part(2, 1, 2), part(3, 2, 3), part(4, 3), part(9)]
  assert.deepEqual(turns(chain, 60), [4, 3, 2, 9])
  assert.deepEqual(turns(chain, 2), [4, 3])
  assert.deepEqual(turns([part(2, 1, 2), part(3, 2, 3), part(8, undefined, 8), part(9)], 60), [9])
})

test('a ring is asked about as a whole or not at all, and keeps no other from its turn', () => {
  const long = [part(2, 1, 2), part(3, 2, 3), part(4, 3, 4), part(1, 4, 1)]
  const short = [part(12, 11, 12), part(11, 12, 11)]
  assert.deepEqual(turns([...long, ...short], 60).length, 6)
  assert.deepEqual(turns([...long, ...short, part(9)], 4).sort(), [11, 12, 9].sort())
  assert.deepEqual(turns(long, 3), [])
})
