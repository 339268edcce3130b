// Between socket and hand-over: who is served when, who is held back, and that every datagram is accounted for.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Datagram } from '../../src/intake/datagram-block.ts'
import { Intake } from '../../src/intake/intake.ts'
import type { Tally } from '../../src/intake/source.ts'
import type { StormSettings } from '../../src/intake/storm-guard.ts'

const off = { engage: 0, rearm: 1 }
const never: StormSettings = { source: off, overall: off, seconds: 10 }
const each = (engage: number, rearm: number): StormSettings => ({ ...never, source: { engage, rearm } })

/** An intake with a clock that the test moves. */
class Desk {
  readonly intake: Intake
  now = 0
  readonly tallies: Tally[] = []
  storms: readonly string[] = []

  constructor(settings: StormSettings, limits = {}) {
    this.intake = new Intake(settings, 0, limits)
  }

  add(sourceIp: string, count = 1, size = 100): void {
    for (let index = 0; index < count; index += 1) {
      this.intake.add({ sourceIp, port: 1, receivedAt: this.now, bytes: Buffer.alloc(size) }, this.now)
    }
  }

  block(limit = 500): Datagram[] {
    return this.intake.take(limit, this.now)
  }

  /** Block after block, until nothing is left. */
  take(limit = 1_000_000): string[] {
    const taken: string[] = []
    for (let left = limit; left > 0 && !this.intake.isEmpty; left = limit - taken.length) {
      taken.push(...this.block(left).map(({ sourceIp }) => sourceIp))
    }
    return taken
  }

  /** Lets a second pass in which each source sends so many, spread evenly; returns how many of each came through. */
  second(rates: Readonly<Record<string, number>>): Record<string, number> {
    for (let part = 0; part < 10; part += 1) {
      this.now += 100
      for (const [ip, rate] of Object.entries(rates)) this.add(ip, rate / 10)
    }
    this.intake.tick(this.now)
    this.report()
    const passed: Record<string, number> = {}
    for (const ip of this.take()) passed[ip] = (passed[ip] ?? 0) + 1
    return passed
  }

  report(): void {
    const report = this.intake.report()
    if (!report) return
    this.tallies.push(...report.tallies)
    this.storms = report.storms
  }

  counted(ip: string, reason: Tally['reason']): number {
    const own = this.tallies.filter((tally) => tally.sourceIp === ip && tally.reason === reason)
    return own.reduce((all, { times }) => all + times, 0)
  }
}

test('sources are served in turn: a short queue never waits behind a long one', () => {
  const desk = new Desk(never)
  desk.add('loud', 1000)
  desk.add('quiet', 2)
  desk.add('other', 1)
  assert.deepEqual(desk.take(6), ['loud', 'quiet', 'other', 'loud', 'quiet', 'loud'])
  desk.add('late')
  assert.deepEqual(desk.take(3), ['loud', 'late', 'loud'])
  assert.equal(desk.take().length, 1000 - 5)
  assert.ok(desk.intake.isEmpty)
})

test('a burst does not fill the blocks in which others wait, nor those just before', () => {
  const desk = new Desk(never)
  desk.add('loud', 10_000)
  assert.equal(desk.block().length, 500, 'by itself it has all of a block')
  desk.add('quiet')
  for (let blocks = 0; blocks < 10; blocks += 1) {
    desk.add('quiet')
    const block = desk.block().map(({ sourceIp }) => sourceIp)
    assert.ok(block.includes('quiet'), 'in the very next block')
    assert.ok(block.length <= 52, `a short one: ${block.length}`)
    desk.now += 900
    assert.ok(desk.block().length <= 51, 'and short while somebody is expected to speak')
  }
  desk.now += 1001
  assert.equal(desk.block().length, 500)
})

test('many sources that send much at once fill a block together', () => {
  const desk = new Desk(never)
  for (let round = 0; round < 100; round += 1) for (let ip = 0; ip < 20; ip += 1) desk.add(`10.0.0.${ip}`)
  const block = desk.block().map(({ sourceIp }) => sourceIp)
  assert.equal(block.length, 500)
  for (let ip = 0; ip < 20; ip += 1) assert.equal(block.filter((one) => one === `10.0.0.${ip}`).length, 25)
})

test('what a source sends stays in its order, however sources and blocks alternate', () => {
  const step = fc.record({ ip: fc.nat({ max: 4 }), count: fc.nat({ max: 120 }), wait: fc.nat({ max: 700 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 100 }), (steps, limit) => {
      const desk = new Desk(never)
      const last = new Map<string, number>()
      let number = 0
      const check = (block: readonly Datagram[]) => {
        for (const { sourceIp, port } of block) {
          assert.ok(port > (last.get(sourceIp) ?? 0))
          last.set(sourceIp, port)
        }
      }
      for (const { ip, count, wait } of steps) {
        desk.now += wait
        for (let index = 0; index < count; index += 1) {
          number += 1
          const datagram = { sourceIp: `${ip}`, port: number, receivedAt: desk.now, bytes: Buffer.alloc(10) }
          desk.intake.add(datagram, desk.now)
        }
        check(desk.block(limit))
      }
      while (!desk.intake.isEmpty) check(desk.block(limit))
    }),
    { numRuns: 100, seed: 20_261_116 },
  )
})

test('when memory is full the longest queue is shortened, and what is dropped is counted for its source', () => {
  const desk = new Desk(never, { bytes: 300 * 1000 })
  desk.add('quiet', 10)
  desk.add('loud', 5000)
  desk.add('quiet', 10)
  desk.report()
  const taken = desk.take()
  const loud = taken.filter((ip) => ip === 'loud').length
  assert.equal(taken.length - loud, 20)
  assert.ok(loud > 900, 'memory is used')
  assert.deepEqual([desk.counted('loud', 'overload'), desk.counted('quiet', 'overload')], [5000 - loud, 0])
})

test('forged addresses do not grow memory: beyond a number of sources the rest share a queue', () => {
  const desk = new Desk(never, { sources: 100, bytes: 300 * 1000 })
  desk.add('10.0.0.1', 3)
  for (let index = 0; index < 5000; index += 1) desk.add(`forged ${index}`)
  assert.ok(desk.intake.kept.sources <= 100 && desk.intake.kept.bytes <= 300 * 1000)
  desk.report()
  const taken = desk.take()
  assert.equal(taken.filter((ip) => ip === '10.0.0.1').length, 3)
  assert.equal(taken.length + desk.counted('0.0.0.0', 'overload'), 5003)
  for (let second = 0; second < 62; second += 1) desk.second({ '10.0.0.1': 10 })
  assert.equal(desk.intake.kept.sources, 1, 'who is silent is forgotten')
})

test('a burst passes, a storm does not: while it lasts a source is read at the lower level', () => {
  const desk = new Desk(each(100, 50))
  desk.add('burst', 1000)
  assert.equal(desk.take().length, 1000, 'ten seconds at once')
  for (let second = 0; second < 60; second += 1) {
    assert.equal(desk.second({ steady: 100 }).steady, 100, 'at the level, not above it')
  }
  let passed = 0
  for (let second = 0; second < 20; second += 1) passed += desk.second({ loud: 1000, quiet: 60 }).loud ?? 0
  assert.deepEqual(desk.storms, ['source=loud'])
  assert.equal(passed + desk.counted('loud', 'storm'), 20_000)
  assert.ok(passed > 1000 + 17 * 50 && passed < 1200 + 20 * 50, `${passed}`)
  assert.equal(desk.counted('quiet', 'storm'), 0)
  assert.ok(desk.tallies.every(({ storm, outcome }) => storm === 'source=loud' && outcome === 'collapsed'))
})

test('a storm is over when the rate has stayed below the lower limit for a while, and not before', () => {
  const desk = new Desk(each(100, 50))
  desk.add('loud', 1001)
  desk.second({})
  assert.deepEqual(desk.storms, ['source=loud'])
  for (let second = 0; second < 30; second += 1) desk.second({ loud: 70 })
  assert.deepEqual(desk.storms, ['source=loud'], 'between the levels it goes on')
  for (let second = 0; second < 9; second += 1) desk.second({ loud: 40 })
  desk.second({ loud: 60 })
  for (let second = 0; second < 9; second += 1) desk.second({ loud: 40 })
  assert.deepEqual(desk.storms, ['source=loud'])
  desk.second({ loud: 40 })
  assert.deepEqual(desk.storms, [])
  assert.equal(desk.second({ loud: 90 }).loud, 90)
})

test('a long storm that is over does not begin again with the next few datagrams', () => {
  const desk = new Desk(each(100, 50))
  for (let second = 0; second < 30; second += 1) desk.second({ loud: 1000 })
  for (let second = 0; second < 10; second += 1) desk.second({ loud: 40 })
  assert.deepEqual(desk.storms, [])
  for (let second = 0; second < 240; second += 1) {
    assert.equal(desk.second({ loud: 40 }).loud, 40)
    assert.deepEqual(desk.storms, [], `${second} s after its end`)
  }
})

test('when all sources together send too much, those that send most are limited, and those below their share are not', () => {
  const desk = new Desk({ ...never, overall: { engage: 1000, rearm: 500 } })
  const rates = { a: 10, b: 100, c: 2000, d: 3000 }
  const totals: Record<string, number> = { a: 0, b: 0, c: 0, d: 0 }
  for (let second = 0; second < 5; second += 1) desk.second(rates)
  assert.deepEqual(desk.storms, ['all sources'])
  for (let second = 0; second < 20; second += 1) {
    for (const [ip, passed] of Object.entries(desk.second(rates))) totals[ip] = (totals[ip] ?? 0) + passed
  }
  assert.deepEqual([totals.a, totals.b], [200, 2000])
  assert.deepEqual([desk.counted('a', 'storm'), desk.counted('b', 'storm')], [0, 0])
  // What is left of 500, for two.
  for (const ip of ['c', 'd']) assert.ok(Math.abs((totals[ip] ?? 0) - 20 * 195) < 400, `${ip}: ${totals[ip]}`)
  for (let second = 0; second < 11; second += 1) desk.second({ a: 10, c: 400 })
  assert.deepEqual(desk.storms, [])
})

test('however many sources storm together, a quiet one may send a few traps at once: a fault and its end', () => {
  const desk = new Desk({ ...never, overall: { engage: 1000, rearm: 500 } })
  const crowd = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`10.0.${index}`, 10]))
  for (let second = 0; second < 5; second += 1) desk.second(crowd)
  assert.deepEqual(desk.storms, ['all sources'])
  for (let round = 0; round < 3; round += 1) {
    desk.add('quiet', 4)
    for (let second = 0; second < 10; second += 1) desk.second(crowd)
  }
  assert.equal(desk.counted('quiet', 'storm'), 0)
})

test('more storms than can be named are one', () => {
  const desk = new Desk(each(10, 5))
  for (let index = 0; index < 30; index += 1) desk.add(`10.0.0.${index}`, 200)
  desk.report()
  assert.equal(desk.storms.length, 21)
  assert.ok(desk.storms.includes('all sources'))
  for (let second = 0; second < 12; second += 1) desk.second({})
  assert.deepEqual(desk.storms, [])
  desk.add('10.0.0.29', 200)
  desk.report()
  assert.deepEqual(desk.storms, ['source=10.0.0.29'], 'names are free again')
})

test('each datagram is either handed over or counted for its source', () => {
  const step = fc.record({
    ip: fc.nat({ max: 6 }),
    count: fc.integer({ min: 1, max: 60 }),
    size: fc.nat({ max: 3000 }),
    wait: fc.nat({ max: 900 }),
    take: fc.nat({ max: 40 }),
    tick: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const desk = new Desk(
        { source: { engage: 20, rearm: 5 }, overall: { engage: 40, rearm: 20 }, seconds: 2 },
        { sources: 5, bytes: 50_000 },
      )
      const sent = new Map<string, number>()
      const taken = new Map<string, number>()
      const note = (ip: string, n: number, into: Map<string, number>) => into.set(ip, (into.get(ip) ?? 0) + n)
      const named = (ip: string) => (Number(ip) < 5 ? ip : '0.0.0.0')
      // So that the first five are those that are known by name.
      for (const ip of ['0', '1', '2', '3', '4']) {
        desk.add(ip)
        note(ip, 1, sent)
      }
      for (const { ip, count, size, wait, take, tick } of steps) {
        desk.now += wait
        desk.add(String(ip), count, size)
        note(named(String(ip)), count, sent)
        for (const from of desk.take(take)) note(named(from), 1, taken)
        assert.ok(desk.intake.kept.bytes <= 50_000)
        if (tick) desk.intake.tick(desk.now)
        if (tick) desk.report()
      }
      for (const from of desk.take()) note(named(from), 1, taken)
      desk.report()
      for (const { sourceIp, times } of desk.tallies) note(sourceIp, times, taken)
      assert.deepEqual(new Map([...taken].sort()), new Map([...sent].sort()))
    }),
    { numRuns: 200, seed: 20_260_715 },
  )
})

test('sources of messages with long queues are named until these are half as long; those of traps are not', () => {
  const { intake } = new Desk(never, { pushBack: 10_000 })
  const add = (sourceIp: string, isMessage: boolean) =>
    intake.add({ sourceIp, port: 1, receivedAt: 0, bytes: Buffer.alloc(1000), isMessage }, 0)
  for (let index = 0; index < 8; index += 1) for (const ip of ['a', 'b']) add(ip, ip === 'a')
  assert.deepEqual(intake.fullSources(), [])
  for (let index = 0; index < 8; index += 1) for (const ip of ['a', 'b']) add(ip, ip === 'a')
  assert.deepEqual(intake.fullSources(), ['a'])
  intake.take(16, 0)
  assert.deepEqual(intake.fullSources(), ['a'])
  intake.take(16, 0)
  assert.deepEqual(intake.fullSources(), [])
})
