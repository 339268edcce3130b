// The store as a whole: a download of a backup, and a check.

import { useState } from 'preact/hooks'
import { root } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { html } from '../core/html.ts'
import { Section } from '../parts/facts.ts'
import { type Column, Table } from '../parts/list.ts'
import { complain } from '../parts/toast.ts'
import { storeTexts as words } from '../texts/running.ts'

interface Part {
  readonly name: string
  readonly looked: string
  readonly found: readonly string[]
}

interface Check {
  readonly sound: string
  readonly part: readonly Part[]
}

const columns: readonly Column<Part>[] = [
  { title: words.part, cell: ({ name }) => html`<b>${name}</b>` },
  { title: words.looked, cell: ({ looked }) => looked },
  {
    title: words.found,
    kind: 'wide',
    cell: ({ found }) =>
      found.length === 0
        ? html`<span class="hint">${words.nothing}</span>`
        : html`<ul class="remarks">${found.map((text) => html`<li key=${text}>${text}</li>`)}</ul>`,
  },
]

export function Store() {
  const [busy, setBusy] = useState(false)
  const [check, setCheck] = useState<Check | undefined>(undefined)
  const look = async () => {
    setBusy(true)
    try {
      setCheck((await ask<Check>('GET', '/plat/check')).data)
    } catch (error) {
      complain(error)
    }
    setBusy(false)
  }
  return html`<${Section} title=${words.title} hint=${words.about}>
    <div class="buttons">
      <a class="button" href=${`${root}/plat/backup`} download>${words.backup}</a>
      <button type="button" disabled=${busy} onClick=${() => void look()}>${busy ? words.checking : words.check}</button>
    </div>
    <div aria-live="polite" class="stack">
      ${
        check &&
        html`<p><b>${check.sound === 'true' ? words.sound : words.unsound}</b></p>
          <${Table} columns=${columns} rows=${check.part} caption=${words.title} keyOf=${({ name }: Part) => name} />`
      }
    </div>
  <//>`
}
