// Handlers for schedules: who is on call now and next, shifts, gaps, overrides, and handing over by hand.

import { Fault, shown } from '../../../fault.ts'
import { TimeSlice } from '../../../pacing/time-slice.ts'
import { auditChange } from '../../../resources/access/audit-entry.ts'
import { mayAct } from '../../../resources/access/role.ts'
import { LocalTime } from '../../../resources/alarms/local-time.ts'
import { read } from '../../../resources/collection.ts'
import { contactNames, contactOfOperator } from '../../../resources/notify/contact.ts'
import { type Schedule, schedule, schedules } from '../../../resources/notify/schedule.ts'
import {
  type Override,
  scheduleOverride,
  scheduleOverrides,
} from '../../../resources/notify/schedule-override.ts'
import { oneScalar } from '../../../schema/list.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { type AnyRecord, empty, optional, required, resource, type Shape } from '../../../schema/resource.ts'
import { instant, long, text } from '../../../schema/scalar.ts'
import type { Reader } from '../../../store/database.ts'
import { find, update } from '../../../store/table.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { sendEmpty, sendRecord } from '../../responses.ts'
import { answerList, answerMadeRows } from '../list-handlers.ts'
import { createOne, deleteOne, modifyOne, type RecordOptions } from '../record-handlers.ts'

const day = 24 * 3600 * 1000
/** How much is listed at a time: a quarter of a year, and four weeks where nothing else is asked for. */
const maxPeriod = 92 * day
const defaultSpan = 28 * day

/** Fills in who is on call. */
async function show({ database, onCall, clock }: Call, records: Schedule[]): Promise<void> {
  const names = await contactNames(database)
  const now = clock()
  const pace = new TimeSlice()
  for (const record of records) {
    await pace.step()
    const state = await onCall.state(record.id, now)
    record.onCallUntil = state?.until ?? 0
    record.gapFrom = state?.gap?.begin ?? 0
    record.gapUntil = state?.gap?.end ?? 0
    if (state?.contact !== undefined) {
      record.onCallId = state.contact
      record.onCallName = names.get(state.contact) ?? ''
    }
    if (state?.next === undefined) continue
    record.nextId = state.next
    record.nextName = names.get(state.next) ?? ''
  }
}

export const listSchedules: Handler = (call) =>
  answerList(call, schedules, (_database, records) => show(call, records as Schedule[]))

export const readSchedule: Handler = async (call) => {
  const record = await read(call.database, schedules, call.id)
  await show(call, [record])
  sendRecord(call.response, call.form, schedule, record)
}

/** Gaps are shown before they happen: also when they are made. */
export const scheduleOptions: RecordOptions = {
  async warnings(call, id) {
    const { timeZone } = await read(call.database, schedules, id)
    const gap = (await call.onCall.state(id, call.clock()))?.gap
    if (!gap) return []
    const local = new LocalTime(timeZone)
    return [`nobody is on call from ${local.text(gap.begin)} to ${local.text(gap.end)}, ${timeZone}`]
  },
}

export const shiftDocument: Shape = {
  name: 'shift',
  fields: {
    scheduleId: required(long),
    scheduleName: required(text()),
    fromTime: required(instant),
    toTime: required(instant),
    /** Empty where nobody is on call. */
    contactId: optional(long, empty),
    contactName: optional(text(), empty),
    /** By what: a layer of the schedule, or an override. */
    layer: optional(text(), empty),
    overrideId: optional(long, empty),
  },
}

export const listShifts: Handler = async (call) => {
  const { parameters, onCall, database } = call
  const from = oneScalar(parameters, 'fromTime', instant) ?? call.clock()
  const until = oneScalar(parameters, 'toTime', instant) ?? from + defaultSpan
  if (until <= from || until - from > maxPeriod) {
    throw new Fault('invalid', 'toTime: expected a time after fromTime, at most 92 days later', {
      field: 'toTime',
    })
  }
  const scheduleId = oneScalar(parameters, 'scheduleId', long)
  if (scheduleId !== undefined) await read(database, schedules, scheduleId)
  const contactId = oneScalar(parameters, 'contactId', long)
  const found = await onCall.shifts({ scheduleId, contactId, from, until })
  const names = await contactNames(database)
  await answerMadeRows(call, shiftDocument, found, (shift) => ({
    ...{ scheduleId: shift.scheduleId, scheduleName: shift.scheduleName },
    ...{ fromTime: shift.begin, toTime: shift.end, contactId: shift.contact ?? null },
    contactName: shift.contact === undefined ? null : (names.get(shift.contact) ?? ''),
    ...{ layer: shift.layer ?? null, overrideId: shift.override ?? null },
  }))
}

/** Whether a caller may act for one of these contacts: administrators for all, others for their own. */
async function actsFor({ caller, database }: Call, contacts: readonly (bigint | null)[]): Promise<boolean> {
  if (mayAct(caller.role, 'administrator')) return true
  if (caller.operatorId === undefined) return false
  const own = await contactOfOperator(database, caller.operatorId)
  return own !== undefined && contacts.includes(own)
}

/** People take over from others; only administrators give shifts to others. */
async function requireTakingOver(call: Call, contactId: bigint): Promise<void> {
  if (await actsFor(call, [contactId])) return
  throw new Fault(
    'forbidden',
    `contact ${contactId} is not yours: only an administrator makes overrides for others`,
  )
}

async function storedOverride(
  { database, id }: Call,
  code: 'not-found' | 'gone' = 'not-found',
): Promise<Override> {
  const record = (await find(database, scheduleOverrides.table, id)) as Override | undefined
  if (!record) throw new Fault(code, `override ${id} does not exist`)
  return record
}

const showOverrides = async (database: Reader, records: AnyRecord[]) => {
  const names = await contactNames(database)
  for (const record of records as Override[]) record.contactName = names.get(record.contactId) ?? ''
}

export const listOverrides: Handler = (call) => answerList(call, scheduleOverrides, showOverrides)

export const readOverride: Handler = async (call) => {
  const record = await storedOverride(call)
  await showOverrides(call.database, [record])
  sendRecord(call.response, call.form, scheduleOverride, record)
}

export const createOverride: Handler = (call) =>
  createOne(scheduleOverrides, {
    async reader() {
      const root = await readDocument(call, scheduleOverride.name)
      const { contactId } = readDraft(scheduleOverride, root, 'create')
      await requireTakingOver(call, contactId ?? 0n)
      return root
    },
  })(call)

export const modifyOverride: Handler = async (call) => {
  const before = await storedOverride(call)
  await requireTakingOver(call, before.contactId)
  const reader = async () => {
    const root = await readDocument(call, scheduleOverride.name)
    const { contactId } = readDraft(scheduleOverride, root, 'modify')
    await requireTakingOver(call, contactId ?? before.contactId)
    return root
  }
  return modifyOne(scheduleOverrides, { reader })(call)
}

export const deleteOverride: Handler = async (call) => {
  await requireTakingOver(call, (await storedOverride(call, 'gone')).contactId)
  return deleteOne(scheduleOverrides)(call)
}

export const handOverDocument = resource(
  'handOver',
  { layer: required(text({ maxLength: 100 })), contactId: optional(long) },
  { table: 'schedule', key: 'layer' },
)

/** Whose turn it is in a layer that is handed over by hand: the one who is named, or the next in the order. */
export const handOver: Handler = async (call) => {
  const given = readDraft(handOverDocument, await readDocument(call, handOverDocument.name), 'create')
  await call.database.transaction(async (tx) => {
    const before = (await find(tx, schedules.table, call.id)) as Schedule | undefined
    if (!before) throw new Fault('not-found', `schedule ${call.id} does not exist`)
    const index = before.layer.findIndex(({ name }) => name === given.layer)
    const held = before.layer[index]
    if (held?.rotation !== 'byHand') throw notByHand(before, given.layer ?? '')
    const next = held.contact[(held.contact.indexOf(held.onCall ?? 0n) + 1) % held.contact.length] ?? null
    const onCall = given.contactId ?? next
    if (!(await actsFor(call, [held.onCall, onCall]))) {
      throw new Fault('forbidden', 'only an administrator hands over from one person to another')
    }
    const after = { ...before, layer: before.layer.with(index, { ...held, onCall }) }
    schedules.rules.check?.(after)
    await update(tx, schedules.table, call.id, before, after)
    await auditChange(tx, 'handOver', schedule, call.id, before, after)
  })
  sendEmpty(call.response, 204)
}

function notByHand({ id, layer: layers }: Schedule, given: string): Fault {
  const names = layers.filter(({ rotation }) => rotation === 'byHand').map(({ name }) => shown(name))
  const expected = names.length === 0 ? `schedule ${id} has none` : `expected ${names.join(' or ')}`
  return new Fault('conflict', `${shown(given)} is no layer that is handed over by hand: ${expected}`, {
    field: 'layer',
  })
}
