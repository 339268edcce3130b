// Things that are chosen by their names: zones, views, categories, segments, operators, contacts, schedules. Of very
// many, the service is asked for those like what was typed.

import { useId } from 'preact/hooks'
import { list, read } from '../core/api.ts'
import { texts } from '../texts/shared-texts.ts'
import { anywhere, type Finder, maxFound, type Option, type Source } from './finding.ts'
import { useLoad } from './load.tsx'
import { type FieldState, Picker } from './picker.tsx'

const words = texts.list

interface Resource {
  readonly path: string
  readonly id: string
  /** Of its name, in a record and as a filter of the list. */
  readonly name: string
  readonly orderBy?: string
  /** Segments lie in one another, and their names need not differ. */
  readonly isTree?: true
}

const resources = {
  zone: { path: '/ram/zone', id: 'zoneId', name: 'name', orderBy: 'name' },
  view: { path: '/plat/res/view/custom', id: 'symbolId', name: 'name', orderBy: 'name' },
  category: { path: '/fault/alarmCategory', id: 'id', name: 'name' },
  segment: { path: '/res/access/assignedIpScope', id: 'id', name: 'name', isTree: true },
  operator: { path: '/plat/operator', id: 'id', name: 'name', orderBy: 'name' },
  contact: { path: '/notify/contact', id: 'id', name: 'name', orderBy: 'name' },
  schedule: { path: '/notify/schedule', id: 'id', name: 'name', orderBy: 'name' },
  gateway: { path: '/notify/gateway/name', id: 'id', name: 'name' },
  group: { path: '/plat/operatorGroup', id: 'operatorGroupId', name: 'operatorGroupName' },
} as const satisfies Readonly<Record<string, Resource>>

export type Kind = keyof typeof resources

export const isKind = (word: string): word is Kind => word in resources

type Row = Readonly<Record<string, string>> & { readonly assignedIpScope?: readonly Row[] }

export interface Choosable {
  readonly kind: Kind
  /** Whether they were read: there may be none. */
  readonly isHere: boolean
  /** None before they are here, and where there are too many to list. */
  readonly all: readonly Option[]
  readonly isMany: boolean
}

/** Above this number they are searched by name. */
const maxListed = 500

const flat = (rows: readonly Row[]): readonly Row[] =>
  rows.flatMap((row) => [row, ...flat(row.assignedIpScope ?? [])])

const optionOf = ({ id, name }: Resource, row: Row) => ({ value: row[id] ?? '', label: row[name] ?? '' })

async function choosable(kind: Kind, over: AbortSignal): Promise<Choosable> {
  const resource: Resource = resources[kind]
  const { path, isTree, orderBy } = resource
  const query = { size: maxListed, ...(orderBy && { orderBy }) }
  const { rows, total } = await list<Row>(path, isTree ? {} : query, over)
  const all = flat(rows)
  if (Math.max(total, all.length) > maxListed) return { kind, isHere: true, all: [], isMany: true }
  return {
    kind,
    isHere: true,
    all: all.map((row) => {
      const one = optionOf(resource, row)
      return isTree ? { ...one, label: `${one.label} · ${one.value}` } : one
    }),
    isMany: false,
  }
}

/** All of a kind, where there are not too many. `wanted`: not for those who may not read them. */
export function useChoosable(kind: Kind, wanted = true): Choosable {
  const { data } = useLoad(async (over) => (wanted ? await choosable(kind, over) : undefined), [kind, wanted])
  return data ?? { kind, isHere: false, all: [], isMany: false }
}

/** The service finds segments by their name at the top alone: those inside are looked for here. */
const finderOf =
  (resource: Resource): Finder =>
  async (text) => {
    const { path, name, isTree } = resource
    const { rows, total } = await list<Row>(path, isTree ? {} : { ...anywhere(name, text), size: maxFound })
    const all = flat(rows)
      .map((row) => optionOf(resource, row))
      .filter((one) => !isTree || one.label.toLowerCase().includes(text.toLowerCase()))
    return {
      found: all.slice(0, maxFound).map((one) => ({ ...one, note: one.value })),
      total: isTree ? all.length : total,
    }
  }

/** All but one, such as the record itself. */
function sourceOf({ kind, all, isMany }: Choosable, without: string): Source {
  const others = (options: readonly Option[]) => options.filter(({ value }) => value !== without)
  if (!isMany) return others(all)
  const find = finderOf(resources[kind])
  return async (text) => {
    const { found, total } = await find(text)
    return { found: others(found), total }
  }
}

/**
 * The name for an id, and the id itself until the name is known. Of very many, only those that are needed are read, and
 * one that was added since the others were read.
 */
function useNames({ kind, isHere, all }: Choosable, ids: readonly string[]): (id: string) => string {
  const { path, name }: Resource = resources[kind]
  const nameAt = (id: string, over: AbortSignal) =>
    read<Row>(`${path}/${encodeURIComponent(id)}`, {}, over).then(
      (row) => row[name] ?? '',
      // It may have been deleted.
      () => '',
    )
  const wanted = isHere ? ids.filter((id) => id !== '' && !all.some(({ value }) => value === id)) : []
  const { data } = useLoad(
    async (over) =>
      new Map(await Promise.all(wanted.map(async (id) => [id, await nameAt(id, over)] as const))),
    [kind, wanted.join()],
  )
  return (id) => all.find(({ value }) => value === id)?.label ?? (data?.get(id) || id)
}

export const NameOf = ({ among, id }: { among: Choosable; id: string }) => (
  <span>{useNames(among, [id])(id)}</span>
)

/** All of a kind, or how the service is asked for those like a text. */
export const useSource = (kind: Kind, wanted: boolean): Source => sourceOf(useChoosable(kind, wanted), '')

interface ByNameProps {
  /** Of the element that a label is for. */
  readonly id: string
  readonly label: string
  readonly kind: Kind
  /** One that is not offered, such as the record itself. */
  readonly without?: string | undefined
  readonly state?: FieldState
}

/** What a picker needs to offer things of a kind. */
function useByName({ kind, without = '', ...props }: ByNameProps, chosen: readonly string[]) {
  const among = useChoosable(kind)
  const from = sourceOf(among, without)
  const hint = among.isMany ? words.byName : ''
  return { ...props, chosen, from, hint, nameOf: useNames(among, chosen) }
}

interface OneProps extends ByNameProps {
  readonly value: string
  readonly change: (id: string) => void
  /** What choosing nothing means; absent: one must be chosen. */
  readonly any?: string | undefined
}

/** One of them. */
export function OneByName({ value, change, any, ...props }: OneProps) {
  const given = useByName(props, value === '' ? [] : [value])
  return <Picker {...given} isOne none={any} placeholder={any ?? ''} change={([one = '']) => change(one)} />
}

interface SomeProps extends ByNameProps {
  readonly chosen: readonly string[]
  readonly change: (ids: readonly string[]) => void
  /** What none chosen means. */
  readonly any: string
}

/** Some of them. */
export function SomeByName({ chosen, change, any, ...props }: SomeProps) {
  const given = useByName(props, chosen)
  return <Picker {...given} placeholder={chosen.length === 0 ? any : words.addAnother} change={change} />
}

interface SeveralProps extends Omit<SomeProps, 'id' | 'any'> {
  /** In the place of the choice where there is nothing to choose from. */
  readonly none?: string
}

/** Some of them as a field of a form, where there are any. */
export function SeveralByName({ none = '', chosen, change, ...props }: SeveralProps) {
  const id = useId()
  const given = useByName({ ...props, id }, chosen)
  const isNone = Array.isArray(given.from) && given.from.length === 0 && chosen.length === 0
  if (isNone) return none === '' ? null : <p class="hint">{none}</p>
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <Picker {...given} placeholder={chosen.length === 0 ? '' : words.addAnother} change={change} />
    </div>
  )
}
