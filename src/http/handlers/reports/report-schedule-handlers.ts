// Handlers for schedules of report templates, which are visible to those who see the template.

import { Fault } from '../../../fault.ts'
import { readRun, runElement } from '../../../reports/report.ts'
import type { Collection } from '../../../resources/collection.ts'
import { lastOfSchedule } from '../../../resources/reports/report-result.ts'
import {
  type ReportSchedule,
  reportSchedule,
  reportSchedules,
} from '../../../resources/reports/report-schedule.ts'
import { seenBy } from '../../../resources/reports/report-template.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { find } from '../../../store/table.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { sendRecord } from '../../responses.ts'
import { answerList } from '../list-handlers.ts'
import { createOne, deleteOne, modifyOne } from '../record-handlers.ts'
import { requireAllowed, resultAddress, seenTemplate } from './report-handlers.ts'

const showLast =
  (call: Call): NonNullable<Collection['rules']['show']> =>
  async (database, records) => {
    const schedules = records as ReportSchedule[]
    for (const schedule of schedules) {
      const id = await lastOfSchedule(database, schedule.id)
      if (id !== undefined) schedule.lastResult = resultAddress(call, id)
    }
  }

export const listSchedules: Handler = async (call) =>
  answerList(call, reportSchedules, showLast(call), await seenBy(call.database, call.caller, 'schedule'))

async function seenSchedule(call: Call, code: 'not-found' | 'gone' = 'not-found'): Promise<ReportSchedule> {
  const schedule = (await find(call.database, reportSchedules.table, call.id)) as ReportSchedule | undefined
  const missing = new Fault(code, `report schedule ${call.id} does not exist`)
  if (!schedule) throw missing
  await seenTemplate(call, schedule.templateId).catch(() => {
    throw missing
  })
  return schedule
}

export const readSchedule: Handler = async (call) => {
  const schedule = await seenSchedule(call)
  await showLast(call)(call.database, [schedule])
  sendRecord(call.response, call.form, reportSchedule, schedule)
}

/** The body is read once: its parameters are checked before they are stored. */
async function readAllowed(call: Call, stored?: ReportSchedule) {
  const root = await readDocument(call, reportSchedule.name)
  const draft = readDraft(reportSchedule, root, stored ? 'modify' : 'create')
  const { templateId, parameter } = { ...stored, ...draft }
  if (templateId === null || templateId === undefined) return root
  const template = await seenTemplate(call, templateId).catch((error) => {
    throw error instanceof Fault ? new Fault('conflict', error.message, { field: 'templateId' }) : error
  })
  const { takes } = await requireAllowed(call, template)
  readRun(runElement(parameter ?? []), takes)
  return root
}

export const createSchedule: Handler = (call) =>
  createOne(reportSchedules, { reader: (one) => readAllowed(one) })(call)

export const modifySchedule: Handler = async (call) => {
  const stored = await seenSchedule(call)
  return modifyOne(reportSchedules, { reader: (one) => readAllowed(one, stored) })(call)
}

export const deleteSchedule: Handler = async (call) => {
  await seenSchedule(call, 'gone')
  return deleteOne(reportSchedules)(call)
}
