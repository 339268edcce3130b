// Scheduled runs: when they are due, what they are about, what is kept, and what a failure does.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { lastWhole } from '../../src/reports/report-period.ts'
import { Reports } from '../../src/reports/runs.ts'
import { nextRun, Schedules } from '../../src/reports/schedules.ts'
import { ZoneTime } from '../../src/rules/zone-time.ts'
import type { Store } from '../../src/store/database.ts'
import { seedStore } from '../../src/upkeep/seed.ts'
import { startGuarded } from '../http/credentials.ts'
import { idOf, pathOf, refused, value, values } from '../http/reading.ts'
import { until } from '../intake/sending.ts'
import { startService, stores, type TestService } from '../support.ts'

const zone = new ZoneTime('Europe/Berlin')
const at = (text: string) => Date.parse(text)
const iso = (moment: number) => new Date(moment).toISOString()

test('a schedule is due at its local time, on its days', () => {
  const next = (times: object, after: string) =>
    iso(nextRun({ time: '03:00', weekDay: null, monthDay: null, ...times } as never, zone, at(after)))
  assert.equal(next({ every: 'daily' }, '2026-11-15T01:00:00Z'), '2026-11-15T02:00:00.000Z')
  assert.equal(next({ every: 'daily' }, '2026-11-15T02:00:00Z'), '2026-11-16T02:00:00.000Z')
  assert.equal(next({ every: 'weekly', weekDay: 1 }, '2026-11-15T12:00:00Z'), '2026-11-16T02:00:00.000Z')
  assert.equal(next({ every: 'monthly', monthDay: 31 }, '2026-11-15T12:00:00Z'), '2026-11-30T02:00:00.000Z')
  assert.equal(next({ every: 'monthly', monthDay: 31 }, '2026-11-30T12:00:00Z'), '2026-12-31T02:00:00.000Z')
  // 2:30 does not exist on the day on which clocks go forward.
  assert.equal(next({ every: 'daily', time: '02:30' }, '2026-03-28T12:00:00Z'), '2026-03-29T01:30:00.000Z')
})

test('the next run always lies ahead, and there are never two on a day', () => {
  const every = fc.constantFrom('daily', 'weekly', 'monthly')
  const times = fc.record({
    every,
    time: fc.constantFrom('00:00', '02:30', '23:59'),
    weekDay: fc.integer({ min: 0, max: 6 }),
    monthDay: fc.integer({ min: 1, max: 31 }),
  })
  const moments = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') })
  fc.assert(
    fc.property(times, moments, (given, now) => {
      const first = nextRun(given, zone, now)
      assert.ok(first > now)
      const second = nextRun(given, zone, first)
      assert.notEqual(zone.local(first).day, zone.local(second).day)
    }),
  )
})

test('the last whole day, week and month have the length of their days, clock changes included', () => {
  const now = at('2026-10-26T12:00:00Z')
  const hours = (span: 'day' | 'week' | 'month') => {
    const { begin, end } = lastWhole(span, zone, now)
    return (end - begin) / 3_600_000
  }
  assert.equal(hours('day'), 25)
  assert.equal(hours('week'), 7 * 24 + 1)
  assert.equal(hours('month'), 30 * 24)
  assert.equal(iso(lastWhole('week', zone, now).begin), '2026-10-18T22:00:00.000Z')
})

/** A store with a daily schedule that is due, and what runs it. `onRun` is called while its report is made. */
async function dueSchedule(clock: () => number, onRun: (store: Store) => void = () => undefined) {
  const store = await (stores[0] ?? assert.fail('no store')).openMigrated()
  await seedStore(store)
  await store.transaction((tx) =>
    tx.run(
      "insert into report_schedule (id, template_id, every, time, enabled, parameter, next_time, last_time, created_by) values (1, 1, 'daily', '01:00', 1, '[]', ?, 0, '')",
      [at('2026-11-16T01:00:00Z')],
    ),
  )
  const reportClock = () => {
    onRun(store)
    return at('2026-11-16T01:00:01Z')
  }
  const reports = new Reports(store, reportClock, { timeZone: 'UTC', keep: 10, keepDays: 10 })
  const nextTime = async () => {
    const [row] = await store.all('select next_time from report_schedule')
    return iso(Number(row?.next_time))
  }
  return { nextTime, due: new Schedules(store, reports, clock) }
}

test('what becomes due while a report is made is not left out', async () => {
  const times = ['2026-11-16T01:00:01Z', '2026-11-16T01:00:01Z', '2026-11-17T01:00:01Z'].map(at)
  const last = times.at(-1) ?? 0
  const { due, nextTime } = await dueSchedule(() => times.shift() ?? last)
  assert.equal((await due.runDue(() => false)).length, 1)
  assert.equal(await nextTime(), '2026-11-17T01:00:00.000Z')
})

test('a schedule that is changed while its report is made is due at its new time', async () => {
  let change: Promise<unknown> | undefined
  const { due, nextTime } = await dueSchedule(
    () => at('2026-11-16T01:00:01Z'),
    (store) => {
      // As a PUT does: the new time is computed at the next check.
      change ??= store.transaction((tx) => tx.run('update report_schedule set next_time = 0'))
    },
  )
  await due.runDue(() => false)
  assert.ok(change)
  await change
  assert.equal(await nextTime(), iso(0))
})

const schedules = '/report/reportSchedule'

const read = async (service: TestService, path: string, name: string) =>
  value((await service.get(path)).text, name)

for (const store of stores) {
  describe(`schedules on ${store.name}`, async () => {
    const clock = { now: at('2026-11-15T12:00:00Z') }
    const service = await startService(
      {},
      { clock: () => clock.now, ...(store.name === 'PostgreSQL' && { open: () => store.open() }) },
    )
    const zoneId = idOf(await service.sendJson('POST', '/ram/zone', { name: 'Gone soon' }))

    test('a daily run is about the day before; no more results are kept than it says', async () => {
      const made = await service.sendJson('POST', schedules, {
        templateId: 1,
        every: 'daily',
        time: '01:00',
        keep: 2,
      })
      const path = pathOf(made)
      await until(
        'its time is computed',
        async () => (await read(service, path, 'nextTime')) === String(at('2026-11-16T01:00:00Z') / 1000),
      )
      const done = () => service.get(`/report/result?scheduleId=${idOf(made)}`)
      for (const [index, day] of ['16', '17', '18'].entries()) {
        clock.now = at(`2026-11-${day}T01:00:01Z`)
        const expected = String(Math.min(index + 1, 2))
        const midnight = String(at(`2026-11-${day}T00:00:00Z`) / 1000)
        await until(`the run of day ${day} is there`, async () => {
          const { headers, text } = await done()
          return headers.total === expected && values(text, 'endTime').includes(midnight)
        })
      }
      const begins = values((await done()).text, 'beginTime')
      assert.deepEqual(begins, [
        String(at('2026-11-16T00:00:00Z') / 1000),
        String(at('2026-11-17T00:00:00Z') / 1000),
      ])
      assert.match((await read(service, path, 'lastResult')) ?? '', /\/report\/result\/\d+$/)
      assert.equal((await service.ask('DELETE', path)).status, 204)
    })

    test('a run that fails is an alarm and a result that says why; both end with the next that works', async () => {
      const made = await service.sendJson('POST', schedules, {
        templateId: 1,
        every: 'daily',
        time: '02:00',
        parameter: [{ parameterName: 'zone', value: zoneId }],
      })
      const path = pathOf(made)
      await until('its time is computed', async () => (await read(service, path, 'nextTime')) !== '0')
      await service.ask('DELETE', `/ram/zone/${zoneId}`)
      clock.now = at('2026-11-19T02:00:01Z')
      await until('it has failed', async () => (await read(service, path, 'failure')) !== undefined)
      assert.equal(await read(service, path, 'failure'), `zone ${zoneId} does not exist`)
      const open = '/fault/alarm?recStatus=0&faultOid=1.3.6.1.4.1.32473.1.45'
      await until('there is an alarm', async () => (await service.get(open)).headers.total === '1')
      assert.match(
        (await service.get(open)).text,
        /Alarm Summary.* could not be made: zone \d+ does not exist/,
      )
      const failed = await service.get(`/report/result?scheduleId=${idOf(made)}`)
      assert.equal(value(failed.text, 'failure'), `zone ${zoneId} does not exist`)
      refused(await service.get(`/report/result/${value(failed.text, 'id')}`), 409)
      const put = { templateId: 1, every: 'daily', time: '02:00', parameter: [] }
      assert.equal((await service.sendJson('PUT', path, put)).status, 204)
      clock.now = at('2026-11-20T02:00:01Z')
      await until('the alarm is over', async () => (await service.get(open)).headers.total === '0')
      assert.equal(await read(service, path, 'failure'), undefined)
    })

    test('what a schedule cannot run with is refused at once', async () => {
      const post = (body: object) =>
        service.sendJson('POST', schedules, { templateId: 1, every: 'daily', ...body })
      refused(await post({ templateId: 99 }), 409, 'templateId')
      refused(await post({ every: 'hourly' }), 400, 'every')
      refused(await post({ time: '24:00' }), 400, 'time')
      refused(await post({ weekDay: 1 }), 400, 'weekDay')
      refused(await post({ monthDay: 1 }), 400, 'monthDay')
      refused(await post({ keep: 0 }), 400, 'keep')
      refused(await post({ parameter: [{ parameterName: 'level', value: '9' }] }), 400, 'level[1]')
      refused(await post({ parameter: [{ parameterName: 'segment', value: '1' }] }), 400, 'segment')
    })
  })
}

test('a schedule is seen by those who see its template, and what is for administrators they alone schedule', async () => {
  const service = await startGuarded({}, {}, ['operator', 'viewer'])
  const body = (templateId: number) => ({ templateId, every: 'weekly' })
  refused(await service.asJson('operator', 'POST', schedules, body(9)), 403)
  refused(await service.asJson('operator', 'POST', schedules, body(7)), 409, 'templateId')
  refused(await service.asJson('viewer', 'POST', schedules, body(1)), 403)
  const hidden = await service.asJson('administrator', 'POST', schedules, body(7))
  const open = await service.asJson('operator', 'POST', schedules, body(1))
  assert.deepEqual([hidden.status, open.status], [201, 201])
  assert.equal((await service.as('operator', 'GET', `${schedules}?total=true`)).headers.total, '1')
  assert.equal((await service.as('administrator', 'GET', `${schedules}?total=true`)).headers.total, '2')
  refused(await service.as('operator', 'GET', pathOf(hidden)), 404)
  refused(await service.as('operator', 'DELETE', pathOf(hidden)), 410)
  assert.equal((await service.as('operator', 'DELETE', pathOf(open))).status, 204)
})
