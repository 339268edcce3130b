// What the reports about sources of alarms, bindings and changes say, held against the same counted record by record.
// The
// periods lie across the days on which clocks change.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createIn } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { macAccessBinds } from '../../src/resources/inventory/mac-access-bind.ts'
import { stores } from '../support.ts'
import {
  hold,
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
  within,
} from './timed.ts'
import { columnBy, figureOf, openWorld, type Raised, sectionOf, type World } from './world.ts'

// The devices with most alarms.

const sources = (change: number) =>
  fc.array(
    fc.record({
      oid: fc.constantFrom('1.3.6.1.4.1.32473.9.1', '1.3.6.1.4.1.32473.9.2', '1.3.6.1.4.1.32473.9.3'),
      // 0 stands for hosts that are no devices: each of them is a source of its own.
      deviceId: fc.integer({ min: 0, max: 13 }).map(BigInt),
      host: fc.constantFrom('10.9.0.1', '10.9.0.2'),
      alarmLevel: fc.integer({ min: 1, max: 5 }),
      alarmCategory: fc.integer({ min: 1, max: 4 }),
      from: moment(change),
      isEnd: fc.boolean(),
    }),
    { maxLength: 60 },
  )

type SourceAlarm = ReturnType<typeof sources> extends fc.Arbitrary<(infer T)[]> ? T : never

const alarmOf = ({ host, ...rest }: SourceAlarm): Raised => ({
  ...rest,
  ...(rest.deviceId === 0n && { deviceIp: host }),
  ...{ until: rest.from, acknowledged: null, ifIndex: null },
})

const sourceOf = ({ deviceId, deviceIp }: Raised) => deviceIp ?? `device ${deviceId}`
/** By number, hosts before devices. */
const sourceOrder = (name: string) =>
  name.startsWith('device') ? `1 ${name.slice(7).padStart(3, '0')}` : `0 ${name}`

async function checkSources(world: World, given: Timed<SourceAlarm[]>): Promise<void> {
  const all = given.made.map(alarmOf)
  await world.fill(all)
  const report = await run(world, 2, given)
  const counted = within(all, ({ from }) => from, given).filter(({ isEnd }) => !isEnd)
  const ten = ranked(tally(counted, sourceOf), sourceOrder).slice(0, 10)
  assert.equal(figureOf(report, 'Alarms'), counted.length)
  assert.equal(figureOf(report, 'Of these ten'), sum(ten.map(([, n]) => n)))
  assert.deepEqual(
    sectionOf(report, 'Devices with most alarms').rows,
    ten.map(([name, n]) => [name, n, n / counted.length]),
  )
  const events = ten.flatMap(([name]) =>
    ranked(
      tally(
        counted.filter((one) => sourceOf(one) === name),
        ({ oid }) => `event ${oid}`,
      ),
    ).map(([event, n]) => [name, event, n]),
  )
  assert.deepEqual(sectionOf(report, 'What they raised').rows, events)
}

// Bindings, and what was seen against them.

/** Of the alarms of the service itself, those with these numbers are about terminals. */
const aboutTerminals = [40, 41, 42, 43]
const ownEvent = (n: number) => `1.3.6.1.4.1.32473.1.${n}`

const bindings = (change: number) =>
  fc.record({
    bound: fc.array(
      fc.record({
        maintainer: fc.constantFrom('Ann', 'Ben', null),
        ports: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
      }),
      { maxLength: 12 },
    ),
    violations: fc.array(
      fc.record({
        event: fc.constantFrom(1, 39, ...aboutTerminals, 44),
        deviceId: fc.integer({ min: 1, max: 3 }).map(BigInt),
        from: moment(change),
        minutes: fc.option(fc.integer({ min: 0, max: 600 })),
      }),
      { maxLength: 15 },
    ),
    device: fc.option(fc.integer({ min: 1, max: 3 })),
    maintainer: fc.option(fc.constantFrom('Ann', 'Ben')),
  })

type Bound = ReturnType<typeof bindings> extends fc.Arbitrary<infer T> ? T : never

const macOf = (index: number) => `00:1b:44:00:00:${index.toString(16).padStart(2, '0')}`

async function keepBindings(world: World, { bound }: Bound): Promise<void> {
  await world.database.transaction(async (tx) => {
    for (const table of ['mac_access_bind', 'mac_access_bind_interface']) await tx.run(`delete from ${table}`)
    for (const [index, { maintainer, ports }] of bound.entries()) {
      await createIn(tx, macAccessBinds, {
        ...{ terminalMac: macOf(index), terminalName: `till ${index}`, maintainer },
        bindType: ports.length === 0 ? 1 : 2,
        // Interface 1 is at device 1, and so on.
        ifInfo: ports.map((port) => ({ deviceId: BigInt(port), ifIndex: BigInt(port) })),
      })
    }
  })
}

async function checkBindings(world: World, given: Timed<Bound>): Promise<void> {
  const { bound, violations, device, maintainer } = given.made
  await keepBindings(world, given.made)
  const raised = violations.map(
    ({ event, deviceId, from, minutes }): Raised => ({
      ...{ oid: ownEvent(event), deviceId, alarmLevel: 3, alarmCategory: 1, from },
      until: minutes === null ? null : from + minutes * minute,
      ...{ acknowledged: null, ifIndex: null },
    }),
  )
  await world.fill(raised)
  const report = await run(world, 6, given, {
    ...(device !== null && { device: String(device) }),
    ...(maintainer !== null && { maintainer }),
  })
  const counted = bound
    .map((one, index) => ({ ...one, mac: macOf(index), name: `till ${index}` }))
    .filter((one) => device === null || one.ports.includes(device))
    .filter((one) => maintainer === null || one.maintainer === maintainer)
  assert.equal(figureOf(report, 'Bindings'), counted.length)
  const anywhere = counted.filter(({ ports }) => ports.length === 0).length
  assert.equal(figureOf(report, 'Admitted anywhere'), anywhere)
  assert.equal(figureOf(report, 'Admitted at its interfaces'), counted.length - anywhere)
  assert.deepEqual(
    sorted(columnBy(sectionOf(report, 'By maintainer'), 'maintainer', 'count')),
    sorted(tally(counted, (one) => one.maintainer ?? 'nobody')),
  )
  assert.deepEqual(
    sectionOf(report, 'Bindings').rows,
    counted.map((one) => [
      ...[one.mac, one.name, one.maintainer ?? ''],
      one.ports.length === 0 ? 'anywhere' : 'at its interfaces',
      one.ports
        .toSorted((a, b) => a - b)
        .map((port) => `device ${port} ${port}`)
        .join(', '),
    ]),
  )
  const against = within(raised, ({ from }) => from, given)
    .filter(({ oid }) => aboutTerminals.map(ownEvent).includes(oid))
    .filter(({ deviceId }) => device === null || deviceId === BigInt(device))
  assert.equal(figureOf(report, 'Violations'), against.length)
  assert.deepEqual(
    sectionOf(report, 'Violations').rows.map(String).sort(),
    against
      .map(({ from, oid, deviceId, until }) =>
        String([from, `event ${oid}`, `device ${deviceId}`, '', until]),
      )
      .sort(),
  )
}

// Changes by operator.

const audited = (change: number) =>
  fc.record({
    entries: fc.array(
      fc.record({
        time: moment(change),
        name: fc.constantFrom('ann', 'Ben', ''),
        action: fc.constantFrom('create', 'modify', 'delete'),
        resource: fc.constantFrom('zone', 'device'),
        count: fc.integer({ min: 1, max: 1000 }),
      }),
      { maxLength: 40 },
    ),
    operator: fc.option(fc.constantFrom('ann', 'ben')),
  })

type Audited = ReturnType<typeof audited> extends fc.Arbitrary<infer T> ? T : never

async function keepAudit(world: World, { entries }: Audited): Promise<void> {
  await world.database.transaction(async (tx) => {
    await tx.run('delete from audit')
    for (const [index, { time, name, action, resource, count }] of entries.entries()) {
      await tx.run(
        "insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count) values (?, ?, ?, ?, 'administrator', '::1', ?, ?, ?, ?, ?, ?)",
        [
          index + 1,
          time,
          name,
          name.toLowerCase(),
          action,
          resource,
          resource,
          `${index}`,
          `${index}`,
          count,
        ],
      )
    }
  })
}

async function checkChanges(world: World, given: Timed<Audited>): Promise<void> {
  const { entries, operator } = given.made
  await keepAudit(world, given.made)
  const report = await run(world, 9, given, operator === null ? {} : { operator })
  const counted = within(
    entries.map((one, index) => ({ ...one, id: String(index) })),
    ({ time }) => time,
    given,
  ).filter(({ name }) => operator === null || name.toLowerCase() === operator)
  assert.equal(figureOf(report, 'Entries'), counted.length)
  assert.equal(figureOf(report, 'Operators'), new Set(counted.map(({ name }) => name)).size)
  const records = (one: { count: number }) => one.count
  const byOperator = sectionOf(report, 'By operator')
  const name = (one: { name: string }) => one.name
  assert.deepEqual(sorted(columnBy(byOperator, 'operator', 'entries')), sorted(tally(counted, name)))
  assert.deepEqual(sorted(columnBy(byOperator, 'operator', 'records')), sorted(tally(counted, name, records)))
  const days = tally(counted, ({ time }) => localDay.format(time))
  for (const [day, n] of columnBy(sectionOf(report, 'By day'), 'day', 'entries')) {
    assert.equal(n, days.get(String(day)) ?? 0, String(day))
    days.delete(String(day))
  }
  assert.deepEqual(days, new Map(), 'every day is there')
  const kind = (one: (typeof counted)[number]) => `${one.name},${one.resource},${one.action}`
  const perKind = tally(counted, kind, records)
  assert.deepEqual(
    sectionOf(report, 'What was changed').rows.map(String).sort(),
    [...tally(counted, kind)].map(([key, n]) => `${key},${n},${perKind.get(key)}`).sort(),
  )
  assert.deepEqual(
    sectionOf(report, 'The newest entries').rows.map((row) => row[5]),
    counted.toSorted((a, b) => b.time - a.time || Number(b.id) - Number(a.id)).map(({ id }) => id),
  )
}

for (const store of stores) {
  describe(`counts on ${store.name}`, async () => {
    const world = await openWorld(store, timeZone)
    await world.database.transaction(async (tx) => {
      for (const id of [1n, 2n, 3n])
        await createIn(tx, devices, { id, ip: `10.0.0.${id}`, label: `device ${id}` })
    })

    test('the ten devices with most alarms are those that are counted alarm by alarm, with their events', () =>
      hold(world, store, sources, checkSources))

    test('bindings and violations are those that are counted one by one', () =>
      hold(world, store, bindings, checkBindings))

    test('the changes of each operator, day and kind are those that are counted entry by entry', () =>
      hold(world, store, audited, checkChanges))
  })
}
