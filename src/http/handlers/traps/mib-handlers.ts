// Handlers for modules (MIBs): load, list, read, remove; proposals, and accepting them.

import { isUtf8 } from 'node:buffer'
import { type Confidence, confidences } from '../../../events/mib-levels.ts'
import type { MibLibrary } from '../../../events/mib-library.ts'
import {
  acceptProposals,
  countProposals,
  fullProposal,
  listProposals,
  loadModules,
} from '../../../events/mib-loading.ts'
import type { ListedProposal } from '../../../events/mib-proposing.ts'
import { Fault } from '../../../fault.ts'
import type { MibNotification } from '../../../mibs/module-resolver.ts'
import { moduleFileLimit, moduleKey } from '../../../mibs/module-text.ts'
import type { MibObject } from '../../../mibs/oid-tree.ts'
import {
  findModule,
  type MibModule,
  mibModule,
  mibModules,
  removeModule,
} from '../../../resources/alarms/mib-module.ts'
import { trapEvent } from '../../../resources/alarms/trap-event.ts'
import { oneScalar, oneValue } from '../../../schema/list.ts'
import { complete, readDraft } from '../../../schema/read-document.ts'
import {
  type AnyRecord,
  groups,
  optional,
  required,
  resource,
  type Shape,
  set,
} from '../../../schema/resource.ts'
import { bool, int, long, oid, text } from '../../../schema/scalar.ts'
import type { Database } from '../../../store/database.ts'
import { readBody } from '../../body.ts'
import { type Handler, readDocument, requireNoEncoding } from '../../call.ts'
import { sendEmpty, sendRecord, sendRecordInSteps } from '../../responses.ts'
import { answerList, answerMadeRows, sendRows, sendTotal } from '../list-handlers.ts'

const word = text({ maxLength: 300 })
const clause = text({ maxLength: 4000 })
const remark = { kind: required(word), line: required(int()), reason: required(text()) }

/** A module; its content is included only when a single one is read. */
export const mibModuleDocument: Shape = {
  name: mibModule.name,
  fields: {
    ...mibModule.fields,
    object: groups({
      name: required(word),
      oid: required(oid),
      kind: required(word),
      type: optional(word),
      /** Names of its values: `1=up;2=down`. */
      values: optional(text({ maxLength: 100_000 })),
      hint: optional(clause),
      units: optional(clause),
      /** The objects that number the rows of its table. */
      index: set(word),
    }),
    notification: groups({
      name: required(word),
      oid: required(oid),
      object: set(word),
      description: optional(clause),
    }),
  },
}

export const mibLoadDocument = {
  name: 'mibLoad',
  fields: {
    file: optional(text()),
    module: groups({
      name: required(word),
      objects: required(int()),
      notifications: required(int()),
      replaced: required(bool),
    }),
    remark: groups({ module: required(word, { absent: 'empty' }), ...remark }),
  },
}

const { id: _id, source: _source, ...proposed } = trapEvent.fields

export const mibProposalDocument: Shape = {
  name: 'mibProposal',
  fields: { module: required(word), confidence: required(word), reason: required(text()), ...proposed },
}

/** What to accept. */
export const mibAccept = resource(
  'mibAccept',
  {
    /** A module, or a notification by name or OID. */
    choice: set(text({ maxLength: 2000 })),
    /** Of modules: the least confidence. */
    confidence: optional(word),
  },
  // The file is never kept.
  { table: '', key: 'choice' },
)

export const mibAcceptedDocument = {
  name: 'mibAccepted',
  fields: {
    name: required(text()),
    eventOid: optional(oid),
    outcome: required(word),
    definition: optional(long),
  },
}

const withUnknown = (modules: MibLibrary) => async (_database: Database, records: AnyRecord[]) => {
  const library = await modules.refresh()
  for (const record of records as MibModule[]) {
    record.remark.push(...(library.modules.get(moduleKey(record))?.unknown ?? []))
  }
}

export const listModules: Handler = (call) => answerList(call, mibModules, withUnknown(call.modules))

export const loadModuleFile: Handler = async (call) => {
  const { request, response, database, form } = call
  const file = oneScalar(call.parameters, 'file', text()) ?? null
  requireNoEncoding(request)
  const bytes = await readBody(request, moduleFileLimit)
  // Old modules are in Latin-1, if in anything but ASCII.
  const source = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
  const reportUnknown = oneScalar(call.parameters, 'unknown', bool) ?? true
  const { modules, remarks } = await loadModules(database, call.modules, source, file, reportUnknown)
  sendRecord(response, form, mibLoadDocument, { file, module: modules, remark: remarks })
}

export const readModule: Handler = async ({ database, modules, name, response, form }) => {
  const record = await findModule(database, name)
  if (!record) throw new Fault('not-found', `module ${name} has not been loaded`)
  await withUnknown(modules)(database, [record])
  const module = modules.current.modules.get(moduleKey(record))
  const objects = (module?.objects ?? []).filter(({ kind }) => kind !== 'node')
  await sendRecordInSteps(response, form, mibModuleDocument, record, {
    object: { members: objects, make: (one) => shownObject(one as MibObject) },
    notification: {
      members: module?.notifications ?? [],
      make: (one) => shownNotification(one as MibNotification),
    },
  })
}

const shownObject = (one: MibObject): AnyRecord => ({
  name: one.name,
  oid: one.oid,
  kind: one.kind,
  type: one.base === '' ? null : one.base,
  values: one.values.size === 0 ? null : [...one.values].map(([n, word]) => `${n}=${word}`).join(';'),
  hint: one.hint ?? null,
  units: one.units ?? null,
  index: (one.row ?? one).index.map((index) => index.name),
})

const shownNotification = (one: MibNotification): AnyRecord => ({
  ...one,
  object: one.objects.map((object) => object.name),
})

export const deleteModule: Handler = async ({ database, modules, name, response }) => {
  await removeModule(database, name)
  await modules.refresh()
  sendEmpty(response, 204)
}

function readConfidence(text: string | null | undefined): Confidence | undefined {
  if (text === null || text === undefined) return undefined
  const found = confidences.find((one) => one === text.toLowerCase())
  if (found) return found
  throw new Fault('invalid', `confidence: ${text} is not accepted: expected high, medium or low`, {
    field: 'confidence',
  })
}

export const listModuleProposals: Handler = async (call) => {
  const { parameters } = call
  const confidence = readConfidence(oneValue(parameters, 'confidence'))
  const module = oneValue(parameters, 'module')
  const countOnly = call.request.method === 'HEAD' || oneScalar(parameters, 'total', bool)
  if (countOnly && confidence === undefined)
    return sendTotal(call, await countProposals(call.database, call.modules, module))
  const chosen = await listProposals(call.proposals, { module, confidence })
  await answerMadeRows(call, mibProposalDocument, chosen, shownProposal)
}

function shownProposal(listed: ListedProposal): AnyRecord {
  const { module, confidence, reason, event } = fullProposal(listed)
  return { ...complete(trapEvent.fields, event), module, confidence, reason }
}

export const acceptModuleProposals: Handler = async (call) => {
  const { choice, confidence } = readDraft(mibAccept, await readDocument(call, mibAccept.name), 'create')
  if (!choice || choice.length === 0) {
    throw new Fault('invalid', 'choice is required: expected a module, or a notification by name or OID', {
      field: 'choice',
    })
  }
  const done = await acceptProposals(
    call.database,
    call.modules,
    call.proposals,
    choice,
    readConfidence(confidence) ?? 'medium',
  )
  sendRows(
    call,
    mibAcceptedDocument,
    done.map((one) => ({ ...one })),
  )
}
