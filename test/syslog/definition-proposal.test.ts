// A definition is proposed for a message, or for a shape of messages.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { messageFinderOf, messagePattern } from '../../src/schema/message-pattern.ts'
import { proposeDefinition } from '../../src/syslog/definition-proposal.ts'
import { MessageMatcher } from '../../src/syslog/message-matcher.ts'
import { readShippedDefinitions } from '../../src/syslog/syslog-definitions.ts'

const matcher = new MessageMatcher(readShippedDefinitions().definitions)
const proposed = (origin: string, text: string) => proposeDefinition({ origin, text }, matcher)

test('from a shape, it knows the messages of the shape', () => {
  const { word, code, message, key } = proposed('doord', 'cabinet * door (main) lost contact *')
  assert.deepEqual([word, code, key], [['doord'], [], ['part']])
  const finder = messageFinderOf(message[0]?.pattern ?? '')
  const parts = finder.find('Cabinet 17 door (main) lost contact 4s')
  assert.deepEqual(
    [...(parts ?? [])],
    [
      ['part', '17'],
      ['part2', '4s'],
    ],
  )
  assert.equal(finder.find('cabinet 17 door main lost contact 4s'), undefined)
  const long = proposed('app', Array.from({ length: 40 }, () => '*').join(' '))
  assert(messageFinderOf(long.message[0]?.pattern ?? '').size < 500)
})

test('from an unknown message, addresses, ports and numbers are parts', () => {
  const { message, key } = proposed(
    'fwd',
    'tunnel 7 to 192.0.2.9 over Gi0/1, peer 00:1b:44:11:3a:b7 has failed',
  )
  assert.deepEqual(message, [
    {
      pattern: String.raw`tunnel (?P<number>\d+) to (?P<address>{address}) over (?P<ifDescr>{port}), peer (?P<mac>{mac}) has failed`,
      handling: 1,
    },
  ])
  assert.deepEqual(key, ['number'])
})

test('from a message that a definition knows, its event and its parts are proposed', () => {
  const { code, message, key, eventOid } = proposed(
    'LINK-UPDOWN',
    'Interface GigabitEthernet0/2, changed state to down',
  )
  assert.deepEqual([code, key, eventOid], [['LINK-UPDOWN'], ['ifDescr'], '1.3.6.1.6.3.1.1.5.3'])
  assert.deepEqual(message, [
    { pattern: 'Interface (?P<ifDescr>{port}), changed state to down', handling: 1 },
  ])
  const up = proposed('LINK-UPDOWN', 'Interface GigabitEthernet0/2, changed state to up')
  assert.equal(up.message[0]?.handling, 2)
  const login = proposed('SYS-CONFIG_I', 'Configured from console by admin on vty0 (192.0.2.4)')
  assert.deepEqual([login.message[0]?.handling, login.eventOid, login.key], [0, null, []])
})

test('whatever the message is, the pattern is accepted and matches it', () => {
  const words = fc.constantFrom(
    'down',
    '*',
    'Gi0/1,',
    '10.0.0.1',
    '(x)',
    '7%',
    'a+b',
    'ge-0/0/1.0',
    'fe80::1',
    '[12]',
    '  ',
  )
  const texts = fc.oneof(
    fc.array(words, { minLength: 1, maxLength: 60 }).map((all) => all.join(' ')),
    fc.string({ minLength: 1, maxLength: 500, unit: 'grapheme' }),
  )
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), texts, (origin, text) => {
      const { message, key, name } = proposed(origin, text)
      assert(name.length <= 100)
      const pattern = message[0]?.pattern ?? ''
      if (pattern === '') return
      assert.equal(messagePattern.read(pattern), pattern)
      const finder = messageFinderOf(pattern)
      assert(key.every((part) => finder.names.includes(part)))
      assert(finder.find(text) !== undefined, pattern)
    }),
    { numRuns: 1000 },
  )
})
