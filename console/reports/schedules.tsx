// The schedules of a template.

import { useMemo } from 'preact/hooks'
import type { FormField, Values } from '../parts/form.tsx'
import type { Column } from '../parts/list.tsx'
import { Records } from '../parts/records.tsx'
import { Ago, Time } from '../parts/time.tsx'
import { reportTexts as words } from '../texts/report-texts.ts'
import { choosing, NamedParameters, readBack, type SetParameter, written } from './schedule-parameters.tsx'

export interface Schedule {
  readonly id: string
  readonly every: string
  readonly time: string
  readonly weekDay?: string
  readonly monthDay?: string
  readonly enabled: string
  readonly keep: string
  readonly parameter: readonly SetParameter[]
  readonly createdBy?: string
  readonly nextTime: string
  readonly lastTime: string
  readonly failure?: string
}

export const schedulePath = '/report/reportSchedule'

export function whenText({ every, time, weekDay, monthDay }: Schedule): string {
  if (every === 'weekly') return words.weekly(words.days[Number(weekDay)] ?? '', time)
  return every === 'monthly' ? words.monthly(monthDay ?? '1', time) : words.daily(time)
}

const columns: readonly Column<Schedule>[] = [
  { title: words.when, cell: whenText },
  {
    title: words.about1,
    kind: 'wide',
    cell: ({ parameter }) => <NamedParameters all={parameter} />,
  },
  {
    title: words.next,
    order: 'nextTime',
    cell: ({ enabled, nextTime }) =>
      enabled === 'false' ? (
        words.paused
      ) : nextTime === '0' ? (
        <span class="hint">{words.soon}</span>
      ) : (
        <Time at={Number(nextTime)} />
      ),
  },
  {
    title: words.last,
    cell: ({ lastTime, failure }) =>
      failure ? (
        <span class="tag danger">{failure}</span>
      ) : lastTime === '0' ? (
        words.never
      ) : (
        <Ago at={Number(lastTime)} />
      ),
  },
  { title: words.createdBy, kind: 'rare', cell: ({ createdBy }) => createdBy },
  { title: words.keep, kind: 'number', cell: ({ keep }) => keep },
]

const fieldsFor = (taken: readonly string[]): readonly FormField[] => [
  { name: 'every', label: words.every, kind: 'choice', choices: words.rhythms, required: true },
  { name: 'time', label: words.time, kind: 'time', hint: words.timeHint },
  {
    ...{ name: 'weekDay', label: words.weekDay, kind: 'choice', choices: words.days, required: true },
    shown: ({ every }) => every === 'weekly',
  },
  {
    ...{ name: 'monthDay', label: words.monthDay, kind: 'number', required: true },
    shown: ({ every }) => every === 'monthly',
  },
  { name: 'parameter', label: words.ask, control: choosing(taken) },
  { name: 'keep', label: words.keep, kind: 'number' },
  { name: 'enabled', label: words.enabled, kind: 'check' },
]

const toForm = ({
  every,
  time,
  weekDay = '1',
  monthDay = '1',
  keep,
  enabled,
  parameter,
}: Schedule): Values => ({
  every,
  time,
  weekDay,
  monthDay,
  keep,
  enabled,
  parameter: written(parameter),
})

/** A day of the week goes with weeks alone, one of the month with months. */
const fromForm = (templateId: string) => (values: Values) => ({
  ...values,
  weekDay: values.every === 'weekly' ? values.weekDay : '',
  monthDay: values.every === 'monthly' ? values.monthDay : '',
  parameter: readBack(values.parameter),
  templateId,
})

interface SchedulesProps {
  readonly templateId: string
  /** Parameters that the template takes. */
  readonly taken: readonly string[]
}

export function Schedules({ templateId, taken }: SchedulesProps) {
  const fields = useMemo(() => fieldsFor(taken), [taken.join()])
  return (
    <Records
      queryPrefix="schedule"
      title={words.schedules}
      noun={words.schedule}
      about={words.schedulesHint}
      path={schedulePath}
      fixed={{ templateId }}
      columns={columns}
      fields={fields}
      blank={{ every: 'weekly', time: '06:00', weekDay: '1', monthDay: '1', keep: '12', enabled: 'true' }}
      toForm={toForm}
      fromForm={fromForm(templateId)}
      keyOf={({ id }: Schedule) => id}
      nameOf={whenText}
      emptyHint={words.schedulesEmpty}
    />
  )
}
