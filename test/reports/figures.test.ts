// What reports say, held against the same counted the simplest way: alarm by alarm, and minute by minute. The periods
// lie
// across the days on which clocks change.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { maintenances } from '../../src/resources/alarms/maintenance.ts'
import { trapEvents } from '../../src/resources/alarms/trap-event.ts'
import { createIn } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { stores } from '../support.ts'
import { columnBy, figureOf, openWorld, type Raised, sectionOf, type World } from './world.ts'

const minute = 60_000
const hour = 60 * minute
/** Clocks in Berlin go back on the 25th of October 2026 at 3:00, and forward on the 29th of March. */
const changes = [Date.UTC(2026, 9, 25, 1), Date.UTC(2026, 2, 29, 1)]
const timeZone = 'Europe/Berlin'

const outOfReach = '1.3.6.1.4.1.32473.9.1'
const harmless = '1.3.6.1.4.1.32473.9.2'
const deviceIds = [1n, 2n, 3n]

/** Whole minutes, so that the simple way can go minute by minute. */
const moment = (around: number) => fc.integer({ min: -72 * 60, max: 72 * 60 }).map((n) => around + n * minute)

const cases = fc.constantFrom(...changes).chain((around) =>
  fc.record({
    begin: moment(around),
    length: fc.integer({ min: 1, max: 100 * 60 }),
    now: fc.constant(around + 80 * hour),
    raised: fc.array(
      fc.record({
        oid: fc.constantFrom(outOfReach, harmless),
        deviceId: fc.constantFrom(...deviceIds),
        alarmLevel: fc.integer({ min: 1, max: 5 }),
        alarmCategory: fc.integer({ min: 1, max: 4 }),
        from: moment(around),
        lasts: fc.option(fc.integer({ min: 0, max: 40 * 60 })),
        acknowledgedAfter: fc.option(fc.integer({ min: 0, max: 600 })),
        ifIndex: fc.constantFrom(null, null, 7n),
        // By what its definition said when it was raised, whatever it says now.
        outOfReach: fc.boolean(),
      }),
      { maxLength: 25 },
    ),
  }),
)

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never

const alarmsOf = ({ raised, now }: Case): Raised[] =>
  raised.map(({ lasts, acknowledgedAfter, from, ...rest }) => {
    const ended = lasts === null || from + lasts * minute > now ? null : from + lasts * minute
    const acknowledged = acknowledgedAfter === null ? null : from + acknowledgedAfter * minute
    return { ...rest, from, until: ended, acknowledged }
  })

const localDay = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
const seconds = (at: number) => String(at / 1000)

function tally<T>(alarms: readonly Raised[], key: (alarm: Raised) => T): Map<T, number> {
  const counts = new Map<T, number>()
  for (const alarm of alarms) counts.set(key(alarm), (counts.get(key(alarm)) ?? 0) + 1)
  return counts
}

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

async function prepare(world: World): Promise<void> {
  await world.database.transaction(async (tx) => {
    for (const id of deviceIds) {
      await createIn(tx, devices, {
        id,
        ip: `10.0.0.${id}`,
        label: `device ${id}`,
        interfaces: [{ ifIndex: 7n, ifDesc: 'port 7', basePort: null }],
      })
    }
    for (const [eventOid, isOut] of [
      [outOfReach, true],
      [harmless, false],
    ] as const) {
      await createIn(tx, trapEvents, {
        ...{ eventOid, name: eventOid, alarmLevel: 2, alarmCategory: 2, outOfReach: isOut },
      })
    }
    // Every night from 1:30 to 4:00 local time: across the clock change itself.
    await createIn(tx, maintenances, {
      ...{ name: 'nights', startTime: '1:30', endTime: '4:00', device: [2n] },
    })
  })
}

const words = ['Critical', 'Major', 'Minor', 'Warning', 'Info']

async function checkSummary(world: World, given: Case): Promise<void> {
  const [begin, end] = [given.begin, Math.min(given.begin + given.length * minute, given.now)]
  const report = await world.run(1, { beginTime: seconds(begin), endTime: seconds(end) }, given.now)
  const alarms = alarmsOf(given).filter(({ from }) => from >= begin && from < end)
  assert.equal(figureOf(report, 'Alarms'), alarms.length)
  const took = (until: number | null, from: number) => (until === null ? [] : [Math.max(0, until - from)])
  assert.equal(
    figureOf(report, 'Mean time to end'),
    meanOf(alarms.flatMap(({ from, until }) => took(until, from))),
  )
  assert.equal(
    figureOf(report, 'Mean time to acknowledge'),
    meanOf(alarms.flatMap(({ from, acknowledged }) => took(acknowledged, from))),
  )
  assert.deepEqual(
    columnBy(sectionOf(report, 'By level'), 'key', 'raised'),
    new Map(
      [...tally(alarms, ({ alarmLevel }) => alarmLevel)]
        .sort(([a], [b]) => a - b)
        .map(([level, n]) => [words[level - 1], n]),
    ),
  )
  assert.deepEqual(
    new Map([...columnBy(sectionOf(report, 'By device'), 'key', 'raised')].sort()),
    new Map([...tally(alarms, ({ deviceId }) => `device ${deviceId}`)].sort()),
  )
  const days = tally(alarms, ({ from }) => localDay.format(from))
  for (const [day, n] of columnBy(sectionOf(report, 'By day'), 'key', 'raised')) {
    assert.equal(n, days.get(String(day)) ?? 0, String(day))
    days.delete(String(day))
  }
  assert.deepEqual(days, new Map(), 'every day is there')
}

const localTime = new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'short' })
const isNight = (at: number) => {
  const time = localTime.format(at)
  return time >= '01:30' && time < '04:00'
}

async function checkAvailability(world: World, given: Case, template: 3 | 4): Promise<void> {
  const [begin, end] = [given.begin, Math.min(given.begin + given.length * minute, given.now)]
  const report = await world.run(template, { beginTime: seconds(begin), endTime: seconds(end) }, given.now)
  const section = sectionOf(report, 'Outages and maintenance')
  const by = (name: string) => columnBy(section, 'device', name)
  for (const deviceId of deviceIds) {
    const own = alarmsOf(given).filter(
      (alarm) =>
        alarm.deviceId === deviceId &&
        (alarm.oid === outOfReach || alarm.outOfReach) &&
        (alarm.ifIndex === null) === (template === 3),
    )
    let [outage, down, maintenance] = [0, 0, 0]
    for (let at = begin; at < end; at += minute) {
      const isOut = own.some(({ from, until }) => at >= from && at < (until ?? given.now))
      const isPlanned = deviceId === 2n && isNight(at)
      if (isPlanned) maintenance += minute
      if (isOut && isPlanned) down += minute
      if (isOut && !isPlanned) outage += minute
    }
    const name = `device ${deviceId}`
    assert.equal(by('outage').get(name) ?? 0, outage, `${name} outage`)
    assert.equal(by('down').get(name) ?? 0, down, `${name} out of reach in maintenance`)
    assert.equal(by('maintenance').get(name) ?? 0, maintenance, `${name} maintenance`)
    const measured = end - begin - maintenance
    if (outage > 0) assert.equal(by('share').get(name), (measured - outage) / measured)
  }
}

for (const store of stores) {
  describe(`figures on ${store.name}`, async () => {
    const world = await openWorld(store, timeZone)
    await prepare(world)
    // A report on SQLite begins with a thread.
    const numRuns = store.name === 'SQLite' ? 10 : 40
    const hold = (check: (given: Case) => Promise<void>) =>
      fc.assert(
        fc.asyncProperty(cases, async (given) => {
          fc.pre(given.begin < given.now)
          await world.fill(alarmsOf(given))
          await check(given)
        }),
        { numRuns },
      )

    test('the alarm summary says what is counted alarm by alarm', () =>
      hold((given) => checkSummary(world, given)))

    test('the availability of devices says what is counted minute by minute, maintenance apart', () =>
      hold((given) => checkAvailability(world, given, 3)))

    test('so does that of interfaces', () => hold((given) => checkAvailability(world, given, 4)))
  })
}
