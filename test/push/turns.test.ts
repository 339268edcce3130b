// How the work of many streams is spread.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { KeyedQueue } from '../../src/pacing/serial-queue.ts'
import { TimeSlicedQueue } from '../../src/pacing/time-slice.ts'

suite('turns', () => {
  test('pieces are done in the order they came, some milliseconds of them at a time', async () => {
    const time = { now: 0 }
    const turns = new TimeSlicedQueue(() => time.now)
    const happened: string[] = []
    const others = setInterval(() => undefined, 1000)
    let isOver = false
    const everythingElse = () => {
      happened.push('others')
      if (!isOver) setImmediate(everythingElse)
    }
    setImmediate(everythingElse)
    const pieces = Array.from({ length: 100 }, (_, index) =>
      turns.run(async () => {
        time.now += 2
        await Promise.resolve()
        happened.push(String(index))
        return index
      }),
    )
    assert.deepEqual(
      await Promise.all(pieces),
      pieces.map((_, index) => index),
    )
    isOver = true
    clearInterval(others)
    assert.deepEqual(
      happened.filter((what) => what !== 'others'),
      pieces.map((_, index) => String(index)),
    )
    const runs = happened.join(' ').split('others')
    const longest = Math.max(...runs.map((run) => run.split(' ').filter((what) => what !== '').length))
    assert.equal(longest, 3, 'the third piece ends the slice of five milliseconds')
  })

  test('a piece that fails does not stop the next', async () => {
    const turns = new TimeSlicedQueue()
    const failing = turns.run(() => Promise.reject(new Error('no')))
    const next = turns.run(async () => 'done')
    await assert.rejects(failing, /no/)
    assert.equal(await next, 'done')
  })
})

test('tasks of one name wait for each other, of different names do not', async () => {
  const lanes = new KeyedQueue()
  const held = Promise.withResolvers<void>()
  const happened: string[] = []
  const task = (name: string, wait?: Promise<void>) =>
    lanes.run(name.charAt(0), async () => {
      await wait
      happened.push(name)
    })
  const first = task('a1', held.promise)
  const failing = lanes.run('a', () => Promise.reject(new Error('no')))
  const second = task('a2')
  await task('b1')
  assert.deepEqual(happened, ['b1'])
  held.resolve()
  await Promise.all([first, second, assert.rejects(failing, /no/)])
  assert.deepEqual(happened, ['b1', 'a1', 'a2'])
})
