// Handlers for work on alarms (acknowledging, assigning, notes, shelving, recovering): on one by its id, on many by a
// filter.

import {
  applyAction,
  maxShelfMs,
  type OperatorAction,
  resolveTimes,
} from '../../../alarms/actions/operator-actions.ts'
import { Fault } from '../../../fault.ts'
import { alarms, noteText } from '../../../resources/alarms/alarm.ts'
import { oneScalar, requireConditions } from '../../../schema/list.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { optional, required, resource, type Shape } from '../../../schema/resource.ts'
import { bool, instant, int, long, text } from '../../../schema/scalar.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { conditionsFor } from '../../imc/imc-alarms.ts'
import { isImcRoot } from '../../imc/imc-root.ts'
import { sendEmpty, sendRecord } from '../../responses.ts'

const unkept = { table: 'alarm', key: 'note' } as const

export const acknowledgement = resource(
  'acknowledgement',
  { note: optional(noteText), ackUntil: optional(instant) },
  unkept,
)

export const assignment = resource(
  'assignment',
  { owner: optional(text()), note: optional(noteText) },
  unkept,
)

export const alarmNote = resource('alarmNote', { note: required(noteText) }, unkept)

export const shelf = resource(
  'shelf',
  {
    shelvedUntil: optional(instant),
    minutes: optional(int({ min: 1, max: maxShelfMs / 60_000 })),
    untilWorse: optional(bool),
    note: optional(noteText),
  },
  unkept,
)

/** Reads the action from the body. */
type Reading = (call: Call) => Promise<OperatorAction>

const withOne =
  (read: Reading): Handler =>
  async (call) => {
    await applyAction(call.engine, call.id, await read(call), call.caller.name)
    sendEmpty(call.response, 204)
  }

/** More alarms than this are changed at once only where that is confirmed. */
export const unconfirmed = 1000

export const alarmBatch: Shape = {
  name: 'alarmBatch',
  fields: { action: required(text()), found: required(long), changed: required(long) },
}

const none = { found: 0n, changed: 0n }

/** All that a list with the same filter shows. */
const withMany =
  (read: Reading): Handler =>
  async (call) => {
    const { database, memory, parameters, batches, caller } = call
    const filter = new Map([...parameters].filter(([name]) => name !== 'confirm'))
    const pushedOnly = isImcRoot(call)
    const conditions = [...requireConditions(alarms.list, filter), ...(await conditionsFor(call))]
    const isConfirmed = oneScalar(parameters, 'confirm', bool) ?? false
    const action = resolveTimes(await read(call), call.clock())
    const matched = await memory.totals.of(database, alarms.table, conditions)
    if (matched > unconfirmed && !isConfirmed) {
      const message = `${matched} alarms are meant: more than ${unconfirmed} are changed with confirm=true alone`
      throw new Fault('conflict', message, { field: 'confirm' })
    }
    const request = { action, filter, pushedOnly, matched, userName: caller.name }
    const { found, changed } =
      matched === 0 ? none : await batches.finish(await batches.start(database, request))
    sendRecord(call.response, call.form, alarmBatch, { action: action.action, found, changed })
  }

/** iMC-compatible clients may send anything with it: none of it is read. */
const readAcknowledgement: Reading = async (call) => {
  const action = 'acknowledge'
  if (isImcRoot(call) || !hasBody(call)) return { action }
  const document = await readDocument(call, acknowledgement.name)
  const { note, ackUntil } = readDraft(acknowledgement, document, 'create')
  return { action, note: note ?? '', ...(typeof ackUntil === 'number' && { until: ackUntil }) }
}

const hasBody = ({ request: { headers } }: Call) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const readAssignment: Reading = async (call) => {
  const { owner, note } = readDraft(assignment, await readDocument(call, assignment.name), 'create')
  if (owner === undefined) {
    const message = 'owner is required: expected the name of an operator, or nothing for nobody'
    throw new Fault('invalid', message, { field: 'owner' })
  }
  await requireOperator(call, owner ?? '')
  return { action: 'assign', owner: owner ?? '', note: note ?? '' }
}

/** As long as there are no operators, callers choose their own name. */
async function requireOperator({ logins }: Call, name: string): Promise<void> {
  const { byName } = await logins.directory.entries()
  if (name === '' || byName.size === 0 || byName.has(name)) return
  throw new Fault('invalid', `there is no operator ${JSON.stringify(name)}`, { field: 'owner' })
}

const readNote: Reading = async (call) => {
  const { note } = readDraft(alarmNote, await readDocument(call, alarmNote.name), 'create')
  return { action: 'note', note: note ?? '' }
}

const readShelf: Reading = async (call) => {
  const document = await readDocument(call, shelf.name)
  const { shelvedUntil, minutes, untilWorse, note } = readDraft(shelf, document, 'create')
  return {
    action: 'shelve',
    ...(typeof shelvedUntil === 'number' && { until: shelvedUntil }),
    ...(typeof minutes === 'number' && { minutes }),
    untilWorse: untilWorse ?? false,
    note: note ?? '',
  }
}

/** Input that consists of the address only. */
const plain =
  (action: 'unacknowledge' | 'unshelve' | 'recover'): Reading =>
  async () => ({ action })

const both = (read: Reading) => ({ one: withOne(read), many: withMany(read) })

export const acknowledge = both(readAcknowledgement)
export const unacknowledge = both(plain('unacknowledge'))
export const assign = both(readAssignment)
export const note = both(readNote)
export const shelve = both(readShelf)
export const unshelve = both(plain('unshelve'))
export const recover = both(plain('recover'))
