import { list } from '../schema/list.ts'
import { assigned, may, need, resource } from '../schema/resource.ts'
import { fold, long, text } from '../schema/scalar.ts'
import { collection, requireUnique } from './collection.ts'

export const zone = resource(
  'zone',
  {
    zoneId: assigned(long),
    name: need(text(), { keyed: true }),
    description: may(text(), { absent: 'empty' }),
  },
  { table: 'zone', key: 'zoneId' },
)

export const zones = collection({
  resource: zone,
  noun: 'zone',
  list: list('/ram/zone', zone, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    orderBy: { id: 'zoneId', name: 'name' },
    size: { default: 10, negative: 0, max: 1000 },
  }),
  rules: {
    async saving(tx, { zoneId, name }) {
      const unique = { table: 'zone', column: 'name_key', field: 'name', noun: 'zone' }
      await requireUnique(tx, unique, fold(name), zoneId, name)
    },
  },
})
