// One discovery: how far it is, what it has found, and what of that is added to the inventory.

import { useEffect, useState } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { ask, read } from '../core/api.ts'
import { may } from '../core/session.ts'
import { Facts, Section } from '../parts/facts.tsx'
import { type Column, List, useList } from '../parts/list.tsx'
import type { ListFilter } from '../parts/list-filters.tsx'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { Time } from '../parts/time.tsx'
import { complain, say } from '../parts/toast.tsx'
import { discoveryTexts as words } from '../texts/discovery-texts.ts'
import { type Discovery, discoveryPath, State } from './discoveries.tsx'

interface Found {
  readonly id: string
  readonly ip: string
  readonly state: string
  readonly problem?: string
  readonly sysName?: string
  readonly sysDescription?: string
  readonly model?: string
  readonly namedBy?: string
  readonly deviceId?: string
  readonly deviceName?: string
}

const isUnderWay = ({ state }: Discovery) => state === 'running' || state === 'stopping'

const filters: readonly ListFilter[] = [
  { name: 'state', label: words.foundState, choices: words.foundStates },
  { name: 'sysName', label: words.device, anywhere: true },
]

const foundColumns: readonly Column<Found>[] = [
  { title: words.ip, order: 'ip', kind: 'mono', cell: ({ ip }) => ip },
  { title: words.device, order: 'sysName', cell: ({ sysName }) => sysName && <b>{sysName}</b> },
  { title: words.model, cell: ({ model }) => model },
  { title: words.sysDescription, kind: 'wide', cell: ({ sysDescription }) => sysDescription },
  { title: words.foundState, cell: ({ state }) => words.foundStates[state] ?? state },
  { title: words.why, kind: 'wide', cell: ({ problem }) => problem },
  { title: words.namedBy, kind: 'rare', cell: ({ namedBy }) => namedBy },
  {
    title: words.inventory,
    cell: ({ deviceId, deviceName }) =>
      deviceId && <a href={hrefOf('device', deviceId)}>{deviceName || deviceId}</a>,
  },
]

/** What was found, with a box before each that can be added. */
function FoundList({ id, isOver, reload }: { id: string; isOver: boolean; reload: () => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const choose = (one: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(one)
    else next.delete(one)
    setChosen(next)
  }
  const box: Column<Found> = {
    title: words.choose,
    cell: ({ id: one, ip, sysName, deviceId }) =>
      deviceId === undefined && (
        <input
          type="checkbox"
          aria-label={words.select(sysName || ip)}
          checked={chosen.has(one)}
          onChange={({ currentTarget }) => choose(one, currentTarget.checked)}
        />
      ),
  }
  const props = {
    path: '/plat/discovered',
    columns: may('operator') ? [box, ...foundColumns] : foundColumns,
    filters,
    fixed: { discoveryId: id, orderBy: 'ip' },
    caption: words.found,
    keyOf: (found: Found) => found.id,
    empty: <p class="hint">{words.nothing}</p>,
    pageSize: 100,
  }
  const loaded = useList<Found>(props)
  useEffect(() => {
    if (isOver) loaded.again()
  }, [isOver])
  const addable = (loaded.data?.rows ?? []).filter(({ deviceId }) => deviceId === undefined)
  const add = async () => {
    setBusy(true)
    try {
      const body = { found: [...chosen] }
      const answer = await ask<{ added: string }>('POST', `${discoveryPath}/${id}/accept`, { body })
      const added = Number(answer.data.added)
      say(answer.remarks === '' ? words.added(added) : words.addedWith(added, answer.remarks))
      setChosen(new Set())
      loaded.again()
      reload()
    } catch (error) {
      complain(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {may('operator') && addable.length > 0 && (
        <p>
          <button type="button" onClick={() => setChosen(new Set(addable.map((one) => one.id)))}>
            {words.chooseAll}
          </button>{' '}
          <button type="button" class="main" disabled={busy || chosen.size === 0} onClick={() => void add()}>
            {words.add(chosen.size)}
          </button>
        </p>
      )}
      <List {...props} loaded={loaded} />
    </>
  )
}

function DiscoveryView({ discovery, reload }: { discovery: Discovery; reload: () => void }) {
  const { id, name, addressRange, neighbourRange = [], asked, total, answering, refusing } = discovery
  const { known, named, began, ended, problem } = discovery
  const underWay = isUnderWay(discovery)
  const act = async (verb: 'start' | 'stop') => {
    try {
      await ask('POST', `${discoveryPath}/${id}/${verb}`)
      say(verb === 'start' ? words.started : words.stopping)
      reload()
    } catch (error) {
      complain(error)
    }
  }
  return (
    <article class="page">
      <header class="page-head">
        <h1>{name}</h1>
        <span class="gap" />
        {may('operator') && (
          <button
            type="button"
            class={underWay ? '' : 'main'}
            onClick={() => void act(underWay ? 'stop' : 'start')}
          >
            {underWay ? words.stop : words.start}
          </button>
        )}
      </header>
      <Facts
        facts={[
          [words.state, <State of={discovery} />],
          [words.ranges, <span class="mono">{addressRange.join(', ')}</span>],
          [words.neighbourRanges, neighbourRange.join(', ')],
          [words.progress, Number(began) > 0 && words.progressText(asked, total)],
          [words.answering, answering],
          [words.refusing, refusing],
          [words.known, known],
          [words.named, named],
          [words.began, Number(began) > 0 && <Time at={Number(began)} />],
          [words.ended, Number(ended) > 0 && <Time at={Number(ended)} />],
          [words.problem, problem],
        ]}
      />
      <Section title={words.found}>
        <FoundList id={id} isOver={!underWay} reload={reload} />
      </Section>
    </article>
  )
}

export default function DiscoveryPage({ id }: { id: string }) {
  const loaded = useLoad((over) => read<Discovery>(`${discoveryPath}/${id}`, {}, over), [id])
  useEvery(2, loaded)
  return (
    <When
      loaded={loaded}
      show={(discovery: Discovery) => <DiscoveryView discovery={discovery} reload={loaded.again} />}
    />
  )
}
