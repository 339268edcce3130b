// A definition of messages in the console: made from an unknown shape, and sent without what does not go with the rest.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, definitionOf, valuesOf } from '../../console/messages/definition.ts'
import { messageFinderOf } from '../../src/schema/message-pattern.ts'

test('a definition made from a shape knows the messages of the shape', () => {
  const { word, code, message, key } = definitionOf('doord', 'cabinet * door (main) lost contact *')
  assert.deepEqual([word, code, key], [['doord'], undefined, ['part1']])
  const finder = messageFinderOf(message?.[0]?.pattern ?? '')
  const parts = finder.find('Cabinet 17 door (main) lost contact 4s')
  assert.deepEqual(
    [...(parts ?? [])],
    [
      ['part1', '17'],
      ['part2', '4s'],
    ],
  )
  assert.equal(finder.find('cabinet 17 door main lost contact 4s'), undefined)
  assert.deepEqual(definitionOf('LINK-UPDOWN', 'x').code, ['LINK-UPDOWN'])
  const long = definitionOf('app', Array.from({ length: 40 }, () => '*').join(' '))
  assert(messageFinderOf(long.message?.[0]?.pattern ?? '').size < 500)
})

test('a form is sent as the service takes it, and shows it again', () => {
  const values = valuesOf(definitionOf('doord', 'cabinet * door'))
  const own = bodyOf({ ...values, raises: 'down', code: ' A-B, C ' })
  assert.deepEqual([own.eventOid, own.alarmLevel, own.raises], [null, '3', []])
  assert.deepEqual((own as { code?: unknown }).code, ['A-B', 'C'])
  const other = bodyOf({ ...values, eventOid: '1.3.6.1.6.3.1.1.5.3' })
  assert.deepEqual([other.eventOid, other.alarmLevel], ['1.3.6.1.6.3.1.1.5.3', null])
  const quiet = bodyOf({ ...values, message: '[{"pattern":"x","handling":"0"}]', eventOid: '1.3' })
  assert.deepEqual([quiet.eventOid, quiet.alarmLevel], [null, null])
  assert.equal(valuesOf({ id: '7', eventOid: '1.3.6.1.4.1.32473.514.4.7' }).eventOid, '')
})
