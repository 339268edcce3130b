import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutPower, withoutTracing } from './power-cut.ts'

test('a power cut right behind a promise takes nothing that was promised', withoutTracing, async () => {
  const seen = await cutPower(600)
  assert(seen.cuts > 6, JSON.stringify(seen))
})
