// Figures are counted from the log, in pieces, while it grows.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { head } from '../../src/alarms/log.ts'
import { Figures } from '../../src/alarms/story/figures.ts'
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

  test('what is in the log when counting begins is counted, however much comes meanwhile', async () => {
    await raise(60)
    const there = await head(w.database)
    let pieces = 0
    // After every piece there is more than the next one can hold.
    const growing: Pick<Database, 'all' | 'transaction'> = {
      all: (...query) => w.database.all(...query),
      async transaction(work) {
        pieces += 1
        assert(pieces < 30, 'counting has no end')
        const done = await w.database.transaction(work)
        await raise(10 * 2 ** Math.min(pieces, 6))
        return done
      },
    }
    await new Figures(growing as Database, 'UTC').catchUp()
    assert.equal(await counted(), there)
    const figures = new Figures(w.database, 'UTC')
    await figures.catchUp()
    assert.equal(await counted(), await head(w.database))
  })

  test('a stop does not wait for all of it', async () => {
    await raise(60)
    const before = await counted()
    await new Figures(w.database, 'UTC').catchUp(() => true)
    assert.equal(await counted(), before + 10n, 'one piece')
  })
})
