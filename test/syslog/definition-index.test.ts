// The index finds what one finds by trying all definitions one after the other, with many that need the same words.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageMatcher } from '../../src/syslog/message-matcher.ts'
import { readMessage } from '../../src/syslog/message-reader.ts'
import { readDefinitions, readShippedDefinitions } from '../../src/syslog/syslog-definitions.ts'

const { definitions: shipped, events } = readShippedDefinitions()
const byOid = new Map(events.map((event) => [event.eventOid, event]))
const oid = events[0]?.eventOid

const subjects = ['pump', 'valve', 'door', 'lift', 'boiler', 'sensor']
const states = ['jammed', 'stuck', 'offline', 'overheated']

/** All are listed under a common word; their patterns need a rarer one. */
const own = readDefinitions(
  JSON.stringify({
    about: 'many',
    definitions: subjects.flatMap((subject) =>
      states.map((state) => ({
        name: `${subject}-${state}`,
        event: oid,
        does: 'raise',
        words: ['unit', 'device'],
        texts: [`\\b${subject} (?P<name>\\w+) is ${state}\\b`, `\\b${state}: ${subject}\\b`],
        key: ['name'],
        examples: [],
      })),
    ),
  }),
  'many.json',
  byOid,
)

test('the index leads to the same definition as trying all of them', () => {
  const all = [...own, ...shipped]
  const matcher = new MessageMatcher(all)
  const single = all.map((definition) => new MessageMatcher([definition]))
  const written = shipped.flatMap(({ examples }) => examples.map(({ message }) => message))
  const made = subjects.flatMap((subject) =>
    states.flatMap((state) => [
      `unit 7: ${subject} A1 is ${state}`,
      `Device ${state}: ${subject}, was noticed`,
      `${subject} A1 is ${state}`,
    ]),
  )
  let found = 0
  for (const text of [...made, ...written]) {
    const message = readMessage(Buffer.from(text))
    const names = single.map((one) => one.match(message)?.definition.name)
    const codes = message.code ? [message.code.name, ...message.code.otherNames] : []
    const hasCode = (at: number) => all[at]?.codes.some((code) => codes.includes(code)) === true
    const expected =
      codes.flatMap((code) => names.filter((name, at) => name && all[at]?.codes.includes(code)))[0] ??
      names.find((name, at) => name !== undefined && !hasCode(at))
    assert.equal(matcher.match(message)?.definition.name, expected, text)
    if (expected?.includes('-')) found += 1
  }
  assert.equal(found, subjects.length * states.length * 2)
})

test('definitions behind very many that share their words are found', () => {
  const many = Array.from({ length: 500 }, (_, at) => ({
    ...{
      name: `n${at}`,
      event: oid,
      does: 'raise',
      words: ['fan'],
      texts: [`fan part${at} of tray`],
      examples: [],
    },
  }))
  const text = JSON.stringify({ about: 'many', definitions: many })
  const matcher = new MessageMatcher(readDefinitions(text, 'many.json', byOid))
  assert.equal(matcher.match(readMessage(Buffer.from('fan part499 of tray')))?.definition.name, 'n499')
})
