// Handlers for single records: create, read, modify, delete.

import { Fault } from '../../fault.ts'
import { type Collection, create, erase, modify, read } from '../../resources/collection.ts'
import { oneScalar } from '../../schema/list.ts'
import { type Element, readDraft } from '../../schema/read-document.ts'
import type { DraftOf, Fields } from '../../schema/resource.ts'
import { long } from '../../schema/scalar.ts'
import { type Call, type Handler, readDocument } from '../call.ts'
import { shapeFor } from '../imc/imc-records.ts'
import { sendEmpty, sendRecord, warningHeaders } from '../responses.ts'

/** `extra` are the fields of the new record that follow from the request's address. */
async function answerCreate(
  call: Call,
  collection: Collection,
  extra: { parentId?: bigint } = {},
  { warnings = none, reader = readBody }: RecordOptions = {},
): Promise<void> {
  const root = await reader(call, collection)
  const draft = { ...readDraft(collection.resource, root, 'create'), ...extra } as DraftOf<Fields>
  const id = await create(call.database, collection, draft)
  sendEmpty(call.response, collection.created, {
    Location: `${call.base}${collection.path}/${id}`,
    ...warningHeaders(await warnings(call, id)),
  })
}

/** A warning about a record that was accepted. */
export type Warnings = (call: Call, id: bigint) => Promise<string[]>

const none: Warnings = async () => []

/** Executes a change, and returns warnings about what follows from it elsewhere. */
export type Observer = (call: Call, change: () => Promise<unknown>) => Promise<string[]>

const unobserved: Observer = async (_call, change) => {
  await change()
  return []
}

/** Where a collection differs from others: warnings about its records, what else changes, how bodies are read. */
export interface RecordOptions {
  readonly warnings?: Warnings
  readonly observer?: Observer
  readonly reader?: (call: Call, collection: Collection) => Promise<Element>
}

const readBody = (call: Call, { resource }: Collection) => readDocument(call, resource.name)

export const createOne =
  (collection: Collection, options?: RecordOptions): Handler =>
  (call) =>
    answerCreate(call, collection, {}, options)

/** `POST …/{id}` creates inside the record with that id. */
export const createInside =
  (collection: Collection): Handler =>
  (call) =>
    answerCreate(call, collection, { parentId: call.id })

/** The record's parent is named by a query parameter. */
export const createUnder =
  (collection: Collection, parameter: string): Handler =>
  async (call) => {
    const parentId = oneScalar(call.parameters, parameter, long)
    if (parentId === undefined) {
      throw new Fault('invalid', `${parameter} is required: expected ${long.accepted}`, { field: parameter })
    }
    try {
      await answerCreate(call, collection, { parentId })
    } catch (error) {
      // The caller knows the parent by the name of the parameter.
      if (!(error instanceof Fault) || error.field !== 'parentId') throw error
      throw new Fault(error.code, error.message, { field: parameter, cause: error })
    }
  }

export const readOne =
  (collection: Collection): Handler =>
  async (call) => {
    const record = await read(call.database, collection, call.id)
    sendRecord(call.response, call.form, shapeFor(call, collection.resource, [record]), record)
  }

export const modifyOne =
  (
    collection: Collection,
    { warnings = none, observer = unobserved, reader = readBody }: RecordOptions = {},
  ): Handler =>
  async (call) => {
    const root = await reader(call, collection)
    requireSameId(root, collection.resource.key, call.id)
    const draft = readDraft(collection.resource, root, 'modify')
    const elsewhere = await observer(call, () => modify(call.database, collection, call.id, draft))
    sendEmpty(call.response, 204, warningHeaders([...(await warnings(call, call.id)), ...elsewhere]))
  }

export const deleteOne =
  (collection: Collection, { observer = unobserved }: Pick<RecordOptions, 'observer'> = {}): Handler =>
  async (call) => {
    const elsewhere = await observer(call, () => erase(call.database, collection, call.id))
    sendEmpty(call.response, 204, warningHeaders(elsewhere))
  }

/** A body that names another record than the path was meant for another record. */
export function requireSameId(root: Element, key: string, id: bigint): void {
  for (const item of root.items) {
    const text = item.name === key ? item.text.trim() : ''
    if (text !== '' && readId(key, text) !== id) {
      throw new Fault('invalid', `${key} is ${text} in the body and ${id} in the path`, { field: key })
    }
  }
}

function readId(key: string, text: string): bigint {
  try {
    return long.read(text)
  } catch (error) {
    throw error instanceof Fault ? error.inside(key) : error
  }
}
