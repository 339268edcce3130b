// Texts of messages are cut between characters, never within one, and hold nothing that is not seen.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readable, readableLine, shortened } from '../../src/notify/message.ts'
import { type MessageParts, messageOf } from '../../src/notify/routes/message-text.ts'

test('a text that is too long is cut between characters', () => {
  assert.equal(shortened('🔥🔥🔥', 3), '🔥🔥🔥')
  assert.equal(shortened('🔥🔥🔥🔥', 3), '🔥🔥…')
  assert.equal(shortened('ab', 1), '…')
})

test('half a character becomes the sign for what cannot be shown', () => {
  assert.equal(shortened('a\ud83d', 5), 'a\ufffd')
})

test('what turns the direction of reading, or is not seen, is not in a message', () => {
  assert.equal(readable('log\u202egnp.exe\u2066 \u061cok'), 'log\ufffdgnp.exe\ufffd \ufffdok')
  assert.equal(readable('a\u001b[31mred\u0007'), 'a\ufffd[31mred\ufffd')
  assert.equal(readable('one\r\ntwo\rthree\u2028four\u0085five\tsix'), 'one\ntwo\nthree\nfour\nfive\tsix')
  assert.equal(readableLine('one\r\ntwo\t\u202ethree\u2029'), 'one two \ufffdthree')
})

const alarm = {
  ...{ id: '1', OID: '1.3.6.1.4.1.32473.9.1', eventName: 'fan', alarmLevel: 2, alarmLevelDesc: 'Major' },
  ...{ deviceName: 'sw\u202e1', deviceIp: '10.0.0.7', ifDesc: '', faultTimeDesc: '', recTimeDesc: '' },
  alarmDesc: 'The fan\u202e is\u2028dead',
}
// What titles and texts are made of, and no more.
const parts = {
  row: { change: 'note', detail: 'seen\u2066\r\nby me', messageId: 'm' },
  incident: { id: 1n, kind: 'alarm', rootId: 1n, alarms: 1, ended: 0, alarm: JSON.stringify(alarm) },
  ...{ routeName: 'night\u202e', store: 's', earlier: undefined, links: [], acknowledged: 0 },
} as unknown as MessageParts

test('devices and people cannot turn the text of a message; programs get the alarm as it is', () => {
  const message = messageOf(parts)
  assert.equal(message.title, 'Note: [Major] sw\ufffd1: The fan\ufffd is dead')
  assert.deepEqual(message.text.split('\n').slice(0, 4), ['seen\ufffd', 'by me', 'The fan\ufffd is', 'dead'])
  assert.match(message.text, /route night\ufffd$/)
  assert.equal(message.alarm?.alarmDesc, alarm.alarmDesc)
})
