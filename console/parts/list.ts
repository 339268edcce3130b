// A list as the service pages it: filters in the address, columns, pages. Most pages of the inventory are one of these.

import type { VNode } from 'preact'
import { address, setQuery } from '../core/address.ts'
import { list, type Rows } from '../core/api.ts'
import { type Children, html } from '../core/html.ts'
import { texts } from '../texts/shared.ts'
import { DeviceFilter } from './device-filter.ts'
import { type Loaded, useLoad, When } from './load.ts'
import { Empty } from './problem.ts'

const words = texts.list

export interface Column<T> {
  readonly title: string
  readonly cell: (row: T) => Children
  /** `orderBy` of the service. */
  readonly order?: string
  /** `number` is aligned right, `wide` takes what is left, `rare` is left out where there is little room. */
  readonly kind?: 'number' | 'wide' | 'rare' | 'mono' | 'actions'
}

export interface ListFilter {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** A choice instead of a text: values and their words. */
  readonly choices?: Readonly<Record<string, string>>
  /** `day` is a date; `device` is found by its name and asked for by its id. */
  readonly kind?: 'day' | 'device'
  /** Text is searched anywhere in the value. */
  readonly anywhere?: boolean
  /** The query value for what was typed, where it is neither that nor a pattern. */
  readonly form?: (text: string) => string
}

export interface ListProps<T> {
  readonly path: string
  readonly columns: readonly Column<T>[]
  readonly filters?: readonly ListFilter[]
  /** Parameters that always go along. */
  readonly fixed?: Readonly<Record<string, string | number | boolean>>
  readonly caption: string
  readonly keyOf: (row: T) => string
  readonly empty: Children
  /** Where else to look when nothing matches the filter. */
  readonly elsewhere?: Children
  readonly pageSize?: number
  /** It stands beside what the page is about: the address of the page says nothing about it. */
  readonly within?: boolean
}

const mostWithin = 500

/** What is typed is searched anywhere, unless it contains a wildcard itself. */
const anywhere = (text: string) => (/[*?]/.test(text) ? text : `*${text}*`)

function queryOf<T>({ filters = [], fixed, pageSize = 50, within = false }: ListProps<T>) {
  if (within) return { size: mostWithin, ...fixed }
  const { query } = address.value
  const given = filters.flatMap(({ name, anywhere: loose, form }) => {
    const value = query.get(name)?.trim() ?? ''
    return value === '' ? [] : [[name, form ? form(value) : loose ? anywhere(value) : value]]
  })
  const orderBy = query.get('orderBy')
  return {
    size: pageSize,
    start: query.get('start') ?? 0,
    ...Object.fromEntries(given),
    ...fixed,
    ...(orderBy && { orderBy, desc: query.get('desc') ?? 'false' }),
  }
}

export function useList<T>(props: ListProps<T>): Loaded<Rows<T>> {
  const query = queryOf(props)
  return useLoad((over) => list<T>(props.path, query, over), [props.path, JSON.stringify(query)])
}

const typed = (event: Event) => (event.target as HTMLInputElement).value

const FilterField = ({ name, label, hint = '', choices, kind }: ListFilter) => {
  if (kind === 'device') return html`<${DeviceFilter} name=${name} label=${label} />`
  const value = address.value.query.get(name) ?? ''
  const change = (event: Event) => setQuery({ [name]: typed(event), start: '' })
  return html`<label>${label}
    ${
      choices
        ? html`<select value=${value} onChange=${change}>
            <option value="">${words.any}</option>
            ${Object.entries(choices).map(([one, text]) => html`<option key=${one} value=${one}>${text}</option>`)}
          </select>`
        : html`<input type=${kind === 'day' ? 'date' : 'search'} autocomplete="off" spellcheck=${false} placeholder=${hint} value=${value} onInput=${change} />`
    }
  </label>`
}

export const ListFilters = ({ filters }: { filters: readonly ListFilter[] }) =>
  html`<form class="list-filters" role="search" onSubmit=${(event: Event) => event.preventDefault()}>
    ${filters.map((filter) => html`<${FilterField} key=${filter.name} ...${filter} />`)}
  </form>`

function Heading<T>({ title, order, kind }: Column<T>) {
  const { query } = address.value
  const isCurrent = order !== undefined && query.get('orderBy') === order
  const down = isCurrent && query.get('desc') === 'true'
  const sort = () => setQuery({ orderBy: order, desc: isCurrent && !down ? 'true' : '', start: '' })
  return html`<th scope="col" class=${kind ?? ''} aria-sort=${isCurrent ? (down ? 'descending' : 'ascending') : undefined}>
    ${
      order === undefined
        ? title
        : html`<button type="button" class="plain" onClick=${sort}>${title}<span class="arrow" aria-hidden="true">${isCurrent ? (down ? '▾' : '▴') : ''}</span></button>`
    }
  </th>`
}

interface TableProps<T> {
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly caption: string
  readonly keyOf: (row: T) => string
}

export function Table<T>({ columns, rows, caption, keyOf }: TableProps<T>): VNode {
  return html`<div class="table-frame" tabindex="0" role="region" aria-label=${caption}>
    <table>
      <caption class="unseen">${caption}</caption>
      <thead><tr>${columns.map((column) => html`<${Heading} key=${column.title} ...${column} />`)}</tr></thead>
      <tbody>
        ${rows.map(
          (row) => html`<tr key=${keyOf(row)}>
            ${columns.map(({ title, cell, kind }) => html`<td key=${title} class=${kind ?? ''} data-title=${title}>${cell(row)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function Pager({ total, shown, pageSize }: { total: number; shown: number; pageSize: number }) {
  const start = Number(address.value.query.get('start') ?? 0) || 0
  if (total <= pageSize && start === 0) return html`<p class="hint pager">${words.count(total)}</p>`
  const move = (to: number) => setQuery({ start: to <= 0 ? '' : to }, { replace: false })
  return html`<nav class="pager" aria-label=${words.pages}>
    <button type="button" disabled=${start === 0} onClick=${() => move(start - pageSize)}>${words.before}</button>
    <span>${words.range(start + 1, start + shown, total)}</span>
    <button type="button" disabled=${start + shown >= total} onClick=${() => move(start + pageSize)}>${words.after}</button>
  </nav>`
}

/** Filters, table and pages; `loaded` comes from `useList` of the same properties. */
export function List<T>({ loaded, ...props }: ListProps<T> & { loaded: Loaded<Rows<T>> }) {
  const { columns, caption, keyOf, filters = [], empty, elsewhere, pageSize = 50, within = false } = props
  const filtered = filters.some(({ name }) => address.value.query.get(name))
  const clear = () => setQuery(Object.fromEntries([...filters.map(({ name }) => [name, '']), ['start', '']]))
  return html`
    ${filters.length > 0 && html`<${ListFilters} filters=${filters} />`}
    <${When}
      loaded=${loaded}
      show=${({ rows, total }: Rows<T>) => {
        if (rows.length > 0)
          return html`<${Table} columns=${columns} rows=${rows} caption=${caption} keyOf=${keyOf} />
            ${within ? html`<p class="hint pager">${words.count(total)}</p>` : html`<${Pager} total=${total} shown=${rows.length} pageSize=${pageSize} />`}`
        if (!filtered && total === 0) return empty
        return html`<${Empty} title=${words.noMatch}>${elsewhere}<button type="button" onClick=${clear}>${words.clear}</button><//>`
      }}
    />`
}
