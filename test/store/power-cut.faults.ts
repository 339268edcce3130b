import assert from 'node:assert/strict'
import { test } from 'node:test'
import { record } from '../outcome.ts'
import { cutPower, withoutTracing } from './power-cut.ts'

test(
  'a power cut loses nothing that was acknowledged, also during a checkpoint',
  withoutTracing,
  async (t) => {
    const seen = await cutPower(6000)
    t.diagnostic(JSON.stringify(seen))
    // It has thrown where anything was gone.
    record({ rounds: seen.cuts, lost: 0 })
    assert(seen.cuts > 80 && seen.storeSynced > 0, 'also the store itself was written')
    assert(seen.lostWithoutSync > 0, 'a disk that does not sync would have been noticed')
  },
)
