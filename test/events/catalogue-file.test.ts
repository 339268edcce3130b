// The file of vendors' events: what is written is found again, and what is in the shipped one can be used.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import {
  type CatalogueFigures,
  CatalogueFile,
  type ShippedEvent,
  writeCatalogue,
} from '../../src/events/catalogue-file.ts'
import { readCorrections } from '../../src/events/event-corrections.ts'
import { standardEvents } from '../../src/events/event-file.ts'
import { catalogueVersion, enterpriseOf, VendorCatalogue } from '../../src/events/vendor-catalogue.ts'
import { endAlarm, trapEvent, trapEvents, withoutZero } from '../../src/resources/alarms/trap-event.ts'
import type { Fields } from '../../src/schema/resource.ts'

const events: readonly ShippedEvent[] = Array.from({ length: 3000 }, (_, number) => ({
  eventOid: `1.3.6.1.4.1.32473.${number >> 5}${number % 2 === 0 ? '.0' : ''}.${number % 32}`,
  name: `event${number}`,
  alarmLevel: (number % 5) + 1,
  alarmCategory: 5,
  alarmDesc: `Event ${number}: fan {fan}, state {state}`,
  handling: number % 7 === 0 ? 0 : null,
  parameter: [
    { oid: '1.3.6.1.4.1.32473.9.1', name: 'fan', isKey: true, fromIndex: true, labels: null, pattern: null },
    {
      oid: `1.3.6.1.4.1.32473.9.${number % 3}`,
      name: 'state',
      isKey: null,
      fromIndex: null,
      labels: '1=up;2=down',
      pattern: null,
    },
  ],
  recovers: number % 2 === 0 ? [] : ['1.3.6.1.4.1.32473.0.1'],
  outOfReach: null,
  state: [
    { parameter: 'state', values: '1', handling: 2, alarmLevel: null },
    { parameter: 'state', values: '2', handling: 1, alarmLevel: 2 },
  ],
  source: number < 1000 ? 'ONE-MIB' : 'OTHER-MIB 2026-01-01',
}))

const figures: CatalogueFigures = {
  made: '2026-11-18',
  files: 2,
  modules: 2,
  events: events.length,
  ends: 0,
  endedFaults: 0,
  states: 0,
  lost: 0,
  without: [],
}

const find = (file: CatalogueFile, oid: string) =>
  [...file.blocksOf(oid)].flatMap((number) => file.block(number).get(withoutZero(oid)) ?? [])[0]

describe('a file of events', () => {
  const bytes = writeCatalogue(events, { 32473: 'example' }, figures)
  const file = new CatalogueFile(bytes)

  test('gives back what was written, by either spelling of the OID', () => {
    for (const event of events.filter((_, at) => at % 97 === 0)) {
      assert.deepEqual(find(file, event.eventOid), event)
      const plain = withoutZero(event.eventOid)
      const cut = plain.lastIndexOf('.')
      assert.deepEqual(find(file, `${plain.slice(0, cut)}.0${plain.slice(cut)}`), event)
    }
    assert.equal(file.names().split('\n').length, events.length)
    assert.equal(file.vendors[32473], 'example')
  })

  test('knows without unpacking that it lacks an event', () => {
    const unpacked = Array.from({ length: 10_000 }, (_, number) => [
      ...file.blocksOf(`1.3.6.1.4.1.32473.500.${number}`),
    ]).filter(({ length }) => length > 0)
    assert(unpacked.length < 5, `${unpacked.length} of 10,000`)
  })

  test('is refused when it was damaged, or is something else', () => {
    const damaged = Buffer.from(bytes)
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 9) ^ 1, damaged.length - 9)
    assert.throws(() => new CatalogueFile(damaged), /damaged/)
    assert.throws(() => new CatalogueFile(bytes.subarray(0, -1)), /damaged/)
    assert.throws(() => new CatalogueFile(Buffer.from('something else')), /another form/)
  })
})

describe('corrections', () => {
  const read = (correction: object) =>
    readCorrections(JSON.stringify({ about: 'a test', corrections: [correction] }), 'x.json')

  test('are checked field by field', () => {
    const oid = '1.3.6.1.4.1.32473.1.1'
    assert.equal(read({ eventOid: oid, name: 'x', alarmLevel: 2 }).get(oid)?.alarmLevel, 2)
    assert.throws(() => read({ eventOid: 'x', name: 'x' }), /x\.json: correction 1 \("x"\): eventOid is "x"/)
    assert.throws(() => read({ eventOid: oid, name: 'x', alarmLevel: 6 }), /one of 1, 2, 3, 4, 5 is expected/)
    assert.throws(() => read({ eventOid: oid, name: 'x', level: 2 }), /level is not a known field/)
    assert.throws(() => read({ eventOid: oid }), /name is "undefined"/)
    const twice = { about: 'a test', corrections: [1, 2].map(() => ({ eventOid: oid, name: 'x' })) }
    assert.throws(() => readCorrections(JSON.stringify(twice), 'x.json'), /corrected twice/)
  })
})

const shipped = new VendorCatalogue()
await shipped.open()
const all = (shipped.file?.names() ?? '').split('\n').map((line) => line.split(' ')[0] ?? '')
const whole = all.map((oid) => shipped.find(oid) as ShippedEvent)
const byOid = new Map(whole.map((event) => [withoutZero(event.eventOid), event]))
const keysOf = ({ parameter }: ShippedEvent) =>
  parameter
    .filter(({ isKey }) => isKey)
    .map(({ name }) => name)
    .sort()

describe("the catalogue of vendors' events", () => {
  test('is complete, and every field is one that a caller could have sent', () => {
    assert.equal(whole.length, shipped.file?.figures.events)
    assert(whole.length > 40_000)
    const refusals = whole.flatMap((event) => {
      try {
        checkFields(trapEvent.fields, event)
        trapEvents.rules.check?.(event)
        return []
      } catch (error) {
        return [`${event.name}: ${(error as Error).message}`]
      }
    })
    assert.deepEqual(refusals, [])
  })

  test('every name in a text is a parameter', () => {
    const wrong = whole.filter(({ alarmDesc, parameter }) =>
      [...(alarmDesc ?? '').matchAll(/\{(\w+)\}/g)].some(
        ([, name]) => !parameter.some((one) => one.name === name),
      ),
    )
    assert.deepEqual(
      wrong.map(({ name }) => name),
      [],
    )
  })

  test('no fault that nothing ends is more than a warning', () => {
    const ended = new Set(whole.flatMap(({ recovers }) => recovers.map(withoutZero)))
    const grave = whole.filter(
      ({ eventOid, alarmLevel, state }) =>
        [alarmLevel, ...state.flatMap((one) => one.alarmLevel ?? [])].some((level) => level < 4) &&
        !ended.has(withoutZero(eventOid)) &&
        !state.some(({ handling }) => handling === endAlarm),
    )
    assert.deepEqual(
      grave.map(({ name }) => name),
      [],
    )
  })

  test('what ends a fault has its keys', () => {
    const wrong = whole.flatMap((end) =>
      end.recovers.flatMap((oid) => {
        const fault = byOid.get(withoutZero(oid))
        return fault && keysOf(fault).join() !== keysOf(end).join() ? [`${end.name} ends ${fault.name}`] : []
      }),
    )
    assert.deepEqual(wrong, [])
  })

  test('what says in a text alone which part is well again ends nothing', () => {
    const ofParts = /(?:[Ff]an|[Dd]isk|[Dd]rive|[Pp]ort|[Ss]lot|[Pp]su)(?:[A-Z-]|$)/
    const isText = /(?:message|msg|descr|info)$/i
    const blind = whole.filter(
      (end) =>
        end.recovers.length > 0 &&
        keysOf(end).length === 0 &&
        ofParts.test(end.name) &&
        end.parameter.some(({ name }) => isText.test(name)),
    )
    assert.deepEqual(
      blind.map(({ name }) => name),
      [],
    )
  })

  test('leaves standard events, and those of the service, alone', () => {
    const standard = standardEvents.filter(({ eventOid }) => byOid.has(withoutZero(eventOid)))
    assert.deepEqual(
      standard.map(({ name }) => name),
      [],
    )
    assert.equal(whole.filter(({ eventOid }) => enterpriseOf(eventOid) === '32473').length, 0)
  })

  test('corrections are about events that it has', () => {
    const known = new Set([...byOid.keys(), ...standardEvents.map(({ eventOid }) => withoutZero(eventOid))])
    for (const { eventOid, name, recovers = [], keys = [] } of shipped.corrections) {
      const event = byOid.get(withoutZero(eventOid))
      assert.equal(event?.name, name, eventOid)
      assert.deepEqual(
        keys.filter((key) => !event?.parameter.some((one) => one.name === key)),
        [],
        name,
      )
      for (const oid of recovers) assert(known.has(withoutZero(oid)), `${name} ends ${oid}`)
    }
  })

  test('is small, and has a version', async () => {
    const { length } = readFileSync(new URL('../../definitions/vendors/events.bin', import.meta.url))
    assert(length < 4_000_000, `${length} bytes`)
    assert.match(await catalogueVersion(), /^[0-9a-f]{16}$/)
    assert.equal(await catalogueVersion(), await catalogueVersion())
  })
})

/** Reads each value back from its text, as a request would have. */
function checkFields(fields: Fields, record: object): void {
  for (const [name, value] of Object.entries(record)) {
    const field = fields[name]
    if (value === null || !field || field.kind === 'echo' || field.kind === 'children') continue
    if (field.kind === 'group') for (const member of value) checkFields(field.fields, member)
    else for (const one of [value].flat()) field.scalar.read(field.scalar.write(one))
  }
}
