// The overview: figures that can be read from across the room.

import { hrefOf } from '../core/address.ts'
import { list, read } from '../core/api.ts'
import { may } from '../core/session.ts'
import { ageText } from '../core/time-text.ts'
import { Bar } from '../parts/bar.tsx'
import { Section } from '../parts/facts.tsx'
import { LevelShape } from '../parts/level.tsx'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { Age } from '../parts/time.tsx'
import type { Window } from '../rules/window.ts'
import { overviewTexts as words } from '../texts/overview-texts.ts'
import { numberText, texts } from '../texts/shared-texts.ts'
import { Attention } from './attention.tsx'
import { type Node, Nodes } from './nodes.tsx'
import { levels, type Overview, Raised, Traffic } from './overview-charts.tsx'
import type { DayFigures } from './series.ts'

export interface Client {
  readonly uuid: string
  readonly connected: string
  readonly lag: string
  readonly lagSeconds: string
}

interface Seen {
  readonly overview: Overview
  readonly clients: readonly Client[]
  readonly nodes: readonly Node[]
  readonly windows: readonly Window[]
  readonly days: readonly DayFigures[]
}

const nothing = { count: '0', unacknowledged: '0', suppressed: '0', suppressedUnacknowledged: '0' }

/** What the list behind it shows; as there, what is held back is counted apart. */
function Tiles({ open }: Pick<Overview, 'open'>) {
  return (
    <ul class="tiles">
      {levels.map((level) => {
        const found = open.find(({ alarmLevel }) => alarmLevel === level) ?? nothing
        const held = Number(found.suppressed)
        const count = Number(found.count) - held
        const unacknowledged = Number(found.unacknowledged) - Number(found.suppressedUnacknowledged)
        return (
          <li key={level}>
            <a
              class={`tile edge-${level} ${count === 0 ? 'none' : ''}`}
              href={hrefOf('alarms', '', { level })}
            >
              <span class="tile-name">
                <LevelShape level={Number(level)} />
                {texts.levels[Number(level)]}
              </span>
              <strong class="tile-number">{numberText(count)}</strong>
              <span class="hint">
                {count === 0 ? words.none : words.unacknowledged(unacknowledged)}
                {held > 0 && `, ${words.heldBack(held)}`}
              </span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}

function Devices({ device }: Pick<Overview, 'device'>) {
  if (device.length === 0) return <p class="hint">{words.noDevices}</p>
  const most = Number(device[0]?.count ?? 1)
  return (
    <ul class="ranks">
      {device.map((one) => (
        <li key={`${one.deviceId} ${one.deviceIp}`}>
          <span>
            <LevelShape level={Number(one.alarmLevel)} />{' '}
            <a href={hrefOf('alarms', '', { device: one.deviceName || one.deviceIp })}>
              {one.deviceName || one.deviceIp}
            </a>
          </span>
          <Bar part={Number(one.count)} whole={most} />
          <b>{numberText(Number(one.count))}</b>
        </li>
      ))}
    </ul>
  )
}

function Events({ event }: Pick<Overview, 'event'>) {
  if (event.length === 0) return <p class="hint">{words.noEvents}</p>
  const most = Number(event[0]?.count ?? 1)
  return (
    <ul class="ranks">
      {event.map((one) => (
        <li key={one.OID}>
          <span>
            <a href={hrefOf('history', '', { faultOid: one.OID })}>{one.eventName || one.OID}</a>
            {may('operator') && (
              <>
                {' · '}
                <a
                  href={hrefOf('rule', 'new', { oid: one.OID })}
                  aria-label={words.makeRule(one.eventName || one.OID)}
                >
                  {words.rule}
                </a>
              </>
            )}
          </span>
          <Bar part={Number(one.count)} whole={most} />
          <b>{numberText(Number(one.count))}</b>
        </li>
      ))}
    </ul>
  )
}

const mostOut = 12
/** The service sends no more of them. */
const mostSent = 50
const mostBehind = 8

const OutOfReach = ({ outOfReach }: Pick<Overview, 'outOfReach'>) =>
  outOfReach.length === 0 ? (
    <p class="hint">{words.noOutOfReach}</p>
  ) : (
    <>
      <ul class="lines">
        {outOfReach.slice(0, mostOut).map((one) => (
          <li key={one.id}>
            <b>{one.deviceName}</b>
            <span>
              <a href={hrefOf('alarm', one.id)}>{one.alarmDesc}</a>
            </span>
            <Age at={Number(one.faultTime)} />
          </li>
        ))}
      </ul>
      {outOfReach.length > mostOut && (
        <p class="hint">
          {(outOfReach.length < mostSent ? texts.list.notShown : words.atLeastMore)(
            outOfReach.length - mostOut,
          )}
        </p>
      )}
    </>
  )

/** Behind by more than what is under way. */
const lagSeconds = 10

function Clients({ clients }: Pick<Seen, 'clients'>) {
  const named = clients.filter(({ uuid }) => uuid !== '')
  const behind = named.filter((client) => Number(client.lagSeconds) > lagSeconds)
  if (behind.length === 0) return <p class="hint">{words.clientsFine(named.length)}</p>
  return (
    <>
      <p>{words.clientsLagging(behind.length)}</p>
      <ul class="lines">
        {behind.slice(0, mostBehind).map(({ uuid, lag, lagSeconds: age }) => (
          <li key={uuid}>
            <b>{uuid}</b>
            <span>{words.behind(Number(lag), ageText(Number(age)))}</span>
          </li>
        ))}
      </ul>
      {behind.length > mostBehind && <p class="hint">{texts.list.notShown(behind.length - mostBehind)}</p>}
    </>
  )
}

function OverviewView({ overview, clients, nodes, windows, days }: Seen) {
  return (
    <section class="page overview">
      <header class="page-head">
        <h1>{words.title}</h1>
      </header>
      <Tiles open={overview.open} />
      <Attention windows={windows} days={days} />
      <Section title={words.raised} hint={words.raisedHint}>
        <Raised overview={overview} />
      </Section>
      <Section title={words.traffic} hint={words.trafficHint}>
        <Traffic overview={overview} />
      </Section>
      <div class="halved">
        <Section title={words.devices}>
          <Devices device={overview.device} />
        </Section>
        <Section title={words.events}>
          <Events event={overview.event} />
        </Section>
        <Section title={words.outOfReach} hint={overview.outOfReach.length > 0 ? words.outOfReachHint : ''}>
          <OutOfReach outOfReach={overview.outOfReach} />
        </Section>
        <Section title={words.clients}>
          <Clients clients={clients} />
        </Section>
        <Section title={words.nodes} hint={nodes.length > 1 ? words.nodesHint : ''}>
          <Nodes nodes={nodes} />
        </Section>
      </div>
    </section>
  )
}

/** Read at once; the page of maintenance has all of them. */
const mostWindows = 1000
/** The service sends a month unless asked for more. */
const mostDays = 31

export default function OverviewPage() {
  const loaded = useLoad<Seen>(async (over) => {
    const [overview, clients, nodes, windows, days] = await Promise.all([
      read<Overview>('/fault/overview', {}, over),
      list<Client>('/events/registrations', {}, over),
      list<Node>('/plat/node', {}, over),
      list<Window>('/fault/maintenance', { size: mostWindows }, over),
      list<DayFigures>('/fault/statistics', { by: 'day', size: mostDays }, over),
    ])
    return {
      ...{ overview, clients: clients.rows, nodes: nodes.rows },
      ...{ windows: windows.rows, days: days.rows },
    }
  }, [])
  useEvery(10, loaded)
  return <When loaded={loaded} show={(seen: Seen) => <OverviewView {...seen} />} />
}
