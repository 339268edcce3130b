// Letter case and wildcards of text filters.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { patternTest } from '../../src/rules/rules.ts'
import { readPattern, searchSteps } from '../../src/schema/list-filter.ts'
import { fold } from '../../src/schema/scalar.ts'

test('letter case is ignored in every alphabet', () => {
  const pairs: [string, string][] = [
    ['CORE-Switch', 'core-sWITCH'],
    ['ÄÖÜ', 'äöü'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδοσ', 'οδος'],
    ['ЖЁЪ', 'жёъ'],
    ['ԱՐԵՎ', 'արեվ'],
    ['𐐀𐐁', '𐐨𐐩'],
    ['Ა', 'ა'],
    ['Ꭰ', 'ꭰ'],
    ['\u212a', 'k'],
    ['\u2126', 'ω'],
    ['\u017f', 'S'],
    ['ẞ', 'ß'],
    ['ǅ', 'ǆ'],
    ['ᾼ', 'ᾳ'],
  ]
  for (const [upper, lower] of pairs) assert.equal(fold(upper), fold(lower), `${upper} and ${lower}`)
})

test('a letter without a single counterpart stays itself', () => {
  assert.equal(fold('Straße'), 'straße')
  assert.notEqual(fold('STRASSE'), fold('straße'))
  assert.equal(fold('İ'), 'İ')
  assert.equal(fold('ŉ'), 'ŉ')
})

test('every character folds to one character that is as long, together with its other cases, whatever stands beside it', () => {
  for (let code = 0; code <= 0x1ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const char = String.fromCodePoint(code)
    const folded = fold(char)
    if ([...folded].length !== 1 || folded.length !== char.length || fold(folded) !== folded)
      assert.fail(`U+${code.toString(16)}`)
    for (const other of [char.toUpperCase(), char.toLowerCase()]) {
      if ([...other].length === 1 && fold(other) !== folded)
        assert.fail(`U+${code.toString(16)} and ${other}`)
    }
  }
})

test('a text folds character by character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      assert.equal(fold(a + b), fold(a) + fold(b))
      assert.equal([...fold(a)].length, [...a].length)
    }),
  )
})

type Token = { any: true } | { one: true } | { char: string }

function tokens(pattern: string): Token[] {
  const out: Token[] = []
  const chars = [...pattern]
  for (let at = 0; at < chars.length; at += 1) {
    const [char = '', next = ''] = chars.slice(at, at + 2)
    if (char === '\\' && (next === '*' || next === '?')) {
      out.push({ char: next })
      at += 1
    } else out.push(char === '*' ? { any: true } : char === '?' ? { one: true } : { char: fold(char) })
  }
  return out
}

/** The filter as docs/interface/conventions.md describes it, without regard to speed. */
function plainMatch([token, ...rest]: Token[], [char, ...behind]: string[]): boolean {
  if (!token) return char === undefined
  if ('any' in token) {
    if (plainMatch(rest, char === undefined ? [] : [char, ...behind])) return true
    return char !== undefined && plainMatch([token, ...rest], behind)
  }
  return char !== undefined && ('one' in token || fold(char) === token.char) && plainMatch(rest, behind)
}

/** SQL's LIKE with `\` as the escape, as both stores define it. */
function sqlLike(pattern: string, value: string): boolean {
  const parts = [...pattern.matchAll(/\\([\s\S])|([%_])|([\s\S])/gu)].map(([, escaped, wild, plain]) => {
    if (wild) return wild === '%' ? '[\\s\\S]*' : '[\\s\\S]'
    return RegExp.escape(escaped ?? plain ?? '')
  })
  return new RegExp(`^${parts.join('')}$`, 'u').test(value)
}

const alphabet = fc.constantFrom('a', 'A', 'b', '*', '?', '\\', '%', '_', 'Σ', 'ς', '😀', '.', '\n')
const words = fc.array(alphabet, { maxLength: 7 }).map((chars) => chars.join(''))

test('a pattern matches what a plain reading of its words matches', () => {
  fc.assert(
    fc.property(words, words, (pattern, value) => {
      const { literal, like, prefix } = readPattern(pattern)
      const expected = plainMatch(tokens(pattern), [...value])
      const folded = fold(value)
      assert.equal(literal === undefined ? sqlLike(like, folded) : literal === folded, expected)
      assert.equal(patternTest(pattern)(value), expected)
      if (expected) assert(folded.startsWith(prefix))
    }),
    { numRuns: 3000 },
  )
})

test('without wildcards the whole value must be equal', () => {
  assert.deepEqual(readPattern('Core'), { literal: 'core', like: 'core', prefix: 'core' })
  assert.equal(readPattern('100%').literal, '100%')
  assert.equal(readPattern('a\\*b').literal, 'a*b')
  assert.equal(readPattern('a\\b').literal, 'a\\b')
})

/** The steps in which a store looks for a text at each character of a value, as LIKE does behind a `%`. */
function stepsIn(value: readonly string[], wanted: readonly string[]): number {
  let steps = 0
  for (let at = 0; at < value.length; at += 1) {
    let length = 0
    while (length < wanted.length && (wanted[length] === '_' || wanted[length] === value[at + length]))
      length += 1
    steps += length + 1
  }
  return steps
}

test('no value takes more steps to be searched than a pattern says', () => {
  const signs = fc.constantFrom('a', 'b', '?')
  const wanted = fc.array(signs, { minLength: 1, maxLength: 12 }).map((chars) => `a${chars.join('')}`)
  // What takes long to be searched repeats what is searched for.
  const part = fc.oneof(fc.nat(12), fc.constantFrom('a', 'b'))
  fc.assert(
    fc.property(wanted, fc.array(part, { maxLength: 12 }), (text, parts) => {
      const { like } = readPattern(`*${text}`)
      const filled = text.replaceAll('?', 'a')
      const value = parts.map((one) => (typeof one === 'string' ? one : filled.slice(0, one))).join('')
      const most = (searchSteps(like) + 1) * value.length + like.length
      assert.ok(stepsIn([...value], [...like.slice(1)]) <= most)
    }),
    { numRuns: 3000 },
  )
  assert.equal(searchSteps('%aaaa'), 4)
  assert.equal(searchSteps('aaaa%'), 0)
  assert.equal(searchSteps('%abab'), 1 + 3 / 2)
})

test('a run of stars costs the store no more than one', () => {
  assert.equal(readPattern('*'.repeat(1000)).like, '%')
  assert.equal(readPattern('a***b').like, 'a%b')
  assert.equal(readPattern('\\**').like, '*%')
  assert.equal(readPattern('%*').like, '\\%%')
})
