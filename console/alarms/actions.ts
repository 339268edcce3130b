// What people do with alarms, one or many: asked in one small dialog, done one after the other, taken back where possible.

import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { ask } from '../core/api.ts'
import { html } from '../core/html.ts'
import { may, session } from '../core/session.ts'
import { Dialog } from '../parts/dialog.ts'
import { complain, say } from '../parts/toast.ts'
import { texts } from '../texts/shared.ts'
import { refreshHeld } from './held.ts'
import { book } from './live.ts'
import type { AlarmRow } from './row.ts'
import { chosen, clearSelection } from './shown.ts'

const words = texts.actions

export const actions = ['acknowledge', 'shelve', 'assign', 'note', 'remark', 'end'] as const
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

/** What the dialog asks for; which of it counts depends on the action. */
interface Given {
  readonly text: string
  readonly owner: string
  /** 0: no longer. */
  readonly minutes: number
}

type Doing = (alarms: readonly AlarmRow[], given: Given, progress: (done: number) => void) => Promise<void>

const idsOf = (alarms: readonly AlarmRow[]) => alarms.map(({ id }) => id)
const silently = () => undefined
const noted = ({ text }: Given) => (text === '' ? {} : { note: text })

const doing: Readonly<Record<Action, Doing>> = {
  async acknowledge(alarms, given, progress) {
    const open = alarms.filter(({ acknowledged }) => !acknowledged)
    await forEach(open, ({ id }) => put(`/fault/alarm/acknowledge/${id}`, noted(given)), progress)
    const by = { acknowledged: true, acknowledgedBy: session.value.name, acknowledgedAt: seconds() }
    book.patch(idsOf(open), { ...by, ...noted(given) })
    say(words.done.acknowledge(open.length), async () => {
      await forEach(open, ({ id }) => put(`/fault/alarm/unacknowledge/${id}`), silently)
      book.patch(idsOf(open), { acknowledged: false, acknowledgedBy: '', acknowledgedAt: 0 })
    })
  },
  async shelve(alarms, given, progress) {
    const { minutes } = given
    const unshelve = ({ id }: AlarmRow) => put(`/fault/alarm/unshelve/${id}`)
    const shelve = ({ id }: AlarmRow) => put(`/fault/alarm/shelve/${id}`, { minutes, ...noted(given) })
    await forEach(alarms, minutes === 0 ? unshelve : shelve, progress)
    await refreshHeld()
    if (minutes === 0) say(words.done.unshelve(alarms.length))
    else
      say(words.done.shelve(alarms.length), async () => {
        await forEach(alarms, unshelve, silently)
        await refreshHeld()
      })
  },
  async assign(alarms, given, progress) {
    const assign = ({ id }: AlarmRow, owner: string) => put(`/fault/alarm/assign/${id}`, { owner })
    await forEach(alarms, (row) => assign(row, given.owner), progress)
    book.patch(idsOf(alarms), { owner: given.owner })
    say(words.done.assign(alarms.length, given.owner), () =>
      forEach(
        alarms,
        async (row) => {
          await assign(row, row.owner)
          book.patch([row.id], { owner: row.owner })
        },
        silently,
      ),
    )
  },
  async note(alarms, given, progress) {
    if (given.text === '') return
    await forEach(
      alarms,
      ({ id }) => ask('POST', `/fault/alarm/${id}/note`, { body: noted(given) }),
      progress,
    )
    book.patch(idsOf(alarms), noted(given))
    say(words.done.note(alarms.length))
  },
  async remark(alarms, { text }, progress) {
    await forEach(alarms, (row) => setRemark(row, text), progress)
    book.patch(idsOf(alarms), { remark: text })
    say(words.done.remark(alarms.length), () =>
      forEach(
        alarms,
        async (row) => {
          await setRemark(row, row.remark)
          book.patch([row.id], { remark: row.remark })
        },
        silently,
      ),
    )
  },
  async end(alarms, _given, progress) {
    await forEach(alarms, ({ id }) => put(`/fault/alarm/recover/${id}`), progress)
    say(words.done.end(alarms.length))
  },
}

const shownOfMany = 4

const Chosen = ({ alarms }: { alarms: readonly AlarmRow[] }) => html`<ul class="chosen">
  ${alarms
    .slice(0, shownOfMany)
    .map(({ id, device, text }) => html`<li key=${id}><b>${device}</b> <span>${text}</span></li>`)}
  ${alarms.length > shownOfMany && html`<li>${words.andMore(alarms.length - shownOfMany)}</li>`}
</ul>`

const typed = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value

const untilTomorrow = () => {
  const morning = new Date()
  morning.setDate(morning.getDate() + 1)
  morning.setHours(8, 0, 0, 0)
  return Math.ceil((morning.getTime() - Date.now()) / 60_000)
}

interface FieldsProps extends Asked {
  readonly given: Given
  readonly set: (change: Partial<Given>) => void
}

function Fields({ action, alarms, given, set }: FieldsProps) {
  const [tomorrow] = useState(untilTomorrow)
  const times = [[tomorrow, words.tomorrow], ...words.shelfTimes] as const
  const isShelved = alarms.some(({ shelvedUntil }) => shelvedUntil > 0)
  return html`${
    action === 'shelve' &&
    html`<label>${words.shelfEnd}
      <select autofocus value=${String(given.minutes)} onChange=${(event: Event) => set({ minutes: Number(typed(event)) })}>
        ${times.map(([minutes, text]) => html`<option key=${minutes} value=${minutes}>${text}</option>`)}
        ${isShelved && html`<option value="0">${words.noShelf}</option>`}
      </select>
    </label>`
  }
  ${
    action === 'assign' &&
    html`<label>${words.owner}
      <input type="text" autofocus maxlength="255" value=${given.owner} onInput=${(event: Event) => set({ owner: typed(event) })} />
    </label>`
  }
  ${
    action !== 'assign' &&
    action !== 'end' &&
    html`<label>${action === 'remark' ? words.remark : action === 'note' ? words.note : words.withNote}
      <input type="text" autofocus=${action === 'remark' || action === 'note'} required=${action === 'note'} maxlength=${action === 'remark' ? 255 : 2000} value=${given.text} onInput=${(event: Event) => set({ text: typed(event) })} />
    </label>`
  }`
}

function ActionForm({ action, alarms }: Asked) {
  const [given, setGiven] = useState<Given>(() => ({
    text: action === 'remark' && alarms.length === 1 ? (alarms[0]?.remark ?? '') : '',
    owner: session.value.name,
    minutes: untilTomorrow(),
  }))
  const [done, setDone] = useState(-1)
  const close = () => {
    asked.value = undefined
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    setDone(0)
    await doing[action](alarms, { ...given, text: given.text.trim(), owner: given.owner.trim() }, setDone)
    clearSelection()
    close()
  }
  const title = words.title(words[action], alarms.length)
  const set = (change: Partial<Given>) => setGiven((before) => ({ ...before, ...change }))
  return html`<${Dialog} title=${title} onClose=${close}>
    <form onSubmit=${submit}>
      <${Chosen} alarms=${alarms} />
      <p class="hint">${words.hints[action]}</p>
      <${Fields} action=${action} alarms=${alarms} given=${given} set=${set} />
      <footer>
        <button type="button" onClick=${close}>${texts.cancel}</button>
        <button type="submit" class="main ${action === 'end' ? 'grave' : ''}" autofocus=${action === 'acknowledge' || action === 'end'} disabled=${done >= 0}>
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

export const keyOf: Readonly<Record<Action, string>> = {
  acknowledge: 'a',
  shelve: 's',
  assign: 'o',
  note: 'n',
  remark: 'm',
  end: 'e',
}
