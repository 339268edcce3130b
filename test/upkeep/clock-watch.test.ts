// Nothing is deleted because of its age while the store's clock is in doubt.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AlarmEngine } from '../../src/alarms/engine/engine.ts'
import { LogSignal } from '../../src/alarms/log/log-signal.ts'
import { openServiceAlarms, raiseServiceAlarm } from '../../src/alarms/service/service-alarms.ts'
import { AlarmTexts } from '../../src/resources/alarms/alarm.ts'
import { ActorDatabase, type Database } from '../../src/store/database.ts'
import { ClockJumps } from '../../src/upkeep/checks/clock-jumps.ts'
import { sweep } from '../../src/upkeep/retention.ts'
import { seedStore } from '../../src/upkeep/seed.ts'
import { ClockWatch, clockDoubt, confirmClock } from '../../src/upkeep/watches/clock-watch.ts'
import { everyStore } from '../support.ts'

const second = 1000
const hour = 3600 * second
const day = 24 * hour

const admin = { name: 'root', role: 'administrator', address: '192.0.2.1' }
const all = await everyStore()
for (const { database } of all) await seedStore(database)

function engineOn(database: Database): AlarmEngine {
  const limits = { perDevice: 1000, overall: 1000 }
  return new AlarmEngine(database, new LogSignal(), new AlarmTexts(database, 'UTC'), {
    timeZone: 'UTC',
    unknownTraps: 'alarm',
    unknownSenders: 'register',
    flapping: { count: 5, seconds: 300, rearmSeconds: 300 },
    deviceLimit: 1000,
    unknownAlarms: limits,
    openAlarms: limits,
    causeWaitSeconds: 20,
  })
}

for (const { store, database, clock } of all) {
  const engine = engineOn(database)
  /** A run of the service: another one has other monotonic clocks, and has seen nothing. */
  const start = () => {
    const monotonic = { now: 0 }
    const clocks = { awake: () => monotonic.now, always: () => monotonic.now }
    const watch = new ClockWatch({ database, alarms: engine, monotonic: clocks })
    /** Time passes, and the clock is set besides. */
    const pass = async (milliseconds: number, set = 0) => {
      monotonic.now += milliseconds
      clock.now += milliseconds + set
      await watch.check()
    }
    return { watch, pass }
  }
  const isTold = async () => (await openServiceAlarms(database, 'clockDoubted')).size === 1
  const keep = { count: 1_000_000, days: 7 }
  const retention = { traps: keep, alarms: keep, log: keep, audit: keep }
  const entries = async () => Number((await database.all('select count(*) as n from alarm_log'))[0]?.n)

  describe(`the clock of the store, ${store.name}`, { concurrency: false }, () => {
    test('time passes, slowly set or while no service ran: what is old is deleted', async () => {
      const { watch, pass } = start()
      await pass(0)
      for (let step = 0; step < 100; step += 1) await pass(second, 50 * 60 * second)
      assert.equal(await watch.judgingTime(), clock.now)
      clock.now += 30 * day
      const next = start()
      await next.pass(0)
      await next.pass(second)
      assert.equal(await next.watch.judgingTime(), clock.now)
      assert.equal(await isTold(), false)
    })

    test('a jump that several ask about at once is counted once', async () => {
      const { watch, pass } = start()
      await pass(0)
      clock.now += 8 * day
      await Promise.all([watch.judgingTime(), watch.check(), watch.judgingTime()])
      assert.match((await clockDoubt(database)) ?? '', /jumped 8\.0 days ahead/)
      await pass(second, -8 * day)
      assert.equal(await clockDoubt(database), undefined)
    })

    test('a jump of the clock stops deletion by age, whoever processes next, until it is undone', async () => {
      const one = start()
      await raiseServiceAlarm(engine, 'ruleBusy', 'rule=1', 'an entry that must stay')
      const before = await entries()
      await one.pass(0)
      // Asked before the next check: nothing is deleted in between.
      clock.now += 8 * day
      assert.equal(await one.watch.judgingTime(), 0)
      await sweep(database, retention, undefined, await one.watch.judgingTime())
      await one.pass(second)
      assert.ok(await isTold())
      assert.match(String(await clockDoubt(database)), /jumped 8\.0 days ahead/)
      const other = start()
      await other.pass(0)
      await other.pass(day)
      assert.equal(await other.watch.judgingTime(), 0)
      assert.ok((await entries()) >= before)
      // Limits by number hold.
      const few = { count: 1, days: 7 }
      await sweep(database, { ...retention, log: few }, undefined, await other.watch.judgingTime())
      assert.equal(await entries(), 1)
      await other.pass(second, -8 * day)
      assert.equal(await other.watch.judgingTime(), clock.now)
      assert.equal(await isTold(), false)
    })

    test('a jump that is undone while no service runs is over', async () => {
      const one = start()
      await one.pass(0)
      await one.pass(second, 3 * day)
      assert.ok(await isTold())
      clock.now -= 3 * day
      const next = start()
      await next.pass(0)
      assert.equal(await next.watch.judgingTime(), clock.now)
      assert.equal(await isTold(), false)
    })

    test('a jump stops deletion by age until an administrator confirms it, which is in the audit log', async () => {
      const { watch, pass } = start()
      await pass(0)
      await pass(second, -5 * hour)
      assert.ok(await isTold())
      await confirmClock(new ActorDatabase(database, admin))
      await pass(second)
      assert.equal(await watch.judgingTime(), clock.now)
      assert.equal(await isTold(), false)
      const [entry] = await database.all('select name, action, resource, detail from audit order by id desc')
      assert.deepEqual([entry?.name, entry?.action, entry?.resource], ['root', 'confirm', 'clock'])
      assert.match(String(entry?.detail), /jumped 5\.0 hours back/)
      await assert.rejects(confirmClock(new ActorDatabase(database, admin)), /nothing to confirm/)
    })

    test('while most nodes differ by more than a minute nothing is deleted because of its age, unless confirmed', async () => {
      const { watch, pass } = start()
      const put = (name: string, offset: number, gone = 0) =>
        database.transaction((tx) =>
          tx.run(
            "insert into node (name, start, address, version, last_sign, clock_offset, stopped, gone) values (?, 1, '', '1', 1, ?, 0, ?) on conflict (name) do update set clock_offset = excluded.clock_offset",
            [name, offset, gone],
          ),
        )
      await put('a', 0)
      await put('b', 61_000)
      // One that is gone does not count.
      await put('c', 90_000, 1)
      await pass(0)
      assert.equal(await watch.judgingTime(), clock.now, 'half of them are not most')
      await put('d', -100_000)
      await pass(second)
      assert.equal(await watch.judgingTime(), 0)
      assert.ok(await isTold())
      assert.match(String(await clockDoubt(database)), /2 of 3 nodes/)
      await confirmClock(new ActorDatabase(database, admin))
      await pass(second)
      assert.equal(await watch.judgingTime(), clock.now)
      assert.equal(await isTold(), false)
      // The next time it must be confirmed again.
      await put('d', 0)
      await pass(second)
      await put('d', 70_000)
      await pass(second)
      assert.equal(await watch.judgingTime(), 0)
      await put('d', 1000)
      await pass(second)
      assert.equal(await isTold(), false)
      await database.transaction((tx) => tx.run('delete from node'))
    })
  })
}

test('a machine that slept sees no jump, at once or when the server is looked at next', () => {
  const monotonic = { awake: 0, always: 0 }
  const watch = new ClockJumps(hour, { awake: () => monotonic.awake, always: () => monotonic.always })
  assert.equal(watch.look(1_000_000), 0)
  monotonic.always += 8 * hour
  assert.equal(watch.look(1_000_000 + 8 * hour), 0)
  monotonic.always += 9 * hour
  assert.equal(watch.look(1_000_000 + 8 * hour), 0)
  assert.equal(watch.look(1_000_000 + 17 * hour), 0)
  assert.equal(watch.look(1_000_000 + 19 * hour), 2 * hour)
})
