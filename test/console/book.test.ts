import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { AlarmBook, lingering } from '../../console/alarms/book.ts'
import { alarmOf } from './samples.ts'

function open() {
  const frames: (() => void)[] = []
  const book = new AlarmBook({ frame: (work) => frames.push(work), clock: () => 100 })
  const draw = () => {
    for (const work of frames.splice(0)) work()
  }
  return { book, frames, draw }
}

test('many changes move the picture once', () => {
  const { book, frames, draw } = open()
  for (let id = 1; id <= 1000; id += 1) book.push(alarmOf({ id: String(id) }))
  assert.equal(frames.length, 1)
  draw()
  assert.equal(book.version.value, 1)
  assert.equal(book.rows.size, 1000)
})

test('a list that is loaded anew removes what is over meanwhile, and nothing before it is complete', () => {
  const { book } = open()
  book.push(alarmOf({ id: '1' }))
  book.push(alarmOf({ id: '2' }))
  book.beginAll()
  book.push(alarmOf({ id: '2' }))
  assert.equal(book.rows.size, 2)
  book.endAll()
  assert.deepEqual([...book.rows.keys()], ['2'])
})

test('those that were open before the page came are not news; those that come later are', () => {
  const { book } = open()
  const reported: string[] = []
  book.onNew(({ id }) => reported.push(id))
  book.beginAll()
  book.push(alarmOf({ id: '1' }))
  book.endAll()
  book.push(alarmOf({ id: '2' }))
  book.push(alarmOf({ id: '2', alarmLevel: '1' }))
  assert.deepEqual(reported, ['2'])
  assert.equal(book.rows.get('2')?.level, 1)
})

test('what has ended is seen for a moment, then gone; one that comes again stays', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const { book } = open()
    for (const id of ['1', '2']) book.push(alarmOf({ id }))
    book.push(alarmOf({ id: '9', nAction: 'Recover', recoverFaultIdList: ['1', '2'] }))
    assert.equal(book.rows.get('1')?.endedAt, 100)
    book.push(alarmOf({ id: '2' }))
    mock.timers.tick(lingering + 1)
    assert.deepEqual([...book.rows.keys()], ['2'])
  } finally {
    mock.timers.reset()
  }
})

test('a message of the service to this page alone is no alarm of the list', () => {
  const { book } = open()
  book.push(alarmOf({ id: '0' }))
  assert.equal(book.rows.size, 0)
})
