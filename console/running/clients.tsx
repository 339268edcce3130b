// Programs that are registered for alarms.

import { useState } from 'preact/hooks'
import { ask, list, type Rows } from '../core/api.ts'
import { allows, may, session } from '../core/session.ts'
import { ageText } from '../core/time-text.ts'
import { useChoosable } from '../parts/by-name.tsx'
import { type Column, Table } from '../parts/list.tsx'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { More } from '../parts/more.tsx'
import { Empty } from '../parts/problem.tsx'
import { DeleteDialog } from '../parts/records.tsx'
import { Ago } from '../parts/time.tsx'
import { complain, say } from '../parts/toast.tsx'
import { type Places, Wants } from '../parts/wants.tsx'
import { clientTexts as words } from '../texts/service-texts.ts'
import { texts } from '../texts/shared-texts.ts'

interface Client {
  readonly uuid: string
  readonly operatorName: string
  readonly filter: string
  readonly connected: string
  readonly position: string
  readonly lag: string
  readonly lagSeconds: string
  readonly lastWrite: string
  readonly since: string
}

const nameOf = ({ uuid }: Client) => (uuid === '' ? words.unnamed : uuid)

const State = ({ connected }: { connected: string }) =>
  connected === 'true' ? (
    <span class="freshness live">
      <i aria-hidden="true" />
      {words.connected}
    </span>
  ) : (
    <span class="freshness">
      <i aria-hidden="true" />
      {words.away}
    </span>
  )

/** A position is the epoch of the store and a number in the list of all changes. */
function Position({ position }: { position: string }) {
  const [, epoch, entry] = /^(\d+):(\d+)$/.exec(position) ?? []
  if (epoch === undefined) return <span class="mono">{position}</span>
  return <span title={words.positionHint(position, epoch)}>{words.upTo(Number(entry))}</span>
}

const columnsFor = ({ views, zones }: Places): readonly Column<Client>[] => [
  {
    title: words.name,
    cell: (client) => (client.uuid === '' ? <span class="hint">{words.unnamed}</span> : <b>{client.uuid}</b>),
  },
  { title: words.owner, cell: ({ operatorName }) => operatorName },
  {
    title: words.filter,
    kind: 'wide',
    cell: ({ filter }) => <Wants filter={filter} views={views} zones={zones} />,
  },
  { title: words.state, cell: ({ connected }) => <State connected={connected} /> },
  {
    title: words.lag,
    cell: ({ lag, lagSeconds }) =>
      lag === '0' ? words.upToDate : words.behind(Number(lag), ageText(Number(lagSeconds))),
  },
  { title: words.position, cell: ({ position }) => <Position position={position} /> },
  { title: words.last, cell: ({ lastWrite }) => <Ago at={Number(lastWrite)} /> },
]

const testPath = '/events/registrations/{name}/test'

async function test({ uuid }: Client): Promise<void> {
  try {
    await ask('POST', testPath.replace('{name}', encodeURIComponent(uuid)))
    say(words.tested(uuid))
  } catch (error) {
    complain(error)
  }
}

/** One's own; an administrator, everyone's. */
const isMine = ({ operatorName }: Client) => may('administrator') || operatorName === session.value.name

export default function ClientsPage() {
  const [ending, setEnding] = useState<Client | undefined>(undefined)
  const loaded = useLoad((over) => list<Client>('/events/registrations', {}, over), [])
  useEvery(3, loaded)
  const places = { views: useChoosable('view'), zones: useChoosable('zone') }
  const buttons: Column<Client> = {
    title: texts.records.actions,
    kind: 'actions',
    cell: (client) =>
      client.uuid !== '' &&
      isMine(client) && (
        <>
          {allows(`POST ${testPath}`) && client.connected === 'true' && (
            <button
              type="button"
              class="plain"
              aria-label={words.testOne(client.uuid)}
              onClick={() => void test(client)}
            >
              {words.test}
            </button>
          )}
          <More
            label={texts.more(client.uuid)}
            actions={[
              {
                ...{ text: words.end, label: words.endOne(client.uuid), isDangerous: true },
                act: () => setEnding(client),
              },
            ]}
          />
        </>
      ),
  }
  return (
    <section class="page">
      <header class="page-head">
        <h1>{words.title}</h1>
      </header>
      <p class="hint about">{words.about}</p>
      <When
        loaded={loaded}
        show={({ rows }: Rows<Client>) =>
          rows.length === 0 ? (
            <Empty title={words.empty}>
              <p>{words.emptyHint}</p>
            </Empty>
          ) : (
            <Table
              columns={[...columnsFor(places), buttons]}
              rows={rows}
              caption={words.title}
              keyOf={(client: Client) => `${client.uuid} ${client.since} ${client.position}`}
            />
          )
        }
      />
      {ending && (
        <DeleteDialog
          title={words.endTitle(nameOf(ending))}
          hint={words.endHint}
          path={`/events/registrations/${encodeURIComponent(ending.uuid)}`}
          close={() => setEnding(undefined)}
          done={loaded.again}
        />
      )}
    </section>
  )
}
