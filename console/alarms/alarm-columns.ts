// The columns of the table of open alarms: which there are, and how much room each gets.

import { computed } from '@preact/signals'
import { arranged, columnChoice, isDefaultChoice } from '../parts/column-choice.ts'
import type { NamedColumn } from '../parts/columns.tsx'
import { texts } from '../texts/shared-texts.ts'
import { isWall } from './options.tsx'
import type { Order } from './view.ts'

const words = texts.alarms.columns

/** Names the list among all lists. */
export const alarmList = 'alarms'

export type ColumnName = Exclude<keyof typeof words, 'select'>

interface AlarmColumn extends NamedColumn {
  readonly key: ColumnName
  readonly width: string
  readonly order?: Order
}

const column = (key: ColumnName, width: string, more: Partial<AlarmColumn> = {}): AlarmColumn => ({
  ...{ key, width, title: words[key] },
  ...more,
})

export const alarmColumns: readonly AlarmColumn[] = [
  column('level', '6.4rem', { order: 'level', isFixed: true }),
  column('device', '9.5rem', { order: 'device' }),
  column('address', '8.5rem', { isExtra: true }),
  column('text', 'minmax(14rem, 6fr)', { isFixed: true }),
  column('time', '6rem', { order: 'time' }),
  column('since', '11rem', { isExtra: true }),
  column('repeats', '4rem', { order: 'repeats' }),
  column('state', '7.5rem'),
  column('owner', '8rem', { isExtra: true }),
  column('remark', 'minmax(0, 1fr)'),
  column('number', '5rem', { isExtra: true }),
]

const own = computed(() => columnChoice(alarmList))

/** The wall has its own: what can be read from across the room. */
const onWall: readonly ColumnName[] = ['level', 'device', 'text', 'time', 'state']

export const shownColumns = computed(() =>
  isWall() ? alarmColumns.filter(({ key }) => onWall.includes(key)) : arranged(alarmColumns, own.value),
)

/** Empty where nobody has chosen: then the style says what there is room for. */
export const ownTemplate = computed(() => {
  if (isWall() || isDefaultChoice(own.value)) return ''
  const { widths } = own.value
  return shownColumns.value
    .map(({ key, width }) => (widths[key] === undefined ? width : `${widths[key]}px`))
    .join(' ')
})
