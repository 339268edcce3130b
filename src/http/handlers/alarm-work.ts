// What operators do with an alarm between its beginning and its end, over HTTP.

import {
  acknowledging,
  assigning,
  type Deed,
  longestShelf,
  noting,
  shelving,
  unshelving,
  withdrawing,
  workOn,
} from '../../alarms/working.ts'
import { Fault } from '../../fault.ts'
import { noteText } from '../../resources/alarm.ts'
import { readDraft } from '../../schema/document.ts'
import { may, need, resource } from '../../schema/resource.ts'
import { bool, instant, int, text } from '../../schema/scalar.ts'
import { sendEmpty } from '../answers.ts'
import { asksAsFamily, type Call, type Handler, readDocument } from '../call.ts'

const unkept = { table: 'alarm', key: 'note' } as const

export const acknowledgement = resource(
  'acknowledgement',
  { note: may(noteText), ackUntil: may(instant) },
  unkept,
)

export const assignment = resource('assignment', { owner: may(text()), note: may(noteText) }, unkept)

export const alarmNote = resource('alarmNote', { note: need(noteText) }, unkept)

export const shelf = resource(
  'shelf',
  {
    shelvedUntil: may(instant),
    minutes: may(int({ min: 1, max: longestShelf / 60_000 })),
    untilWorse: may(bool),
    note: may(noteText),
  },
  unkept,
)

/** Reads what is asked for. */
type Reading = (call: Call) => Promise<Deed>

const doing =
  (action: string, read: Reading): Handler =>
  async (call) => {
    await workOn(call.engine, call.id, action, await read(call))
    sendEmpty(call.response, 204)
  }

/** Programs of the interface family may send anything with it: nothing of it was ever read. */
const readAcknowledgement: Reading = async (call) => {
  const { name } = call.caller
  if (asksAsFamily(call) || !hasBody(call)) return acknowledging(name)
  const { note, ackUntil } = readDraft(
    acknowledgement,
    await readDocument(call, acknowledgement.name),
    'create',
  )
  return acknowledging(name, { note: note ?? '', until: ackUntil ?? undefined })
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
  return assigning(call.caller.name, owner ?? '', note ?? '')
}

/** As long as there are no operators, everyone has the name they like. */
async function requireOperator({ logins }: Call, name: string): Promise<void> {
  const { byName } = await logins.directory.entries()
  if (name === '' || byName.size === 0 || byName.has(name)) return
  throw new Fault('invalid', `there is no operator ${JSON.stringify(name)}`, { field: 'owner' })
}

const readNote: Reading = async (call) =>
  noting(
    call.caller.name,
    readDraft(alarmNote, await readDocument(call, alarmNote.name), 'create').note ?? '',
  )

const readShelf: Reading = async (call) => {
  const { shelvedUntil, minutes, untilWorse, note } = readDraft(
    shelf,
    await readDocument(call, shelf.name),
    'create',
  )
  return shelving(call.caller.name, {
    until: shelvedUntil ?? undefined,
    minutes: minutes ?? undefined,
    untilWorse: untilWorse ?? false,
    note: note ?? '',
  })
}

export const acknowledgeAlarm = doing('acknowledge', readAcknowledgement)
export const unacknowledgeAlarm = doing('unacknowledge', async ({ caller }) => withdrawing(caller.name))
export const assignAlarm = doing('assign', readAssignment)
export const noteAlarm = doing('note', readNote)
export const shelveAlarm = doing('shelve', readShelf)
export const unshelveAlarm = doing('unshelve', async ({ caller }) => unshelving(caller.name))
