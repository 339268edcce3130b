// What a pattern requires of a text rules out texts without running it. It must never rule out one that matches.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { foldedText, partFinderOf } from '../../src/schema/pattern.ts'
import { requiredTexts } from '../../src/schema/required-texts.ts'

const textsOf = (source: string) =>
  requiredTexts(source).map((texts) => texts.map(({ text, words }) => [text, ...words].join('|')))

const cases: readonly (readonly [string, string[][]])[] = [
  ['Fan (?P<fan>\\d+) has failed\\b', [['fan ', ' has failed|has|failed']]],
  ['fan|power supply', [['fan'], ['power supply']]],
  ['\\blink down\\b', [['link down|link|down']]],
  ['\\blink ?down', [['link', 'down']]],
  ['colou*r a{0,2}b{2}c+', [['colo', 'r ', 'b', 'c']]],
  ['\\bis (?:up|down)\\b', [['is |is']]],
  ['x(?: y)?z', [['x', 'z']]],
  ['(a(?P<n>b)c)', [['a', 'b', 'c']]],
  ['[^]a]x[\\]b]y', [['x', 'y']]],
  ['a\\.b\\wc', [['a.b', 'c']]],
  ['\\x41bc', []],
  ['(?s)a.b', []],
]
for (const [source, expected] of cases) {
  test(`${source} requires ${JSON.stringify(expected)}`, () => assert.deepEqual(textsOf(source), expected))
}

test('folding keeps the place of every character', () => {
  assert.equal(foldedText('Fan İ FAILED ß'), 'fan İ failed ß')
  assert.equal(foldedText('ÄÖ Fan'), 'äö fan')
  const parts = partFinderOf('FAN (?P<name>\\S+) Failed').find('İİ: fan Fan-A failed')
  assert.equal(parts?.get('name'), 'Fan-A')
})

test('ranges that letter case changes, names of characters and flags are matched without folding the pattern', () => {
  for (const source of ['[A-z]x', '[Z-a]x', '(?i)Ax', '\\x41x', '\\p{Lu}x', '[+-Z]x'])
    assert.notEqual(partFinderOf(source).find('say AX'), undefined, source)
})

test('a text matches as by another engine: each shipped pattern on each message that was written for one', () => {
  const folder = new URL('../../definitions/syslog/', import.meta.url)
  const definitions = readdirSync(folder).flatMap(
    (file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')).definitions ?? [],
  )
  const messages: string[] = definitions.flatMap((one) =>
    one.examples.map(({ message }: { message: string }) => message),
  )
  const sources: string[] = definitions.flatMap((one) => [
    ...(one.texts ?? []),
    ...(one.unless ? [one.unless] : []),
  ])
  let matched = 0
  for (const source of sources.filter((one) => !/\{[a-z]+\}/.test(one))) {
    const { find } = partFinderOf(source, true)
    const other = new RegExp(source.replaceAll('(?P<', '(?<'), 'i')
    for (const message of messages) {
      const expected = other.exec(message)
      const found = find(message)
      const parts = Object.entries(expected?.groups ?? {}).filter(([, value]) => value)
      assert.deepEqual(
        found && Object.fromEntries(found),
        expected ? Object.fromEntries(parts) : undefined,
        source,
      )
      if (expected) matched += 1
    }
  }
  assert(matched > 100, `only ${matched} matches`)
})

test('a pattern with capital letters of any alphabet finds a text that has them', () => {
  for (const text of ['Überlast an Lüfter 3', 'ОТКАЗ', '\u{118a0} lost', 'İstanbul down', 'ΟΔΟΣ'])
    for (const source of [text, `(?P<all>${text})`]) assert.ok(partFinderOf(source).find(text), source)
  assert.equal(partFinderOf('(?P<what>ÜBERLAST)').find('Die Überlast')?.get('what'), 'Überlast')
})
