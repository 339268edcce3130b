// Categories of alarms.

import { list } from '../../schema/list.ts'
import { assigned, required, resource } from '../../schema/resource.ts'
import { long, text } from '../../schema/scalar.ts'
import { collection } from '../collection.ts'

export const alarmCategory = resource(
  'alarmCategory',
  { id: assigned(long), name: required(text(), { keyed: true }) },
  { table: 'alarm_category', key: 'id' },
)

export const alarmCategories = collection({
  resource: alarmCategory,
  noun: 'alarm category',
  list: list('/fault/alarmCategory', alarmCategory, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    size: { default: 100, negative: 'default' },
  }),
})
