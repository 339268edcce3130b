// Event definitions: the meaning of an event OID.

import { Fault, shown } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import { pattern } from '../../schema/pattern.ts'
import { assigned, groups, optional, type RecordOf, required, resource, set } from '../../schema/resource.ts'
import { bool, coded, int, long, oid, oidLength, type Scalar, text } from '../../schema/scalar.ts'
import type { Reader } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
import { collection, requireUnique } from '../collection.ts'
import { alarmLevel } from './alarm.ts'

export const storeOnly = 0
/** Of a state: it ends the alarm that other states of the same event raise. */
export const endAlarm = 2

const oidOrPlace = text({
  maxLength: oidLength,
  pattern: {
    source: '\\.?[0-9]+(\\.[0-9]+)*|#[1-9][0-9]{0,2}',
    accepted:
      'an object identifier such as 1.3.6.1.2.1.2.2.1.1, or # and the place of the variable, such as #3',
  },
})

/** Where a variable is: its OID without the instance, or its place in the trap, from 1: `#3`. */
const variablePlace: Scalar<string> = {
  ...oidOrPlace,
  read: (value) => oidOrPlace.read(value).replace(/^\./, ''),
}

export const trapEvent = resource(
  'trapEvent',
  {
    /** What the catalogue of vendors' events has, and the store has not, has none. */
    id: assigned(long, { mayBeAbsent: true }),
    eventOid: required(oid),
    name: required(text(), { keyed: true }),
    alarmLevel: required(alarmLevel),
    alarmCategory: required(int({ min: 1 })),
    /** A text with {names} of parameters in it. */
    alarmDesc: optional(text()),
    handling: optional(coded({ [storeOnly]: 'store only', 1: 'raise an alarm' })),
    parameter: groups({
      oid: required(variablePlace),
      name: required(text({ maxLength: 100 })),
      /** It is part of the name of the alarm's resource. */
      isKey: optional(bool),
      /** Its value is the instance part of the variable's OID. */
      fromIndex: optional(bool),
      /** Labels for values: `1=up;2=down`. */
      labels: optional(text()),
      /** What to take from the value: the first group, or all that it matches. */
      pattern: optional(pattern),
    }),
    /** The events whose alarm, on the same resource, this one ends. */
    recovers: set(oid),
    /** Whether its alarm means that the device, or everything connected through the interface, is out of reach. */
    outOfReach: optional(bool),
    /** What the trap does, by the value of a parameter; the first that matches counts. */
    state: groups({
      parameter: required(text({ maxLength: 100 })),
      /** Values or labels, separated by semicolons; `*` stands for any text. */
      values: required(text()),
      handling: required(
        coded({ [storeOnly]: 'store only', 1: 'raise an alarm', [endAlarm]: 'end the alarm' }),
      ),
      /** Of the alarm that is raised. */
      alarmLevel: optional(alarmLevel),
    }),
    /**
     * The module and revision that it was made from, if it is as the catalogue of vendors' events has it. What somebody
     * has changed is his own, and a later catalogue does not change it.
     */
    source: assigned(text(), { mayBeAbsent: true }),
  },
  { table: 'trap_event', key: 'id' },
)

export type TrapEvent = RecordOf<typeof trapEvent.fields>

export const trapEvents = collection({
  resource: trapEvent,
  noun: 'event definition',
  list: list('/fault/trapEvent', trapEvent, {
    filters: ({ wildcard, equals, anyOf, anySpelling, filled }) => ({
      eventOid: anySpelling('eventOid', otherSpelling),
      name: wildcard('name'),
      alarmLevel: anyOf('alarmLevel'),
      alarmCategory: equals('alarmCategory'),
      ends: filled('recovers'),
    }),
    orderBy: { id: 'id', name: 'name', eventOid: 'eventOid' },
  }),
  rules: {
    adapt(draft) {
      draft.source = null
    },
    check({ parameter, state }) {
      const names = parameter.map(({ name }) => name)
      const placed = parameter.find(({ oid: place, fromIndex }) => place.startsWith('#') && fromIndex)
      if (placed)
        throw new Fault(
          'invalid',
          `parameter: ${shown(placed.name)} is found by its place: fromIndex goes with an OID only`,
          { field: 'parameter/fromIndex' },
        )
      for (const { parameter: name, handling, alarmLevel: level } of state) {
        if (!names.includes(name))
          throw new Fault(
            'invalid',
            `state: ${shown(name)} is not a parameter: expected ${names.join(', ') || 'none'}`,
            {
              field: 'state/parameter',
            },
          )
        if (level !== null && handling !== 1)
          throw new Fault('invalid', `state: alarmLevel goes with handling 1 only`, {
            field: 'state/alarmLevel',
          })
      }
    },
    async saving(tx, { id, eventOid }) {
      const unique = { table: 'trap_event', column: 'event_oid', field: 'eventOid', noun: 'event definition' }
      await requireUnique(tx, unique, eventOid, id)
    },
  },
})

/** Devices and MIBs disagree on the 0 that RFC 3584 puts before the last number of a trap from version 1. */
export function otherSpelling(oid: string): string {
  const cut = oid.lastIndexOf('.')
  const parent = oid.slice(0, cut)
  return parent.endsWith('.0') ? parent.slice(0, -2) + oid.slice(cut) : `${parent}.0${oid.slice(cut)}`
}

/** The shorter of the two spellings. */
export function withoutZero(oid: string): string {
  const cut = oid.lastIndexOf('.')
  return oid.endsWith('.0', cut) ? oid.slice(0, cut - 2) + oid.slice(cut) : oid
}

/** The ids of all definitions, by OID. */
export async function definedEvents(reader: Reader): Promise<Map<string, bigint>> {
  const rows = await reader.all('select id, event_oid from trap_event')
  return new Map(rows.map((row) => [row.event_oid as string, row.id as bigint]))
}

/** How many definitions are as the catalogue of vendors' events has them. */
export async function countWithSource(reader: Reader): Promise<number> {
  const [row] = await reader.all('select count(*) as n from trap_event where source is not null')
  return Number(row?.n ?? 0)
}

/** The definitions of events. */
export async function eventsAt(reader: Pick<Reader, 'all'>, oids: readonly string[]): Promise<TrapEvent[]> {
  const { form, name } = trapEvents.table
  const rows = await allWithValues(
    reader,
    oids,
    (marks) => `select ${form.names} from ${name} where event_oid in (${marks})`,
  )
  return rows.map((row) => form.toRecord(row) as TrapEvent)
}

/** The names of events, by OID; those without a definition are left out. */
export async function eventNames(reader: Reader, oids: readonly string[]): Promise<Map<string, string>> {
  const rows = await allWithValues(
    reader,
    oids,
    (marks) => `select event_oid, name from trap_event where event_oid in (${marks})`,
  )
  return new Map(rows.map((row) => [String(row.event_oid), String(row.name)]))
}

/** Whether an event means, according to its definition, that something is out of reach. */
export async function isOutOfReach(reader: Reader, eventOid: string): Promise<boolean> {
  const [row] = await reader.all('select out_of_reach from trap_event where event_oid = ?', [eventOid])
  return row?.out_of_reach === 1n
}
