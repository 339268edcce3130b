// Names of people that a report is about: operators of the service, and maintainers of terminals.

import { list } from '../core/api.ts'
import { type Finding, most } from '../parts/suggest.tsx'
import { TypedValues } from '../parts/typed.tsx'
import { reportTexts as words } from '../texts/reports.ts'

const operatorsLike = async (text: string): Promise<Finding> => {
  const { rows, total } = await list<{ name: string; fullName?: string }>('/plat/operator', {
    ...{ name: `*${text}*`, size: most, orderBy: 'name' },
  })
  return { found: rows.map(({ name, fullName }) => ({ value: name, label: fullName || name })), total }
}

/** One person maintains many terminals: so many bindings are looked through for other names. */
const bindingsRead = 500

const maintainersLike = async (text: string): Promise<Finding> => {
  const { rows } = await list<{ maintainer: string }>('/res/access/macAccessBind', {
    ...{ maintainer: `*${text}*`, size: bindingsRead },
  })
  const names = [...new Set(rows.map(({ maintainer }) => maintainer))].sort()
  return { found: names.slice(0, most).map((name) => ({ value: name, label: name })), total: names.length }
}

const finders: Readonly<Record<string, (text: string) => Promise<Finding>>> = {
  operator: operatorsLike,
  maintainer: maintainersLike,
}

const nobody = async (): Promise<Finding> => ({ found: [], total: 0 })

export const isOfPeople = (name: string) => name in finders

interface PeopleProps {
  readonly name: string
  readonly label: string
  readonly values: readonly string[]
  readonly change: (values: readonly string[]) => void
}

/** Also those who are gone: the report is about what they did, and their names can be typed. */
export const People = ({ name, label, values, change }: PeopleProps) => (
  <TypedValues
    label={label}
    hint={words.peopleHint}
    placeholder={words.all}
    values={values}
    change={change}
    find={finders[name] ?? nobody}
    accepts={() => true}
  />
)
