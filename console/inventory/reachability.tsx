// What does not answer the questions of the service, and why.

import { hrefOf } from '../core/address.ts'
import { list as readList } from '../core/api.ts'
import { Facts } from '../parts/facts.tsx'
import type { Column } from '../parts/list.tsx'
import type { ListFilter } from '../parts/list-filters.tsx'
import { ListPage } from '../parts/list-page.tsx'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { Empty } from '../parts/problem.tsx'
import { Age, Ago, Time } from '../parts/time.tsx'
import { reachTexts as words } from '../texts/inventory-texts.ts'

interface Reachability {
  readonly deviceId: string
  readonly deviceIp: string
  readonly deviceName: string
  readonly state: string
  readonly since: string
  readonly reason: string
  readonly problem: string
  readonly lastAnswer: string
  readonly agentStart: string
  readonly restartTime: string
}

const path = '/plat/reachability'

const problemStates = ['unreachable', 'refusing', 'rangeSilent']

const State = ({ of: { state } }: { of: Reachability }) => (
  <span class={problemStates.includes(state) ? 'tag danger' : 'tag'}>{words.states[state] ?? state}</span>
)

const happened = (time: string) => Number(time) > 0

const columns: readonly Column<Reachability>[] = [
  {
    title: words.device,
    kind: 'wide',
    cell: ({ deviceId, deviceName }) => <a href={hrefOf('device', deviceId)}>{deviceName || deviceId}</a>,
  },
  { title: words.ip, kind: 'mono', cell: ({ deviceIp }) => deviceIp },
  { title: words.state, cell: (row) => <State of={row} /> },
  { title: words.since, kind: 'number', cell: ({ since }) => <Age at={Number(since)} /> },
  { title: words.reason, cell: ({ reason }) => words.reasons[reason] ?? reason },
  { title: words.problem, kind: 'wide', cell: ({ problem }) => problem },
  {
    title: words.lastAnswer,
    kind: 'number',
    cell: ({ lastAnswer }) => (happened(lastAnswer) ? <Ago at={Number(lastAnswer)} /> : words.never),
  },
]

const { answering: _, ...troubles } = words.states
const notAnswering = { state: Object.keys(troubles).join(',') }

const filters: readonly ListFilter[] = [
  { name: 'state', label: words.state, choices: words.states },
  { name: 'reason', label: words.reason, choices: words.reasons },
  { name: 'zoneId', label: words.inZone, of: 'zone' },
  { name: 'deviceId', label: words.device, kind: 'device' },
]

export default function ReachabilityPage() {
  const list = {
    path,
    columns,
    filters,
    fixed: notAnswering,
    keyOf: ({ deviceId }: Reachability) => deviceId,
    empty: (
      <Empty title={words.empty}>
        <p>{words.emptyHint}</p>
      </Empty>
    ),
  }
  return <ListPage title={words.title} about={words.about} list={list} />
}

/** Part of the page of a device. */
export function DeviceReachability({ id }: { id: string }) {
  const loaded = useLoad((over) => readList<Reachability>(path, { deviceId: id }, over), [id])
  useEvery(15, loaded)
  const show = ({ rows }: { readonly rows: readonly Reachability[] }) => {
    const [found] = rows
    if (!found) return <p class="hint">{words.notAsked}</p>
    const { since, reason, problem, lastAnswer, agentStart, restartTime } = found
    return (
      <Facts
        facts={[
          [words.state, <State of={found} />],
          [words.since, <Age at={Number(since)} />],
          [words.reason, words.reasons[reason]],
          [words.problem, problem],
          [words.lastAnswer, happened(lastAnswer) ? <Ago at={Number(lastAnswer)} /> : words.never],
          [words.agentStart, happened(agentStart) && <Time at={Number(agentStart)} />],
          [words.restartTime, happened(restartTime) && <Time at={Number(restartTime)} />],
        ]}
      />
    )
  }
  return <When loaded={loaded} show={show} />
}
