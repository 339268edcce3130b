// The categories of alarms, as pages name them.

import { list } from '../core/api.ts'
import { useLoad } from '../parts/load.ts'

interface Category {
  readonly id: string
  readonly name: string
}

/** Categories by their number. */
export function useCategories(): Readonly<Record<string, string>> {
  const { data } = useLoad((over) => list<Category>('/fault/alarmCategory', { size: 500 }, over), [])
  return Object.fromEntries((data?.rows ?? []).map(({ id, name }) => [id, name]))
}
