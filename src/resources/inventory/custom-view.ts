// Custom views: named selections of devices.

import { Fault } from '../../fault.ts'
import { list, wholeList } from '../../schema/list.ts'
import {
  assigned,
  derived,
  empty,
  optional,
  type RecordOf,
  required,
  resource,
  set,
} from '../../schema/resource.ts'
import { bool, fold, long, text } from '../../schema/scalar.ts'
import type { Database, Reader, Transaction } from '../../store/database.ts'
import { update } from '../../store/table.ts'
import { auditChange } from '../access/audit-entry.ts'
import { collection, requireUnique } from '../collection.ts'
import { deviceStatus, Statuses, statusWord } from './device-status.ts'

/** A named selection of devices; clients register for the alarms of a view. */
export const customView = resource(
  'customView',
  {
    symbolId: assigned(long),
    name: required(text(), { keyed: true }),
    /** The view above it, for drawing a tree; a view does not contain the devices of those below. */
    upLevelSymbolId: optional(long, empty),
    runStatus: derived(deviceStatus),
    statusDesc: derived(text()),
    allDevices: optional(bool),
    member: set(long),
    /** Views that it contains: their devices are its devices too. */
    view: set(long),
  },
  { table: 'custom_view', key: 'symbolId', ignored: ['autoAddDevType', 'statusImgSrc'] },
)

export type CustomView = RecordOf<typeof customView.fields>

export const customViews = collection({
  resource: customView,
  noun: 'custom view',
  list: list('/plat/res/view/custom', customView, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    orderBy: { symbolId: 'symbolId', name: 'name' },
    size: wholeList,
  }),
  rules: {
    check({ symbolId, upLevelSymbolId }) {
      if (symbolId !== upLevelSymbolId) return
      throw new Fault('invalid', 'a view cannot lie above itself', { field: 'upLevelSymbolId' })
    },
    async saving(tx, record) {
      const { symbolId, name } = record
      const unique = { table: 'custom_view', column: 'name_key', field: 'name', noun: 'custom view' }
      await requireUnique(tx, unique, fold(name), symbolId, name)
      await requireNoCircle(tx, record)
    },
    async deleting(tx, { symbolId }) {
      await tx.run('update custom_view set up_level_symbol_id = null where up_level_symbol_id = ?', [
        symbolId,
      ])
      await takeOut(tx, symbolId)
    },
    show: showStatus,
  },
})

export async function readViews(reader: Reader): Promise<CustomView[]> {
  const { form, name } = customViews.table
  const rows = await reader.all(`select ${form.shown} from ${name} order by id`)
  return rows.map((row) => form.toRecord(row) as CustomView)
}

/** A view never contains itself, over however many others. */
async function requireNoCircle(tx: Transaction, record: CustomView): Promise<void> {
  if (record.view.length === 0) return
  const byId = new Map((await readViews(tx)).map((view) => [view.symbolId, view]))
  for (const [index, id] of record.view.entries()) {
    const inner = byId.get(id)
    const containsItself =
      inner && [...contained(inner, byId)].some(({ symbolId }) => symbolId === record.symbolId)
    if (!containsItself && id !== record.symbolId) continue
    const message =
      id === record.symbolId
        ? `view ${id} cannot contain itself`
        : `view ${record.symbolId} cannot contain view ${id}, which contains view ${record.symbolId} itself`
    throw new Fault('conflict', message, { field: `view[${index + 1}]` })
  }
}

/** A deleted view is removed from the views that contained it. */
async function takeOut(tx: Transaction, symbolId: bigint): Promise<void> {
  for (const before of await readViews(tx)) {
    if (!before.view.includes(symbolId)) continue
    const record = { ...before, view: before.view.filter((id) => id !== symbolId) }
    await update(tx, customViews.table, before.symbolId, before, record)
    await auditChange(tx, 'modify', customView, before.symbolId, before, record)
  }
}

async function showStatus(database: Database, views: CustomView[]): Promise<void> {
  const statuses = await Statuses.read(database)
  const members = membersOf(await readViews(database))
  for (const view of views) {
    const held = members.get(view.symbolId) ?? new Set(view.member)
    const status = held === 'all' ? statuses.worst() : statuses.worst(held)
    view.runStatus = status
    view.statusDesc = statusWord(status)
  }
}

// Resolves the devices of custom views: their own, and those of the views they contain.

export type Members = ReadonlySet<bigint> | 'all'

/** What must be known of a view. */
interface Containing {
  readonly symbolId: bigint
  readonly allDevices: boolean | null
  readonly member: readonly bigint[]
  readonly view: readonly bigint[]
}

/** The members of each view. A view that does not exist has none. */
export function membersOf(views: readonly Containing[]): ReadonlyMap<bigint, Members> {
  const byId = new Map(views.map((view) => [view.symbolId, view]))
  return new Map(views.map((view) => [view.symbolId, gather(view, byId)]))
}

function gather(view: Containing, byId: ReadonlyMap<bigint, Containing>): Members {
  const members = new Set<bigint>()
  for (const one of contained(view, byId)) {
    if (one.allDevices) return 'all'
    for (const id of one.member) members.add(id)
  }
  return members
}

/** A view, and all that it contains over however many others, each once. */
function contained(view: Containing, byId: ReadonlyMap<bigint, Containing>): Set<Containing> {
  const found = new Set([view])
  // A set is iterated up to its end, also while it grows.
  for (const one of found) {
    for (const id of one.view) {
      const inner = byId.get(id)
      if (inner) found.add(inner)
    }
  }
  return found
}
