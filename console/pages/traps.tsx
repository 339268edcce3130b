// Traps that are kept, and the ledger of all that were ever received.

import { useEffect, useState } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { clockText, dayBegins, dayEnds } from '../core/time-text.ts'
import { DeviceLink, useDeviceNames } from '../parts/device-names.tsx'
import { type Column, List, useList } from '../parts/list.tsx'
import type { ListFilter } from '../parts/list-filters.tsx'
import { useEvery } from '../parts/load.tsx'
import { Empty } from '../parts/problem.tsx'
import { Time } from '../parts/time.tsx'
import { trapTexts as words } from '../texts/trap-texts.ts'
import type { Trap } from './alarm-why.tsx'
import { Ledger } from './ledger.tsx'
import { TrapReason } from './trap-reason.tsx'

const filters: readonly ListFilter[] = [
  { name: 'deviceId', label: words.device, kind: 'device' },
  { name: 'bin', label: words.bin, choices: words.bins },
  { name: 'sourceIp', label: words.source },
  { name: 'OID', label: words.event, hint: '1.3.6.1.…' },
  { name: 'startTime', label: words.from, kind: 'day', form: dayBegins },
  { name: 'endTime', label: words.until, kind: 'day', form: dayEnds },
  { name: 'zoneId', label: words.zone, of: 'zone' },
  { name: 'alarmId', label: words.ofAlarm, hint: words.number },
]

const columns: readonly Column<Trap>[] = [
  {
    title: words.columns.time,
    cell: (trap) => (
      <a href={hrefOf('trap', trap.id)}>
        <Time at={Number(trap.receivedTime)} />
      </a>
    ),
  },
  {
    title: words.columns.source,
    cell: ({ sourceIp, deviceId }) => <DeviceLink id={deviceId} otherwise={sourceIp} />,
  },
  {
    title: words.columns.event,
    kind: 'wide',
    cell: ({ eventName, OID }) => (
      <>
        {eventName ?? words.noEvent} <span class="mono hint">{OID}</span>
      </>
    ),
  },
  { title: words.columns.bin, cell: ({ bin }) => words.bins[bin] ?? bin },
  { title: words.columns.reason, kind: 'rare', cell: (trap) => <TrapReason {...trap} /> },
  {
    title: words.columns.alarm,
    cell: ({ alarmId }) => alarmId && <a href={hrefOf('alarm', alarmId)}>{alarmId}</a>,
  },
]

const everySeconds = 5

/** A table that updates itself shows how old it is; a new answer has the time of now. */
function ReadAt({ rows }: { rows: unknown }) {
  const [at, setAt] = useState(0)
  useEffect(() => {
    if (rows) setAt(Date.now())
  }, [rows])
  return at > 0 && <p class="hint">{words.readAt(clockText(at / 1000), everySeconds)}</p>
}

export default function TrapsPage() {
  const props = {
    path: '/fault/trap',
    columns,
    filters,
    fixed: { desc: true },
    caption: words.title,
    keyOf: ({ id }: Trap) => id,
    empty: (
      <Empty title={words.empty}>
        <p>{words.emptyHint}</p>
        <code>belfry trap linkDown</code>
      </Empty>
    ),
  }
  const loaded = useList(props)
  useEvery(everySeconds, loaded)
  useDeviceNames((loaded.data?.rows ?? []).map(({ deviceId }) => deviceId))
  return (
    <section class="page">
      <header class="page-head">
        <h1>{words.title}</h1>
      </header>
      <p class="hint about">{words.about}</p>
      <Ledger />
      <ReadAt rows={loaded.data} />
      <List {...props} loaded={loaded} />
    </section>
  )
}
