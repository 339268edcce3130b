// Every document that the service writes: the published schema follows from these.

import { alarm, alarmDetail, listedAlarm, pushedAlarm } from '../resources/alarm.ts'
import { auditEntry } from '../resources/audit-entry.ts'
import { catalog } from '../resources/catalog.ts'
import { customView } from '../resources/custom-view.ts'
import { operator } from '../resources/operator.ts'
import { token } from '../resources/token.ts'
import { ledgerLine, trap } from '../resources/trap.ts'
import { derived, type Field, type Fields, many, type Shape, set } from '../schema/resource.ts'
import { oid, text } from '../schema/scalar.ts'
import { errorDocument } from './answers.ts'
import { registrationDocument } from './handlers/events.ts'
import { faultRealTime } from './handlers/fault-real-time.ts'
import {
  mibAccept,
  mibAcceptedDocument,
  mibLoadDocument,
  mibModuleDocument,
  mibProposalDocument,
} from './handlers/mibs.ts'
import { serviceDocument } from './handlers/root.ts'
import { storeCheckDocument } from './handlers/store.ts'
import { dryRunDocument } from './handlers/trap-rules.ts'
import { viewDocument } from './handlers/views.ts'

const optional = ([name, field]: [string, Field]): [string, Field] => [
  name,
  { ...field, origin: 'derived' } as Field,
]
const inLists = Object.entries<Field>(listedAlarm.fields as Fields).filter(
  ([name]) => !Object.hasOwn(pushedAlarm.fields, name),
)

/** An alarm as it is pushed and as it is listed: one element, of which each shows its part. */
export const alarmDocument: Shape = {
  name: alarm.name,
  fields: {
    ...pushedAlarm.fields,
    nAction: derived(text()),
    lstRecovered: many({ faultOid: set(oid) }),
    cursor: derived(text()),
    ...Object.fromEntries(inLists.map(optional)),
  },
}

/** What an event stream says beside alarms. */
const gapDocument: Shape = {
  name: 'gap',
  fields: { from: derived(text()), to: derived(text()), reason: derived(text()) },
}
const bookmarkDocument: Shape = { name: 'bookmark', fields: { cursor: derived(text()) } }

/** These stand alone. */
export const documents: readonly Shape[] = [
  errorDocument,
  serviceDocument,
  alarmDetail,
  faultRealTime,
  dryRunDocument,
  mibLoadDocument,
  mibAccept,
  storeCheckDocument,
  gapDocument,
  bookmarkDocument,
]

/** These also stand in lists. */
export const rows: readonly Shape[] = [
  ...catalog.map(({ resource }) => (resource === customView ? viewDocument : resource)),
  alarmDocument,
  trap,
  ledgerLine,
  mibModuleDocument,
  mibProposalDocument,
  mibAcceptedDocument,
  auditEntry,
  registrationDocument,
  operator,
  token,
]
