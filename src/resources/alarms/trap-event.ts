// Event definitions: the meaning of an event OID.

import { list } from '../../schema/list.ts'
import { assigned, groups, optional, type RecordOf, required, resource, set } from '../../schema/resource.ts'
import { bool, coded, int, long, oid, text } from '../../schema/scalar.ts'
import type { Reader } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
import { collection, requireUnique } from '../collection.ts'
import { alarmLevel } from './alarm.ts'

export const storeOnly = 0

export const trapEvent = resource(
  'trapEvent',
  {
    id: assigned(long),
    eventOid: required(oid),
    name: required(text(), { keyed: true }),
    alarmLevel: required(alarmLevel),
    alarmCategory: required(int({ min: 1 })),
    /** A text with {names} of parameters in it. */
    alarmDesc: optional(text()),
    handling: optional(coded({ [storeOnly]: 'store only', 1: 'raise an alarm' })),
    parameter: groups({
      oid: required(oid),
      name: required(text({ maxLength: 100 })),
      /** It is part of the name of the alarm's resource. */
      isKey: optional(bool),
      /** Its value is the instance part of the variable's OID. */
      fromIndex: optional(bool),
      /** Labels for values: `1=up;2=down`. */
      labels: optional(text()),
    }),
    /** The events whose alarm, on the same resource, this one ends. */
    recovers: set(oid),
    /** Its alarm means that the device, or what hangs behind the interface it is about, is out of reach. */
    outOfReach: optional(bool),
  },
  { table: 'trap_event', key: 'id' },
)

export type TrapEvent = RecordOf<typeof trapEvent.fields>

export const trapEvents = collection({
  resource: trapEvent,
  noun: 'event definition',
  list: list('/fault/trapEvent', trapEvent, {
    filters: ({ wildcard, equals, anyOf, anySpelling }) => ({
      eventOid: anySpelling('eventOid'),
      name: wildcard('name'),
      alarmLevel: anyOf('alarmLevel'),
      alarmCategory: equals('alarmCategory'),
    }),
    orderBy: { id: 'id', name: 'name', eventOid: 'eventOid' },
  }),
  rules: {
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

/** The ids of all definitions, by OID. */
export async function definedEvents(reader: Reader): Promise<Map<string, bigint>> {
  const rows = await reader.all('select id, event_oid from trap_event')
  return new Map(rows.map((row) => [row.event_oid as string, row.id as bigint]))
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

/** Whether an event means that something is out of reach, by its definition, where there is one. */
export async function isOutOfReach(reader: Reader, eventOid: string): Promise<boolean> {
  const [row] = await reader.all('select out_of_reach from trap_event where event_oid = ?', [eventOid])
  return row?.out_of_reach === 1n
}
