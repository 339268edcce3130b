// Names of people that a report is about: operators of the service, and maintainers of terminals.

import { useId } from 'preact/hooks'
import { list } from '../core/api.ts'
import { anywhere, type Finder, maxFound } from '../parts/finding.ts'
import { Picker } from '../parts/picker.tsx'
import { reportTexts as words } from '../texts/report-texts.ts'

const operatorsLike: Finder = async (text) => {
  const { rows, total } = await list<{ name: string; fullName?: string }>('/plat/operator', {
    ...anywhere('name', text),
    ...{ size: maxFound, orderBy: 'name' },
  })
  return {
    found: rows.map(({ name, fullName }) =>
      fullName ? { value: name, label: fullName, note: name } : { value: name, label: name },
    ),
    total,
  }
}

/** One person maintains many terminals: so many bindings are looked through for other names. */
const bindingsRead = 500

const maintainersLike: Finder = async (text) => {
  const { rows } = await list<{ maintainer: string }>('/res/access/macAccessBind', {
    ...anywhere('maintainer', text),
    size: bindingsRead,
  })
  const names = [...new Set(rows.map(({ maintainer }) => maintainer))].filter(Boolean).sort()
  return {
    found: names.slice(0, maxFound).map((name) => ({ value: name, label: name })),
    total: names.length,
  }
}

const finders: Readonly<Record<string, Finder>> = {
  operator: operatorsLike,
  maintainer: maintainersLike,
}

const nobody: Finder = async () => ({ found: [], total: 0 })

export const isOfPeople = (name: string) => name in finders

interface PeopleProps {
  readonly name: string
  readonly label: string
  readonly values: readonly string[]
  readonly change: (values: readonly string[]) => void
}

/** Also those who are gone: the report is about what they did, and their names can be typed. */
export function People({ name, label, values, change }: PeopleProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Picker
        id={id}
        label={label}
        hint={words.peopleHint}
        placeholder={values.length === 0 ? words.all : ''}
        from={finders[name] ?? nobody}
        accepts={() => true}
        chosen={values}
        change={change}
      />
    </div>
  )
}
