// What a report can be restricted to, by name: zones, views, categories, segments. A few are a list to choose from;
// very many are searched by a part of the name.

import { useId, useState } from 'preact/hooks'
import { list, read } from '../core/api.ts'
import { html } from '../core/html.ts'
import { useLoad } from '../parts/load.ts'
import { type Found, most, Suggestions, useFound } from '../parts/suggest.ts'
import { reportTexts as words } from '../texts/reports.ts'
import { texts } from '../texts/shared.ts'

export type Options = readonly (readonly [string, string])[]

type Row = Readonly<Record<string, string>> & { readonly assignedIpScope?: readonly Row[] }

interface Source {
  readonly path: string
  readonly id: string
  /** Segments lie in one another, and their names need not differ. */
  readonly isTree?: true
}

export const sources: Readonly<Record<string, Source>> = {
  zone: { path: '/ram/zone', id: 'zoneId' },
  view: { path: '/plat/res/view/custom', id: 'symbolId' },
  category: { path: '/fault/alarmCategory', id: 'id' },
  segment: { path: '/res/access/assignedIpScope', id: 'id', isTree: true },
}

/** Above this number they are searched by name. */
const mostOptions = 500

const flat = (rows: readonly Row[]): readonly Row[] =>
  rows.flatMap((row) => [row, ...flat(row.assignedIpScope ?? [])])

const labelOf = ({ id, isTree }: Source, row: Row) => `${row.name}${isTree ? ` · ${row[id]}` : ''}`

/** Undefined where there are too many. */
async function optionsOf(source: Source, over: AbortSignal): Promise<Options | undefined> {
  const { path, id, isTree } = source
  const { rows, total } = await list<Row>(path, isTree ? {} : { size: mostOptions }, over)
  const all = flat(rows)
  if (Math.max(total, all.length) > mostOptions) return undefined
  return all.map((row) => [row[id] ?? '', labelOf(source, row)] as const)
}

export function useOptions(taken: readonly string[]): Readonly<Record<string, Options | undefined>> {
  const loaded = useLoad(
    async (over) => {
      const wanted = Object.entries(sources).filter(([name]) => taken.includes(name))
      const found = await Promise.all(
        wanted.map(async ([name, source]) => [name, await optionsOf(source, over)] as const),
      )
      return Object.fromEntries(found)
    },
    [taken.join()],
  )
  return {
    ...loaded.data,
    level: Object.entries(texts.levels),
    period: Object.entries(words.periods),
  }
}

/** The service finds segments by their name at the top alone: those inside are looked for here. */
const finding =
  ({ path, id, isTree }: Source) =>
  async (text: string): Promise<readonly Found[]> => {
    const query = isTree ? {} : { name: `*${text}*`, size: most }
    const { rows } = await list<Row>(path, query)
    return flat(rows)
      .filter(({ name = '' }) => name.toLowerCase().includes(text.toLowerCase()))
      .slice(0, most)
      .map((row) => ({ value: row[id] ?? '', label: row.name ?? '' }))
  }

/** The name of an id; the id itself until that is known. */
export function NameOf({ parameter, id }: { parameter: string; id: string }) {
  const source = sources[parameter]
  const { data } = useLoad(
    async (over) =>
      source && id !== '' ? (await read<Row>(`${source.path}/${encodeURIComponent(id)}`, {}, over)).name : id,
    [parameter, id],
  )
  return html`<span>${data ?? id}</span>`
}

interface ByNameProps {
  readonly id: string
  readonly parameter: string
  readonly value: string
  readonly change: (value: string) => void
}

/** One of very many. */
export function ByName({ id, parameter, value, change }: ByNameProps) {
  const [text, setText] = useState('')
  const hint = useId()
  const found = useFound(text, finding(sources[parameter] as Source))
  const label = words.parameterNames[parameter] ?? parameter
  if (value !== '')
    return html`<ul class="tokens">
      <li><${NameOf} parameter=${parameter} id=${value} /><button type="button" id=${id} class="plain icon" aria-label=${words.anyOf(label)} onClick=${() => change('')}>✕</button></li>
    </ul>`
  return html`<input id=${id} type="search" autocomplete="off" spellcheck=${false} aria-describedby=${hint} placeholder=${words.all} value=${text} onInput=${(event: Event) => setText((event.target as HTMLInputElement).value)} />
    <p class="hint" id=${hint}>${words.byName}</p>
    <${Suggestions}
      found=${found}
      pick=${(one: Found) => {
        setText('')
        change(one.value)
      }}
    />`
}
