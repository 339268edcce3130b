// A list as the service pages it: filters in the address, columns, pages. Most pages of the inventory are one of these.

import type { ComponentChildren, VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { address, setQuery } from '../core/address.ts'
import { list, type Rows } from '../core/api.ts'
import { texts } from '../texts/shared-texts.ts'
import { arranged, columnChoice } from './column-choice.ts'
import { ColumnsPanel, Edge } from './columns.tsx'
import { Icon } from './icon.tsx'
import { keyIn, type ListFilter, ListFilters } from './list-filters.tsx'
import { type Loaded, useLoad, When } from './load.tsx'
import { Empty } from './problem.tsx'

const words = texts.list

export interface Column<T> {
  readonly title: string
  readonly cell: (row: T) => ComponentChildren
  /** `orderBy` of the service. */
  readonly order?: string
  /** `number` is aligned right, `wide` takes what is left, `rare` is left out where there is little room. */
  readonly kind?: 'number' | 'wide' | 'rare' | 'mono' | 'actions' | 'tick'
  /** In the place of the title, for the rows of the page. */
  readonly heading?: (rows: readonly T[]) => ComponentChildren
}

export interface ListProps<T> {
  readonly path: string
  readonly columns: readonly Column<T>[]
  /** Those that are most used come first: of many, the others are folded away. */
  readonly filters?: readonly ListFilter[]
  /** Parameters that go along, unless a filter says otherwise. */
  readonly fixed?: Readonly<Record<string, string | number | boolean>>
  readonly caption: string
  readonly keyOf: (row: T) => string
  readonly empty: ComponentChildren
  /** Where else to look when nothing matches the filter. */
  readonly elsewhere?: ComponentChildren
  readonly pageSize?: number
  /** For a list that is not the subject of its page: the prefix of its parameters in the address. */
  readonly queryPrefix?: string
}

/** Matches the text anywhere in a value, unless it contains wildcards itself. */
const anywhere = (text: string) => (/[*?]/.test(text) ? text : `*${text}*`)

/** What the list asks for, by its filters in the address. */
export function queryOf({
  filters = [],
  fixed,
  pageSize = 50,
  queryPrefix,
}: Pick<ListProps<never>, 'filters' | 'fixed' | 'pageSize' | 'queryPrefix'>) {
  const said = (name: string) => address.value.query.get(keyIn(queryPrefix, name))?.trim() ?? ''
  const given = filters.flatMap(({ name, anywhere: loose, form }) => {
    const value = said(name)
    return value === '' ? [] : [[name, form ? form(value) : loose ? anywhere(value) : value]]
  })
  const orderBy = said('orderBy')
  return {
    size: pageSize,
    start: said('start') || 0,
    ...fixed,
    ...Object.fromEntries(given),
    ...(orderBy && { orderBy, desc: said('desc') || 'false' }),
  }
}

export function useList<T>(props: ListProps<T>): Loaded<Rows<T>> {
  const query = queryOf(props)
  return useLoad((over) => list<T>(props.path, query, over), [props.path, JSON.stringify(query)])
}

interface HeadingProps<T> {
  readonly rows: readonly T[]
  readonly queryPrefix: string | undefined
  /** Where its columns can be chosen. */
  readonly choosing: string | undefined
}

const keyOfColumn = <T,>({ order, title }: Column<T>) => order ?? title

const widthIn = (choosing: string | undefined, key: string) =>
  choosing === undefined ? undefined : columnChoice(choosing).widths[key]

/** For the style, which only uses it where there is a table and no list of cards. */
const sized = (width: number | undefined) =>
  width === undefined ? {} : { style: { '--width': `${width}px` }, 'data-sized': true }

function Heading<T>({ choosing, queryPrefix, rows, ...column }: Column<T> & HeadingProps<T>) {
  const { title, order, kind, heading } = column
  const said = (name: string) => address.value.query.get(keyIn(queryPrefix, name))
  const isCurrent = order !== undefined && said('orderBy') === order
  const down = isCurrent && said('desc') === 'true'
  const sort = () =>
    setQuery({
      [keyIn(queryPrefix, 'orderBy')]: order,
      [keyIn(queryPrefix, 'desc')]: isCurrent && !down ? 'true' : '',
      [keyIn(queryPrefix, 'start')]: '',
    })
  return (
    <th
      scope="col"
      class={kind ?? ''}
      aria-sort={isCurrent ? (down ? 'descending' : 'ascending') : undefined}
      {...sized(widthIn(choosing, keyOfColumn(column)))}
    >
      {order === undefined ? (
        (heading?.(rows) ?? title)
      ) : (
        <button type="button" class="plain" onClick={sort}>
          {title}
          <span class="arrow">{isCurrent && <Icon name={down ? 'descending' : 'ascending'} />}</span>
        </button>
      )}
      {choosing !== undefined && isChosen(column) && <Edge list={choosing} column={keyOfColumn(column)} />}
    </th>
  )
}

interface TableProps<T> {
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly caption: string
  readonly keyOf: (row: T) => string
  readonly queryPrefix?: string | undefined
  readonly choosing?: string | undefined
}

/** Not by which a row is selected, and what can be done with it. */
const isChosen = <T,>({ kind }: Column<T>) => kind !== 'actions' && kind !== 'tick'

/** As somebody has chosen; what selects a row stays at the beginning, what can be done with it at the end. */
function columnsIn<T>(choosing: string | undefined, columns: readonly Column<T>[]): readonly Column<T>[] {
  if (choosing === undefined) return columns
  const chosen = arranged(named(columns), columnChoice(choosing))
  const ofKind = (one: Column<T>['kind']) => columns.filter(({ kind }) => kind === one)
  return [...ofKind('tick'), ...chosen.map(({ column }) => column), ...ofKind('actions')]
}

/** The first one says what a row is about. */
const named = <T,>(columns: readonly Column<T>[]) =>
  columns.filter(isChosen).map((column, index) => ({
    ...{ key: keyOfColumn(column), title: column.title, column },
    isFixed: index === 0,
  }))

export function Table<T>({
  columns: all,
  rows,
  caption,
  keyOf,
  queryPrefix,
  choosing,
}: TableProps<T>): VNode {
  const columns = columnsIn(choosing, all)
  return (
    <div class="table-frame" tabindex={0} role="region" aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading
                key={column.title}
                {...column}
                rows={rows}
                queryPrefix={queryPrefix}
                choosing={choosing}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td
                  key={column.title}
                  class={column.kind ?? ''}
                  data-title={column.title}
                  {...sized(widthIn(choosing, keyOfColumn(column)))}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface PagerProps {
  readonly total: number
  readonly shown: number
  readonly pageSize: number
  readonly queryPrefix: string | undefined
}

function Pager({ total, shown, pageSize, queryPrefix }: PagerProps) {
  const key = keyIn(queryPrefix, 'start')
  const start = Number(address.value.query.get(key) ?? 0) || 0
  if (total <= pageSize && start === 0) return <p class="hint pager">{words.count(total)}</p>
  const move = (to: number) => setQuery({ [key]: to <= 0 ? '' : to }, { replace: queryPrefix !== undefined })
  return (
    <nav class="pager" aria-label={words.pages}>
      <button type="button" disabled={start === 0} onClick={() => move(start - pageSize)}>
        {words.before}
      </button>
      <span>{words.range(start + 1, start + shown, total)}</span>
      <button type="button" disabled={start + shown >= total} onClick={() => move(start + pageSize)}>
        {words.after}
      </button>
    </nav>
  )
}

/** Of fewer, none needs to be left out. */
const fewColumns = 4

/** A short list beside the matter of a page needs no filter. */
const shortWithin = 10

/** Filters, table and pages; `loaded` comes from `useList` of the same properties. */
export function List<T>({ loaded, ...props }: ListProps<T> & { loaded: Loaded<Rows<T>> }) {
  const { columns, caption, keyOf, filters = [], empty, elsewhere, pageSize = 50, queryPrefix } = props
  const filtered = filters.some(({ name }) => address.value.query.get(keyIn(queryPrefix, name)))
  const keys = [...filters.map(({ name }) => name), 'start'].map((name) => keyIn(queryPrefix, name))
  const clear = () => setQuery(Object.fromEntries(keys.map((key) => [key, ''])))
  const isLong = (loaded.data?.total ?? 0) > shortWithin
  // Once it is there, it does not go while somebody types.
  const hasFilters = useRef(false)
  hasFilters.current ||= filters.length > 0 && (queryPrefix === undefined || isLong || filtered)
  const choosing = queryPrefix === undefined && named(columns).length >= fewColumns ? props.path : undefined
  return (
    <>
      {(hasFilters.current || choosing !== undefined) && (
        <div class="list-head">
          {hasFilters.current && <ListFilters filters={filters} queryPrefix={queryPrefix} />}
          {choosing !== undefined && <ColumnsPanel list={choosing} columns={named(columns)} />}
        </div>
      )}
      <When
        loaded={loaded}
        show={({ rows, total }: Rows<T>) => {
          if (rows.length > 0)
            return (
              <>
                <Table {...{ columns, rows, caption, keyOf, queryPrefix, choosing }} />
                <Pager total={total} shown={rows.length} pageSize={pageSize} queryPrefix={queryPrefix} />
              </>
            )
          if (!filtered && total === 0) return empty
          return (
            <Empty title={words.noMatch}>
              {elsewhere}
              <button type="button" onClick={clear}>
                {words.clear}
              </button>
            </Empty>
          )
        }}
      />
      {loaded.data?.remarks && <p class="hint">{loaded.data.remarks}</p>}
    </>
  )
}
