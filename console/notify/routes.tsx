// Routes: who is told of which alarms, as a table that is read from first to last.

import { useMemo, useState } from 'preact/hooks'
import { useChoosable } from '../parts/by-name.tsx'
import type { ChoosingProps, FormField } from '../parts/form.tsx'
import { LevelsFilter } from '../parts/levels-filter.tsx'
import type { Column } from '../parts/list.tsx'
import { Records } from '../parts/records.tsx'
import { timeZoneOf } from '../parts/time-zone.tsx'
import { type Places, Wants } from '../parts/wants.tsx'
import { Weekdays } from '../parts/weekdays.tsx'
import { routeTexts as words } from '../texts/notify-texts.ts'
import { fromForm, type Route, routePath, toForm, whenText } from './route.ts'
import { RouteHistory } from './route-history.tsx'
import { StepsText, stepsOf, type Target, useTargets } from './route-targets.tsx'
import { RouteTrial } from './route-trial.tsx'

const columnsFor = (places: Places, all: readonly Target[]): readonly Column<Route>[] => [
  { title: words.order, kind: 'number', cell: ({ position }) => position },
  {
    title: words.name,
    cell: ({ name, enabled }) => (
      <>
        <b>{name}</b> {enabled === 'false' && <span class="tag">{words.off}</span>}
      </>
    ),
  },
  { title: words.filter, kind: 'wide', cell: ({ filter }) => <Wants filter={filter} {...places} /> },
  { title: words.when, cell: whenText },
  { title: words.tells, kind: 'wide', cell: ({ step }) => <StepsText steps={step} all={all} /> },
  { title: words.after, cell: ({ goOn }) => (goOn === 'true' ? words.goesOn : words.stops) },
]

const Levels = ({ value, change }: ChoosingProps) => (
  <LevelsFilter label={words.levels} value={value} set={change} />
)

const Days = ({ value, change }: ChoosingProps) => (
  <>
    <b aria-hidden="true">{words.days}</b>
    <Weekdays
      chosen={value.split(',').filter(Boolean).map(Number)}
      change={(days: readonly number[]) => change([...days].sort().join())}
    />
  </>
)

const fieldsFor = (all: readonly Target[]): readonly FormField[] => [
  { name: 'name', label: words.name, required: true },
  { name: 'enabled', label: words.enabled, kind: 'check' },
  { name: 'alarmLevel', label: words.levels, control: Levels },
  { name: 'zoneId', label: words.zone, of: 'zone', none: words.any },
  { name: 'customView', label: words.view, of: 'view', none: words.any },
  { name: 'alarmCategory', label: words.category, of: 'category', none: words.any },
  { name: 'deviceIp', label: words.deviceIp },
  { name: 'ipSegment', label: words.ipSegment, hint: words.ipSegmentHint },
  { name: 'eventOid', label: words.eventOid, hint: words.eventOidHint },
  { name: 'weekDays', label: words.days, control: Days },
  { name: 'fromTime', label: words.from, kind: 'time', half: true },
  { name: 'toTime', label: words.to, kind: 'time', half: true },
  {
    name: 'timeZone',
    label: words.timeZone,
    control: timeZoneOf({ label: words.timeZone, none: words.ofService }),
  },
  { name: 'delay', label: words.delay, kind: 'number' },
  { name: 'step', label: words.steps, control: stepsOf(all) },
  { name: 'atEnd', label: words.atEnd, kind: 'choice', choices: words.endings, required: true },
  { name: 'repeatAfter', label: words.repeat, kind: 'number', hint: words.repeatHint },
  { name: 'hourlyLimit', label: words.limit, kind: 'number', hint: words.limitHint },
  { name: 'goOn', label: words.goOn, kind: 'check' },
  { name: 'position', label: words.order, kind: 'number', hint: words.orderHint },
]

const blank = {
  ...{ enabled: 'true', goOn: 'false', atEnd: 'stop' },
  step: JSON.stringify([{ after: '0', target: '' }]),
}

export default function RoutesPage() {
  const views = useChoosable('view')
  const zones = useChoosable('zone')
  const categories = useChoosable('category')
  const all = useTargets()
  const fields = useMemo(() => fieldsFor(all), [all])
  const [tried, setTried] = useState<Route | undefined>(undefined)
  return (
    <Records
      title={words.title}
      noun={words.one}
      about={words.about}
      changes="administrator"
      path={routePath}
      columns={columnsFor({ views, zones, categories }, all)}
      filters={[{ name: 'name', label: words.name, anywhere: true }]}
      actions={(route: Route) => (
        <button
          type="button"
          class="plain"
          aria-label={words.historyOf(route.name)}
          onClick={() => setTried(route)}
        >
          {words.history}
        </button>
      )}
      fields={fields}
      blank={blank}
      toForm={toForm}
      fromForm={fromForm}
      keyOf={({ id }: Route) => id}
      nameOf={({ name }: Route) => name}
      emptyHint={words.emptyHint}
      deleteHint={words.deleteHint}
      isWide
    >
      <RouteTrial />
      {tried && <RouteHistory route={tried} close={() => setTried(undefined)} />}
    </Records>
  )
}
