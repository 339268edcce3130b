// Alarms that were: searched at the service, page by page.

import type { ListedAlarm } from '../alarms/row.ts'
import { hrefOf } from '../core/address.ts'
import { dayBegins, dayEnds, lastedText } from '../core/time-text.ts'
import { AmongEnds, EndsChoice, showsEnds } from '../parts/ends-choice.tsx'
import { Level } from '../parts/level.tsx'
import type { Column } from '../parts/list.tsx'
import type { ListFilter } from '../parts/list-filters.tsx'
import { ListPage } from '../parts/list-page.tsx'
import { Empty } from '../parts/problem.tsx'
import { Time } from '../parts/time.tsx'
import { historyTexts as words } from '../texts/alarm-texts.ts'

const filters: readonly ListFilter[] = [
  { name: 'deviceId', label: words.device, kind: 'device' },
  { name: 'alarmLevel', label: words.level, kind: 'levels' },
  { name: 'startAlarmTime', label: words.from, kind: 'day', form: dayBegins },
  { name: 'endAlarmTime', label: words.until, kind: 'day', form: dayEnds },
  { name: 'recStatus', label: words.state, choices: words.states },
  { name: 'deviceIp', label: words.address, anywhere: true },
  { name: 'faultOid', label: words.event, hint: '1.3.6.1.…' },
  { name: 'zoneId', label: words.zone, of: 'zone' },
  { name: 'alarmCategory', label: words.category, of: 'category', several: true },
  { name: 'owner', label: words.owner },
  { name: 'ackStatus', label: words.acknowledgement, choices: words.acknowledgements },
  { name: 'suppressed', label: words.held, choices: words.yesNo },
  { name: 'originalType', label: words.source, choices: words.sources },
  { name: 'parentId', label: words.follows, hint: words.number },
  { name: 'id', label: words.id, hint: words.number },
]

const endedBy = ({ recTime, recUserName }: ListedAlarm) =>
  recTime === '0' ? '' : recUserName === '$SYSTEM' ? words.system : recUserName

const columns: readonly Column<ListedAlarm>[] = [
  {
    title: words.columns.level,
    order: 'alarmLevel',
    cell: (one) => <Level level={Number(one.alarmLevel)} />,
  },
  { title: words.columns.device, order: 'deviceId', cell: device },
  {
    title: words.columns.text,
    kind: 'wide',
    cell: (one) => <a href={hrefOf('alarm', one.id)}>{one.alarmDesc || one.eventName}</a>,
  },
  {
    title: words.columns.raised,
    order: 'faultTime',
    cell: (one) => <Time at={Number(one.faultTime)} />,
  },
  { title: words.columns.ended, kind: 'number', cell: lasted },
  { title: words.columns.by, kind: 'rare', cell: endedBy },
]

function device({ deviceId, deviceName, deviceIp }: ListedAlarm) {
  const name = deviceName || deviceIp
  return deviceId === '0' || deviceId === '' ? name : <a href={hrefOf('device', deviceId)}>{name}</a>
}

function lasted({ faultTime, recTime }: ListedAlarm) {
  const end = Number(recTime)
  return end === 0 ? words.open : lastedText(end - Number(faultTime))
}

export default function HistoryPage() {
  const list = {
    path: '/fault/alarm',
    columns,
    filters,
    // Without a given order, the newest come first.
    fixed: { desc: true, ...(showsEnds() ? {} : { isReceoverFault: 0 }) },
    elsewhere: <AmongEnds />,
    keyOf: ({ id }: ListedAlarm) => id,
    empty: <Empty title={words.empty} />,
  }
  return (
    <ListPage
      title={words.title}
      about={words.about}
      list={list}
      before={
        <p>
          <a href={hrefOf('statistics')}>{words.statistics}</a>
        </p>
      }
    >
      <EndsChoice />
    </ListPage>
  )
}
