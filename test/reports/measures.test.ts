// What the reports about trap senders and the use of addresses say, held against the same counted record by record.
// They
// compare with what is written down once a local day; the days lie around those on which clocks change.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Measures } from '../../src/reports/daily-measures.ts'
import { createIn } from '../../src/resources/collection.ts'
import { assignedIps } from '../../src/resources/inventory/assigned-ip-info.ts'
import { assignedIpScopes } from '../../src/resources/inventory/assigned-ip-scope.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { ZoneTime } from '../../src/rules/zone-time.ts'
import { insertAll } from '../../src/store/table.ts'
import { stores } from '../support.ts'
import {
  hold,
  hour,
  localDay,
  minute,
  moment,
  ranked,
  run,
  sorted,
  sum,
  type Timed,
  tally,
  timeZone,
} from './timed.ts'
import { columnBy, figureOf, openWorld, sectionOf, type World } from './world.ts'

/** When a service that records every four hours writes something: at the first time of each local day. */
function recordsBefore(first: number, now: number): number[] {
  const times: number[] = []
  // Half a minute apart from everything else, so that the order is never in doubt.
  for (let at = first + minute / 2; at <= now; at += 4 * hour) {
    const last = times.at(-1)
    if (last === undefined || localDay.format(last) !== localDay.format(at)) times.push(at)
  }
  return times
}

/** The record that is used for a moment: the last before it, or else the first. */
const recordFor = (times: readonly number[], at: number) =>
  times.filter((time) => time <= at).at(-1) ?? times[0]

/** Runs through all of it as the service does: what happens, and every four hours a call of `record`. */
async function live(world: World, from: number, now: number, stand: (at: number) => Promise<void>) {
  await world.database.transaction((tx) => tx.run('delete from report_measure'))
  const measures = new Measures(world.database, new ZoneTime(timeZone))
  const days = new Set(recordsBefore(from, now))
  for (let at = from + minute / 2; at <= now; at += 4 * hour) {
    // What happened in between matters to those calls alone that write something.
    if (days.has(at)) await stand(at)
    await measures.record(at)
  }
  await stand(now)
}

// Top trap senders.

const datagrams = (change: number) =>
  fc.record({
    from: fc.integer({ min: -20, max: 2 }).map((n) => change + n * 4 * hour),
    sent: fc.array(
      fc.record({
        at: moment(change),
        source: fc.constantFrom('10.0.0.1', '10.0.0.2', '10.9.9.9'),
        bin: fc.constantFrom('raised', 'repeated', 'malformed'),
        reason: fc.constantFrom('one', 'other'),
        n: fc.integer({ min: 1, max: 50 }),
      }),
      { maxLength: 25 },
    ),
  })

type Sent = ReturnType<typeof datagrams> extends fc.Arbitrary<infer T> ? T : never

/** The ledger as it is at a moment, when all up to then was counted. */
async function keepLedger(world: World, { sent }: Sent, at: number): Promise<void> {
  const lines = new Map<string, { n: number; last: number }>()
  for (const one of sent.filter((datagram) => datagram.at <= at)) {
    const key = `${one.source} ${one.bin} ${one.reason}`
    const line = lines.get(key) ?? { n: 0, last: 0 }
    lines.set(key, { n: line.n + one.n, last: Math.max(line.last, one.at) })
  }
  await world.database.transaction(async (tx) => {
    await tx.run('delete from trap_source_ledger')
    for (const [key, { n, last }] of lines) {
      await tx.run(
        'insert into trap_source_ledger (source_ip, bin, reason, n, last_time) values (?, ?, ?, ?, ?)',
        [...key.split(' '), n, last],
      )
    }
  })
}

async function checkSenders(world: World, given: Timed<Sent>): Promise<void> {
  const { made, begin, end, now } = given
  await live(world, made.from, now, (at) => keepLedger(world, made, at))
  const report = await run(world, 8, given)
  const times = recordsBefore(made.from, now)
  const from = recordFor(times, begin) ?? 0
  const until = end >= now ? now : (recordFor(times, end) ?? 0)
  const counted = made.sent.filter(({ at }) => at > from && at <= until)
  const n = (one: { n: number }) => one.n
  const total = sum(counted.map(n))
  assert.equal(figureOf(report, 'Datagrams'), total)
  const bySender = tally(counted, ({ source }) => source, n)
  assert.equal(figureOf(report, 'Senders'), bySender.size)
  assert.deepEqual(
    sorted(columnBy(sectionOf(report, 'What became of them'), 'bin', 'count')),
    sorted(tally(counted, ({ bin }) => bin, n)),
  )
  assert.deepEqual(
    sectionOf(report, 'Senders').rows,
    ranked(bySender).map(([source, count]) => {
      const device = source.startsWith('10.0.0.') ? `device ${source.slice(7)}` : ''
      return [source, device, count, count / total]
    }),
  )
  for (const bin of ['raised', 'repeated', 'malformed']) {
    const own = counted.filter((one) => one.bin === bin)
    if (own.length === 0) continue
    const reported = columnBy(sectionOf(report, 'The 10 who sent most'), 'sender', bin)
    const bySource = tally(own, ({ source }) => source, n)
    for (const [source, count] of reported) assert.equal(count, bySource.get(String(source)) ?? 0)
  }
}

// Address use.

const segments = [
  { id: 1n, startIp: '10.1.0.0', endIp: '10.1.0.31', name: 'Site', parentId: -1n },
  { id: 2n, startIp: '10.1.0.8', endIp: '10.1.0.15', name: 'Floor', parentId: 1n },
  { id: 3n, startIp: '10.2.0.0', endIp: '10.2.0.3', name: 'Links', parentId: -1n },
]
const lastOctet = (ip: string) => Number(ip.split('.')[3])
const networkOf = (ip: string) => ip.split('.').slice(0, 3).join('.')
const isIn = ({ startIp, endIp }: (typeof segments)[number], ip: string) =>
  networkOf(ip) === networkOf(startIp) &&
  lastOctet(ip) >= lastOctet(startIp) &&
  lastOctet(ip) <= lastOctet(endIp)
const sizeOf = ({ startIp, endIp }: (typeof segments)[number]) => lastOctet(endIp) - lastOctet(startIp) + 1

const assignments = (change: number) =>
  fc.record({
    from: fc.integer({ min: -20, max: 2 }).map((n) => change + n * 4 * hour),
    held: fc.uniqueArray(
      fc.record({
        ip: fc.oneof(
          fc.integer({ min: 0, max: 31 }).map((n) => `10.1.0.${n}`),
          fc.integer({ min: 0, max: 3 }).map((n) => `10.2.0.${n}`),
        ),
        since: moment(change),
        hours: fc.option(fc.integer({ min: 1, max: 100 })),
      }),
      { maxLength: 20, selector: ({ ip }) => ip },
    ),
  })

type Held = ReturnType<typeof assignments> extends fc.Arbitrary<infer T> ? T : never

const heldAt = ({ held }: Held, at: number) =>
  held.filter(({ since, hours }) => since <= at && (hours === null || since + hours * hour > at))

async function keepAddresses(world: World, made: Held, at: number): Promise<void> {
  await world.database.transaction(async (tx) => {
    await tx.run('delete from assigned_ip')
    const records = heldAt(made, at).map(({ ip }, index) => ({
      ...{ id: BigInt(index + 1), ip, name: null, description: null, terminalMac: null },
      parentId: (segments.findLast((segment) => isIn(segment, ip)) ?? assert.fail()).id,
    }))
    await insertAll(tx, assignedIps.table, records)
  })
}

async function checkAddresses(world: World, given: Timed<Held>): Promise<void> {
  const { made, begin, end, now } = given
  await live(world, made.from, now, (at) => keepAddresses(world, made, at))
  const report = await run(world, 5, given)
  const times = recordsBefore(made.from, now)
  const [from, until] = [recordFor(times, begin), end >= now ? now : recordFor(times, end)]
  const takenAt = (segment: (typeof segments)[number], at: number | undefined) =>
    at === undefined ? 0 : heldAt(made, at).filter(({ ip }) => isIn(segment, ip)).length
  const uses = segments.map((segment) => {
    const [taken, size] = [takenAt(segment, until), sizeOf(segment)]
    const grown = from === undefined ? null : taken - takenAt(segment, from)
    return { segment, taken, size, share: taken / size, grown }
  })
  assert.deepEqual(
    sectionOf(report, 'Segments').rows,
    uses.map(({ segment: { name, startIp, endIp }, taken, size, share, grown }) => [
      ...[name, `${startIp} - ${endIp}`, size, taken, size - taken, share, grown],
    ]),
  )
  const tops = uses.filter(({ segment }) => segment.parentId === -1n)
  assert.equal(figureOf(report, 'Addresses taken'), sum(tops.map(({ taken }) => taken)))
  assert.equal(figureOf(report, 'More than at the beginning'), sum(tops.map(({ grown }) => grown ?? 0)))
  assert.equal(figureOf(report, 'Segments 90 % full'), uses.filter(({ share }) => share >= 0.9).length)
}

/** Each of them lives through a week, with a time of its own for every day. */
const runs = { sqlite: 3, postgres: 20 }

for (const store of stores) {
  describe(`growth on ${store.name}`, async () => {
    const world = await openWorld(store, timeZone)
    await world.database.transaction(async (tx) => {
      for (const id of [1n, 2n])
        await createIn(tx, devices, { id, ip: `10.0.0.${id}`, label: `device ${id}` })
      for (const segment of segments) await createIn(tx, assignedIpScopes, segment)
    })

    test('who sent most, and what became of it, is what is counted datagram by datagram', () =>
      hold(world, store, datagrams, checkSenders, runs))

    test('the use of segments and its growth are what is counted address by address', () =>
      hold(world, store, assignments, checkAddresses, runs))
  })
}
