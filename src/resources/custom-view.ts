import { Fault } from '../fault.ts'
import { allRecords, list } from '../schema/list.ts'
import { assigned, derived, may, need, type RecordOf, resource, set } from '../schema/resource.ts'
import { bool, fold, long, text } from '../schema/scalar.ts'
import type { Database } from '../store/database.ts'
import { collection, requireUnique } from './collection.ts'
import { deviceStatus, Statuses, statusWord } from './device-status.ts'

/** A named choice of devices; clients register for the alarms of a view. */
export const customView = resource(
  'customView',
  {
    symbolId: assigned(long),
    name: need(text(), { keyed: true }),
    /** The view above it, for those who draw a tree; a view does not contain the devices of those below. */
    upLevelSymbolId: may(long),
    runStatus: derived(deviceStatus),
    statusDesc: derived(text()),
    allDevices: may(bool),
    member: set(long),
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
    size: { default: allRecords, negative: 'default' },
  }),
  rules: {
    check({ symbolId, upLevelSymbolId }) {
      if (symbolId !== upLevelSymbolId) return
      throw new Fault('invalid', 'a view cannot lie above itself', { field: 'upLevelSymbolId' })
    },
    async saving(tx, { symbolId, name }) {
      const unique = { table: 'custom_view', column: 'name_key', field: 'name', noun: 'custom view' }
      await requireUnique(tx, unique, fold(name), symbolId, name)
    },
    async deleting(tx, { symbolId }) {
      await tx.run('update custom_view set up_level_symbol_id = null where up_level_symbol_id = ?', [
        symbolId,
      ])
    },
    show: showStatus,
  },
})

async function showStatus(database: Database, views: CustomView[]): Promise<void> {
  const statuses = await Statuses.read(database)
  for (const view of views) {
    const status = view.allDevices ? statuses.worst() : statuses.worst(view.member)
    view.runStatus = status
    view.statusDesc = statusWord(status)
  }
}
