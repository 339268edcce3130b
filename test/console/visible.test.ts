import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { visible } from '../../console/core/visible.ts'

test('control characters, and characters that reverse text, are made visible', () => {
  assert.equal(visible('\u001b[31mred\u0007'), '␛[31mred␇')
  assert.equal(visible('user\u202etxt.exe'), 'user‹U+202E›txt.exe')
  assert.equal(visible('a\u2066b\u2069\u0085'), 'a‹U+2066›b‹U+2069›‹U+0085›')
})

test('ordinary text of any alphabet, line breaks included, stays as it is', () => {
  for (const text of ['Zürich 東京', 'שלום', 'a\n\tb', '<script>alert(1)</script>', ''])
    assert.equal(visible(text), text)
})

test('no text contains invisible characters afterwards', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.doesNotMatch(visible(text), /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
    }),
  )
})
