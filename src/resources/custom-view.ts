import { list } from '../schema/list.ts'
import { assigned, may, need, resource, set } from '../schema/resource.ts'
import { bool, fold, long, text } from '../schema/scalar.ts'
import { collection, requireUnique } from './collection.ts'

/** A named choice of devices; clients register for the alarms of a view. */
export const customView = resource(
  'customView',
  {
    symbolId: assigned(long),
    name: need(text(), { keyed: true }),
    allDevices: may(bool),
    member: set(long),
  },
  { table: 'custom_view', key: 'symbolId' },
)

export const customViews = collection({
  resource: customView,
  noun: 'custom view',
  list: list('/plat/res/view/custom', customView, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    orderBy: { symbolId: 'symbolId', name: 'name' },
  }),
  rules: {
    async saving(tx, { symbolId, name }) {
      const unique = { table: 'custom_view', column: 'name_key', field: 'name', noun: 'custom view' }
      await requireUnique(tx, unique, fold(name), symbolId, name)
    },
  },
})
