// Messages without a definition are grouped by their shape, within bounds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readMessage } from '../../src/syslog/message-reader.ts'
import { MessageShapes } from '../../src/syslog/message-shapes.ts'

function shapesOf(messages: readonly string[], limit?: number): MessageShapes {
  const shapes = new MessageShapes(limit)
  for (const message of messages) shapes.add(readMessage(Buffer.from(message)))
  return shapes
}

test('messages that differ in numbers and names are one shape', () => {
  const shapes = shapesOf([
    '<30>May  1 10:20:30 a dhcpd[7]: lease given to client alice on eth0 until 10:40',
    '<30>May  1 10:20:31 b dhcpd[8]: lease given to client bob on eth1 until 10:41',
    '<28>May  1 10:20:32 b dhcpd[8]: lease given to client carol on eth1 until 10:42',
    '<30>May  1 10:20:33 a ntpd[3]: lease given to client dave on eth0 until 10:43',
  ])
  assert.deepEqual(
    shapes.list().map(({ origin, words, count, severity, devices }) => ({
      ...{ origin, text: words.join(' '), count, severity, hosts: devices.length },
    })),
    [
      { origin: 'dhcpd', text: 'lease given to client * on * until *', count: 3, severity: 4, hosts: 2 },
      { origin: 'ntpd', text: 'lease given to client dave on * until *', count: 1, severity: 6, hosts: 1 },
    ],
  )
})

test('what sounds like a fault comes first, then the worse and the more frequent', () => {
  const shapes = shapesOf([
    ...[
      '<14>app: all quiet',
      '<14>app: all quiet',
      '<11>app: something odd',
      '<14>app: engine room lost',
      '<14>b: hello',
    ],
  ])
  assert.deepEqual(
    shapes.list().map(({ example }) => example),
    ['engine room lost', 'something odd', 'all quiet', 'hello'],
  )
})

test('every message is counted, and there are no more groups than the limit', () => {
  const word = fc.constantFrom('link', 'down', 'up', 'port', '7', 'x9', 'lost')
  const message = fc.array(word, { maxLength: 6 }).map((words) => `<14>app: ${words.join(' ')}`)
  fc.assert(
    fc.property(fc.array(message, { maxLength: 60 }), fc.integer({ min: 1, max: 10 }), (messages, limit) => {
      const shapes = shapesOf(messages, limit)
      const list = shapes.list()
      const counted = list.reduce((sum, { count }) => sum + count, 0)
      assert.equal(counted + shapes.uncounted, messages.length)
      assert(list.length <= limit)
    }),
  )
})
