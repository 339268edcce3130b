// Parts of MAC addresses are found whatever separators they are written with.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { macPatterns } from '../../src/schema/mac-pattern.ts'

/** As a store compares: `*` is any run of characters, `?` one. */
const isLike = (text: string, pattern: string) =>
  new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(text)

const found = (stored: string, pattern: string) =>
  macPatterns(pattern)?.some((one) => isLike(stored, one)) ?? false

const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 12, maxLength: 12 })
const stored = (digits: string) => digits.replaceAll(/..(?=.)/g, '$&:')

test('a part without separators is found where its digits are, and nowhere else', () => {
  assert(found('54:ee:75:4e:a9:9e', '*a99e*'))
  assert(found('54:ee:75:4e:a9:9e', '*99e'))
  assert(found('54:ee:75:4e:a9:9e', '54ee75*'))
  assert(found('54:ee:75:4e:a9:9e', '*E754*'))
  assert(!found('54:ee:75:4e:a9:9e', 'ee75*'))
  assert(!found('54:ee:75:4e:a9:9e', '*a9'))
  fc.assert(
    fc.property(hex, hex, fc.nat(11), fc.nat(12), (own, other, from, length) => {
      const part = own.slice(from, from + length)
      assert(found(stored(own), `*${part}*`))
      assert.equal(found(stored(other), `*${part}*`), other.includes(part))
      assert.equal(found(stored(other), `${part}*`), other.startsWith(part))
      assert.equal(found(stored(other), `*${part}`), other.endsWith(part))
    }),
  )
})

test('separators of every kind, several parts, and question marks for digits', () => {
  for (const part of ['*a9-9e*', '*a9.9e*', '*4ea9.9e', '54*a99e', '*e7*a9*', '*a?9e*', '*??9e'])
    assert(found('54:ee:75:4e:a9:9e', part), part)
  for (const part of ['*9ea9*', '*a9*75*', '54ee754ea99?0*']) assert(!found('54:ee:75:4e:a9:9e', part), part)
})

test('what is no pattern of an address is left alone', () => {
  for (const text of ['54:ee:75:4e:a9:9e', '*a9:9e*', '*printer*', 'a99e', '*\\**', '', '*1*22*33*44*55*'])
    assert.equal(macPatterns(text), undefined, text)
})
