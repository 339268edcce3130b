// One terminal: where it is, where it has been, and what its binding says.

import { useState } from 'preact/hooks'
import { go, hrefOf } from '../core/address.ts'
import { list, read } from '../core/api.ts'
import { html } from '../core/html.ts'
import { Refused } from '../core/refused.ts'
import { may } from '../core/session.ts'
import { lastedText } from '../core/time.ts'
import { Facts, Section } from '../parts/facts.ts'
import { type Column, Table } from '../parts/list.ts'
import { useEvery, useLoad, When } from '../parts/load.ts'
import { Empty } from '../parts/problem.ts'
import { DeleteDialog } from '../parts/records.ts'
import { Time } from '../parts/time.ts'
import { seenTexts as words } from '../texts/inventory.ts'
import { Place, Standing, type Stay, type Terminal } from './terminals.ts'

interface Known {
  readonly terminal: Terminal
  readonly stays: readonly Stay[]
}

const staysShown = 100

const columns: readonly Column<Stay>[] = [
  { title: words.place, kind: 'wide', cell: (stay) => html`<${Place} stay=${stay} />` },
  { title: words.ip, kind: 'mono', cell: ({ ip }) => ip },
  { title: words.from, cell: ({ since }) => html`<${Time} at=${Number(since)} />` },
  { title: words.until, cell: ({ lastTime }) => html`<${Time} at=${Number(lastTime)} />` },
  {
    title: words.lasted,
    kind: 'number',
    cell: ({ since, lastTime }) => lastedText(Number(lastTime) - Number(since)),
  },
]

function TerminalView({ terminal, stays }: Known) {
  const [deleting, setDeleting] = useState(false)
  const { id, terminalMac, terminalName, bound } = terminal
  return html`<article class="page">
    <header class="page-head">
      <h1>${terminalName || terminalMac}</h1><span class="gap"></span>
      ${may('operator') && html`<button type="button" onClick=${() => setDeleting(true)}>${words.forget}</button>`}
    </header>
    <${Section} title=${words.now}>
      <${Facts}
        facts=${[
          [words.mac, html`<span class="mono">${terminalMac}</span>`],
          [words.state, html`<${Standing} terminal=${terminal} />`],
          [words.place, html`<${Place} stay=${terminal} />`],
          [words.ip, terminal.ip],
          [words.vlan, terminal.vlan],
          [words.since, html`<${Time} at=${Number(terminal.since)} />`],
          [words.last, html`<${Time} at=${Number(terminal.lastTime)} />`],
          [words.source, words.sources[terminal.source] ?? terminal.source],
          [words.reason, terminal.reason],
          [words.maintainer, terminal.maintainer],
          [
            words.binding,
            html`<a href=${hrefOf('bindings', '', { terminalMac })}>${bound === 'true' ? words.showBinding : words.noBinding}</a>`,
          ],
        ]}
      />
    <//>
    <${Section} title=${words.before}>
      ${
        stays.length === 0
          ? html`<p class="hint">${words.nowhere}</p>`
          : html`<${Table} columns=${columns} rows=${stays} caption=${words.before} keyOf=${(stay: Stay) => stay.id} />`
      }
    <//>
    ${deleting && html`<${DeleteDialog} title=${words.forget} hint=${words.forgetHint} path=${`/res/access/terminal/${id}`} close=${() => setDeleting(false)} done=${() => go(hrefOf('terminals'))} />`}
  </article>`
}

export default function TerminalPage({ id }: { id: string }) {
  const loaded = useLoad<Known>(
    async (over) => {
      const terminal = await read<Terminal>(`/res/access/terminal/${encodeURIComponent(id)}`, {}, over)
      const { terminalMac } = terminal
      const query = { terminalMac, size: staysShown, orderBy: 'id', desc: true }
      return { terminal, stays: (await list<Stay>('/res/access/terminalStay', query, over)).rows }
    },
    [id],
  )
  useEvery(10, loaded)
  if (loaded.error instanceof Refused && loaded.error.status === 404)
    return html`<${Empty} title=${words.gone}><a class="button" href=${hrefOf('terminals')}>${words.title}</a><//>`
  return html`<${When} loaded=${loaded} show=${(known: Known) => html`<${TerminalView} ...${known} />`} />`
}
