import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstQueries } from '../../console/alarms/first-screen.ts'

const asked = (search: string) => firstQueries(new URLSearchParams(search))
const levels = (search: string) => asked(search).map(({ alarmLevel }) => alarmLevel)

test('the plain page asks level by level, the newest of each first, as the table orders them', () => {
  assert.deepEqual(levels(''), [1, 2, 3, 4, 5])
  assert.deepEqual(asked('')[0], {
    recStatus: 0,
    suppressed: false,
    size: 50,
    alarmLevel: 1,
    orderBy: 'id',
    desc: true,
  })
  assert.deepEqual(levels('desc=true&wall=true'), [5, 4, 3, 2, 1])
})

test('levels, a state, a zone and the order by time are asked for as the address has them', () => {
  assert.deepEqual(levels('level=4,2'), [2, 4])
  assert.equal(asked('state=acknowledged')[0]?.ackStatus, 1)
  assert.equal(asked('state=new')[0]?.ackStatus, 0)
  assert.equal(asked('state=new,acknowledged')[0]?.ackStatus, undefined)
  assert.equal(asked('zone=7')[0]?.zoneId, '7')
  assert.deepEqual(levels('sort=time&level=1,2'), ['1,2'])
  assert.equal(asked('sort=time')[0]?.desc, true)
  assert.equal(asked('sort=time&desc=true')[0]?.desc, false)
})

test('what the list of the service does not know is left to the whole list', () => {
  for (const search of [
    'q=core',
    'device=5',
    'event=linkDown',
    'view=3',
    'within=600',
    'state=held',
    'sort=repeats',
  ])
    assert.deepEqual(asked(search), [], search)
})
