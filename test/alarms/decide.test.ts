// The decision about one trap, without a store: which of raise, repeat, recover and store only, and why.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, type TrapContext } from '../../src/alarms/engine/decide.ts'
import { EventDefinition } from '../../src/events/event-catalog.ts'

function event(alarmLevel: number, recovers: string[] = [], handling: number | null = null): EventDefinition {
  return new EventDefinition({
    eventOid: '1.2.3',
    name: 'event',
    alarmLevel,
    alarmCategory: 15,
    alarmDesc: null,
    handling,
    parameter: [],
    recovers,
    outOfReach: null,
    state: [],
    source: '',
  })
}

const decision = ({ event: given, ...situation }: Partial<TrapContext> & { event?: EventDefinition }) => {
  const effect = given?.effectOf([])
  return decide({
    isDefined: given !== undefined,
    effect: effect?.kind ?? 'alarm',
    level: effect?.level ?? 5,
    open: undefined,
    endsOpen: false,
    endsFlapping: false,
    isFlapping: false,
    startsFlapping: false,
    filteredBy: undefined,
    limitReached: undefined,
    unknownTraps: 'alarm',
    ...situation,
  })
}

function decided(situation: Parameters<typeof decision>[0]): string {
  const made = decision(situation)
  return made.kind === 'repeat' && made.rises ? 'rise' : made.kind
}

const open = (alarmLevel: number) => ({ id: 7n, alarmLevel })

test('a fault is raised when none is open, and repeated when one is', () => {
  assert.equal(decided({ event: event(2) }), 'raise')
  assert.equal(decided({ event: event(2), open: open(2) }), 'repeat')
})

test('a more severe level raises the level of the open alarm; a less severe one only repeats it', () => {
  assert.equal(decided({ event: event(1), open: open(2) }), 'rise')
  assert.equal(decided({ event: event(3), open: open(2) }), 'repeat')
})

test('a recovery ends what is open, and is stored only when nothing is', () => {
  assert.equal(decided({ event: event(5, ['1.2.4']), endsOpen: true }), 'recover')
  assert.equal(decided({ event: event(5, ['1.2.4']) }), 'store')
})

test('a recovery that is severe itself becomes an alarm when there is nothing to end', () => {
  assert.equal(decided({ event: event(4, ['1.2.4']) }), 'raise')
  assert.equal(decided({ event: event(4, ['1.2.4']), open: open(4) }), 'repeat')
  assert.equal(decided({ event: event(4, ['1.2.4']), endsOpen: true }), 'recover')
})

test('an event of level 5 that recovers nothing is an alarm like others', () => {
  assert.equal(decided({ event: event(5) }), 'raise')
})

test('a definition that says store only makes no alarm, whatever else holds', () => {
  assert.equal(decided({ event: event(1, [], 0) }), 'store')
  assert.equal(decided({ event: event(5, ['1.2.4'], 0), endsOpen: true }), 'store')
  assert.equal(decided({ event: event(1, [], 1) }), 'raise')
})

test('an unknown event is raised once, or stored only, as the setting says', () => {
  assert.equal(decided({}), 'raise')
  assert.equal(decided({ open: open(5) }), 'repeat')
  assert.equal(decided({ unknownTraps: 'store' }), 'store')
  assert.equal(decided({ event: event(2), unknownTraps: 'store' }), 'raise')
})

test('an alarm that flaps is collapsed, fault and recovery; rules and definitions are applied before', () => {
  const flaps = { isFlapping: true }
  assert.equal(decided({ event: event(2), ...flaps }), 'collapse')
  assert.equal(decided({ event: event(2), startsFlapping: true }), 'collapse')
  assert.equal(decided({ event: event(2), startsFlapping: true, open: open(2) }), 'repeat')
  assert.equal(decided({ event: event(2), ...flaps, filteredBy: 7n }), 'filter')
  assert.equal(decided({ event: event(2, [], 0), ...flaps }), 'store')
  const end = { event: event(5, ['1.2.4']), endsFlapping: true }
  assert.equal(decided(end), 'collapse')
  assert.equal(decided({ ...end, filteredBy: 7n }), 'collapse', 'an end passes, as ever')
  assert.equal(decided({ ...end, endsOpen: true }), 'recover')
})

test('every decision names its reason', () => {
  const situations: Parameters<typeof decision>[0][] = [
    { event: event(2) },
    { event: event(2), open: open(2) },
    { event: event(1), open: open(2) },
    { event: event(5, ['1.2.4']), endsOpen: true },
    { event: event(5, ['1.2.4']) },
    { event: event(2, [], 0) },
    { event: event(2), filteredBy: 7n },
    { event: event(2), isFlapping: true },
    {},
    { unknownTraps: 'store' },
  ]
  const reasons = situations.map((situation) => decision(situation).reason)
  assert.equal(new Set(reasons).size, reasons.length, 'and no two the same')
})
