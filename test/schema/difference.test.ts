import assert from 'node:assert/strict'
import { test } from 'node:test'
import { difference } from '../../src/schema/difference.ts'
import {
  assigned,
  derived,
  echo,
  groups,
  optional,
  required,
  secret,
  set,
} from '../../src/schema/resource.ts'
import { bool, instant, int, long, text } from '../../src/schema/scalar.ts'

const shape = {
  name: 'thing',
  fields: {
    id: assigned(long),
    name: required(text()),
    alias: echo('name'),
    note: optional(text()),
    open: optional(bool),
    since: optional(instant),
    shown: derived(text()),
    tag: set(text()),
    part: groups({ number: required(int()), word: optional(text()) }),
    key: secret(text()),
  },
}

const thing = {
  id: 7n,
  name: 'a',
  note: null,
  open: true,
  since: 5000,
  shown: 'x',
  tag: ['t'],
  part: [{ number: 1, word: null }],
}
const parsed = (reported: string | null) => reported && JSON.parse(reported)

test('a new record is recorded whole, as JSON has it; what has no content is left out', () => {
  const { before, after } = difference(shape, undefined, thing)
  assert.equal(before, null)
  assert.deepEqual(parsed(after), {
    id: '7',
    name: 'a',
    open: 'true',
    since: '5',
    tag: ['t'],
    part: [{ number: '1' }],
  })
  assert.deepEqual(parsed(difference(shape, thing, undefined).before), parsed(after))
})

test('of a changed record only the fields that differ are recorded, on both sides', () => {
  const changed = { ...thing, name: 'b', note: 'n', open: null, part: [], shown: 'y' }
  const { before, after, fields } = difference(shape, thing, changed)
  assert.equal(fields, 4)
  assert.deepEqual(parsed(before), { name: 'a', note: '', open: 'true', part: [{ number: '1' }] })
  assert.deepEqual(parsed(after), { name: 'b', note: 'n', open: '', part: '' })
  assert.deepEqual(difference(shape, thing, { ...thing }), { before: '{}', after: '{}', fields: 0 })
})

test('of a secret it is recorded that it was set, and nothing more', () => {
  const { before, after } = difference(shape, thing, { ...thing, key: 'hunter2' })
  assert.deepEqual([before, after], ['{"key":""}', '{"key":"(not shown)"}'])
  assert.equal(parsed(difference(shape, undefined, { ...thing, key: 'hunter2' }).after).key, '(not shown)')
  assert.equal(difference(shape, thing, { ...thing, key: null }).fields, 0)
})

test('long values are cut, with a mark that says how long they were', () => {
  const part = Array.from({ length: 10_000 }, (_, number) => ({ number, word: '😀' }))
  const { after } = difference(shape, undefined, { ...thing, note: 'x'.repeat(5000), part })
  assert.ok((after ?? '').length < 3000)
  assert.equal(parsed(after).note, `${'x'.repeat(1000)}… (cut, 5000 characters in total)`)
  assert.match(parsed(after).part, /^\[\{"number":"0".{980,}… \(cut, \d+ characters in total\)$/)
  assert.ok(String(after).isWellFormed())
})
