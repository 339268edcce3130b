// Texts of messages are cut between characters, never within one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortened } from '../../src/notify/message.ts'

test('a text that is too long is cut between characters', () => {
  assert.equal(shortened('🔥🔥🔥', 3), '🔥🔥🔥')
  assert.equal(shortened('🔥🔥🔥🔥', 3), '🔥🔥…')
  assert.equal(shortened('ab', 1), '…')
})

test('half a character becomes the sign for what cannot be shown', () => {
  assert.equal(shortened('a\ud83d', 5), 'a\ufffd')
})
