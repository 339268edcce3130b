import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOfWeek, piecesOf } from '../../console/notify/shift-days.ts'

const hour = 3_600_000
const seconds = (text: string) => String(Date.parse(text) / 1000)

test('a week begins on Monday at midnight of the zone, also where it is another day than in UTC', () => {
  const sunday = Date.parse('2031-04-06T23:30:00-08:00')
  const [monday, ...others] = daysOfWeek('America/Anchorage', sunday)
  assert.equal(new Date(monday?.begin ?? 0).toISOString(), '2031-03-31T08:00:00.000Z')
  assert.equal(others.at(-1)?.end, Date.parse('2031-04-07T08:00:00Z'))
})

test('days have 23 and 25 hours where clocks are changed, and follow each other without gaps', () => {
  for (const [at, length] of [
    ['2031-03-30T12:00:00Z', 23],
    ['2031-10-26T12:00:00Z', 25],
  ] as const) {
    const days = daysOfWeek('Europe/Berlin', Date.parse(at))
    const sunday = days.at(-1)
    assert.equal(((sunday?.end ?? 0) - (sunday?.begin ?? 0)) / hour, length)
    for (const [index, { begin }] of days.entries()) if (index > 0) assert.equal(begin, days[index - 1]?.end)
  }
})

test('a shift across midnight is a piece of each day', () => {
  const days = daysOfWeek('UTC', Date.parse('2031-04-02T00:00:00Z'))
  const shift = {
    ...{ scheduleId: '1', scheduleName: 'Night', contactId: '2', contactName: 'Ann', layer: 'All' },
    ...{ fromTime: seconds('2031-04-02T18:00:00Z'), toTime: seconds('2031-04-03T06:00:00Z'), overrideId: '' },
  }
  const pieces = days.map((day) => piecesOf(day, [shift]).map(({ from, to }) => [from, to]))
  assert.deepEqual(pieces, [[], [], [[0.75, 1]], [[0, 0.25]], [], [], []])
})
