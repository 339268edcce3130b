// Handlers for reports: templates visible to the caller, runs, and results in the requested format.

import { Fault } from '../../../fault.ts'
import { allReports } from '../../../reports/all-reports.ts'
import { jsonOf, sheetOf } from '../../../reports/forms/data-sheet.ts'
import { pageOf, pagePolicy } from '../../../reports/forms/html-page.ts'
import { reportRun } from '../../../reports/report.ts'
import type { ReportDocument } from '../../../reports/report-document.ts'
import type { Runnable } from '../../../reports/runs.ts'
import { mayAct } from '../../../resources/access/role.ts'
import type { Collection } from '../../../resources/collection.ts'
import { lastResults, type ReportResult, reportResults } from '../../../resources/reports/report-result.ts'
import {
  type ReportTemplate,
  reportTemplates,
  seenBy,
  sees,
} from '../../../resources/reports/report-template.ts'
import { oneScalar } from '../../../schema/list.ts'
import { optional, required, type Shape, set } from '../../../schema/resource.ts'
import { bool, text } from '../../../schema/scalar.ts'
import { find } from '../../../store/table.ts'
import { type Call, type Handler, readDocument } from '../../call.ts'
import { choose, notAcceptable } from '../../content-negotiation.ts'
import { shapeFor } from '../../imc/imc-records.ts'
import { isImcRoot } from '../../imc/imc-root.ts'
import { sendRecord, startStream, whenGone, writePiece } from '../../responses.ts'
import { exportData } from '../files/export-handlers.ts'
import { answerList, answerRows } from '../list-handlers.ts'
import { deleteOne } from '../record-handlers.ts'

const isAdministrator = ({ caller }: Call) => mayAct(caller.role, 'administrator')

const resultPath = reportResults.path
export const resultAddress = ({ base }: Call, id: bigint) => `${base}${resultPath}/${id}`

/** Refuses reports that are for administrators to other callers; returns the report of the template. */
export async function requireAllowed(
  call: Call,
  template: ReportTemplate,
): Promise<Pick<Runnable, 'name' | 'takes' | 'confined'>> {
  const runs = await call.reports.describe(template)
  if (!runs.confined || isAdministrator(call)) return runs
  throw new Fault('forbidden', 'this report is for administrators')
}

/** Programs of the iMC interface are not shown which result was the last. */
const showLast =
  (call: Call): NonNullable<Collection['rules']['show']> =>
  async (database, records) => {
    if (isImcRoot(call)) return
    const templates = records as ReportTemplate[]
    const last = await lastResults(
      database,
      templates.map(({ id }) => id),
      isAdministrator(call),
    )
    for (const template of templates) {
      const id = last.get(template.id)
      if (id !== undefined) template.lastResult = resultAddress(call, id)
    }
  }

export const listTemplates: Handler = async (call) =>
  answerList(call, reportTemplates, showLast(call), await seenBy(call.database, call.caller, 'template'))

export async function seenTemplate(call: Call, id = call.id): Promise<ReportTemplate> {
  const template = (await find(call.database, reportTemplates.table, id)) as ReportTemplate | undefined
  if (template && (await sees(call.database, call.caller, template))) return template
  throw new Fault('not-found', `report template ${id} does not exist`)
}

export const readTemplate: Handler = async (call) => {
  const template = await seenTemplate(call)
  await showLast(call)(call.database, [template])
  sendRecord(call.response, call.form, shapeFor(call, reportTemplates.resource, [template]), template)
}

export const exportTemplates: Handler = async (call) =>
  exportData(reportTemplates, await seenBy(call.database, call.caller, 'template'))(call)

const reportForms = ['html', 'csv', 'json', 'pdf'] as const
type ReportForm = (typeof reportForms)[number]

export const formName = text({
  pattern: { source: reportForms.join('|'), accepted: `one of ${reportForms.join(', ')}` },
})

const offers = [
  { form: 'html', ranges: ['text/html', 'text/*', '*/*'] },
  { form: 'csv', ranges: ['text/csv'] },
  { form: 'json', ranges: ['application/json', 'application/*'] },
  { form: 'pdf', ranges: ['application/pdf'] },
] as const

const types: Readonly<Record<ReportForm, string>> = {
  html: 'text/html; charset=UTF-8',
  csv: 'text/csv; charset=UTF-8',
  json: 'application/json',
  pdf: 'application/pdf',
}

/** `format` in the address, where a header cannot be set. */
function formOf(call: Call): ReportForm {
  const asked = oneScalar(call.parameters, 'format', formName)
  if (asked !== undefined) return asked as ReportForm
  const { accept = '*/*' } = call.request.headers
  const chosen = choose(accept.trim() === '' ? '*/*' : accept, offers)
  if (chosen === undefined) {
    throw notAcceptable(accept, 'text/html, text/csv, application/json or application/pdf')
  }
  return chosen
}

/** A result as it is sent: of a run just made, or of one that is read again. */
type Sent = Pick<ReportResult, 'id' | 'name' | 'madeTime'>

/** What browsers may do with it: show it, and nothing else. */
const headersOf = (form: ReportForm, { name, madeTime }: Sent) => ({
  ...(form === 'html' && { 'Content-Security-Policy': pagePolicy }),
  'Content-Disposition': `${form === 'html' ? 'inline' : 'attachment'}; filename="${fileName(name, madeTime)}.${form}"`,
})

const fileName = (title: string, at: number) => {
  const words = title
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '')
  return `${words === '' ? 'report' : words}-${new Date(at).toISOString().slice(0, 10)}`
}

const askedIn = ({ caller, response }: Call) => ({ by: caller.name, gone: whenGone(response) })

async function sendReport(
  call: Call,
  result: Sent,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { response, request, reports } = call
  const form = formOf(call)
  const headers = { ...headersOf(form, result), ...more }
  if (request.method === 'HEAD') {
    startStream(response, 200, types[form], headers)
    response.end()
  } else if (form === 'pdf') {
    const bytes = await reports.pdf(result.id, askedIn(call))
    startStream(response, 200, types.pdf, { ...headers, 'Content-Length': bytes.length })
    response.end(bytes)
  } else {
    await reports.withDocument(result.id, askedIn(call), async (document) => {
      startStream(response, 200, types[form], headers)
      for (const piece of piecesOf(form, document)) if (!(await writePiece(response, piece))) return
      response.end()
    })
  }
}

function piecesOf(form: Exclude<ReportForm, 'pdf'>, document: ReportDocument): Iterable<string> {
  if (form === 'html') return pageOf(document)
  return form === 'csv' ? inLargerPieces(sheetOf(document)) : [jsonOf(document)]
}

/** Rows are short, and each chunk costs a wait. */
function* inLargerPieces(lines: Iterable<string>): Generator<string> {
  let piece = ''
  for (const line of lines) {
    piece += line
    if (piece.length < 65_536) continue
    yield piece
    piece = ''
  }
  yield piece
}

export const runTemplate: Handler = async (call) => {
  const template = await seenTemplate(call)
  const form = formOf(call)
  await requireAllowed(call, template)
  const body = await readDocument(call, reportRun.name)
  const { by, gone } = askedIn(call)
  // Before the report is made, rather than after it.
  if (form === 'pdf') call.reports.requireRoomForPdf({ by, gone })
  const { resultId, madeTime } = await call.reports.run(template, body, { name: by, scheduleId: null, gone })
  await sendReport(
    call,
    { id: resultId, name: template.name, madeTime },
    { 'Content-Location': resultAddress(call, resultId) },
  )
}

const showAddress =
  (call: Call): NonNullable<Collection['rules']['show']> =>
  async (_database, records) => {
    for (const record of records) record.address = resultAddress(call, record.id as bigint)
  }

export const listResults: Handler = async (call) =>
  answerList(call, reportResults, showAddress(call), await seenBy(call.database, call.caller, 'result'))

/** A result is seen by those who see its template. */
async function seenResult(call: Call): Promise<ReportResult> {
  const result = (await find(call.database, reportResults.table, call.id)) as ReportResult | undefined
  const isFor = result && (!result.confined || isAdministrator(call))
  if (!isFor) throw new Fault('not-found', `report result ${call.id} does not exist`)
  await seenTemplate(call, result.templateId)
  return result
}

export const showResult: Handler = async (call) => {
  await sendReport(call, await seenResult(call))
}

export const deleteResult: Handler = async (call) => {
  try {
    await seenResult(call)
  } catch (error) {
    throw error instanceof Fault ? new Fault('gone', error.message, { cause: error }) : error
  }
  return deleteOne(reportResults)(call)
}

/** What can be run: reports of the service, with their parameters. */
export const reportDocument: Shape = {
  name: 'report',
  fields: {
    name: required(text()),
    words: required(text()),
    forAdministrators: required(bool),
    parameter: set(text()),
  },
}

export const listReports: Handler = async (call) =>
  answerRows(
    call,
    reportDocument,
    allReports.map(({ name, words, takes, forAdministrators = false }) => ({
      name,
      words,
      forAdministrators,
      parameter: [...takes],
    })),
  )

/** The parameters of one template: for programs that show a form. */
export const templateRunDocument: Shape = {
  name: 'templateRun',
  fields: {
    report: required(text()),
    forAdministrators: required(bool),
    parameter: set(text()),
    format: set(text()),
    address: optional(text()),
  },
}

export const describeRun: Handler = async (call) => {
  const template = await seenTemplate(call)
  const { name, takes, confined } = await call.reports.describe(template)
  sendRecord(call.response, call.form, templateRunDocument, {
    report: name,
    forAdministrators: confined,
    parameter: [...takes],
    format: [...reportForms],
    address: `${call.base}${reportTemplates.path}/${template.id}/run`,
  })
}
