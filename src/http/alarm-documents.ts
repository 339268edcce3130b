// Documents that are not resources: alarms as they are pushed and listed, and the other elements of an event stream.

import {
  alarm,
  alarmDetail,
  listedAlarm,
  pushedAlarm,
  raisedAlarm,
  unknownToImc,
} from '../resources/alarms/alarm.ts'
import { derived, type Field, type Fields, groups, type Shape, set } from '../schema/resource.ts'
import { oid, text } from '../schema/scalar.ts'

const optional = ([name, field]: [string, Field]): [string, Field] => [
  name,
  { ...field, origin: 'derived', ...(field.kind === 'scalar' && { absent: 'omit' }) } as Field,
]
const inLists = Object.entries<Field>(listedAlarm.fields as Fields).filter(
  ([name]) => !Object.hasOwn(pushedAlarm.fields, name),
)

/** An alarm as it is pushed and as it is listed: one element, of which each shows its part. */
export const alarmDocument: Shape = {
  name: alarm.name,
  fields: {
    ...pushedAlarm.fields,
    // Given where an alarm is raised.
    originalType: { ...alarm.fields.originalType, origin: 'optional' },
    space: raisedAlarm.fields.space,
    nAction: derived(text()),
    lstRecovered: groups({ faultOid: set(oid) }),
    ...Object.fromEntries(inLists.map(optional)),
    cursor: derived(text()),
  },
}

/** One alarm by itself; programs of the iMC interface are shown less of it. */
export const alarmDetailDocument: Shape = {
  name: alarmDetail.name,
  fields: Object.fromEntries(
    Object.entries<Field>(alarmDetail.fields as Fields).map((entry) =>
      unknownToImc.has(entry[0]) ? optional(entry) : entry,
    ),
  ),
}

/** What an event stream contains beside alarms. */
export const gapDocument: Shape = {
  name: 'gap',
  fields: { from: derived(text()), to: derived(text()), reason: derived(text()) },
}
export const bookmarkDocument: Shape = { name: 'bookmark', fields: { cursor: derived(text()) } }
