// The last syslog messages: searched, or followed as they come.

import { useRef, useState } from 'preact/hooks'
import { address, hrefOf, setQuery } from '../core/address.ts'
import { list as readList } from '../core/api.ts'
import { dayBegins, dayEnds } from '../core/time-text.ts'
import { useDeviceNames } from '../parts/device-names.tsx'
import { List, queryOf, Table, useList } from '../parts/list.tsx'
import { type ListFilter, ListFilters } from '../parts/list-filters.tsx'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { Empty } from '../parts/problem.tsx'
import { messageTexts as words } from '../texts/message-texts.ts'
import { MessageDialog } from './message-dialog.tsx'
import { type Message, messageColumns } from './message-list.tsx'
import { type Followed, messageKey, Tail } from './tail.ts'

const path = '/fault/syslogMessage'

const filters: readonly ListFilter[] = [
  { name: 'deviceId', label: words.device, kind: 'device' },
  { name: 'text', label: words.text, hint: words.textHint },
  { name: 'severity', label: words.severity, choices: words.atLeast },
  { name: 'does', label: words.does, choices: words.effects },
]
const days: readonly ListFilter[] = [
  { name: 'startTime', label: words.from, kind: 'day', form: dayBegins },
  { name: 'endTime', label: words.until, kind: 'day', form: dayEnds },
]

const NoMessages = () => (
  <Empty title={words.none}>
    <p>{words.noneHint}</p>
    <code>belfry syslog send '%FAN-3-FAN_FAILED: Fan 1 failed'</code>
  </Empty>
)

interface ShowProps {
  readonly open: (message: Message) => void
}

const useNamesIn = (messages: readonly Message[]) =>
  useDeviceNames(messages.map(({ deviceId = '' }) => deviceId))

function Search({ open }: ShowProps) {
  const props = {
    path,
    columns: messageColumns(open),
    filters: [...filters, ...days],
    caption: words.title,
    keyOf: messageKey,
    empty: <NoMessages />,
  }
  const loaded = useList(props)
  useNamesIn(loaded.data?.rows ?? [])
  return <List {...props} loaded={loaded} />
}

const everySeconds = 2

function Follow({ open }: ShowProps) {
  const { size: _, start: __, ...query } = queryOf({ filters, pageSize: 0 })
  const asked = JSON.stringify(query)
  const tail = useRef({ asked, of: new Tail() })
  if (tail.current.asked !== asked) tail.current = { asked, of: new Tail() }
  const loaded = useLoad(
    async (over) => {
      const { of } = tail.current
      return of.add((await readList<Message>(path, { ...query, ...of.query }, over)).rows)
    },
    [asked],
  )
  useEvery(everySeconds, loaded)
  const [held, setHeld] = useState<{ asked: string; followed: Followed } | undefined>(undefined)
  const hold = () => loaded.data && setHeld({ asked, followed: loaded.data })
  useNamesIn(loaded.data?.messages ?? [])
  const show = (newest: Followed) => {
    const { messages, count } = held?.asked === asked ? held.followed : newest
    const waiting = newest.count - count
    return (
      <>
        <p class="hint" role="status">
          {newest.hasGap ? words.skipped : words.following}
        </p>
        <div onPointerEnter={hold} onPointerLeave={() => setHeld(undefined)} class="followed">
          {waiting > 0 && (
            <button type="button" class="news" title={words.freshHint} onClick={hold}>
              {words.fresh(waiting)}
            </button>
          )}
          {messages.length === 0 ? (
            <Empty title={words.none} />
          ) : (
            <Table
              columns={messageColumns(open)}
              rows={messages}
              caption={words.title}
              keyOf={messageKey}
              choosing={path}
            />
          )}
        </div>
      </>
    )
  }
  return (
    <>
      <div class="list-head">
        <ListFilters filters={filters} />
      </div>
      <When loaded={loaded} show={show} />
    </>
  )
}

export default function MessagesPage() {
  const [opened, open] = useState<Message | undefined>(undefined)
  const follows = address.value.query.get('follow') === 'true'
  return (
    <section class="page">
      <header class="page-head">
        <h1>{words.title}</h1>
        <span class="gap" />
        <a class="button" href={hrefOf('shapes')}>
          {words.toShapes}
        </a>
        <button
          type="button"
          class="main"
          title={follows ? undefined : words.followHint}
          onClick={() => setQuery({ follow: follows ? '' : 'true', start: '' }, { replace: false })}
        >
          {follows ? words.stop : words.follow}
        </button>
      </header>
      <p class="hint about">{words.about}</p>
      {follows ? <Follow open={open} /> : <Search open={open} />}
      {opened && <MessageDialog message={opened} close={() => open(undefined)} />}
    </section>
  )
}
