// What the map says of the chosen device: its state, its way to the core, its alarms, and what can be done.

import type { ComponentChildren } from 'preact'
import { hrefOf } from '../core/address.ts'
import { may } from '../core/session.ts'
import { Facts } from '../parts/facts.tsx'
import { Icon } from '../parts/icon.tsx'
import { LevelShape } from '../parts/level.tsx'
import { Age } from '../parts/time.tsx'
import { mapTexts as words } from '../texts/map-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { byName, type Graph, type MapDevice, wayUp } from './graph.ts'
import type { States } from './states.ts'

export interface OpenAlarm {
  readonly id: string
  readonly level: number
  readonly text: string
  readonly time: number
}

interface PanelProps {
  readonly graph: Graph
  readonly device: MapDevice
  readonly states: States
  readonly alarms: readonly OpenAlarm[]
  /** A moment of a day that is played. */
  readonly isThen: boolean
  readonly choose: (id: string) => void
}

const maxAlarms = 5
const maxNamed = 12

/** Empty for a device that has nothing wrong. */
export const stateText = (level: number | undefined) =>
  level === undefined ? words.normal : (texts.levels[level] ?? '')

function Names({
  devices,
  states,
  choose,
}: Pick<PanelProps, 'states' | 'choose'> & { devices: readonly MapDevice[] }) {
  return (
    <ul class="map-names">
      {devices.slice(0, maxNamed).map(({ id, label }) => {
        const level = states.devices.get(id)
        return (
          <li key={id}>
            <button type="button" class="plain" onClick={() => choose(id)}>
              {level !== undefined && <LevelShape level={level} />}
              {label}
            </button>
          </li>
        )
      })}
      {devices.length > maxNamed && <li class="hint">{words.moreAlarms(devices.length - maxNamed)}</li>}
    </ul>
  )
}

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section>
    <h3>{title}</h3>
    {children}
  </section>
)

/** One line for each tier above, the nearest first. */
function Way({ graph, device, states, choose }: Pick<PanelProps, 'graph' | 'device' | 'states' | 'choose'>) {
  const above = [...wayUp(graph, device.id).devices].flatMap((id) => graph.devices.get(id) ?? [])
  const tiers = Map.groupBy(
    above.filter(({ id }) => id !== device.id),
    ({ tier }) => tier,
  )
  if (tiers.size === 0) return <p class="hint">{words.isTop}</p>
  return (
    <ol class="map-way">
      {[...tiers.keys()]
        .sort((a, b) => b - a)
        .map((tier) => (
          <li key={tier}>
            <Names devices={(tiers.get(tier) ?? []).toSorted(byName)} states={states} choose={choose} />
          </li>
        ))}
    </ol>
  )
}

export function DevicePanel({ graph, device, states, alarms, isThen, choose }: PanelProps) {
  const level = states.devices.get(device.id)
  const below = device.children.flatMap((id) => graph.devices.get(id) ?? []).toSorted(byName)
  return (
    <aside class="map-panel" aria-label={device.label}>
      <header>
        {level !== undefined && <LevelShape level={level} />}
        <h2>{device.label}</h2>
        <button
          type="button"
          class="plain icon"
          aria-label={words.close}
          title={words.close}
          onClick={() => choose('')}
        >
          <Icon name="close" />
        </button>
      </header>
      <Facts
        facts={[
          [words.state, stateText(level)],
          [words.address, device.ip],
          [words.type, device.type],
          [words.zone, graph.zones.get(device.zoneId)],
        ]}
      />
      <div class="map-actions">
        <a class="button" href={hrefOf('device', device.id)}>
          {words.openDevice}
        </a>
        {may('operator') && (
          <a class="button" href={hrefOf('window', 'new', { device: device.id, name: device.label })}>
            {words.maintenance}
          </a>
        )}
      </div>
      <Part title={isThen ? words.alarmsThen : words.alarms}>
        {alarms.length === 0 && <p class="hint">{words.noAlarms}</p>}
        <ul class="lines">
          {alarms.slice(0, maxAlarms).map((one) => (
            <li key={one.id}>
              <LevelShape level={one.level} />
              <span>
                <a href={hrefOf('alarm', one.id)}>{one.text}</a>
              </span>
              <Age at={one.time} />
            </li>
          ))}
        </ul>
        {alarms.length > maxAlarms && (
          <p>
            <a href={hrefOf('alarms', '', { device: device.id })}>
              {words.moreAlarms(alarms.length - maxAlarms)}
            </a>
          </p>
        )}
      </Part>
      <Part title={words.way}>
        <Way graph={graph} device={device} states={states} choose={choose} />
      </Part>
      <Part title={words.below}>
        {below.length === 0 ? (
          <p class="hint">{words.nothingBelow}</p>
        ) : (
          <Names devices={below} states={states} choose={choose} />
        )}
      </Part>
    </aside>
  )
}
