// Handlers for custom views: a view is shown with its devices, and accepts them as iMC-compatible clients send them.

import { erase, read } from '../../../resources/collection.ts'
import {
  type CustomView,
  customView,
  customViews,
  type Members,
  membersOf,
  readViews,
} from '../../../resources/inventory/custom-view.ts'
import { device, devices } from '../../../resources/inventory/device.ts'
import { references } from '../../../resources/references.ts'
import type { Condition } from '../../../schema/list-filter.ts'
import type { Element } from '../../../schema/read-document.ts'
import { type AnyRecord, groups, type Shape } from '../../../schema/resource.ts'
import type { Database } from '../../../store/database.ts'
import { allRecords, Page } from '../../../store/page.ts'
import { type Call, type Form, type Handler, readDocument } from '../../call.ts'
import { imcShape, shapeFor } from '../../imc/imc-records.ts'
import {
  contentType,
  documentOf,
  type RowFrame,
  sendEmpty,
  sendRecords,
  startStream,
  warningHeaders,
  writersOf,
} from '../../responses.ts'
import type { RecordOptions } from '../record-handlers.ts'

const { interfaces: _, otherAddress: __, parent: ___, ...shownOfDevice } = device.fields

const memberDevice = { name: device.name, fields: shownOfDevice }

/** One view by itself also shows what its devices are. */
export const viewDocument = {
  name: customView.name,
  fields: { ...imcShape(customView).fields, [device.name]: groups(imcShape(memberDevice).fields) },
}

/** A view may contain all devices, so they are written as they are read. */
export const readView: Handler = async (call) => {
  const { database, response, form } = call
  const view = (await read(database, customViews, call.id)) as CustomView
  const frame = frameOf(form, shapeFor(call, customView, [view]), view)
  startStream(response, 200, contentType[form], {})
  const members = membersOf(await readViews(database)).get(view.symbolId) ?? new Set(view.member)
  const shape = shapeFor(call, memberDevice, [])
  const row = (record: AnyRecord) => rowText(form, shape, record)
  const shown = async function* () {
    for await (const records of devicesOf(database, members)) {
      await devices.rules.show?.(database, records)
      shapeFor(call, memberDevice, records)
      yield records
    }
  }
  await sendRecords(response, { ...frame, row }, shown())
}

export const removeView: Handler = async ({ database, id, response }) => {
  await erase(database, customViews, id)
  sendEmpty(response, 204, warningHeaders(await references(database, 'custom view', id)))
}

const rowText = (form: Form, shape: Shape, record: AnyRecord) => {
  const { xml, json } = writersOf(shape)
  return form === 'xml' ? xml(record) : JSON.stringify(json(record))
}

function frameOf(form: Form, shape: Shape, view: CustomView): Omit<RowFrame, 'row'> {
  const whole = documentOf(form, shape, view)
  const end = form === 'xml' ? `</${customView.name}>` : '}'
  const open = whole.slice(0, -end.length)
  return form === 'xml'
    ? { open, between: '', close: end }
    : { open: `${open},"${device.name}":[`, between: ',', close: `]${end}` }
}

const idsAtOnce = 500

async function* devicesOf(database: Database, held: Members): AsyncGenerator<AnyRecord[]> {
  const found = (conditions: Condition[]) => new Page(database, devices.table, allRecords(conditions))
  if (held === 'all') return yield* found([])
  const members = [...held].sort((a, b) => (a < b ? -1 : 1))
  for (let start = 0; start < members.length; start += idsAtOnce) {
    const values = members.slice(start, start + idsAtOnce)
    yield* found([{ kind: 'any', column: 'id', values }])
  }
}

/**
 * `{"device": [{"id": 7}]}` is how iMC-compatible clients name the members. Where the document gives the content of the
 * view itself, devices are only what a GET returned.
 */
async function readViewDocument(call: Call): Promise<Element> {
  const root = await readDocument(call, customView.name)
  const givesContent = root.items.some(isContent)
  const items = root.items.flatMap((item) => {
    if (item.name !== device.name) return [item]
    return givesContent ? [] : [memberOf(item)]
  })
  return { ...root, items }
}

/**
 * Whether an element says what the view contains. XML cannot express "no members": a view that holds all devices, or other
 * views, must not get theirs as its own.
 */
const isContent = ({ name, text }: Element) =>
  name === 'member' ||
  (name === 'view' && text.trim() !== '') ||
  (name === 'allDevices' && text.trim().toLowerCase() === 'true')

function memberOf({ text, items }: Element): Element {
  const id = items.find(({ name }) => name === 'id')
  return { name: 'member', text: id?.text ?? text, items: id?.items ?? [] }
}

export const viewOptions: RecordOptions = {
  async reader(call) {
    const root = await readViewDocument(call)
    const isNew = call.id === 0n
    if (isNew || root.items.some(({ name }) => name === 'name')) return root
    // Without a name, the existing one stays, so that only members can be set.
    const { name } = (await read(call.database, customViews, call.id)) as CustomView
    return { ...root, items: [...root.items, { name: 'name', text: name, items: [] }] }
  },
}
