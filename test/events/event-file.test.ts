// Files of event definitions: a mistake is reported with its file, entry and field.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents } from '../../src/events/event-file.ts'

const fan = {
  eventOid: '1.3.6.1.4.1.32473.7.1',
  name: 'fanFailed',
  alarmLevel: 2,
  alarmCategory: 'power',
  alarmDesc: 'Fan {fan} of {deviceName} has failed',
  parameter: [{ oid: '1.3.6.1.4.1.32473.8.1', name: 'fan', isKey: true, labels: '1=left;2=right' }],
}
const read = (...events: unknown[]) => readEvents(JSON.stringify({ about: 'fans', events }), 'fans.json')

test('a definition is read, with its category by name; a note is for people', () => {
  const [event] = read({ ...fan, note: 'there is none for its end', recovers: ['1.3.6.1.4.1.32473.7.2'] })
  assert.deepEqual(event, { ...fan, alarmCategory: 5, recovers: ['1.3.6.1.4.1.32473.7.2'] })
})

test('states and patterns are read', () => {
  const parameter = [{ ...fan.parameter[0], pattern: 'fan (.*)' }]
  const state = [
    { parameter: 'fan', values: 'left', handling: 1, alarmLevel: 1 },
    { parameter: 'fan', values: '*', handling: 2 },
  ]
  assert.deepEqual(read({ ...fan, parameter, state }), [{ ...fan, alarmCategory: 5, parameter, state }])
})

const entry = 'fans.json: event 1 ("fanFailed"): '
const parameter = (change: object) => ({ parameter: [{ ...fan.parameter[0], ...change }] })
const mistakes: readonly (readonly [object, string])[] = [
  [{ eventOid: '1.3.x' }, 'eventOid is "1.3.x": an OID is expected'],
  [{ eventOid: undefined }, 'eventOid is "undefined": an OID is expected'],
  [{ alarmLevel: 6 }, 'alarmLevel is "6": one of 1, 2, 3, 4, 5 is expected'],
  [{ alarmCategory: 'fans' }, 'alarmCategory is "fans": one of system, availability,'],
  [{ alarmDesc: 'Fan {fn}' }, 'alarmDesc names {fn}, which is no parameter'],
  [{ alarmLevle: 2 }, 'alarmLevle is not a known field'],
  [{ recovers: ['up'] }, 'recovers[1] is "up": an OID is expected'],
  [{ handling: 1 }, 'handling is "1": one of 0 is expected'],
  [parameter({ isKey: 'yes' }), 'parameter 1 ("fan"): isKey is "yes": one of true is expected'],
  [{ state: [{ parameter: 'fn', values: '1', handling: 2 }] }, 'state names fn, which is no parameter'],
  [
    { state: [{ parameter: 'fan', values: '1' }] },
    'state 1: handling is "undefined": one of 0, 1, 2 is expected',
  ],
  [
    parameter({ labels: 'left' }),
    'parameter 1 ("fan"): labels is "left": labels such as 1=up;2=down is expected',
  ],
]

for (const [change, message] of mistakes) {
  test(`a mistake is reported: ${message}`, () => {
    assert.throws(
      () => read({ ...fan, ...change }),
      (error: Error) => error.message.startsWith(entry + message) || assert.fail(error.message),
    )
  })
}

test('a pattern that cannot be matched in linear time is refused', () => {
  assert.throws(
    () => read({ ...fan, ...parameter({ pattern: '(a)\\1' }) }),
    /expected a regular expression in the syntax of RE2/,
  )
})

test('what is no JSON, no list, or defined twice is reported with the file', () => {
  assert.throws(() => readEvents('{', 'fans.json'), /^Fault: fans\.json: |fans\.json: /)
  assert.throws(() => readEvents('{"about":"fans"}', 'fans.json'), /fans\.json: events is missing/)
  assert.throws(() => read(fan, fan), /fans\.json: 1\.3\.6\.1\.4\.1\.32473\.7\.1 is defined twice/)
})
