// What a trap means: texts, labels, parameters, names of interfaces, both spellings of an OID, and what senders can do
// to them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardEvents } from '../../src/events/event-file.ts'
import { traps } from '../../src/resources/alarms/trap.ts'
import { type TrapEvent, trapEvents } from '../../src/resources/alarms/trap-event.ts'
import { create, erase, modify } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { find } from '../../src/store/table.ts'
import { ifIndex, linkDown, onEveryStore, variable, type World } from './world.ts'

const own = '1.3.6.1.4.1.32473.7'

type Parameter = TrapEvent['parameter'][number]

const parameter = (number: number, name: string, more: Partial<Parameter> = {}): Parameter => ({
  oid: `${own}.99.${number}`,
  name,
  isKey: null,
  fromIndex: null,
  labels: null,
  pattern: null,
  ...more,
})

await onEveryStore((w: World) => {
  const define = (eventOid: string, more: Partial<TrapEvent> = {}) =>
    create(w.database, trapEvents, { eventOid, name: 'event', alarmLevel: 2, alarmCategory: 15, ...more })

  test('texts are filled in from parameters and the device; what is not there is a question mark', async () => {
    const from = '10.2.0.1'
    await create(w.database, devices, { ip: from, label: 'Core West' })
    await define(`${own}.1`, {
      alarmDesc: '{deviceName} ({deviceIp}): fan {fan} is {state}; {missing}, {} and {not a name}',
      parameter: [
        parameter(1, 'fan', { isKey: true, fromIndex: true }),
        parameter(1, 'state', { labels: '1=fine; 2 = broken;3=away' }),
      ],
    })
    await w.handle(w.trap(`${own}.1`, from, [variable(`${own}.99.1.3.14`, '2')]))
    const [alarm] = await w.alarmsOf(from)
    assert.equal(
      alarm?.alarmDesc,
      'Core West (10.2.0.1): fan 3.14 is broken; ?, {} and {not a name}',
      'one variable gives its row and its value',
    )
    assert.deepEqual([alarm?.paras, alarm?.resource], ['*fan=3.14;state=broken', 'fan=3.14'])
  })

  test('a state in a variable raises, rises, ends or is only stored; a value nobody named raises', async () => {
    const from = '10.2.0.21'
    const state = (values: string, handling: number, alarmLevel: number | null = null) => ({
      parameter: 'health',
      values,
      handling,
      alarmLevel,
    })
    await define(`${own}.21`, {
      alarmLevel: 3,
      parameter: [
        parameter(21, 'sensor', { isKey: true, fromIndex: true }),
        parameter(21, 'health', { labels: '1=normal;2=warning;3=critical;9=absent' }),
      ],
      state: [state('normal', 2), state('WARNING', 1, 4), state('3;shut*down', 1, 1), state('absent', 0)],
    })
    const sent = (row: number, value: string) =>
      w.trap(`${own}.21`, from, [variable(`${own}.99.21.${row}`, value)])
    assert.deepEqual(
      await w.handle(
        sent(1, '1'),
        sent(1, '2'),
        sent(1, '3'),
        sent(1, '2'),
        sent(2, '9'),
        sent(2, '7'),
        sent(1, '1'),
        sent(1, 'Shutting down'),
        sent(1, 'down shut'),
      ),
      [
        'stored-only',
        'raised',
        'repeated',
        'repeated',
        'stored-only',
        'raised',
        'recovered',
        'raised',
        'repeated',
      ],
    )
    const alarms = await w.alarmsOf(from)
    assert.deepEqual(
      alarms.map((one) => [one.resource, one.alarmLevel, one.recStatus, one.isReceoverFault]),
      [
        ['sensor=1', 1, 1, 0],
        ['sensor=2', 3, 0, 0],
        ['sensor=1', 5, 1, 1],
        ['sensor=1', 1, 0, 0],
      ],
    )
    assert.deepEqual(alarms[2]?.recoverFaultIdList, [alarms[0]?.id])
  })

  test('an event that raises by its state ends nothing else, and one that ends also ends what it recovers', async () => {
    const from = '10.2.0.22'
    await define(`${own}.22`)
    await define(`${own}.23`, {
      parameter: [parameter(23, 'active')],
      recovers: [`${own}.22`],
      state: [
        { parameter: 'active', values: 'yes', handling: 1, alarmLevel: null },
        { parameter: 'active', values: '*CLEARED*', handling: 2, alarmLevel: null },
      ],
    })
    const sent = (value: string) =>
      w.trap(`${own}.23`, from, [variable(`${own}.99.23`, value, 'OctetString')])
    assert.deepEqual(await w.handle(w.trap(`${own}.22`, from), sent('yes'), sent('alarm cleared at 3')), [
      'raised',
      'raised',
      'recovered',
    ])
    assert.deepEqual(
      (await w.alarmsOf(from)).map(({ recStatus }) => recStatus),
      [1, 1, 1],
    )
  })

  test('a pattern cuts what names the resource out of a text, in linear time', async () => {
    const from = '10.2.0.24'
    await define(`${own}.24`, {
      parameter: [parameter(24, 'port', { isKey: true, pattern: 'port (\\d+/\\d+)' })],
      state: [{ parameter: 'port', values: '3/2', handling: 2, alarmLevel: null }],
    })
    const sent = (text: string) =>
      w.trap(`${own}.24`, from, [variable(`${own}.99.24.0`, text, 'OctetString')])
    await w.handle(sent('Loss of signal on port 3/1, line 7'), sent('no place'))
    assert.deepEqual(
      (await w.alarmsOf(from)).map(({ resource }) => resource),
      ['port=3/1', 'port=no place'],
    )
    await define(`${own}.25`, { parameter: [parameter(25, 'x', { isKey: true, pattern: '(a+)+$' })] })
    const hostile = w.trap(`${own}.25`, from, [
      variable(`${own}.99.25.0`, `${'a'.repeat(2000)}b`, 'OctetString'),
    ])
    assert.deepEqual(await w.handle(hostile), ['raised'])
  })

  test('patterns are looked for in so many characters of a trap; further values stay whole', async () => {
    const from = '10.2.0.26'
    const many = Array.from({ length: 12 }, (_, at) => at)
    await define(`${own}.26`, {
      parameter: many.map((at) => parameter(100 + at, `p${at}`, { pattern: 'x(\\d)' })),
      alarmDesc: '{p0} {p9} {p10}',
    })
    const long = `x1${'y'.repeat(2998)}`
    const variables = many.map((at) => variable(`${own}.99.${100 + at}.0`, long, 'OctetString'))
    await w.handle(w.trap(`${own}.26`, from, variables))
    const [alarm] = await w.alarmsOf(from)
    assert.match(alarm?.alarmDesc ?? '', /^1 1 x1y/)
  })

  test('values without a label, and variables without a name, are shown as they came', async () => {
    const from = '10.2.0.2'
    await define(`${own}.2`, { parameter: [parameter(2, 'state', { labels: '1=fine' })] })
    const variables = [variable(`${own}.99.2.0`, '7'), variable('1.2.3', 'a;b=c', 'OctetString')]
    await w.handle(w.trap(`${own}.2`, from, variables))
    const [alarm] = await w.alarmsOf(from)
    assert.equal(alarm?.paras, 'state=7;1.2.3=a;b=c')
    assert.equal(alarm?.alarmDesc, 'event', 'without a text the name will do')
  })

  test('a parameter is found by whole numbers of its OID, not by the beginning of its text', async () => {
    const from = '10.2.0.3'
    await define(`${own}.3`, { parameter: [parameter(1, 'one', { isKey: true })] })
    await w.handle(w.trap(`${own}.3`, from, [variable(`${own}.99.10.0`, 'x'), variable(`${own}.99.1`, 'y')]))
    const [alarm] = await w.alarmsOf(from)
    assert.equal(alarm?.paras, `${own}.99.10.0=x;*one=y`)
  })

  test('where the trap does not name the interface, the device does', async () => {
    const [named, unnamed] = ['10.2.0.4', '10.2.0.5'] as const
    const interfaces = [{ ifIndex: 3n, ifDesc: 'Ten1/1/3 to the basement', basePort: null }]
    await create(w.database, devices, { ip: named, label: 'Edge', interfaces })
    await w.handle(w.trap(linkDown, named, [ifIndex(3)]), w.trap(linkDown, unnamed, [ifIndex(3)]))
    assert.equal(
      (await w.alarmsOf(named))[0]?.alarmDesc,
      'Interface Ten1/1/3 to the basement (index 3) is down',
    )
    assert.equal((await w.alarmsOf(unnamed))[0]?.alarmDesc, 'Interface unnamed (index 3) is down')
  })

  test('a change of a device counts from the next batch on', async () => {
    const from = '10.2.0.6'
    await w.handle(w.trap(linkDown, from, [ifIndex(1)]))
    const [row] = await w.database.all('select id from device where ip = ?', [from])
    await modify(w.database, devices, row?.id as bigint, { label: 'Renamed' })
    await w.handle(w.trap(linkDown, from, [ifIndex(2)]))
    assert.deepEqual(
      (await w.alarmsOf(from)).map(({ deviceName }) => deviceName),
      [from, 'Renamed'],
    )
  })

  test('both spellings of an OID that came from version 1 find the definition, and are one alarm', async () => {
    const from = '10.2.0.7'
    await define(`${own}.70.1`, { name: 'without' })
    await define(`${own}.71.0.1`, { name: 'with' })
    const bins = await w.handle(
      w.trap(`${own}.70.1`, from),
      w.trap(`${own}.70.0.1`, from),
      w.trap(`${own}.71.1`, from),
      w.trap(`${own}.71.0.1`, from),
    )
    assert.deepEqual(bins, ['raised', 'repeated', 'raised', 'repeated'])
    assert.deepEqual(
      (await w.alarmsOf(from)).map(({ OID, eventName }) => [OID, eventName]),
      [
        [`${own}.70.1`, 'without'],
        [`${own}.71.1`, 'with'],
      ],
    )
  })

  test('definitions that are made, changed or removed count from the next batch on', async () => {
    const from = '10.2.0.8'
    const oid = `${own}.8`
    const levels = async () => (await w.alarmsOf(from)).map(({ alarmLevel }) => alarmLevel)
    await w.handle(w.trap(oid, from))
    const id = await define(oid, { alarmLevel: 1, parameter: [parameter(8, 'port', { isKey: true })] })
    const port = (value: string) => w.trap(oid, from, [variable(`${own}.99.8.0`, value)])
    await w.handle(port('a'), port('b'))
    assert.deepEqual(await levels(), [5, 1, 1])
    await modify(w.database, trapEvents, id, { handling: 0 })
    assert.deepEqual(await w.handle(port('c')), ['stored-only'])
    await erase(w.database, trapEvents, id)
    assert.deepEqual(await w.handle(port('c')), ['repeated'], 'of the alarm without a definition')
  })

  test('standard events that carry a state begin and end by it: a neighbour that is full is no fault', async () => {
    const withStates = standardEvents.filter(({ state }) => state !== undefined)
    assert(withStates.some(({ name }) => name === 'ospfNbrStateChange'))
    for (const [index, { eventOid, name, parameter = [], state = [] }] of withStates.entries()) {
      const from = `10.2.8.${index}`
      const column = parameter.find((one) => one.name === state[0]?.parameter)
      assert(column, name)
      const numbers = new Map(
        column.labels?.split(';').map((one) => one.split('=').toReversed() as [string, string]),
      )
      const handled = (handling: number) =>
        state.filter((one) => one.handling === handling).flatMap(({ values }) => values.split(';'))
      const good = handled(2)
      const [fault = ''] = [...numbers.keys()].filter(
        (label) => !good.includes(label) && !handled(0).includes(label),
      )
      const report = (label: string) => {
        const value = numbers.get(label)
        assert(value, `${name} knows no ${label}`)
        const keys = parameter.filter(({ isKey, fromIndex }) => isKey && !fromIndex)
        return w.trap(eventOid, from, [
          ...keys.map(({ oid }) => variable(`${oid}.1`, '1')),
          variable(`${column.oid}.1`, value),
        ])
      }
      for (const label of good) {
        assert.deepEqual(await w.handle(report(label)), ['stored-only'], `${name} ${label}`)
        assert.deepEqual(
          await w.handle(report(fault), report(label)),
          ['raised', 'recovered'],
          `${name} ${label}`,
        )
      }
    }
  })

  test('the trap itself is kept with its bin, its reason, its alarm and the names of its variables', async () => {
    const from = '10.2.0.9'
    const odd = variable('1.2.3', 'x', 'OctetString')
    await w.handle(w.trap(linkDown, from, [odd, ifIndex(1)], { version: '3' }))
    const [alarm] = await w.alarmsOf(from)
    const [row] = await w.database.all('select id from trap where source_ip = ?', [from])
    const { id: _id, ...kept } = (await find(w.database, traps.table, row?.id as bigint)) ?? {}
    assert.deepEqual(kept, {
      receivedTime: w.time.now,
      sourceIp: from,
      space: null,
      version: '3',
      OID: linkDown,
      deviceId: alarm?.deviceId,
      eventName: 'linkDown',
      bin: 'raised',
      reason: 'no such alarm was open',
      alarmId: alarm?.id,
      variables: [
        { ...odd, name: '1.2.3' },
        { ...ifIndex(1), name: 'ifIndex' },
      ],
    })
  })

  test('the longest OID there can be, and values of any length, are kept and read back', async () => {
    const from = '10.2.0.10'
    const oid = `1.3${'.4294967295'.repeat(126)}`
    const wide = Array.from({ length: 20_000 }, (_, index) => String.fromCodePoint(0x4e00 + (index % 20_000)))
    await define(`${own}.10`, { parameter: [parameter(10, 'port', { isKey: true })] })
    const long = w.trap(`${own}.10`, from, [variable(`${own}.99.10.1`, wide.join(''), 'OctetString')])
    const entries = await w.logged(() => w.handle(w.trap(oid, from, [variable(oid, '1')]), long))
    assert.deepEqual(
      entries.map((entry) => entry.field('OID')),
      [oid, `${own}.10`],
    )
    const rows = await w.database.all('select id from trap where source_ip = ?', [from])
    for (const row of rows) assert.ok(await find(w.database, traps.table, row.id as bigint))
  })

  test('resources that differ only after many characters are different', async () => {
    const from = '10.2.0.11'
    await define(`${own}.11`, { parameter: [parameter(11, 'port', { isKey: true })] })
    const port = (end: string) =>
      w.trap(`${own}.11`, from, [variable(`${own}.99.11.1`, 'x'.repeat(3000) + end, 'OctetString')])
    assert.deepEqual(await w.handle(port('a'), port('b'), port('a')), ['raised', 'raised', 'repeated'])
  })

  test('a recovery pairs with the fault whichever spelling its definition uses', async () => {
    const from = '10.2.0.13'
    await define(`${own}.13.1`)
    await define(`${own}.13.2`, { alarmLevel: 5, recovers: [`${own}.13.0.1`] })
    await w.handle(w.trap(`${own}.13.1`, from))
    assert.deepEqual(await w.handle(w.trap(`${own}.13.2`, from)), ['recovered'])
  })
})
