import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type TrapRule, trapRule } from '../../src/resources/alarms/trap-rule.ts'
import { periodOf } from '../../src/rules/validity-period.ts'
import { ZoneTime } from '../../src/rules/zone-time.ts'
import { complete } from '../../src/schema/read-document.ts'

const berlin = new ZoneTime('Europe/Berlin')

/** Whether a rule is in force at each of the given moments, written with their offset from UTC. */
function inForce(rule: Partial<TrapRule>, ...moments: string[]): boolean[] {
  const holds = periodOf(complete(trapRule.fields, rule) as TrapRule, berlin)
  return moments.map((moment) => holds(Date.parse(moment)))
}

suite('limits that are given hold together, whatever exectimeType says', () => {
  test('no limits at all: always', () => {
    assert.deepEqual(inForce({}, '1999-01-01T00:00Z', '2040-07-01T12:00Z'), [true, true])
  })

  test('days, weekdays and times are ANDed', () => {
    // 2026-07-06 is a Monday.
    const rule = {
      startDay: '2026-07-01',
      endDay: '2026/07/31',
      selectedWeekDay: '1,2',
      startTime: '8:00',
      endTime: '9',
    }
    assert.deepEqual(
      inForce(
        rule,
        '2026-07-06T08:00:00+02:00',
        '2026-07-06T08:59:59+02:00',
        '2026-07-06T09:00:00+02:00',
        '2026-07-08T08:30:00+02:00',
        '2026-08-03T08:30:00+02:00',
      ),
      [true, true, false, false, false],
    )
  })

  test('a time behind a day limits to the moment', () => {
    const rule = { exectimeType: 7, startDay: '2026-07-06 12:00', endDay: '20260707 06:00' }
    const moments = [
      '2026-07-06T11:59:59+02:00',
      '2026-07-06T12:00+02:00',
      '2026-07-07T05:59+02:00',
      '2026-07-07T06:00+02:00',
    ]
    assert.deepEqual(inForce(rule, ...moments), [false, true, true, false])
  })
})

test('no type lets a limit pass: each of them holds with every type', () => {
  // 2026-07-05 is a Sunday.
  const limits = {
    startDay: '2026-07-04',
    endDay: '2026-07-20',
    selectedWeekDay: '0',
    startTime: '10:00',
    endTime: '11:00:30',
  }
  const moments = [
    '2026-07-05T10:00+02:00',
    '2026-07-05T11:00:29+02:00',
    '2026-07-05T11:00:30+02:00',
    '2026-07-06T10:30+02:00',
    '2026-07-26T10:30+02:00',
    '2026-06-28T10:30+02:00',
  ]
  for (const exectimeType of [null, 0, 1, 3, -1, 2147483647]) {
    const expected = [true, true, false, false, false, false]
    assert.deepEqual(inForce({ exectimeType, ...limits }, ...moments), expected, `type ${exectimeType}`)
  }
  // One span, of which the weekday leaves the Sundays.
  assert.deepEqual(inForce({ exectimeType: 2, ...limits }, ...moments), [
    true,
    true,
    true,
    false,
    false,
    false,
  ])
  for (const exectimeType of [null, 0, 1, 2, 7]) {
    assert.deepEqual(inForce({ exectimeType }, '1999-01-01T00:00Z'), [true], 'no limits at all: always')
    for (const past of [{ endDay: '2020-01-01' }, { endDay: '20200101 12:00' }]) {
      assert.deepEqual(inForce({ exectimeType, ...past }, '2026-01-01T00:00Z'), [false])
    }
  }
})

suite('1, or any other type', () => {
  test('no weekdays = all; no startTime = 00:00; no endTime = 24:00', () => {
    assert.deepEqual(
      inForce({ exectimeType: 1, endTime: '1:00' }, '2026-07-06T00:00+02:00', '2026-07-06T01:00+02:00'),
      [true, false],
    )
    assert.deepEqual(
      inForce({ exectimeType: 1, startTime: '23' }, '2026-07-06T23:59:59+02:00', '2026-07-07T00:00+02:00'),
      [true, false],
    )
  })

  test('equal times = the whole day', () => {
    const rule = { exectimeType: 1, selectedWeekDay: '1', startTime: '08:00', endTime: '08:00' }
    const moments = ['2026-07-06T00:00+02:00', '2026-07-06T23:59+02:00', '2026-07-07T00:00+02:00']
    assert.deepEqual(inForce(rule, ...moments), [true, true, false])
  })

  test('a window over midnight belongs to the day it starts on', () => {
    const rule = { exectimeType: 1, selectedWeekDay: '5', startTime: '22:00', endTime: '02:00' }
    // 2026-07-10 is a Friday.
    const moments = [
      '2026-07-10T01:00+02:00',
      '2026-07-10T22:00+02:00',
      '2026-07-11T01:59+02:00',
      '2026-07-11T02:00+02:00',
      '2026-07-11T22:30+02:00',
    ]
    assert.deepEqual(inForce(rule, ...moments), [false, true, true, false, false])
  })
})

suite('2 = one span', () => {
  test('a time behind a day and one beside it both hold', () => {
    const rule = {
      exectimeType: 2,
      startDay: '2026-07-06 10:00',
      endDay: '2026-07-06 16:00',
      startTime: '8:00',
      endTime: '12:00',
    }
    const moments = [
      '2026-07-06T09:59+02:00',
      '2026-07-06T10:00+02:00',
      '2026-07-06T11:59+02:00',
      '2026-07-06T12:00+02:00',
    ]
    assert.deepEqual(inForce(rule, ...moments), [false, true, true, false])
    const behind = { exectimeType: 2, startDay: '2026-07-06 10:00', endDay: '2026-07-06 12:00' }
    assert.deepEqual(inForce(behind, ...moments), [false, true, true, false], 'on one day, too')
  })

  test('a weekday holds there, too', () => {
    // 2026-07-06 is a Monday.
    const rule = { exectimeType: 2, startDay: '2026-07-06 12:00', selectedWeekDay: '1,3' }
    const moments = [
      '2026-07-06T11:59+02:00',
      '2026-07-06T12:00+02:00',
      '2026-07-07T12:00+02:00',
      '2026-07-08T00:00+02:00',
    ]
    assert.deepEqual(inForce(rule, ...moments), [false, true, false, true])
  })

  test('a time whose day is not given limits every day', () => {
    const rule = { exectimeType: 2, startDay: '2026-07-06', startTime: '8:00', endTime: '18:00' }
    const moments = [
      '2026-07-06T07:59+02:00',
      '2026-07-06T08:00+02:00',
      '2026-07-06T18:00+02:00',
      '2026-07-07T00:00+02:00',
      '2026-07-07T18:00+02:00',
    ]
    assert.deepEqual(inForce(rule, ...moments), [false, true, false, true, false])
    const nights = { exectimeType: 2, startTime: '22:00', endTime: '6:00', selectedWeekDay: '1' }
    assert.deepEqual(
      inForce(nights, '2026-07-06T05:00+02:00', '2026-07-06T22:00+02:00', '2026-07-07T05:59+02:00'),
      [false, true, true],
      'without any day, as with other types',
    )
  })

  test('startDay startTime to endDay endTime, start inclusive, end exclusive', () => {
    const rule = {
      exectimeType: 2,
      startDay: '2026-07-06',
      startTime: '22:00',
      endDay: '2026-07-08',
      endTime: '04:00',
    }
    const moments = [
      '2026-07-06T21:59:59+02:00',
      '2026-07-06T22:00+02:00',
      '2026-07-07T12:00+02:00',
      '2026-07-08T03:59:59+02:00',
      '2026-07-08T04:00+02:00',
    ]
    assert.deepEqual(inForce(rule, ...moments), [false, true, true, true, false])
  })

  test('one day with equal times is that whole day; without times, too', () => {
    for (const times of [{ startTime: '5:00', endTime: '5:00' }, {}]) {
      const rule = { exectimeType: 2, startDay: '2026-07-06', endDay: '2026-07-06', ...times }
      assert.deepEqual(
        inForce(rule, '2026-07-06T00:00+02:00', '2026-07-06T23:59+02:00', '2026-07-07T00:00+02:00'),
        [true, true, false],
      )
    }
  })

  test('days of the month recur monthly, over the end of the month, and on the last day of short months', () => {
    const between = { exectimeType: 2, startDay: '5', endDay: '6', startTime: '12:00', endTime: '13:00' }
    assert.deepEqual(
      inForce(
        between,
        '2026-03-05T11:00+01:00',
        '2026-03-05T12:00+01:00',
        '2026-03-06T12:59+01:00',
        '2026-03-06T13:00+01:00',
        '2026-09-05T20:00+02:00',
      ),
      [false, true, true, false, true],
    )
    const over = { exectimeType: 2, startDay: '30', endDay: '2' }
    assert.deepEqual(
      inForce(
        over,
        '2026-02-28T12:00+01:00',
        '2026-03-01T12:00+01:00',
        '2026-03-03T12:00+01:00',
        '2026-02-27T12:00+01:00',
      ),
      [true, true, false, false],
    )
  })
})

suite('days, times and weekdays as they are written', () => {
  test('selectedWeekDay: 0 = Sunday … 6 = Saturday, read as a set', () => {
    // 2026-07-05 is a Sunday.
    const days = Array.from({ length: 7 }, (_, index) => `2026-07-${String(5 + index).padStart(2, '0')}`)
    for (const digit of days.keys()) {
      const at = days.map((day) => `${day}T12:00+02:00`)
      const expected = days.map((_, index) => index === digit)
      for (const selectedWeekDay of [`${digit}`, `${digit},${digit}, ${digit}`]) {
        assert.deepEqual(inForce({ exectimeType: 1, selectedWeekDay }, ...at), expected)
      }
    }
  })

  test('yyyy-MM-dd, yyyy/MM/dd and yyyyMMdd are the same day, with a time behind it the same moment', () => {
    for (const day of ['2026-07-06', '2026/07/06', '20260706']) {
      const moments = ['2026-07-05T23:59+02:00', '2026-07-06T00:00+02:00', '2026-07-06T12:00+02:00']
      assert.deepEqual(inForce({ exectimeType: 2, startDay: day }, ...moments), [false, true, true])
      assert.deepEqual(inForce({ startDay: day }, ...moments), [false, true, true])
      for (const time of ['12', '12:00', '12:00:00']) {
        const startDay = `${day} ${time}`
        assert.deepEqual(inForce({ exectimeType: 2, startDay }, ...moments), [false, false, true])
        assert.deepEqual(inForce({ startDay }, ...moments), [false, false, true])
      }
    }
  })

  test('H:mm, HH:mm, HH:mm:ss and an hour are the same time; 24 is the end of the day', () => {
    for (const startTime of ['9', '09', '9:00', '09:00', '09:00:00']) {
      const moments = ['2026-07-06T08:59:59+02:00', '2026-07-06T09:00+02:00', '2026-07-06T23:59:59+02:00']
      for (const endTime of ['24', '24:00', '24:00:00']) {
        assert.deepEqual(inForce({ exectimeType: 1, startTime, endTime }, ...moments), [false, true, true])
      }
    }
  })

  test('a day of the month recurs monthly also where no type is given', () => {
    const rule = { startDay: '10', endDay: '11', startTime: '8', endTime: '9' }
    const moments = [
      '2026-07-10T08:30+02:00',
      '2026-08-11T08:30+02:00',
      '2026-08-11T09:00+02:00',
      '2026-08-12T08:30+02:00',
    ]
    assert.deepEqual(inForce(rule, ...moments), [true, true, false, false])
  })

  test('without a type a window over midnight belongs to the day it starts on, too', () => {
    const rule = { endDay: '2026-07-10', startTime: '22:00', endTime: '02:00' }
    const moments = ['2026-07-10T22:00+02:00', '2026-07-11T01:59+02:00', '2026-07-11T22:00+02:00']
    assert.deepEqual(inForce(rule, ...moments), [true, true, false])
  })

  test('an open end of an absolute period is open', () => {
    const moments = ['1999-01-01T00:00Z', '2026-07-06T12:00+02:00', '2040-01-01T00:00Z']
    assert.deepEqual(inForce({ exectimeType: 2, startDay: '2026-07-06' }, ...moments), [false, true, true])
    assert.deepEqual(inForce({ exectimeType: 2, endDay: '2026-07-06' }, ...moments), [true, true, false])
  })
})

test('days and times are read in the zone of the setting time-zone', () => {
  const rule = complete(trapRule.fields, { exectimeType: 1, startTime: '8', endTime: '9' }) as TrapRule
  for (const [zone, hour] of [
    ['UTC', '08'],
    ['Asia/Shanghai', '00'],
    ['America/New_York', '12'],
  ] as const) {
    const holds = periodOf(rule, new ZoneTime(zone))
    const hours = Array.from({ length: 24 }, (_, index) => String(index).padStart(2, '0'))
    const inside = hours.filter((one) => holds(Date.parse(`2026-07-06T${one}:30Z`)))
    assert.deepEqual(inside, [hour], zone)
  }
})

suite('across both clock changes of a year', () => {
  // In 2026 Berlin skips 02:00–03:00 on 29 March and has it twice on 25 October.
  test('a start that does not exist moves forward', () => {
    const rule = { exectimeType: 1, startTime: '02:30', endTime: '04:00' }
    const moments = [
      '2026-03-29T01:59:59+01:00',
      '2026-03-29T03:00+02:00',
      '2026-03-29T03:30+02:00',
      '2026-03-29T03:59+02:00',
      '2026-03-29T04:00+02:00',
    ]
    assert.deepEqual(inForce(rule, ...moments), [false, false, true, true, false])
  })

  test('an end that does not exist moves forward', () => {
    const rule = { exectimeType: 1, startTime: '01:00', endTime: '02:30' }
    assert.deepEqual(inForce(rule, '2026-03-29T03:29+02:00', '2026-03-29T03:30+02:00'), [true, false])
  })

  test('a window over the hour that comes twice holds in both of them', () => {
    const rule = { exectimeType: 1, startTime: '02:00', endTime: '03:00' }
    const moments = [
      '2026-10-25T01:59+02:00',
      '2026-10-25T02:30+02:00',
      '2026-10-25T02:30+01:00',
      '2026-10-25T03:00+01:00',
    ]
    assert.deepEqual(inForce(rule, ...moments), [false, true, true, false])
  })

  test('a whole day is 23 or 25 hours long', () => {
    for (const [day, hours] of [
      ['2026-03-29', 23],
      ['2026-10-25', 25],
    ] as const) {
      const holds = periodOf(
        complete(trapRule.fields, { exectimeType: 2, startDay: day, endDay: day }) as TrapRule,
        berlin,
      )
      const start = Date.parse(`${day}T00:00Z`) - 6 * 3_600_000
      const minutes = Array.from({ length: 48 * 60 }, (_, minute) => holds(start + minute * 60_000))
      assert.equal(minutes.filter(Boolean).length, hours * 60)
    }
  })
})
