// Maintenance windows: planned work, what it covers, and what is held back by it now.

import { address } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { html } from '../core/html.ts'
import type { FormField, Values } from '../parts/form.ts'
import type { Column } from '../parts/list.ts'
import { Records } from '../parts/records.ts'
import { Time } from '../parts/time.ts'
import { complain, say } from '../parts/toast.ts'
import { numberText } from '../texts/shared.ts'
import { maintenanceTexts as words } from '../texts/traps.ts'

interface Window {
  readonly id: string
  readonly name: string
  readonly owner: string
  readonly reason: string
  readonly minutes: string
  readonly startDay?: string
  readonly endDay?: string
  readonly startTime?: string
  readonly endTime?: string
  readonly selectedWeekDay?: string
  readonly device: readonly string[]
  readonly interface: readonly unknown[]
  readonly view: readonly string[]
  readonly zone: readonly string[]
  readonly event: readonly string[]
  readonly active: string
  readonly activeUntil: string
  readonly nextTime: string
  readonly suppressed: string
}

const path = '/fault/maintenance'

function State({ window: { active, activeUntil, nextTime } }: { window: Window }) {
  if (active === 'true')
    return html`<b>${words.active}</b> ${activeUntil !== '0' && html`<span class="hint">${words.until} <${Time} at=${Number(activeUntil)} /></span>`}`
  if (nextTime !== '0') return html`${words.next} <${Time} at=${Number(nextTime)} />`
  return html`<span class="hint">${words.over}</span>`
}

const coversText = (window: Window) =>
  (['device', 'interface', 'view', 'zone', 'event'] as const)
    .filter((kind) => window[kind].length > 0)
    .map((kind) => words.counts[kind](window[kind].length))
    .join(', ')

const columns: readonly Column<Window>[] = [
  {
    title: words.name,
    order: 'name',
    kind: 'wide',
    cell: ({ name, reason }) => html`<b>${name}</b>${reason !== '' && html`<p class="hint">${reason}</p>`}`,
  },
  { title: words.state, cell: (window) => html`<${State} window=${window} />` },
  { title: words.covers, cell: coversText },
  { title: words.held, kind: 'number', cell: ({ suppressed }) => numberText(Number(suppressed)) },
  { title: words.owner, cell: ({ owner }) => owner },
]

const fields: readonly FormField[] = [
  { name: 'name', label: words.name, required: true },
  { name: 'reason', label: words.reason },
  { name: 'owner', label: words.owner },
  { name: 'minutes', label: words.minutes, kind: 'number', hint: words.minutesHint },
  { name: 'selectedWeekDay', label: words.weekdays, hint: words.weekdaysHint },
  { name: 'startTime', label: words.startTime, placeholder: '22:00' },
  { name: 'endTime', label: words.endTime, placeholder: '4:00' },
  { name: 'startDay', label: words.startDay, placeholder: '2031-12-24' },
  { name: 'endDay', label: words.endDay, placeholder: '2031-12-24' },
  { name: 'device', label: words.devices, hint: words.idsHint },
  { name: 'view', label: words.views, hint: words.idsHint },
  { name: 'zone', label: words.zones, hint: words.idsHint },
  { name: 'event', label: words.events, hint: words.eventsHint },
]

const many = ['device', 'view', 'zone', 'event'] as const

const toForm = (window: Window): Values => {
  const {
    name,
    reason,
    owner,
    startDay = '',
    endDay = '',
    startTime = '',
    endTime = '',
    selectedWeekDay = '',
  } = window
  const lists = Object.fromEntries(many.map((kind) => [kind, window[kind].join(' ')]))
  // Minutes count from the moment they are given: what runs is not begun anew by a change of its name.
  return { name, reason, owner, startDay, endDay, startTime, endTime, selectedWeekDay, ...lists }
}

const fromForm = (values: Values, before: Window | undefined) => {
  const lists = Object.fromEntries(
    many.map((kind) => [kind, (values[kind] ?? '').split(/[\s,]+/).filter(Boolean)]),
  )
  const { minutes = '', ...rest } = values
  return { ...rest, ...lists, ...((minutes !== '' || !before) && { minutes }) }
}

interface Trial {
  readonly examined: string
  readonly suppressed: string
}

async function attempt(body: unknown): Promise<string> {
  const { data } = await ask<Trial>('POST', `${path}/dryRun`, { body })
  return words.would(Number(data.examined), Number(data.suppressed))
}

async function end({ id }: Window, again: () => void): Promise<void> {
  try {
    await ask('PUT', `${path}/end/${id}`)
    say(words.ended)
    again()
  } catch (error) {
    complain(error)
  }
}

/** From the page of an alarm or a device one comes with what the window is to cover. */
function startOf(query: URLSearchParams): Values | undefined {
  const device = query.get('device')
  if (!device) return undefined
  return { device, event: query.get('event') ?? '', name: query.get('name') ?? '', minutes: '120' }
}

export default function MaintenancePage() {
  return html`<${Records}
    title=${words.title}
    noun=${words.one}
    about=${words.about}
    path=${path}
    columns=${columns}
    filters=${[{ name: 'name', label: words.name, anywhere: true }]}
    fields=${fields}
    toForm=${toForm}
    fromForm=${fromForm}
    attempt=${attempt}
    start=${startOf(address.peek().query)}
    keyOf=${({ id }: Window) => id}
    nameOf=${({ name }: Window) => name}
    more=${(window: Window, again: () => void) => window.active === 'true' && html`<button type="button" class="plain" aria-label=${words.endOne(window.name)} onClick=${() => void end(window, again)}>${words.end}</button>`}
    emptyHint=${words.emptyHint}
    deleteHint=${words.deleteHint}
  />`
}
