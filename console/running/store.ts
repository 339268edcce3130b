// The store as a whole: a download of a backup, and a check.

import { useState } from 'preact/hooks'
import { root } from '../core/address.ts'
import { ask, save } from '../core/api.ts'
import { html } from '../core/html.ts'
import { session } from '../core/session.ts'
import { Dialog } from '../parts/dialog.ts'
import { Section } from '../parts/facts.ts'
import { Form, type Values } from '../parts/form.ts'
import { type Column, Table } from '../parts/list.ts'
import { presenceFields } from '../parts/presence.ts'
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

function BackupDialog({ close }: { close: () => void }) {
  const download = async ({ presentPassword = '' }: Values) => {
    await save('/plat/backup', presentPassword)
    close()
  }
  return html`<${Dialog} title=${words.backup} onClose=${close}>
    <p>${words.backupHint}</p>
    <${Form} fields=${presenceFields()} values=${{}} submitText=${words.backup} onSubmit=${download} onCancel=${close} />
  <//>`
}

export function Store() {
  const [busy, setBusy] = useState(false)
  const [saving, setSaving] = useState(false)
  const isAsked = session.value.presence !== ''
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
      ${
        isAsked
          ? html`<button type="button" onClick=${() => setSaving(true)}>${words.backup}</button>`
          : html`<a class="button" href=${`${root}/plat/backup`} download>${words.backup}</a>`
      }
      <button type="button" disabled=${busy} onClick=${() => void look()}>${busy ? words.checking : words.check}</button>
    </div>
    ${saving && html`<${BackupDialog} close=${() => setSaving(false)} />`}
    <div aria-live="polite" class="stack">
      ${
        check &&
        html`<p><b>${check.sound === 'true' ? words.sound : words.unsound}</b></p>
          <${Table} columns=${columns} rows=${check.part} caption=${words.title} keyOf=${({ name }: Part) => name} />`
      }
    </div>
  <//>`
}
