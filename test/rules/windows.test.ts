// Maintenance windows: what they cover, when they are in force, and when they next turn.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Maintenance } from '../../src/resources/alarms/maintenance.ts'
import {
  CompiledWindow,
  inForce,
  nextChange,
  noEnd,
  type Subject,
} from '../../src/rules/maintenance-windows.ts'
import { ZoneTime } from '../../src/rules/zone-time.ts'

const zone = new ZoneTime('Europe/Berlin')
const hour = 3_600_000

const window = (more: Partial<Maintenance>): Maintenance => ({
  id: 7n,
  name: 'w',
  owner: null,
  reason: null,
  exectimeType: null,
  startDay: null,
  endDay: null,
  startTime: null,
  endTime: null,
  selectedWeekDay: null,
  minutes: null,
  fromTime: 0,
  untilTime: 0,
  endedFrom: 0,
  endedUntil: 0,
  device: [],
  interface: [],
  view: [],
  zone: [],
  event: [],
  active: false,
  activeUntil: 0,
  nextTime: 0,
  suppressed: 0n,
  hits: 0n,
  lastHit: 0,
  ...more,
})

const alarm = (more: Partial<Subject> = {}): Subject => ({
  deviceId: 5n,
  zoneId: 1n,
  OID: '1.3.6.1.6.3.1.1.5.3',
  alarmType: '1.3.6.1.6.3.1.1.5.3',
  ifIndex: 3n,
  ifDesc: 'GigabitEthernet1/0/3',
  ...more,
})

const views = new Map<bigint, ReadonlySet<bigint> | 'all'>([
  [1n, 'all'],
  [2n, new Set([5n, 6n])],
])
const covers = (more: Partial<Maintenance>, subject: Partial<Subject> = {}) =>
  new CompiledWindow(window(more), zone, views).covers(alarm(subject))

test('a window covers what any of its devices, views, zones and interfaces names', () => {
  assert.ok(covers({ device: [5n] }))
  assert.ok(!covers({ device: [6n] }))
  assert.ok(covers({ device: [6n], view: [2n] }))
  assert.ok(!covers({ view: [2n] }, { deviceId: 9n }))
  assert.ok(covers({ view: [1n] }, { deviceId: 9n }))
  assert.ok(!covers({ view: [99n] }), 'a view that does not exist holds nothing')
  assert.ok(covers({ zone: [1n] }))
  assert.ok(!covers({ zone: [2n] }))
})

test('an interface is named by its index or its description, with wildcards', () => {
  const one = (more: object) => [{ deviceId: 5n, ifIndex: null, ifDesc: null, ...more }]
  assert.ok(covers({ interface: one({ ifIndex: 3n }) }))
  assert.ok(!covers({ interface: one({ ifIndex: 4n }) }))
  assert.ok(covers({ interface: one({ ifDesc: 'gigabitethernet1/0/*' }) }))
  assert.ok(!covers({ interface: one({ ifIndex: 3n }) }, { deviceId: 6n }))
  assert.ok(!covers({ interface: one({ ifIndex: 3n }) }, { ifIndex: null, ifDesc: null }))
  assert.ok(!covers({ interface: one({ ifIndex: 3n, ifDesc: 'Ten*' }) }))
})

test('events narrow the places; alone, they are covered everywhere', () => {
  const linkDown = '1.3.6.1.6.3.1.1.5.3'
  assert.ok(covers({ event: [linkDown] }))
  assert.ok(covers({ event: ['1.3.6.1.6.3.1.1.5'] }), 'and all below')
  assert.ok(!covers({ event: ['1.3.6.1.6.3.1.1.5.31'] }))
  assert.ok(covers({ event: [linkDown], device: [5n] }))
  assert.ok(!covers({ event: ['1.3'], device: [6n] }))
  assert.ok(covers({ event: ['1.9'] }, { alarmType: '1.9.1' }), 'by its type as well')
})

test('the service itself is in no view and no zone: it is covered by name alone', () => {
  assert.ok(!covers({ view: [1n], zone: [1n] }, { deviceId: 0n }))
  assert.ok(covers({ device: [0n] }, { deviceId: 0n }))
})

const berlin = (text: string) => Date.parse(`${text}+01:00`)

test('a window is in force by its validity and its minutes, all of them together', () => {
  const at = berlin('2027-01-12T10:00:00')
  const both = window({ minutes: 120, fromTime: at, untilTime: at + 2 * hour, startTime: '11:00' })
  const holds = inForce(both, zone)
  assert.deepEqual(
    [0, 0.5, 1, 1.9, 2].map((hours) => holds(at + hours * hour)),
    [false, false, true, true, false],
  )
})

test('ended early, it is not in force until it would have ended, and starts again at its next time', () => {
  // Tuesdays from 2 to 4.
  const weekly = { selectedWeekDay: '2', startTime: '02:00', endTime: '04:00' }
  const three = berlin('2027-01-12T03:00:00')
  const ends = nextChange(window(weekly), zone, three)
  assert.equal(ends, berlin('2027-01-12T04:00:00'))
  const ended = window({ ...weekly, endedFrom: three, endedUntil: ends })
  const holds = inForce(ended, zone)
  assert.ok(holds(three - 1))
  assert.ok(!holds(three))
  assert.ok(holds(three + 7 * 24 * hour))
  assert.equal(nextChange(ended, zone, three), berlin('2027-01-19T02:00:00'))
})

test('across both clock changes of a year, a window begins and ends by local time', () => {
  // Summer time begins on 28 March 2027, 2:00 becomes 3:00; it ends on 31 October, 3:00 becomes 2:00.
  const nightly = window({ startTime: '01:00', endTime: '04:00' })
  const holds = inForce(nightly, zone)
  const spring = { from: Date.parse('2027-03-28T00:00:00Z'), until: Date.parse('2027-03-28T02:00:00Z') }
  assert.equal(nextChange(nightly, zone, spring.from - hour), spring.from)
  assert.equal(nextChange(nightly, zone, spring.from), spring.until, 'two hours, not three')
  const autumn = { from: Date.parse('2027-10-30T23:00:00Z'), until: Date.parse('2027-10-31T03:00:00Z') }
  assert.equal(nextChange(nightly, zone, autumn.from - hour), autumn.from)
  assert.equal(nextChange(nightly, zone, autumn.from), autumn.until, 'four hours, not three')
  for (let at = autumn.from; at < autumn.until; at += hour / 4) assert.ok(holds(at))
  const skipped = window({ startTime: '02:30', endTime: '05:00' })
  assert.equal(
    nextChange(skipped, zone, Date.parse('2027-03-27T23:00:00Z')),
    Date.parse('2027-03-28T01:30:00Z'),
    'a start that the clock skips moves forward',
  )
})

test('a window with an end returns it; one whose times are past is never in force', () => {
  const span = window({
    exectimeType: 2,
    startDay: '2027-05-01',
    startTime: '22:00',
    endDay: '2027-05-02',
    endTime: '06:00',
  })
  const begin = Date.parse('2027-05-01T20:00:00Z')
  assert.equal(nextChange(span, zone, begin - 40 * 24 * hour), begin)
  assert.equal(nextChange(span, zone, begin), Date.parse('2027-05-02T04:00:00Z'))
  assert.equal(nextChange(span, zone, begin + 24 * hour), noEnd)
})
