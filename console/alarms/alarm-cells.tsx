// The cells of a row in the table of open alarms. They are functions and no components: a row is drawn for each few pixels
// of scrolling, and a component costs more than what is in it.

import type { VNode } from 'preact'
import { hrefOf } from '../core/address.ts'
import { timeText } from '../core/time-text.ts'
import { Icon } from '../parts/icon.tsx'
import { Level } from '../parts/level.tsx'
import { Age } from '../parts/time.tsx'
import { numberText, texts } from '../texts/shared-texts.ts'
import type { ColumnName } from './alarm-columns.ts'
import { type AlarmRow, shelfEnd } from './row.ts'
import { setFold, shown, unfolded } from './shown.ts'

const words = texts.alarms

const stateText = (row: AlarmRow) => {
  if (row.endedAt > 0) return words.ended
  if (row.shelvedUntil > 0) return words.shelvedUntil(shelfEnd(row.shelvedUntil).slice(5))
  if (row.heldBy !== '') return row.heldBy
  if (row.owner !== '') return words.owned(row.owner, row.acknowledged)
  if (!row.acknowledged) return words.states.new
  return nameless.has(row.acknowledgedBy)
    ? words.states.acknowledged
    : words.acknowledgedBy(row.acknowledgedBy)
}

/** As long as there are no operators, nobody has a name. */
const nameless = new Set(['', 'anonymous'])

/** What follows from a row and is held back because of it. */
function fold({ id }: AlarmRow) {
  const count = shown.value.folded.get(id) ?? 0
  if (count === 0) return null
  const isOpen = unfolded.value.has(id)
  return (
    <button
      type="button"
      class="fold"
      tabindex={-1}
      aria-expanded={isOpen}
      onClick={() => setFold(id, !isOpen)}
    >
      {Icon({ name: isOpen ? 'descending' : 'closed' })} {words.following(count)}
    </button>
  )
}

const deviceOf = (row: AlarmRow) =>
  row.deviceId === '0' || row.deviceId === '' ? (
    row.device
  ) : (
    <a href={hrefOf('device', row.deviceId)} tabindex={-1} draggable={false} title={row.ip}>
      {row.device}
    </a>
  )

const textOf = (row: AlarmRow) => (
  <>
    {shown.value.depths.has(row.id) && (
      <span class="branch" title={words.follows}>
        <span aria-hidden="true">↳</span>
        <span class="unseen">{words.follows}</span>
      </span>
    )}
    <a href={hrefOf('alarm', row.id)} tabindex={-1} draggable={false} title={row.text}>
      {row.text}
    </a>
    {fold(row)}
  </>
)

type Content = VNode | string | null

const cell = (name: ColumnName, content: Content, title?: string) => (
  <div role="gridcell" class={`c-${name}`} key={name} title={title}>
    {content}
  </div>
)

/** What stands at the end of its cell: another text begins elsewhere, and is no movement of the one before. */
const atEnd = (text: string) => <span key={text}>{text}</span>

export const cells: Readonly<Record<ColumnName, (row: AlarmRow) => VNode>> = {
  level: (row) => cell('level', Level(row)),
  device: (row) => cell('device', deviceOf(row)),
  address: (row) => cell('address', row.ip, row.ip),
  text: (row) => cell('text', textOf(row)),
  time: (row) => cell('time', Age({ at: row.time })),
  since: (row) => cell('since', timeText(row.time)),
  repeats: (row) => cell('repeats', atEnd(row.repeats > 1 ? `× ${numberText(row.repeats)}` : '')),
  state: (row) =>
    cell('state', atEnd(stateText(row)), row.heldBy === '' ? stateText(row) : words.heldBy(row.heldBy)),
  owner: (row) => cell('owner', row.owner, row.owner),
  remark: (row) => cell('remark', row.note || row.remark, row.note || row.remark),
  number: (row) => cell('number', row.id),
}
