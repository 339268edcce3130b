import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { lingering, OpenAlarms } from '../../console/alarms/open-alarms.ts'
import { alarmOf, listedOf } from './samples.ts'

function open() {
  const frames: (() => void)[] = []
  const openAlarms = new OpenAlarms({ frame: (work) => frames.push(work), clock: () => 100 })
  const draw = () => {
    for (const work of frames.splice(0)) work()
  }
  return { openAlarms, frames, draw }
}

test('many changes at once cause one update', () => {
  const { openAlarms, frames, draw } = open()
  for (let id = 1; id <= 1000; id += 1) openAlarms.push(alarmOf({ id: String(id) }))
  assert.equal(frames.length, 1)
  draw()
  assert.equal(openAlarms.version.value, 1)
  assert.equal(openAlarms.rows.size, 1000)
})

test('a list that is loaded anew removes alarms that ended meanwhile, but only when it is complete', () => {
  const { openAlarms } = open()
  openAlarms.push(alarmOf({ id: '1' }))
  openAlarms.push(alarmOf({ id: '2' }))
  openAlarms.beginAll()
  openAlarms.push(alarmOf({ id: '2' }))
  assert.equal(openAlarms.rows.size, 2)
  openAlarms.endAll()
  assert.deepEqual([...openAlarms.rows.keys()], ['2'])
})

test('the first alarms are shown before the list is loaded; they do not count as new, and are removed if the list lacks them', () => {
  const { openAlarms, draw } = open()
  const noticed: string[] = []
  openAlarms.onNew(({ id }) => noticed.push(id))
  openAlarms.showFirst([listedOf({ id: '1', repeats: '4' }), listedOf({ id: '2' })])
  openAlarms.beginAll()
  draw()
  assert.deepEqual([...openAlarms.rows.keys()], ['1', '2'])
  for (const id of ['1', '3']) openAlarms.push(alarmOf({ id }))
  openAlarms.endAll()
  assert.deepEqual([...openAlarms.rows.keys()], ['1', '3'])
  assert.equal(openAlarms.rows.get('1')?.repeats, 4, 'what the first list had is kept')
  assert.deepEqual(noticed, [])
  openAlarms.showFirst([listedOf({ id: '2' })])
  assert.equal(openAlarms.rows.has('2'), false, 'an answer that comes late changes nothing')
})

test('a part of the list does not count as the whole, also not in an earlier state', () => {
  const { openAlarms, draw } = open()
  openAlarms.showFirst([listedOf({ id: '1' })])
  draw()
  assert.equal(openAlarms.isWhole.value, false)
  openAlarms.beginAll()
  openAlarms.push(alarmOf({ id: '1' }))
  openAlarms.push(alarmOf({ id: '2' }))
  openAlarms.endAll()
  assert.equal(openAlarms.isWhole.value, false)
  draw()
  assert.equal(openAlarms.isWhole.value, true)
  openAlarms.beginAll()
  draw()
  assert.equal(openAlarms.isWhole.value, true, 'a list that is loaded anew stands on the one before')
})

test('what comes of the first list is not shown before all of it: it comes in another order than the rows that are there', () => {
  const { openAlarms, draw } = open()
  openAlarms.showFirst([listedOf({ id: '3' })])
  openAlarms.beginAll()
  const before = openAlarms.version.value
  for (const id of ['1', '2']) openAlarms.push(alarmOf({ id }))
  draw()
  assert.equal(openAlarms.version.value, before)
  openAlarms.push(alarmOf({ id: '3' }))
  openAlarms.endAll()
  draw()
  assert.equal(openAlarms.version.value, before + 1)
  openAlarms.beginAll()
  openAlarms.push(alarmOf({ id: '4' }))
  draw()
  assert.equal(openAlarms.version.value, before + 2, 'a list that is loaded anew is shown as it comes')
})

test('alarms that were open before the page was loaded do not count as new; later ones do', () => {
  const { openAlarms } = open()
  const reported: string[] = []
  openAlarms.onNew(({ id }) => reported.push(id))
  openAlarms.beginAll()
  openAlarms.push(alarmOf({ id: '1' }))
  openAlarms.endAll()
  openAlarms.push(alarmOf({ id: '2' }))
  openAlarms.push(alarmOf({ id: '2', alarmLevel: '1' }))
  assert.deepEqual(reported, ['2'])
  assert.equal(openAlarms.rows.get('2')?.level, 1)
})

test('an alarm that has ended is shown for a moment, then removed; one that is raised again stays', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const { openAlarms } = open()
    for (const id of ['1', '2']) openAlarms.push(alarmOf({ id }))
    openAlarms.push(alarmOf({ id: '9', nAction: 'Recover', recoverFaultIdList: ['1', '2'] }))
    assert.equal(openAlarms.rows.get('1')?.endedAt, 100)
    openAlarms.push(alarmOf({ id: '2' }))
    mock.timers.tick(lingering + 1)
    assert.deepEqual([...openAlarms.rows.keys()], ['2'])
  } finally {
    mock.timers.reset()
  }
})

test('a message of the service to this page alone is no alarm of the list', () => {
  const { openAlarms } = open()
  openAlarms.push(alarmOf({ id: '0' }))
  assert.equal(openAlarms.rows.size, 0)
})
