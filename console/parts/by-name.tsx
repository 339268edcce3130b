// Things that are chosen by their names: zones, views, categories, segments, operators. A few are a list to choose from;
// very many are searched by a part of the name.

import { useId, useState } from 'preact/hooks'
import { list, read } from '../core/api.ts'
import { texts } from '../texts/shared.ts'
import { useLoad } from './load.tsx'
import { type Named, Pick } from './pick.tsx'
import { type Finding, type Found, most, pickOnEnter, Suggestions, useFound } from './suggest.tsx'

const words = texts.list

interface Source {
  readonly path: string
  readonly id: string
  /** Of its name, in a record and as a filter of the list. */
  readonly name: string
  readonly orderBy?: string
  /** Segments lie in one another, and their names need not differ. */
  readonly isTree?: true
}

const sources = {
  zone: { path: '/ram/zone', id: 'zoneId', name: 'name', orderBy: 'name' },
  view: { path: '/plat/res/view/custom', id: 'symbolId', name: 'name', orderBy: 'name' },
  category: { path: '/fault/alarmCategory', id: 'id', name: 'name' },
  segment: { path: '/res/access/assignedIpScope', id: 'id', name: 'name', isTree: true },
  operator: { path: '/plat/operator', id: 'id', name: 'name', orderBy: 'name' },
  group: { path: '/plat/operatorGroup', id: 'operatorGroupId', name: 'operatorGroupName' },
} as const satisfies Readonly<Record<string, Source>>

export type Kind = keyof typeof sources

export const isKind = (word: string): word is Kind => word in sources

type Row = Readonly<Record<string, string>> & { readonly assignedIpScope?: readonly Row[] }

export interface Choosable {
  readonly kind: Kind
  /** None before they are here, and where there are too many to list. */
  readonly all: readonly Named[]
  readonly isMany: boolean
}

/** Above these numbers they are searched by name: one from a list, several from buttons that are all in sight. */
const mostListed = 500
const mostPicked = 60

const flat = (rows: readonly Row[]): readonly Row[] =>
  rows.flatMap((row) => [row, ...flat(row.assignedIpScope ?? [])])

const named = ({ id, name }: Source, row: Row): Named => ({ id: row[id] ?? '', name: row[name] ?? '' })

async function choosable(kind: Kind, over: AbortSignal): Promise<Choosable> {
  const source: Source = sources[kind]
  const { path, isTree, orderBy } = source
  const query = { size: mostListed, ...(orderBy && { orderBy }) }
  const { rows, total } = await list<Row>(path, isTree ? {} : query, over)
  const all = flat(rows)
  if (Math.max(total, all.length) > mostListed) return { kind, all: [], isMany: true }
  return {
    kind,
    all: all.map((row) => {
      const one = named(source, row)
      return isTree ? { ...one, name: `${one.name} · ${one.id}` } : one
    }),
    isMany: false,
  }
}

/** All of a kind, where there are not too many. `wanted`: not for those who may not read them. */
export function useChoosable(kind: Kind, wanted = true): Choosable {
  const { data } = useLoad(async (over) => (wanted ? await choosable(kind, over) : undefined), [kind, wanted])
  return data ?? { kind, all: [], isMany: false }
}

/** The service finds segments by their name at the top alone: those inside are looked for here. */
const finding =
  (source: Source) =>
  async (text: string): Promise<Finding> => {
    const { path, name, isTree } = source
    const { rows, total } = await list<Row>(path, isTree ? {} : { [name]: `*${text}*`, size: most })
    const all = flat(rows)
      .map((row) => named(source, row))
      .filter((one) => !isTree || one.name.toLowerCase().includes(text.toLowerCase()))
    return {
      found: all.slice(0, most).map((one) => ({ value: one.id, label: one.name })),
      total: isTree ? all.length : total,
    }
  }

interface NameProps {
  readonly among: Choosable
  readonly id: string
}

/** The name for an id, and the id itself until the name is known. Of very many, only those that are needed are read. */
export function useName({ among: { kind, all, isMany }, id }: NameProps): string {
  const known = all.find((one) => one.id === id)?.name
  const isRead = known === undefined && isMany && id !== ''
  const { path, name }: Source = sources[kind]
  const { data } = useLoad(
    async (over) => (isRead ? (await read<Row>(`${path}/${encodeURIComponent(id)}`, {}, over))[name] : ''),
    [kind, id, isRead],
  )
  return known ?? (data || id)
}

export const NameOf = (props: NameProps) => <span>{useName(props)}</span>

interface TokenProps extends NameProps {
  readonly buttonId?: string
  readonly invalid?: object
  /** What the button does, for the name. */
  readonly label: (name: string) => string
  readonly remove: () => void
}

/** One that is chosen, and can be taken off. */
function Token({ buttonId, invalid = {}, label, remove, ...props }: TokenProps) {
  const name = useName(props)
  return (
    <li>
      {name}
      <button
        type="button"
        id={buttonId}
        {...invalid}
        class="plain icon"
        aria-label={label(name)}
        onClick={remove}
      >
        ✕
      </button>
    </li>
  )
}

interface SearchProps {
  readonly kind: Kind
  readonly id: string
  readonly placeholder?: string
  readonly invalid?: object
  readonly isChosen: (id: string) => boolean
  readonly pick: (id: string) => void
}

function Search({ kind, id, placeholder = '', invalid = {}, isChosen, pick }: SearchProps) {
  const [text, setText] = useState('')
  const hint = useId()
  const found = useFound(text, finding(sources[kind]), isChosen)
  const choose = ({ value }: Found) => {
    setText('')
    pick(value)
  }
  return (
    <>
      <input
        id={id}
        type="search"
        autocomplete="off"
        spellcheck={false}
        aria-describedby={hint}
        {...invalid}
        placeholder={placeholder}
        value={text}
        onInput={(event: Event) => setText((event.target as HTMLInputElement).value)}
        onKeyDown={pickOnEnter(found, choose)}
      />
      <p class="hint" id={hint}>
        {words.byName}
      </p>
      <Suggestions finding={found} pick={choose} />
    </>
  )
}

interface OneProps {
  /** Of the element that a label is for. */
  readonly id: string
  readonly label: string
  readonly kind: Kind
  readonly value: string
  readonly change: (id: string) => void
  /** What choosing nothing means; absent: one must be chosen. */
  readonly any?: string | undefined
  /** One that is not offered, such as the record itself. */
  readonly without?: string | undefined
  /** Attributes of one that was refused. */
  readonly invalid?: object
}

/** One of them. */
export function OneByName({ id, label, kind, value, change, any, without, invalid = {} }: OneProps) {
  const among = useChoosable(kind)
  const { all, isMany } = among
  if (!isMany)
    return (
      <select
        id={id}
        {...invalid}
        value={value}
        onChange={(event: Event) => change((event.target as HTMLSelectElement).value)}
      >
        {any !== undefined && <option value="">{any}</option>}
        {all
          .filter((one) => one.id !== without)
          .map((one) => (
            <option key={one.id} value={one.id} selected={one.id === value}>
              {one.name}
            </option>
          ))}
        {all.length > 0 && value !== '' && !all.some((one) => one.id === value) && (
          <option value={value} selected>
            {value}
          </option>
        )}
      </select>
    )
  if (value !== '')
    return (
      <ul class="tokens">
        <Token
          among={among}
          id={value}
          buttonId={id}
          invalid={invalid}
          label={() => (any === undefined ? words.another(label) : words.anyAgain(label))}
          remove={() => change('')}
        />
      </ul>
    )
  return (
    <Search
      kind={kind}
      id={id}
      placeholder={any ?? ''}
      invalid={invalid}
      isChosen={(one: string) => one === without}
      pick={change}
    />
  )
}

interface TokensProps {
  readonly label: string
  readonly among: Choosable
  readonly chosen: readonly string[]
  readonly change: (ids: readonly string[]) => void
}

const Tokens = ({ label, among, chosen, change }: TokensProps) =>
  chosen.length > 0 && (
    <ul class="tokens">
      {chosen.map((one) => (
        <Token
          key={one}
          among={among}
          id={one}
          label={(name: string) => words.without(label, name)}
          remove={() => change(chosen.filter((other) => other !== one))}
        />
      ))}
    </ul>
  )

interface SomeProps extends Omit<TokensProps, 'among'> {
  readonly id: string
  readonly kind: Kind
  /** What none chosen means. */
  readonly any: string
}

/** Some of them in little room: a list from which one after the other is added. */
export function SomeByName({ id, kind, any, ...props }: SomeProps) {
  const { chosen, change } = props
  const among = useChoosable(kind)
  const add = (one: string) => one !== '' && change([...chosen, one])
  return (
    <>
      <Tokens {...props} among={among} />
      {among.isMany ? (
        <Search
          kind={among.kind}
          id={id}
          placeholder={chosen.length === 0 ? any : words.addAnother}
          isChosen={(one: string) => chosen.includes(one)}
          pick={add}
        />
      ) : (
        <select id={id} value="" onChange={(event: Event) => add((event.target as HTMLSelectElement).value)}>
          <option value="">{chosen.length === 0 ? any : words.addAnother}</option>
          {among.all
            .filter((one) => !chosen.includes(one.id))
            .map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
        </select>
      )}
    </>
  )
}

interface SeveralProps {
  readonly label: string
  readonly kind: Kind
  readonly chosen: readonly string[]
  readonly change: (ids: readonly string[]) => void
  readonly without?: string
  /** In the place of the choice where there is nothing to choose from. */
  readonly none?: string
}

/** Some of them: all in sight, unless there are very many. */
export function SeveralByName({ label, kind, chosen, change, without = '', none = '' }: SeveralProps) {
  const among = useChoosable(kind)
  const id = useId()
  const all = among.all.filter((one) => one.id !== without)
  const isMany = among.isMany || all.length > mostPicked
  if (!isMany && all.length === 0) return none !== '' && <p class="hint">{none}</p>
  if (!isMany) return <Pick label={label} all={all} chosen={chosen} change={change} />
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Tokens label={label} among={among} chosen={chosen} change={change} />
      <Search
        kind={kind}
        id={id}
        isChosen={(one: string) => one === without || chosen.includes(one)}
        pick={(one: string) => change([...chosen, one])}
      />
    </div>
  )
}
