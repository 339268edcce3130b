// The ports of a device as they are seen on its front: state, alarms and terminals; and what can be done with the chosen one.

import { useState } from 'preact/hooks'
import { openAlarms } from '../alarms/live.ts'
import type { AlarmRow } from '../alarms/row.ts'
import { hrefOf } from '../core/address.ts'
import { may } from '../core/session.ts'
import { Facts } from '../parts/facts.tsx'
import { Icon } from '../parts/icon.tsx'
import { LevelShape } from '../parts/level.tsx'
import { RecordDialog } from '../parts/records.tsx'
import { frontTexts as words } from '../texts/map-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { type Binding, bindingShape } from './bindings.tsx'
import type { Device } from './devices.tsx'
import { type LearntPort, type Neighbour, neighbourLink } from './learnt.tsx'
import { written } from './port-choice.tsx'

interface StripProps {
  readonly device: Device
  readonly bindings: readonly Binding[]
  readonly learnt: readonly LearntPort[]
  readonly neighbours: readonly Neighbour[]
  readonly again: () => void
}

interface Port {
  readonly ifIndex: string
  readonly name: string
  readonly state: 'up' | 'down' | 'shut' | 'unknown'
  readonly bound: readonly Binding[]
  readonly neighbours: readonly Neighbour[]
  readonly alarms: readonly AlarmRow[]
}

/** More are in the table alone. */
const maxPorts = 128

function stateOf(port: LearntPort | undefined): Port['state'] {
  if (port?.adminStatus === '2') return 'shut'
  return port?.operStatus === '1' ? 'up' : port?.operStatus === '2' ? 'down' : 'unknown'
}

function portsOf({ device, bindings, learnt, neighbours }: Omit<StripProps, 'again'>): Port[] {
  const known = new Map(learnt.map((port) => [port.ifIndex, port]))
  const typed = new Map(device.interfaces.map(({ ifIndex, ifDesc }) => [ifIndex, ifDesc]))
  const alarms = Map.groupBy(
    [...openAlarms.rows.values()].filter(({ deviceId, endedAt }) => deviceId === device.id && endedAt === 0),
    ({ port }) => port,
  )
  return [...new Set([...typed.keys(), ...known.keys()])]
    .sort((a, b) => Number(a) - Number(b))
    .slice(0, maxPorts)
    .map((ifIndex) => ({
      ifIndex,
      name: typed.get(ifIndex) || known.get(ifIndex)?.name || ifIndex,
      state: stateOf(known.get(ifIndex)),
      bound: bindings.filter(({ ifInfo }) =>
        ifInfo.some((one) => one.deviceId === device.id && one.ifIndex === ifIndex),
      ),
      neighbours: neighbours.filter((one) => one.ifIndex === ifIndex),
      alarms: (alarms.get(ifIndex) ?? []).toSorted((a, b) => a.level - b.level),
    }))
}

interface FrontPortProps {
  readonly port: Port
  readonly isChosen: boolean
  readonly choose: () => void
}

/** The end of its name is what is printed beside a port: `24` of `GigabitEthernet1/0/24`. */
const printed = ({ name, ifIndex }: Port) => /(\d+)\D*$/.exec(name)?.[1] ?? ifIndex

function FrontPort({ port, isChosen, choose }: FrontPortProps) {
  const worst = port.alarms[0]?.level
  const level = worst === undefined ? '' : (texts.levels[worst] ?? '')
  const name = words.port(port.name, words.states[port.state] ?? '', level)
  return (
    <button
      type="button"
      class={`front-port is-${port.state}`}
      aria-pressed={isChosen}
      aria-label={name}
      title={name}
      onClick={choose}
    >
      <span class="front-number">{printed(port)}</span>
      {port.bound.length > 0 && <i class="front-taken" />}
      {worst !== undefined && <LevelShape level={worst} />}
    </button>
  )
}

function Chosen({
  port,
  device,
  again,
  close,
}: { port: Port; close: () => void } & Pick<StripProps, 'device' | 'again'>) {
  const [isBinding, setBinding] = useState(false)
  const blank = {
    ...bindingShape.blank,
    ifInfo: written([{ deviceId: device.id, ifIndex: port.ifIndex }]),
  }
  return (
    <div class="front-chosen">
      <header>
        <h3>{port.name}</h3>
        <button type="button" class="plain icon" aria-label={words.close} title={words.close} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <Facts
        facts={[
          [words.state, words.states[port.state]],
          [
            words.neighbours,
            port.neighbours.length > 0 &&
              port.neighbours.map((one) => <div key={one.id}>{neighbourLink(one)}</div>),
          ],
          [
            words.terminals,
            port.bound.length > 0 &&
              port.bound.map(({ id, terminalName, terminalMac }) => (
                <a key={id} class="apart" href={hrefOf('bindings', '', { terminalMac })}>
                  {terminalName || terminalMac}{' '}
                </a>
              )),
          ],
        ]}
      />
      {port.alarms.length > 0 && (
        <ul class="lines">
          {port.alarms.map(({ id, level, text }) => (
            <li key={id}>
              <LevelShape level={level} />
              <span>
                <a href={hrefOf('alarm', id)}>{text}</a>
              </span>
              {may('operator') && (
                <a href={hrefOf('rule', 'new', { alarm: id })} aria-label={words.ruleFor(text)}>
                  {words.rule}
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
      <p class="buttons">
        {may('operator') && (
          <button type="button" onClick={() => setBinding(true)}>
            {words.bind}
          </button>
        )}
        <a class="button" href={hrefOf('stays', '', { deviceId: device.id, ifIndex: port.ifIndex })}>
          {words.seen}
        </a>
      </p>
      {isBinding && (
        <RecordDialog
          before={undefined}
          shape={{ ...bindingShape, blank }}
          close={() => setBinding(false)}
          again={again}
        />
      )}
    </div>
  )
}

export function PortStrip(props: StripProps) {
  void openAlarms.version.value
  const [chosen, setChosen] = useState('')
  const ports = portsOf(props)
  if (ports.length === 0) return null
  const port = ports.find(({ ifIndex }) => ifIndex === chosen)
  const states = [...new Set(ports.map(({ state }) => state))]
  return (
    <div class="front">
      <p class="hint">{words.hint}</p>
      <div class={`front-ports ${ports.length > 8 ? 'is-two' : ''}`}>
        {ports.map((one) => (
          <FrontPort
            key={one.ifIndex}
            port={one}
            isChosen={one === port}
            choose={() => setChosen(one === port ? '' : one.ifIndex)}
          />
        ))}
      </div>
      <p class="front-legend hint">
        {states.map((state) => (
          <span key={state}>
            <i class={`front-port is-${state}`} /> {words.legend[state]}
          </span>
        ))}
        {ports.some(({ bound }) => bound.length > 0) && (
          <span>
            <i class="front-taken" /> {words.taken}
          </span>
        )}
      </p>
      {port && (
        <Chosen
          key={port.ifIndex}
          port={port}
          device={props.device}
          again={props.again}
          close={() => setChosen('')}
        />
      )}
    </div>
  )
}
