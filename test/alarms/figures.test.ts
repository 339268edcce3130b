// Figures are counted from the log, in pieces, while it grows.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlarmFigures } from '../../src/alarms/history/figures.ts'
import { lastEntryNumber } from '../../src/alarms/log/epochs.ts'
import type { Database } from '../../src/store/database.ts'
import { ifIndex, linkDown, onEveryStore, type World } from './world.ts'

await onEveryStore((w: World) => {
  let raised = 0
  const raise = async (count: number) => {
    const traps = Array.from({ length: count }, () => {
      raised += 1
      return w.trap(linkDown, '10.70.0.1', [ifIndex(raised)])
    })
    await w.handle(...traps)
  }
  const counted = async () => {
    const [row] = await w.database.all("select value from counter where name = 'alarm figures'")
    return row?.value as bigint
  }

  test('what is in the log when counting begins is counted, however much is added meanwhile', async () => {
    await raise(300)
    const there = await lastEntryNumber(w.database)
    let pieces = 0
    // After every piece there is more than the next one can hold.
    const growing: Pick<Database, 'all' | 'transaction' | 'workInBackground'> = {
      all: (...query) => w.database.all(...query),
      workInBackground: (...work) => w.database.workInBackground(...work),
      async transaction(work) {
        pieces += 1
        assert(pieces < 30, 'counting has no end')
        const done = await w.database.transaction(work)
        await raise(100 * 2 ** Math.min(pieces, 3))
        return done
      },
    }
    await new AlarmFigures(growing as Database, 'UTC').catchUp()
    assert.equal(await counted(), there)
    const figures = new AlarmFigures(w.database, 'UTC')
    await figures.catchUp()
    assert.equal(await counted(), await lastEntryNumber(w.database))
  })

  test('a stop does not wait until everything is counted', async () => {
    await raise(300)
    const before = await counted()
    await new AlarmFigures(w.database, 'UTC').catchUp(() => true)
    assert.equal(await counted(), before + 100n, 'one piece')
  })

  test('requests that count at the same time all get complete figures, and each entry is counted once', async () => {
    await raise(500)
    const there = await lastEntryNumber(w.database)
    const asked = Array.from({ length: 3 }, async () => {
      await new AlarmFigures(w.database, 'UTC').catchUp()
      assert.equal(await counted(), there)
    })
    await Promise.all(asked)
    const [sum] = await w.database.all("select sum(raised) as n from alarm_figure where dimension = 'all'")
    assert.equal(Number(sum?.n), raised)
  })
})
