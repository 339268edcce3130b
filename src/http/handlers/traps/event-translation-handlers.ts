// Handler that reads files of event definitions, also those of other programs, and answers what they would be here.

import type { SourceFile } from '../../../events/foreign/foreign-event.ts'
import type { Translated } from '../../../events/foreign/translate.ts'
import { Fault } from '../../../fault.ts'
import { TimeSlice } from '../../../pacing/time-slice.ts'
import { trapEvent } from '../../../resources/alarms/trap-event.ts'
import { parseJsonInSteps } from '../../../schema/json.ts'
import { type Element, readDraft } from '../../../schema/read-document.ts'
import { groups, optional, required, resource } from '../../../schema/resource.ts'
import { int, long, oid, text } from '../../../schema/scalar.ts'
import { parseXmlInSteps } from '../../../schema/xml.ts'
import { threadFile } from '../../../store/worker-thread.ts'
import { readBody } from '../../body.ts'
import { bodyForm, type Handler, requireNoEncoding } from '../../call.ts'
import { sendRecord } from '../../responses.ts'

/** Of all files together. */
const bodyLimit = 16 * 2 ** 20
const fileLimit = 5000
const word = text({ maxLength: 300 })

/** What to translate. */
export const eventFiles = resource(
  'eventFiles',
  { file: groups({ name: required(word), text: required(text({ maxLength: bodyLimit })) }) },
  // Never stored.
  { table: '', key: 'file' },
)

const { id: _id, source: _source, ...definition } = trapEvent.fields

export const eventTranslationDocument = {
  name: 'eventTranslation',
  fields: {
    trapEvent: groups({ id: optional(long), ...definition }),
    /** Where each definition is from, in the same order. */
    origin: groups({ eventOid: required(oid), file: required(word), line: required(int()) }),
    remark: groups({
      file: required(word),
      line: required(int()),
      name: required(text(), { absent: 'empty' }),
      kind: required(word),
      reason: required(text()),
    }),
  },
}

const translator = threadFile('../../../events/foreign/translate.ts', import.meta.url)

export const translateEvents: Handler = async (call) => {
  const { request, response, form, database } = call
  requireNoEncoding(request)
  const sent = bodyForm(request)
  const bytes = await readBody(request, bodyLimit)
  const timeSlice = new TimeSlice()
  const step = () => timeSlice.step()
  const element =
    sent === 'json'
      ? await parseJsonInSteps(bytes, eventFiles.name, step)
      : await parseXmlInSteps(bytes, step)
  const { file: files = [] } = readDraft(eventFiles, element, 'create')
  if (!files || files.length === 0 || files.length > fileLimit)
    throw new Fault('invalid', `file: expected 1 to ${fileLimit} files`, { field: 'file' })
  const sources = untrimmed(files as readonly SourceFile[], element)
  const work = () => database.workInBackground<Translated>(translator, sources, { ownThread: true })
  const found = await call.memory.dryRuns.run(work)
  if ('message' in found) throw new Fault('invalid', found.message, { field: 'file' })
  const { definitions, remarks } = found
  sendRecord(response, form, eventTranslationDocument, {
    trapEvent: definitions.map(({ file: _file, line: _line, ...one }) => one),
    origin: definitions.map(({ eventOid, file, line }) => ({ eventOid, file, line })),
    remark: remarks.map((one) => ({ ...one })),
  })
}

/** With the empty lines at the beginning, so that the lines of errors are those of the file. */
function untrimmed(files: readonly SourceFile[], { items }: Element): SourceFile[] {
  const sent = items.filter(({ name }) => name === 'file')
  const textOf = (at: number) => sent[at]?.items.find(({ name }) => name === 'text')?.text ?? ''
  return files.map(({ name }, at) => ({ name, text: textOf(at) }))
}
