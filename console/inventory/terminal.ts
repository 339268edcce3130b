// One terminal: where it is, where it has been, and what its binding says.

import { useState } from 'preact/hooks'
import { go, hrefOf } from '../core/address.ts'
import { read } from '../core/api.ts'
import { html } from '../core/html.ts'
import { Refused } from '../core/refused.ts'
import { may } from '../core/session.ts'
import { Facts, Section } from '../parts/facts.ts'
import { List, useList } from '../parts/list.ts'
import { useEvery, useLoad, When } from '../parts/load.ts'
import { Empty } from '../parts/problem.ts'
import { DeleteDialog } from '../parts/records.ts'
import { Time } from '../parts/time.ts'
import { seenTexts as words } from '../texts/inventory.ts'
import { newestFirst, stayColumns, stayFilters, stayPath } from './stays.ts'
import { Place, Standing, type Stay, type Terminal } from './terminals.ts'

/** Where it has been, page by page. */
function Stays({ terminalMac }: Pick<Terminal, 'terminalMac'>) {
  const props = {
    path: stayPath,
    within: 'stay',
    columns: stayColumns,
    filters: stayFilters,
    fixed: { terminalMac, ...newestFirst },
    caption: words.before,
    keyOf: ({ id }: Stay) => id,
    empty: html`<p class="hint">${words.nowhere}</p>`,
  }
  const loaded = useList(props)
  useEvery(10, loaded)
  return html`<${List} ...${props} loaded=${loaded} />`
}

function TerminalView({ terminal }: { terminal: Terminal }) {
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
      <${Stays} terminalMac=${terminalMac} />
    <//>
    ${deleting && html`<${DeleteDialog} title=${words.forget} hint=${words.forgetHint} path=${`/res/access/terminal/${id}`} close=${() => setDeleting(false)} done=${() => go(hrefOf('terminals'))} />`}
  </article>`
}

export default function TerminalPage({ id }: { id: string }) {
  const loaded = useLoad(
    (over) => read<Terminal>(`/res/access/terminal/${encodeURIComponent(id)}`, {}, over),
    [id],
  )
  useEvery(10, loaded)
  if (loaded.error instanceof Refused && loaded.error.status === 404)
    return html`<${Empty} title=${words.gone}><a class="button" href=${hrefOf('terminals')}>${words.title}</a><//>`
  return html`<${When} loaded=${loaded} show=${(terminal: Terminal) => html`<${TerminalView} terminal=${terminal} />`} />`
}
