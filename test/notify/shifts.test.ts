// Schedules against a slow model that goes through days around a clock change minute by minute, by a clock on the wall.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Rota } from '../../src/notify/oncall/shifts.ts'
import type { Layer } from '../../src/resources/notify/schedule.ts'
import type { Override } from '../../src/resources/notify/schedule-override.ts'
import { ZoneTime } from '../../src/rules/zone-time.ts'
import { after, before, clockChanges, firstAt, type Strip, stripOf } from '../rules/wall-clock.ts'

const minute = 60_000
const perDay = 24 * 60

const minutesOf = (time: string | null) =>
  time === null ? 0 : Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const dayOf = (day: string | null) => Date.parse(`${day}T00:00Z`) / minute / perDay

type Painted = (bigint | undefined)[]

/** Whose turn it is at each minute, whether or not the layer applies. */
function paintTurns(strip: Strip, layer: Layer): Painted {
  const whole: Painted = strip.walls.map(() => layer.onCall ?? undefined)
  if (layer.rotation === 'byHand') return whole
  const painted: Painted = whole.map(() => undefined)
  const length = (layer.every ?? 1) * (layer.rotation === 'weekly' ? 7 : 1) * perDay
  const first = dayOf(layer.startDay) * perDay + minutesOf(layer.handOver)
  const last = strip.walls.at(-1) ?? 0
  for (let turn = 0; first + turn * length <= last; turn += 1)
    painted.fill(layer.contact[turn % layer.contact.length], firstAt(strip, first + turn * length))
  return painted
}

function paintTimes(strip: Strip, { startTime, endTime, selectedWeekDay }: Layer): boolean[] {
  const inside = strip.walls.map(() => false)
  const [from, to] = [minutesOf(startTime), endTime === null ? perDay : minutesOf(endTime)]
  // Equal times are the whole day.
  const [start, end] = from === to ? [0, perDay] : [from, to]
  const firstDay = Math.floor((strip.walls[0] ?? 0) / perDay)
  const days = selectedWeekDay?.split(',').map(Number)
  for (let day = firstDay - 1; day < firstDay + before + after + 2; day += 1) {
    if (days && !days.includes(new Date(day * perDay * minute).getUTCDay())) continue
    const until = firstAt(strip, day * perDay + end + (end < start ? perDay : 0))
    inside.fill(true, firstAt(strip, day * perDay + start), Math.max(0, until))
  }
  return inside
}

function model(strip: Strip, layers: readonly Layer[], overrides: readonly Override[]): Painted {
  const painted: Painted = strip.walls.map(() => undefined)
  for (const layer of layers) {
    const turns = paintTurns(strip, layer)
    const applies = paintTimes(strip, layer)
    for (const [index, contact] of turns.entries()) {
      if (contact !== undefined && applies[index]) painted[index] = contact
    }
  }
  for (const { contactId, fromTime, toTime } of overrides) {
    const [from, to] = [fromTime, toTime].map((time) => Math.max(0, (time - strip.from) / minute))
    painted.fill(contactId, from, to)
  }
  return painted
}

const time = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('02:30', '02:00', '03:00', '00:00', '00:30', '23:30', '01:45') },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':')),
  },
)
const contacts = fc.array(fc.bigInt({ min: 1n, max: 5n }), { minLength: 1, maxLength: 4 })
const weekdays = fc
  .uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 })
  .map((days) => days.join(','))
const limits = fc.record({
  startTime: fc.option(time),
  endTime: fc.option(time),
  selectedWeekDay: fc.option(weekdays),
})

const layerAround = (change: string) =>
  fc
    .record({
      rotation: fc.constantFrom('daily', 'weekly', 'byHand'),
      every: fc.integer({ min: 1, max: 3 }),
      handOver: time,
      daysBefore: fc.integer({ min: -3, max: 40 }),
      contact: contacts,
      limits,
    })
    .map(({ rotation, every, handOver, daysBefore, contact, limits: given }): Layer => {
      const start = new Date(Date.parse(`${change}T00:00Z`) - daysBefore * perDay * minute)
      const turns = { every, handOver, startDay: start.toISOString().slice(0, 10), onCall: null }
      const byHand = { every: null, handOver: null, startDay: null, onCall: contact[0] ?? null }
      return { name: '', rotation, contact, ...given, ...(rotation === 'byHand' ? byHand : turns) }
    })

const scene = fc.constantFrom(...clockChanges).chain(([zone, change]) => {
  const start = Date.parse(`${change}T00:00Z`)
  const override = fc.tuple(
    fc.integer({ min: -3 * perDay, max: 3 * perDay }),
    fc.integer({ min: 1, max: 2 * perDay }),
    fc.bigInt({ min: 6n, max: 9n }),
  )
  return fc.record({
    zone: fc.constant(zone),
    change: fc.constant(change),
    layers: fc.array(layerAround(change), { minLength: 1, maxLength: 3 }),
    overrides: fc.array(override, { maxLength: 3 }).map((all) =>
      all.map(([from, length, contactId], index): Override => {
        const fromTime = start + from * minute
        return {
          ...{
            id: BigInt(index + 1),
            scheduleId: 1n,
            contactId,
            contactName: '',
            reason: null,
            createdBy: '',
          },
          ...{ fromTime, toTime: fromTime + length * minute },
        }
      }),
    ),
  })
})

test('a schedule is what going through it minute by minute gives, across clock changes', () => {
  fc.assert(
    fc.property(scene, ({ zone, change, layers, overrides }) => {
      const strip = stripOf(zone, change, minute)
      const named = layers.map((layer, index) => ({ ...layer, name: `layer ${index}` }))
      const rota = new Rota({ layer: named }, overrides, new ZoneTime(zone))
      const expected = model(strip, named, overrides)
      // The first and the last day are seen in part.
      const [first, last] = [2 * perDay, strip.walls.length - 2 * perDay]
      const [from, until] = [first, last].map((index) => strip.from + index * minute) as [number, number]
      const shifts = rota.shifts(from, until)
      assert.equal(shifts[0]?.begin, from)
      assert.equal(shifts.at(-1)?.end, until)
      for (const [index, shift] of shifts.entries()) {
        assert.ok(shift.begin < shift.end)
        if (index > 0) assert.equal(shift.begin, shifts[index - 1]?.end)
        const [begin, end] = [shift.begin, shift.end].map((at) => (at - strip.from) / minute) as [
          number,
          number,
        ]
        assert.ok(Number.isInteger(begin), 'changes are at whole minutes')
        assert.deepEqual(new Set(expected.slice(begin, end)), new Set([shift.contact]))
        assert.equal(rota.at(shift.begin).contact, shift.contact)
        assert.equal(rota.at(shift.end - 1).contact, shift.contact)
        const other = expected.findIndex((contact, at) => at >= begin && contact !== shift.contact)
        if (other >= 0 && other < last)
          assert.equal(rota.changeAfter(shift.begin), strip.from + other * minute)
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 400) },
  )
})

const daily = (handOver: string): Layer => ({
  ...{
    name: 'base',
    rotation: 'daily',
    every: 1,
    handOver,
    startDay: '2026-03-01',
    contact: [1n, 2n],
    onCall: null,
  },
  ...{ startTime: null, endTime: null, selectedWeekDay: null },
})

const begins = (day: string) => {
  const rota = new Rota({ layer: [daily('02:30')] }, [], new ZoneTime('Europe/Berlin'))
  const from = Date.parse(`${day}T00:00Z`) - perDay * minute
  return rota
    .shifts(from, from + 3 * perDay * minute)
    .map(({ begin }) => new Date(begin).toISOString().slice(8, 16))
}

test('a hand-over at 2:30 is at 3:30 in the night in which the clock skips it', () => {
  assert.deepEqual(begins('2026-03-29'), ['28T00:00', '28T01:30', '29T01:30', '30T00:30'])
})

test('a hand-over at 2:30 is at the first of the two in the night in which there are two', () => {
  assert.deepEqual(begins('2026-10-25'), ['24T00:00', '24T00:30', '25T00:30', '26T01:30'])
})

test('a change that is not within a year is not searched for', () => {
  const alone = { ...daily('08:00'), contact: [3n] }
  const rota = new Rota({ layer: [alone] }, [], new ZoneTime('Europe/Berlin'))
  assert.equal(rota.changeAfter(Date.parse('2026-04-01T00:00Z')), undefined)
  assert.equal(rota.at(Date.parse('2026-02-01T00:00Z')).contact, undefined)
})
