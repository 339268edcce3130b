// The categories of alarms: as forms offer them, and where they are made.

import type { FormField } from '../parts/form.tsx'
import type { Column } from '../parts/list.tsx'
import { Records } from '../parts/records.tsx'
import { texts } from '../texts/shared-texts.ts'
import { eventTexts as words } from '../texts/trap-texts.ts'

interface Category {
  readonly id: string
  readonly name: string
}

/** Side by side, in a form of what an alarm is like. */
export const levelAndCategory: readonly FormField[] = [
  {
    name: 'alarmLevel',
    label: words.level,
    kind: 'choice',
    choices: texts.levels,
    required: true,
    half: true,
  },
  { name: 'alarmCategory', label: words.category, of: 'category', required: true, half: true },
]

const columns: readonly Column<Category>[] = [
  { title: words.categoryNumber, kind: 'number', cell: ({ id }) => id },
  { title: words.name, kind: 'wide', cell: ({ name }) => <b>{name}</b> },
]

export const Categories = () => (
  <Records
    queryPrefix="category"
    title={words.categories}
    noun={words.categoryOne}
    about={words.categoriesAbout}
    path="/fault/alarmCategory"
    columns={columns}
    filters={[{ name: 'name', label: words.findCategory, anywhere: true }]}
    fields={[{ name: 'name', label: words.name, required: true }]}
    keyOf={({ id }: Category) => id}
    nameOf={({ name }: Category) => name}
    emptyHint={words.categoryEmpty}
  />
)
