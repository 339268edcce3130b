// The categories of alarms: as pages name them, and where they are made.

import { useMemo } from 'preact/hooks'
import { list } from '../core/api.ts'
import { html } from '../core/html.ts'
import type { FormField } from '../parts/form.ts'
import type { Column } from '../parts/list.ts'
import { useLoad } from '../parts/load.ts'
import { Records } from '../parts/records.ts'
import { texts } from '../texts/shared.ts'
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

/** Side by side, in a form of what an alarm is like. */
export const levelAndCategory = (categories: Readonly<Record<string, string>>): readonly FormField[] =>
  [
    { name: 'alarmLevel', label: words.level, choices: texts.levels },
    { name: 'alarmCategory', label: words.category, choices: categories },
  ].map((field) => ({ ...field, kind: 'choice', required: true, half: true }))

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
