import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutPower, withoutTracing } from './power-cut.ts'

test(
  'a power cut right after an acknowledgement loses nothing that was acknowledged',
  withoutTracing,
  async () => {
    const seen = await cutPower(600)
    assert(seen.cuts > 6, JSON.stringify(seen))
  },
)
