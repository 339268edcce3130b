// The categories of alarms: as pages name them, and where they are made.

import { useMemo } from 'preact/hooks'
import { list } from '../core/api.ts'
import { html } from '../core/html.ts'
import type { Column } from '../parts/list.ts'
import { useLoad } from '../parts/load.ts'
import { Records } from '../parts/records.ts'
import { eventTexts as words } from '../texts/traps.ts'

interface Category {
  readonly id: string
  readonly name: string
}

/** Categories by their number. */
export function useCategories(): Readonly<Record<string, string>> {
  const { data } = useLoad((over) => list<Category>('/fault/alarmCategory', { size: 500 }, over), [])
  return useMemo(() => Object.fromEntries((data?.rows ?? []).map(({ id, name }) => [id, name])), [data])
}

const columns: readonly Column<Category>[] = [
  { title: words.categoryNumber, kind: 'number', cell: ({ id }) => id },
  { title: words.name, kind: 'wide', cell: ({ name }) => html`<b>${name}</b>` },
]

export const Categories = () => html`<${Records}
  within=${true}
  title=${words.categories}
  noun=${words.categoryOne}
  about=${words.categoriesAbout}
  path="/fault/alarmCategory"
  columns=${columns}
  fields=${[{ name: 'name', label: words.name, required: true }]}
  keyOf=${({ id }: Category) => id}
  nameOf=${({ name }: Category) => name}
  emptyHint=${words.categoryEmpty}
/>`
