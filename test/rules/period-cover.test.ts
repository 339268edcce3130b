// Whether a rule is in force whenever another is: decided, and compared with every five minutes of sample weeks.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { type TrapRule, trapRule } from '../../src/resources/alarms/trap-rule.ts'
import { coversPeriod } from '../../src/rules/rule-warnings.ts'
import { periodOf } from '../../src/rules/validity-period.ts'
import { ZoneTime } from '../../src/rules/zone-time.ts'
import { complete } from '../../src/schema/read-document.ts'

/** Everything here begins and ends with a half hour. */
const step = 5 * 60_000
const steps = (7 * 24 * 3_600_000) / step
const berlin = new ZoneTime('Europe/Berlin')
const now = Date.parse('2026-03-02T10:07+01:00')

const ruleOf = (draft: Partial<TrapRule>) => complete(trapRule.fields, draft) as TrapRule
const covers = (wide: Partial<TrapRule>, narrow: Partial<TrapRule>) =>
  coversPeriod(ruleOf(wide), ruleOf(narrow), berlin, now)

suite('a period covers another', () => {
  const nights = { exectimeType: 1, startTime: '22:00', endTime: '6:00' }

  test('always covers everything, and nothing less covers always', () => {
    assert.ok(covers({ exectimeType: 0 }, nights) && covers({}, nights))
    assert.ok(!covers(nights, {}) && !covers({ exectimeType: 2, endDay: '2090-01-01' }, {}))
    assert.ok(!covers({ exectimeType: 0, startTime: '8:00' }, {}), 'limits hold, whatever the type')
    assert.ok(!covers({ ...nights, endDay: '2090-01-01' }, nights))
    assert.ok(covers({ ...nights, exectimeType: 0 }, nights))
  })

  test('the same weekly window, however it is written, and a wider one', () => {
    assert.ok(covers(nights, { ...nights, startTime: '22', endTime: '06:00:00' }))
    assert.ok(covers(nights, { startTime: '23:00', endTime: '1:00' }), 'also where no type is given')
    assert.ok(covers(nights, { ...nights, selectedWeekDay: '1,2' }))
    assert.ok(!covers({ ...nights, selectedWeekDay: '1,2' }, nights))
    assert.ok(!covers(nights, { ...nights, endTime: '6:01' }))
  })

  test('all seven weekdays are all days, and a window over midnight covers the morning after', () => {
    assert.ok(covers({ exectimeType: 1, selectedWeekDay: '0,1,2,3,4,5,6' }, {}))
    const friday = { ...nights, selectedWeekDay: '5' }
    assert.ok(covers(friday, { exectimeType: 1, selectedWeekDay: '6', endTime: '6:00' }))
    assert.ok(!covers(friday, { exectimeType: 1, selectedWeekDay: '5', endTime: '6:00' }))
  })

  test('an absolute period inside another, and one that has begun and does not end', () => {
    const july = { exectimeType: 2, startDay: '2026-07-01', endDay: '2026-07-31' }
    assert.ok(covers(july, { ...july, startTime: '8:00' }))
    assert.ok(covers(july, { ...nights, exectimeType: null, startDay: '2026-07-02', endDay: '2026/07/30' }))
    assert.ok(!covers(july, { ...july, endDay: '2026-08-01' }))
    assert.ok(covers({ exectimeType: 2, startDay: '2020-01-01' }, {}))
  })

  test('a window that a clock change moves is not taken for one that it leaves alone', () => {
    // On 29 March 2:30 is skipped and becomes 3:30: on that day from 3:00 on is wider.
    assert.ok(!covers({ startTime: '2:30', endTime: '5:00' }, { startTime: '3:00', endTime: '4:00' }))
    assert.ok(covers({ startTime: '2:00', endTime: '5:00' }, { startTime: '3:00', endTime: '4:00' }))
  })

  test('days of the month are covered by the same, and by what needs no days', () => {
    const firsts = { exectimeType: 2, startDay: '1', endDay: '3' }
    assert.ok(covers(firsts, firsts) && covers({}, firsts))
    const morning = { startDay: '1', endDay: '3', startTime: '8', endTime: '9' }
    assert.ok(covers({ exectimeType: 1, startTime: '7', endTime: '10' }, morning))
    assert.ok(
      !covers(firsts, { exectimeType: 2, startDay: '2', endDay: '3' }),
      'not decided, so not reported',
    )
  })
})

// --- against every five minutes of sample weeks
// ------------------------------------------------------------------------

/** Weeks with nothing, with either clock change, around the dates that rules name, and far ahead. */
const samples = [
  '2026-03-02',
  '2026-03-25',
  '2026-06-28',
  '2026-10-21',
  '2027-03-24',
  '2031-02-26',
  '2035-10-24',
]
const day = fc.constantFrom(
  '2026-02-01',
  '2026-03-28',
  '2026-07-01 12:00',
  '2026/07/03',
  '2031-03-01 2:30',
  '3',
  '28',
)
const time = fc.constantFrom('0', '1:00', '2:00', '2:30', '3:00', '4:00', '12:00', '22:00', '23:30', '24')
const weekdays = fc.constantFrom('0', '6', '0,6', '1,2,3,4,5', '0,1,2,3,4,5,6')
const anyValidity = fc.record({
  exectimeType: fc.constantFrom(null, 0, 1, 2, 7),
  startDay: fc.option(day),
  endDay: fc.option(day),
  startTime: fc.option(time),
  endTime: fc.option(time),
  selectedWeekDay: fc.option(weekdays),
})

test('what is reported as covered is covered whenever one looks', () => {
  let reported = 0
  fc.assert(
    fc.property(anyValidity, anyValidity, fc.double({ min: 0, max: 1, noNaN: true }), (one, change, keep) => {
      // Pairs that have much in common, or hardly any would be covered.
      const fields = Object.entries(change).filter((_, index) => (index * 0.37 + keep) % 1 > 0.6)
      const other = { ...one, ...Object.fromEntries(fields) }
      if (!covers(one, other)) return
      reported += 1
      const [wide, narrow] = [periodOf(ruleOf(one), berlin), periodOf(ruleOf(other), berlin)]
      for (const sample of samples) {
        const from = Date.parse(`${sample}T00:00Z`)
        for (let index = 0; index < steps; index += 1) {
          const at = from + index * step
          if (at >= now && narrow(at) && !wide(at)) assert.fail(new Date(at).toISOString())
        }
      }
    }),
    { numRuns: 150 },
  )
  assert.ok(reported > 10, `${reported} were covered`)
})
