import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowOf } from '../../console/alarms/row.ts'
import { filterOf, placeAfter, viewOf } from '../../console/alarms/view.ts'
import { alarmOf } from './samples.ts'

const rows = [
  rowOf(alarmOf({ id: '1', alarmLevel: '1', deviceName: 'core-1', faultTime: '1000' }), undefined, 0),
  rowOf(alarmOf({ id: '2', alarmLevel: '3', deviceName: 'acc-7', faultTime: '3000' }), undefined, 0),
  rowOf(
    alarmOf({ id: '3', alarmLevel: '1', deviceName: 'acc-9', faultTime: '2000', ackStatus: '1' }),
    undefined,
    0,
  ),
  {
    ...rowOf(alarmOf({ id: '4', alarmLevel: '2', deviceId: '77', faultTime: '500' }), undefined, 0),
    endedAt: 5,
  },
]

const listed = { remark: '', repeats: '1', lastTime: '1000', eventName: 'linkDown' }

const view = (query: string, members?: ReadonlySet<string>) =>
  viewOf(rows, filterOf(new URLSearchParams(query), members), 3600)

const ids = (query: string) => view(query).rows.map(({ id }) => id)

test('the worst come first, the newest of them before the others', () => {
  assert.deepEqual(ids(''), ['3', '1', '4', '2'])
  assert.deepEqual(ids('desc=true'), ['2', '4', '3', '1'])
  assert.deepEqual(ids('sort=time'), ['2', '3', '1', '4'])
  assert.deepEqual(ids('sort=device'), ['2', '3', '1', '4'])
})

test('levels, states, words, device, event and age are ANDed', () => {
  assert.deepEqual(ids('level=1,2'), ['3', '1', '4'])
  assert.deepEqual(ids('level=1&state=new'), ['1'])
  assert.deepEqual(ids('q=ACC%20critical'), [])
  assert.deepEqual(ids('q=acc-9'), ['3'])
  assert.deepEqual(ids('device=77'), ['4'])
  assert.deepEqual(ids('device=acc'), ['3', '2'])
  assert.deepEqual(ids('event=1.3.6.1.6'), ['3', '1', '4', '2'])
  assert.deepEqual(ids('event=1.3.6.1.60'), [])
  assert.deepEqual(ids('within=1000'), ['2'])
})

test('each count is what choosing it would show, whatever else is chosen', () => {
  const { byLevel, byState, open, all } = view('level=3')
  assert.deepEqual([byLevel.get(1), byLevel.get(3)], [2, 1])
  assert.deepEqual([byState.get('new'), byState.get('acknowledged')], [1, 0])
  assert.deepEqual([open, all], [1, 3])
})

test('what is over is shown for a moment and counted no more', () => {
  assert.equal(view('').byLevel.get(2), 0)
  assert.equal(view('').open, 3)
})

test('what is held back is shown only where one asks for it, and counted apart', () => {
  const held = rowOf(
    { ...alarmOf({ id: '5' }), ...listed, suppressed: 'true', suppressedBy: ['maintenance 3'] },
    undefined,
    0,
  )
  assert.equal(held.heldBy, 'Maintenance: 3')
  const of = (query: string) => viewOf([...rows, held], filterOf(new URLSearchParams(query), undefined), 3600)
  assert.equal(of('').all, 3)
  assert.equal(of('').byState.get('held'), 1)
  assert(!of('').rows.includes(held))
  assert.deepEqual(of('state=held').rows, [held])
  assert.equal(of('state=held,acknowledged').open, 2)
})

test('a view shows the alarms of its devices alone', () => {
  assert.deepEqual(
    view('', new Set(['77'])).rows.map(({ id }) => id),
    ['4'],
  )
  assert.deepEqual(view('', new Set()).rows, [])
})

test('what follows from an alarm stands below it; what is held back because of it shows when unfolded', () => {
  const row = (id: string, level: string, parentId = '0', heldBy = '') => ({
    ...rowOf(alarmOf({ id, alarmLevel: level, parentId }), undefined, 0),
    heldBy,
  })
  const family = [
    row('1', '2'),
    row('2', '1'),
    row('3', '4', '1'),
    row('4', '3', '1', 'its cause'),
    row('5', '5', '3'),
    row('6', '1', '99'),
  ]
  const arrange = (query: string, unfolded: readonly string[] = []) =>
    viewOf(family, filterOf(new URLSearchParams(query), undefined), 3600, new Set(unfolded))
  const order = (query: string, unfolded: readonly string[] = []) =>
    arrange(query, unfolded).rows.map(({ id }) => id)
  assert.deepEqual(order(''), ['6', '2', '1', '3', '5'])
  const { depths, folded } = arrange('')
  assert.deepEqual(
    [...depths],
    [
      ['3', 1],
      ['5', 2],
    ],
  )
  assert.deepEqual([...folded], [['1', 1]])
  assert.deepEqual(order('', ['1']), ['6', '2', '1', '3', '5', '4'])
  assert.deepEqual(order('level=4'), ['3'], 'by itself where its cause is filtered out')
  const ring = [row('7', '1', '8'), row('8', '1', '7')]
  const rounds = viewOf(ring, filterOf(new URLSearchParams(), undefined), 3600).rows
  assert.equal(rounds.length, 2, 'causes of each other are shown, once')
})

test('steps end at the first and the last row; without a row they begin at the end behind', () => {
  const far = 1e9
  assert.deepEqual([placeAfter(3, 1, 10), placeAfter(3, -1, 10)], [4, 2])
  assert.deepEqual([placeAfter(9, 1, 10), placeAfter(0, -1, 10)], [9, 0])
  assert.deepEqual([placeAfter(-1, 1, 10), placeAfter(-1, -1, 10)], [0, 9])
  assert.deepEqual([placeAfter(-1, far, 10), placeAfter(-1, -far, 10)], [9, 0])
  assert.deepEqual([placeAfter(-1, 20, 30), placeAfter(-1, -20, 30)], [19, 10])
})
