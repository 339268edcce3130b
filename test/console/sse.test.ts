import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ServerEvent, SseReader } from '../../console/alarms/sse.ts'

function readAll(chunks: readonly string[]): ServerEvent[] {
  const events: ServerEvent[] = []
  const reader = new SseReader((event) => events.push(event))
  for (const chunk of chunks) reader.take(chunk)
  return events
}

test('events have a name, a position and data; comments are signs of life only', () => {
  const text =
    ':\n\nid: 1:2\ndata: {"a":1}\n\nevent: gap\nid: 1:9\ndata: {}\n\n:\nid: 1:12\n\ndata: x\r\n\r\n'
  assert.deepEqual(readAll([text]), [
    { name: '', id: '1:2', data: '{"a":1}' },
    { name: 'gap', id: '1:9', data: '{}' },
    { name: '', id: '1:12', data: '' },
    { name: '', id: undefined, data: 'x' },
  ])
})

test('events are the same however the text is cut', () => {
  const text = 'id: 1:2\ndata: {"text":"ä: b"}\n\nevent: gap\ndata: one\ndata: two\n\n'
  const whole = readAll([text])
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 10 }), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), text.length]
      const chunks = places.slice(1).map((end, index) => text.slice(places[index], end))
      assert.deepEqual(readAll(chunks), whole)
    }),
  )
})

test('a line without an end is not collected without limit', () => {
  const reader = new SseReader(() => undefined)
  assert.throws(() => {
    for (let i = 0; i < 20; i += 1) reader.take('x'.repeat(1024 * 1024))
  }, /without end/)
})
