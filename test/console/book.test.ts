import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { AlarmBook, lingering } from '../../console/alarms/book.ts'
import { alarmOf, listedOf } from './samples.ts'

function open() {
  const frames: (() => void)[] = []
  const book = new AlarmBook({ frame: (work) => frames.push(work), clock: () => 100 })
  const draw = () => {
    for (const work of frames.splice(0)) work()
  }
  return { book, frames, draw }
}

test('many changes at once cause one update', () => {
  const { book, frames, draw } = open()
  for (let id = 1; id <= 1000; id += 1) book.push(alarmOf({ id: String(id) }))
  assert.equal(frames.length, 1)
  draw()
  assert.equal(book.version.value, 1)
  assert.equal(book.rows.size, 1000)
})

test('a list that is loaded anew removes alarms that ended meanwhile, but only when it is complete', () => {
  const { book } = open()
  book.push(alarmOf({ id: '1' }))
  book.push(alarmOf({ id: '2' }))
  book.beginAll()
  book.push(alarmOf({ id: '2' }))
  assert.equal(book.rows.size, 2)
  book.endAll()
  assert.deepEqual([...book.rows.keys()], ['2'])
})

test('the first alarms are shown before the list is loaded; they do not count as new, and are removed if the list lacks them', () => {
  const { book, draw } = open()
  const noticed: string[] = []
  book.onNew(({ id }) => noticed.push(id))
  book.showFirst([listedOf({ id: '1', repeats: '4' }), listedOf({ id: '2' })])
  book.beginAll()
  draw()
  assert.deepEqual([...book.rows.keys()], ['1', '2'])
  for (const id of ['1', '3']) book.push(alarmOf({ id }))
  book.endAll()
  assert.deepEqual([...book.rows.keys()], ['1', '3'])
  assert.equal(book.rows.get('1')?.repeats, 4, 'what the first list had is kept')
  assert.deepEqual(noticed, [])
  book.showFirst([listedOf({ id: '2' })])
  assert.equal(book.rows.has('2'), false, 'an answer that comes late changes nothing')
})

test('a part of the list does not count as the whole, also not in an earlier state', () => {
  const { book, draw } = open()
  book.showFirst([listedOf({ id: '1' })])
  draw()
  assert.equal(book.isWhole.value, false)
  book.beginAll()
  book.push(alarmOf({ id: '1' }))
  book.push(alarmOf({ id: '2' }))
  book.endAll()
  assert.equal(book.isWhole.value, false)
  draw()
  assert.equal(book.isWhole.value, true)
  book.beginAll()
  draw()
  assert.equal(book.isWhole.value, true, 'a list that is loaded anew stands on the one before')
})

test('what comes of the first list is not shown before all of it: it comes in another order than the rows that are there', () => {
  const { book, draw } = open()
  book.showFirst([listedOf({ id: '3' })])
  book.beginAll()
  const before = book.version.value
  for (const id of ['1', '2']) book.push(alarmOf({ id }))
  draw()
  assert.equal(book.version.value, before)
  book.push(alarmOf({ id: '3' }))
  book.endAll()
  draw()
  assert.equal(book.version.value, before + 1)
  book.beginAll()
  book.push(alarmOf({ id: '4' }))
  draw()
  assert.equal(book.version.value, before + 2, 'a list that is loaded anew is shown as it comes')
})

test('alarms that were open before the page was loaded do not count as new; later ones do', () => {
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

test('an alarm that has ended is shown for a moment, then removed; one that is raised again stays', () => {
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
