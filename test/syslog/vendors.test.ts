// Messages in the documented formats of many vendors, and what each is about. They are not what definitions are judged by
// alone: `npm run measure -- syslog` tells which of them were looked at.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { MessageMatcher } from '../../src/syslog/message-matcher.ts'
import { readMessage } from '../../src/syslog/message-reader.ts'
import { readShippedDefinitions } from '../../src/syslog/syslog-definitions.ts'

interface Judged {
  readonly vendor: string
  readonly class: string
  readonly message: string
  readonly kind: 'raise' | 'clear' | 'neither' | 'both'
  readonly vars: { readonly name?: string }
}

const matcher = new MessageMatcher(readShippedDefinitions().definitions)

const judgedIn = (file: string): Judged[] =>
  readFileSync(new URL(`../../bench/corpus/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

for (const file of [
  'syslog-vendors.jsonl',
  'syslog-unseen.jsonl',
  'syslog-further.jsonl',
  'syslog-kinds.jsonl',
]) {
  const judged = judgedIn(file)
  const results = judged.map((one) => {
    const meaning = matcher.match(readMessage(Buffer.from(one.message)))
    const does = meaning?.does === 'raise' || meaning?.does === 'clear' ? meaning.does : 'neither'
    return { ...one, does, resource: meaning?.resource ?? '' }
  })
  const wrong = results.filter(({ kind, does }) => (kind === 'both' ? does === 'neither' : kind !== does))
  const share = (part: number, whole: number) => part / whole

  test(`nine of ten messages of ${file} are taken for what they are`, () =>
    assert(share(wrong.length, judged.length) <= 0.1, JSON.stringify(wrong, undefined, 1)))

  test(`nothing harmless of ${file} opens an alarm`, () =>
    assert.deepEqual(
      wrong.filter(({ kind, does }) => kind === 'neither' && does === 'raise'),
      [],
    ))

  test(`what is named in ${file} is in the resource`, () => {
    const named = results.filter(({ vars, kind, does }) => vars.name !== undefined && kind === does)
    assert(named.length > 20, `${named.length}`)
    for (const { vars, resource, message } of named)
      assert(resource.toLowerCase().includes((vars.name ?? '').toLowerCase()), `${resource}: ${message}`)
  })
}

const kinds = judgedIn('syslog-kinds.jsonl')

for (const [kind, messages] of Map.groupBy(kinds, ({ class: kind }) => kind)) {
  test(`${kind}, as each vendor says it`, () => {
    for (const { message, kind: expected } of messages) {
      const does = matcher.match(readMessage(Buffer.from(message)))?.does
      assert.equal(does === 'raise' || does === 'clear' ? does : 'neither', expected, message)
    }
  })
}

test('a fault and its end, as a vendor says them of one thing, have one resource', () => {
  const said = kinds
    .filter(({ vars, kind }) => vars.name !== undefined && kind !== 'neither')
    .map((one) => ({ ...one, meaning: matcher.match(readMessage(Buffer.from(one.message))) }))
  const pairs = Map.groupBy(said, ({ vendor, class: kind, vars, meaning }) =>
    [vendor, kind, vars.name, meaning?.definition.event?.name].join(),
  )
  const both = [...pairs.values()].filter((all) => new Set(all.map(({ kind }) => kind)).size > 1)
  assert(both.length >= 10, `${both.length} pairs`)
  for (const all of both)
    assert.equal(
      new Set(all.map(({ meaning }) => meaning?.resource)).size,
      1,
      JSON.stringify(all, ['message']),
    )
})

test('host and time of each message are read, where it has them', () => {
  const hosts = /\b(?:(?:sw|r|leaf|x|cx|d|srv|fw|fgt|gw|lb|idrac)[12])\b|\b192\.0\.2\.(?:9|60)\b/
  for (const { message } of kinds) {
    const { host, time, severity } = readMessage(Buffer.from(message))
    // Before any text that may name another device.
    const head = message.slice(0, message.startsWith('<188>date') ? 80 : 50)
    assert.equal(host, hosts.exec(head)?.[0], message)
    assert.equal(time === undefined, /^[a-z]/.test(message), message)
    const priority = /^<(\d+)>/.exec(message)?.[1]
    if (priority !== undefined) assert.equal(severity, Number(priority) & 7, message)
  }
})
