// Following messages: each is shown once, whatever comes in the same second or late from another node.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '../../console/messages/message-list.tsx'
import { longestRun } from '../../console/messages/shape-text.ts'
import { Tail } from '../../console/messages/tail.ts'

const message = (number: number, second: number, node = 'a'): Message => ({
  ...{ number: String(number), node, receivedTime: String(second) },
  ...{ deviceIp: '192.0.2.1', facility: '1', severity: '5', does: 'unknown' },
})

const shownBy = (messages: readonly Message[]) => messages.map(({ node, number }) => node + number).join(' ')

test('each message is taken once, also those of the same second, and late ones of another node', () => {
  const tail = new Tail()
  assert.deepEqual(tail.query, { size: 100 })
  assert.equal(shownBy(tail.add([message(2, 50), message(1, 50)]).messages), 'a2 a1')
  assert.deepEqual(tail.query, { size: 1000, startTime: 45 })
  const { messages, count, hasGap } = tail.add([
    ...[message(4, 51), message(3, 50), message(2, 50), message(1, 50)],
    message(9, 48, 'b'),
  ])
  assert.equal(shownBy(messages), 'a4 a3 a2 a1 b9')
  assert.deepEqual([count, hasGap], [5, false])
  assert.equal(tail.add([message(4, 51), message(3, 50), message(2, 50), message(1, 50)]).count, 5)
})

test('what came before the first answer is not taken for new, and one second keeps its order', () => {
  const tail = new Tail()
  const earlier = Array.from({ length: 400 }, (_, index) => message(400 - index, 50))
  tail.add(earlier.slice(0, 100))
  const { messages, count } = tail.add([message(402, 50), message(401, 50), ...earlier])
  assert.equal(count, 102)
  assert.deepEqual(
    messages.map(({ number }) => Number(number)),
    Array.from({ length: 102 }, (_, index) => 402 - index),
  )
})

test('a number that begins anew with a node that was restarted is another message', () => {
  const tail = new Tail()
  tail.add([message(1, 50)])
  assert.equal(tail.add([message(1, 53), message(1, 50)]).count, 2)
})

test('more than the service lists at once is a gap; what is shown is bounded', () => {
  const tail = new Tail()
  tail.add([message(1, 50)])
  const flood = Array.from({ length: 1000 }, (_, index) => message(5000 - index, 52))
  const { messages, hasGap } = tail.add(flood)
  assert.deepEqual([messages.length, hasGap], [500, true])
  assert.equal(messages[0]?.number, '5000')
})

test('messages of a shape are searched by the words that they all have', () => {
  assert.equal(longestRun('cabinet * door alarm sensor * lost'), 'door alarm sensor')
  assert.equal(longestRun('* *'), '')
  assert.equal(longestRun('all of it'), 'all of it')
})
