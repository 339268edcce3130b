// Messages of a stream: counted, ended by line feeds, or both, in whatever pieces they arrive.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Frame, FrameReader } from '../../src/syslog/frame-reader.ts'

const texts = (frames: readonly Frame[]) => frames.map(({ bytes }) => Buffer.from(bytes).toString())

function readAll(stream: Buffer, pieces: readonly number[] = [], limit?: number): Frame[] {
  const reader = new FrameReader(limit)
  const frames: Frame[] = []
  let at = 0
  for (const length of pieces) {
    frames.push(...reader.read(stream.subarray(at, at + length)))
    at = Math.min(stream.length, at + length)
  }
  frames.push(...reader.read(stream.subarray(at)))
  const rest = reader.end()
  return rest ? [...frames, rest] : frames
}

const counted = (text: string) => `${Buffer.byteLength(text)} ${text}`

test('counted messages and lines are told apart one by one', () => {
  const stream = `${counted('<13>a\nb')}<14>c\n${counted('<15>d')}\n17: *Mar  1 00:00:01: e\r\n3 blind mice\n<16>f`
  assert.deepEqual(texts(readAll(Buffer.from(stream))), [
    ...['<13>a\nb', '<14>c', '<15>d', '17: *Mar  1 00:00:01: e\r', '3 blind mice', '<16>f'],
  ])
})

test('any sequence of messages comes out as it was framed, in whatever pieces it arrives', () => {
  const message = fc.tuple(fc.boolean(), fc.string({ maxLength: 60 })).map(([isCounted, text]) => ({
    isCounted,
    text: `<13>${isCounted ? text : text.replaceAll('\n', ' ')}`,
  }))
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 8 }),
      fc.array(fc.nat(40), { maxLength: 30 }),
      (messages, pieces) => {
        const framed = messages.map(({ isCounted, text }) => (isCounted ? counted(text) : `${text}\n`))
        const stream = Buffer.from(framed.join(''))
        assert.deepEqual(
          texts(readAll(stream, pieces)),
          messages.map(({ text }) => Buffer.from(text).toString()),
        )
      },
    ),
  )
})

test('any bytes become messages, and none is longer than the limit', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      fc.array(fc.nat(30), { maxLength: 20 }),
      (bytes, pieces) => {
        const whole = readAll(Buffer.from(bytes), [], 32)
        assert.deepEqual(readAll(Buffer.from(bytes), pieces, 32), whole)
        for (const { bytes: frame } of whole) assert(frame.length > 0 && frame.length <= 32)
      },
    ),
  )
})

test('a message beyond the limit is cut, and the next one is whole', () => {
  const frames = readAll(
    Buffer.from(`${counted(`<13>${'x'.repeat(50)}`)}<13>${'y'.repeat(50)}\n<13>z\n`),
    [7, 1, 30],
    10,
  )
  assert.deepEqual(texts(frames), ['<13>xxxxxx', '<13>yyyyyy', '<13>z'])
  assert.deepEqual(
    frames.map(({ isCut }) => isCut),
    [true, true, false],
  )
})

test('a count that is too large waits for the end of the connection', () => {
  assert.deepEqual(texts(readAll(Buffer.from('900 <13>short\n<13>next\n'))), ['<13>short\n<13>next\n'])
})
