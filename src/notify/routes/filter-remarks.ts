// What a route's filter names that does not exist: it is accepted, as it may be created later, and takes nothing until then.

import { alarmCategories } from '../../resources/alarms/alarm-category.ts'
import { customViews } from '../../resources/inventory/custom-view.ts'
import { zones } from '../../resources/inventory/zone.ts'
import type { Reader } from '../../store/database.ts'
import { findAll, type Table } from '../../store/table.ts'
import { readRouteFilter } from './route.ts'

const levels = { first: 1, last: 5 }

export async function filterRemarks(reader: Reader, text: string): Promise<string[]> {
  const { filter, categories, parameters } = readRouteFilter(text)
  const ids = (name: string) =>
    (parameters.get(name) ?? []).flatMap((value) => value.split(',')).flatMap((one) => one.trim() || [])
  const missing = async (noun: string, table: Table, key: string, wanted: readonly string[]) => {
    const found = await findAll(reader, table, wanted.map(BigInt))
    const known = new Set(found.map((record) => String(record[key])))
    return wanted.filter((id) => !known.has(String(BigInt(id)))).map((id) => `${noun} ${id} does not exist`)
  }
  const wrong = [...filter.levels].filter((level) => level < levels.first || level > levels.last)
  const remarks = [
    ...wrong.map((level) => `no alarm has alarmLevel ${level}: expected ${levels.first} to ${levels.last}`),
    ...(await missing('custom view', customViews.table, 'symbolId', ids('customView'))),
    ...(await missing('zone', zones.table, 'zoneId', ids('zoneId'))),
    ...(await missing('alarm category', alarmCategories.table, 'id', [...categories].map(String))),
  ]
  return remarks.map((remark) => `filter: ${remark}`)
}
