// What people do with alarms, one or many: asked in one small dialog, done one after the other, taken back where possible.

import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { ask } from '../core/api.ts'
import { html } from '../core/html.ts'
import { may, session } from '../core/session.ts'
import { Dialog } from '../parts/dialog.ts'
import { complain, say } from '../parts/toast.ts'
import { texts } from '../texts/shared.ts'
import { book } from './live.ts'
import type { AlarmRow } from './row.ts'
import { chosen, clearSelection } from './shown.ts'

const words = texts.actions

export const actions = ['acknowledge', 'remark', 'end'] as const
export type Action = (typeof actions)[number]

interface Asked {
  readonly action: Action
  readonly alarms: readonly AlarmRow[]
}

const asked = signal<Asked | undefined>(undefined)

/** Opens the dialog; where nothing is chosen, or one may not, nothing happens. */
export function begin(action: Action, alarms: readonly AlarmRow[] = chosen()): void {
  if (alarms.length > 0 && may('operator')) asked.value = { action, alarms }
}

/** So many requests at a time: the service is there for others, too. */
const atOnce = 6

/** Does it for each; answers how many could not be done, and why the first of them could not. */
async function forEach(
  alarms: readonly AlarmRow[],
  work: (row: AlarmRow) => Promise<unknown>,
  progress: (done: number) => void,
): Promise<void> {
  const waiting = [...alarms]
  const failures: unknown[] = []
  let done = 0
  const worker = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      await work(row).catch((error) => failures.push(error))
      done += 1
      progress(done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (failures.length === 0) return
  const reason = failures[0] instanceof Error ? failures[0].message : String(failures[0])
  complain(new Error(words.someFailed(failures.length, reason)))
}

const put = (path: string, body?: unknown) => ask('PUT', path, body === undefined ? {} : { body })

const setRemark = ({ id }: AlarmRow, remark: string) => put(`/fault/alarm/${id}`, { remark })

const seconds = () => Math.floor(Date.now() / 1000)

type Doing = (alarms: readonly AlarmRow[], note: string, progress: (done: number) => void) => Promise<void>

const doing: Readonly<Record<Action, Doing>> = {
  async acknowledge(alarms, _note, progress) {
    const open = alarms.filter(({ acknowledged }) => !acknowledged)
    await forEach(open, ({ id }) => put(`/fault/alarm/acknowledge/${id}`), progress)
    const by = { acknowledged: true, acknowledgedBy: session.value.name, acknowledgedAt: seconds() }
    book.patch(
      open.map(({ id }) => id),
      by,
    )
    say(words.done.acknowledge(open.length))
  },
  async remark(alarms, note, progress) {
    await forEach(alarms, (row) => setRemark(row, note), progress)
    book.patch(
      alarms.map(({ id }) => id),
      { remark: note },
    )
    say(words.done.remark(alarms.length), () =>
      forEach(
        alarms,
        async (row) => {
          await setRemark(row, row.remark)
          book.patch([row.id], { remark: row.remark })
        },
        () => undefined,
      ),
    )
  },
  async end(alarms, _note, progress) {
    await forEach(alarms, ({ id }) => put(`/fault/alarm/recover/${id}`), progress)
    say(words.done.end(alarms.length))
  },
}

const hints: Readonly<Record<Action, string>> = {
  acknowledge: words.acknowledgeHint,
  remark: words.remarkHint,
  end: words.endHint,
}

const shownOfMany = 4

const Chosen = ({ alarms }: { alarms: readonly AlarmRow[] }) => html`<ul class="chosen">
  ${alarms
    .slice(0, shownOfMany)
    .map(({ id, device, text }) => html`<li key=${id}><b>${device}</b> <span>${text}</span></li>`)}
  ${alarms.length > shownOfMany && html`<li>${words.andMore(alarms.length - shownOfMany)}</li>`}
</ul>`

function ActionForm({ action, alarms }: Asked) {
  const [note, setNote] = useState(alarms.length === 1 ? (alarms[0]?.remark ?? '') : '')
  const [done, setDone] = useState(-1)
  const close = () => {
    asked.value = undefined
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    setDone(0)
    await doing[action](alarms, note.trim(), setDone)
    clearSelection()
    close()
  }
  const title = words.title(words[action], alarms.length)
  return html`<${Dialog} title=${title} onClose=${close}>
    <form onSubmit=${submit}>
      <${Chosen} alarms=${alarms} />
      <p class="hint">${hints[action]}</p>
      ${
        action === 'remark' &&
        html`<label>${words.remark}
          <input type="text" autofocus maxlength="255" value=${note} onInput=${(event: InputEvent) => setNote((event.target as HTMLInputElement).value)} />
        </label>`
      }
      <footer>
        <button type="button" onClick=${close}>${texts.cancel}</button>
        <button type="submit" class="main ${action === 'end' ? 'grave' : ''}" autofocus=${action !== 'remark'} disabled=${done >= 0}>
          ${done >= 0 ? words.working(done, alarms.length) : words[action]}
        </button>
      </footer>
    </form>
  <//>`
}

export const ActionDialog = () => asked.value && html`<${ActionForm} ...${asked.value} />`

/** Appears when something is selected. */
export function ActionBar({ count }: { count: number }) {
  if (count === 0) return null
  return html`<div class="action-bar" role="toolbar" aria-label=${texts.alarms.selected(count)}>
    <strong>${texts.alarms.selected(count)}</strong>
    ${actions.map(
      (action) =>
        html`<button key=${action} type="button" onClick=${() => begin(action)}>${words[action]}<kbd>${keyOf[action]}</kbd></button>`,
    )}
    <button type="button" class="plain" onClick=${clearSelection}>${texts.alarms.clearSelection}</button>
  </div>`
}

export const keyOf: Readonly<Record<Action, string>> = { acknowledge: 'a', remark: 'm', end: 'e' }
