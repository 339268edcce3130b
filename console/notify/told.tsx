// The ledger: what was told to whom, and what was not and why.

import { hrefOf } from '../core/address.ts'
import { may } from '../core/session.ts'
import { dayBegins, dayEnds } from '../core/time-text.ts'
import type { Column } from '../parts/list.tsx'
import { ListPage } from '../parts/list-page.tsx'
import { Empty } from '../parts/problem.tsx'
import { Time } from '../parts/time.tsx'
import { toldTexts as words } from '../texts/notify-texts.ts'

export interface Notification {
  readonly id: string
  readonly routeId: string
  readonly routeName?: string
  readonly alarmId: string
  readonly change: string
  readonly step: string
  readonly contactId: string
  readonly contactName?: string
  readonly channelId: string
  readonly channelName?: string
  readonly outcome: string
  readonly reason?: string
  readonly attempts: string
  readonly createdTime: string
  readonly answer?: string
}

export const notificationPath = '/notify/notification'

export const Outcome = ({ outcome }: Pick<Notification, 'outcome'>) => (
  <span class={outcome === 'givenUp' || outcome === 'limited' ? 'tag danger' : 'tag'}>
    {words.outcomes[outcome] ?? outcome}
  </span>
)

type Recipient = Pick<Notification, 'contactId' | 'contactName' | 'channelId' | 'channelName'>

export const Who = ({ contactId, contactName, channelId, channelName }: Recipient) => {
  if (contactId !== '0') return <a href={hrefOf('person', contactId)}>{contactName ?? contactId}</a>
  return channelId === '0' ? null : <span>{channelName ?? words.channel(channelId)}</span>
}

/** Changes that a step tells; all others are told to those who know of the fault. */
const stepChanges = ['raised', 'escalated']

export const toldColumns: readonly Column<Notification>[] = [
  { title: words.time, cell: ({ createdTime }) => <Time at={Number(createdTime)} /> },
  {
    title: words.alarm,
    cell: ({ alarmId }) => alarmId !== '0' && <a href={hrefOf('alarm', alarmId)}>{alarmId}</a>,
  },
  { title: words.change, cell: ({ change }) => words.changes[change] ?? change },
  { title: words.route, cell: ({ routeId, routeName }) => routeName ?? routeId },
  {
    title: words.step,
    kind: 'number',
    cell: ({ change, step }) => stepChanges.includes(change) && Number(step) + 1,
  },
  { title: words.who, cell: Who },
  { title: words.outcome, cell: Outcome },
  { title: words.reason, kind: 'wide', cell: ({ reason }) => reason },
  { title: words.attempts, kind: 'number', cell: ({ attempts }) => attempts },
]

const answer: Column<Notification> = { title: words.answer, kind: 'rare', cell: (row) => row.answer }

export default function ToldPage() {
  return (
    <ListPage
      title={words.title}
      about={words.about}
      list={{
        path: notificationPath,
        columns: may('administrator') ? [...toldColumns, answer] : toldColumns,
        filters: [
          { name: 'outcome', label: words.outcome, choices: words.outcomes },
          { name: 'contactId', label: words.who, of: 'contact' },
          { name: 'change', label: words.change, choices: words.changes },
          { name: 'alarmId', label: words.alarm },
          { name: 'startTime', label: words.from, kind: 'day', form: dayBegins },
          { name: 'endTime', label: words.until, kind: 'day', form: dayEnds },
        ],
        fixed: { orderBy: 'id', desc: 'true' },
        keyOf: ({ id }: Notification) => id,
        empty: (
          <Empty title={words.empty}>
            <p>{words.emptyHint}</p>
          </Empty>
        ),
      }}
    />
  )
}
