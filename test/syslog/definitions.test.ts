// The shipped definitions: each makes of its own examples what it says, and a mistake in a file is named.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardEvents } from '../../src/events/event-file.ts'
import { partFinderOf } from '../../src/schema/pattern.ts'
import { MessageMatcher } from '../../src/syslog/message-matcher.ts'
import { readMessage } from '../../src/syslog/message-reader.ts'
import { readDefinitions, readShippedDefinitions } from '../../src/syslog/syslog-definitions.ts'

// All patterns are compiled here.
const { definitions, events } = readShippedDefinitions(false)
const matcher = new MessageMatcher(definitions)

for (const definition of definitions) {
  test(`${definition.name} makes of its messages what it was written for`, () => {
    assert(definition.examples.length > 0, 'it has no example')
    for (const { message, does, resource } of definition.examples) {
      const meaning = matcher.match(readMessage(Buffer.from(message)))
      assert.deepEqual(
        { by: meaning?.definition.name, does: meaning?.does, resource: meaning?.resource },
        { by: definition.name, does, resource },
        message,
      )
    }
  })
}

test('names are unique, and every event below our own arc has a definition', () => {
  const names = definitions.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  const used = new Set(definitions.map(({ event }) => event?.eventOid))
  assert.deepEqual(
    events.filter(({ eventOid }) => !used.has(eventOid)).map(({ name }) => name),
    [],
    'no definition leads to these events',
  )
  const standard = new Set(standardEvents.map(({ eventOid }) => eventOid))
  assert.deepEqual(
    events.filter(({ eventOid }) => standard.has(eventOid)),
    [],
  )
})

const byOid = new Map(events.map((event) => [event.eventOid, event]))
const fan = {
  name: 'fan',
  event: events[0]?.eventOid,
  does: 'raise',
  words: ['fan'],
  texts: ['fan (?P<fan>\\d+) failed'],
  key: ['fan'],
  examples: [{ message: 'fan 1 failed', does: 'raise', resource: 'fan=1' }],
}
const read = (change: object) =>
  readDefinitions(JSON.stringify({ about: 'fans', definitions: [{ ...fan, ...change }] }), 'fans.json', byOid)

const mistakes: readonly (readonly [object, string])[] = [
  [{ event: '1.3.9' }, 'event is no known event'],
  [{ does: 'close' }, 'does is "close": one of raise, clear, state, event, ignore is expected'],
  [{ does: 'ignore' }, 'event is not used by "ignore"'],
  [{ words: undefined }, 'codes and words are missing: one of them is expected'],
  [{ words: ['Fan'] }, 'words has Fan: small letters are expected'],
  [{ key: ['port'] }, 'key names port, which no text has'],
  [{ texts: ['fan (?P<fan>'] }, 'is not accepted'],
  [{ texts: ['x'.repeat(401)] }, 'texts a pattern of 401 characters is not accepted'],
  [{ level: 2 }, 'level is not a known field'],
  [{ examples: undefined }, 'examples is missing: a list is expected'],
]
for (const [change, words] of mistakes) {
  test(`a file with a mistake is refused: ${words}`, () => {
    assert.throws(
      () => read(change),
      (error: Error) =>
        error.message.startsWith('fans.json: definition 1 ("fan"): ') && error.message.includes(words),
    )
  })
}

test('a pattern gives the named parts that took part in the match, without regard to letter case', () => {
  const { names, find } = partFinderOf('fan (?P<fan>\\d+)|psu (?P<psu>\\d+)')
  assert.deepEqual(names.toSorted(), ['fan', 'psu'])
  assert.deepEqual([...(find('the PSU 7 failed') ?? [])], [['psu', '7']])
  assert.equal(find('nothing'), undefined)
  assert.equal(partFinderOf('fan').find('FAN')?.size, 0)
})

test('a message that is found by its code is no fault, whatever its text says; a fault needs a text', () => {
  const meaningOf = (message: string) => matcher.match(readMessage(Buffer.from(message)))?.does
  assert.equal(meaningOf('%SYS-5-CONFIG_I: fan 1 failed'), 'event')
  assert.equal(meaningOf('%LINK-3-UPDOWN: something else'), undefined)
})

test('a word that alarms have in common does not make an alarm of any text', () => {
  for (const message of [
    '<28>doord[7]: cabinet 7 door alarm sensor lost contact',
    '<28>app[7]: smoke test failed',
    '<28>app[7]: fire drill plan rejected',
    '<28>billing[3]: water bill import failed',
  ])
    assert.equal(matcher.match(readMessage(Buffer.from(message)))?.does, undefined, message)
})
