import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, medianOf, seriesOf, stacked, weekOf } from '../../console/overview/series.ts'

test('every step has a value, also where nothing happened', () => {
  const figures = [
    { time: 120, key: 'a', count: 2 },
    { time: 130, key: 'a', count: 3 },
    { time: 240, key: 'b', count: 1 },
  ]
  const { times, byKey } = seriesOf(figures, ['a', 'b'], 60, 250, 4)
  assert.deepEqual(times, [60, 120, 180, 240])
  assert.deepEqual(
    [byKey.get('a'), byKey.get('b')],
    [
      [0, 5, 0, 0],
      [0, 0, 0, 1],
    ],
  )
})

test('figures outside of the time, and of other lines, are left out', () => {
  const figures = [
    { time: 0, key: 'a', count: 1 },
    { time: 300, key: 'a', count: 1 },
    { time: 120, key: 'other', count: 1 },
  ]
  const { byKey } = seriesOf(figures, ['a'], 60, 250, 3)
  assert.deepEqual([...byKey], [['a', [0, 0, 0]]])
})

test('stacked lines stand on those before them', () => {
  assert.deepEqual(
    stacked([
      [1, 2],
      [3, 0],
      [0, 1],
    ]),
    [
      [1, 2],
      [4, 2],
      [4, 3],
    ],
  )
  assert.deepEqual(stacked([]), [])
})

test('a week counts its own days, and its means weigh each day by how many there were', () => {
  const figures = (day: string, count: string, seconds: string) => ({
    ...{ day, raised: count, acknowledged: count, secondsToAcknowledge: seconds },
    ...{ ended: '0', secondsToEnd: '0' },
  })
  const days = [
    figures('2031-03-31', '50', '1000'),
    figures('2031-04-01', '1', '60'),
    figures('2031-04-03', '3', '20'),
  ]
  assert.deepEqual(weekOf(days, '2031-04-01', '2031-04-07'), {
    ...{ raised: 4, secondsToAcknowledge: 30, secondsToEnd: undefined },
  })
})

test('what is usual is in the middle, and a change is compared with what was', () => {
  assert.deepEqual([[], [7], [1, 9], [90, 4, 5], [1, 2, 3, 90]].map(medianOf), [undefined, 7, 5, 5, 3])
  assert.deepEqual(
    [changeOf(5, 4), changeOf(3, 4), changeOf(4, 4), changeOf(4, 0), changeOf(undefined, 4)],
    ['+25 %', '−25 %', '±0 %', '', ''],
  )
})
