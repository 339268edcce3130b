// A device and what is around it, drawn: above it what it is reached through, below it what is reached through it. Each has
// the worst level of its open alarms.

import { openAlarms } from '../alarms/live.ts'
import { hrefOf } from '../core/address.ts'
import { read } from '../core/api.ts'
import { compareNames, type TopologyAnswer } from '../map/graph.ts'
import { levelShapes } from '../parts/level.tsx'
import { useEvery, useLoad, When } from '../parts/load.tsx'
import { aroundTexts as words } from '../texts/around-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import type { LearntPort, Neighbour } from './learnt.tsx'

/** One device of the drawing. */
export interface Around {
  readonly key: string
  /** Empty where it is not in the inventory. */
  readonly id: string
  readonly name: string
  /** The port of the device in the middle, as its index. */
  readonly port: string
  readonly isDoubtful: boolean
}

interface Surroundings {
  readonly above: readonly Around[]
  readonly beside: readonly Around[]
  readonly below: readonly Around[]
}

function surroundingsOf(
  id: string,
  { device = [], link = [] }: TopologyAnswer,
  neighbours: readonly Neighbour[],
): Surroundings {
  const labels = new Map(device.map((one) => [one.id, one.label]))
  const around = (other: string, port: string, state: string): Around => ({
    ...{ key: `${other} ${port}`, id: other, name: labels.get(other) ?? other, port },
    isDoubtful: state === 'differs' || state === 'gone',
  })
  const ends = link.map((one) =>
    one.deviceId === id
      ? { ...around(one.otherId, one.ifIndex, one.state), side: one.direction === 'up' ? 'above' : 'beside' }
      : {
          ...around(one.deviceId, one.otherIfIndex, one.state),
          side: one.direction === 'up' ? 'below' : 'beside',
        },
  )
  const strangers = neighbours
    .filter(({ neighbourId, missing }) => !neighbourId && missing !== 'true')
    .map(
      (one): Around => ({
        ...{ key: one.id, id: '', name: one.sysName || one.chassis || one.address, port: one.ifIndex },
        isDoubtful: true,
      }),
    )
  const on = (side: string) =>
    ends.filter((one) => one.side === side).toSorted((a, b) => compareNames(a.name, b.name))
  return { above: on('above'), beside: on('beside'), below: [...on('below'), ...strangers] }
}

const [width, height] = [172, 40]
const [gapX, gapY] = [12, 34]
const perRow = 4
const whole = perRow * width + (perRow - 1) * gapX
const middle = whole / 2
/** More are counted. */
const maxAbove = 8
const maxBelow = 16
const maxBeside = 2

const rowsOf = (nodes: readonly Around[]) =>
  Array.from({ length: Math.ceil(nodes.length / perRow) }, (_, row) =>
    nodes.slice(row * perRow, (row + 1) * perRow),
  )

const leftOf = (index: number, count: number) =>
  middle - (count * width + (count - 1) * gapX) / 2 + index * (width + gapX)

const [nameFits, portFits] = [19, 25]
const shortName = (text: string) => (text.length > nameFits ? `${text.slice(0, nameFits - 1)}…` : text)
/** What tells ports apart is at the end. */
const shortPort = (text: string) => (text.length > portFits ? `…${text.slice(1 - portFits)}` : text)

interface NodeProps {
  readonly x: number
  readonly y: number
  readonly name: string
  readonly port: string
  readonly level: number | undefined
  readonly kind: '' | 'own' | 'stranger'
}

function Node({ x, y, name, port, level, kind }: NodeProps) {
  return (
    <g class={`around-node ${kind}`} transform={`translate(${x} ${y})`}>
      <title>{[name, port, level ? texts.levels[level] : words.fine].filter(Boolean).join(', ')}</title>
      <rect width={width} height={height} rx="6" />
      {level !== undefined && (
        <path
          class={`shape level-${level}`}
          transform="translate(9 8) scale(0.75)"
          d={levelShapes[level] ?? ''}
        />
      )}
      <text class="around-name" x={level === undefined ? 10 : 26} y="18">
        {shortName(name)}
      </text>
      <text class="around-port" x="10" y="33">
        {shortPort(port)}
      </text>
    </g>
  )
}

interface DrawnProps extends Surroundings {
  readonly id: string
  readonly label: string
  readonly portText: (ifIndex: string) => string
}

/** By device, of open alarms that nothing holds back. */
function worstLevels(): ReadonlyMap<string, number> {
  void openAlarms.version.value
  const worst = new Map<string, number>()
  for (const { deviceId, level, endedAt } of openAlarms.rows.values())
    if (endedAt === 0) worst.set(deviceId, Math.min(level, worst.get(deviceId) ?? level))
  return worst
}

function Drawn({ id, label, portText, above, beside, below }: DrawnProps) {
  const worst = worstLevels()
  const [over, under] = [rowsOf(above.slice(0, maxAbove)), rowsOf(below.slice(0, maxBelow))]
  const step = height + gapY
  const own = over.length * step
  const total = own + height + under.length * step
  const left = above.length + beside.length + below.length
  const more = left - over.flat().length - under.flat().length - Math.min(maxBeside, beside.length)
  const node = (one: Around, x: number, y: number) => {
    const shown = (
      <Node
        {...{ x, y, name: one.name }}
        port={one.id === '' ? words.unknown : portText(one.port)}
        level={worst.get(one.id)}
        kind={one.id === '' ? 'stranger' : ''}
      />
    )
    return one.id === '' ? (
      <g key={one.key}>{shown}</g>
    ) : (
      <a key={one.key} href={hrefOf('device', one.id)}>
        {shown}
      </a>
    )
  }
  /** A row hangs on a bar, and the bars on a line from the middle. */
  const row = (nodes: readonly Around[], y: number, isAbove: boolean) => {
    const bar = isAbove ? y + height + gapY / 2 : y - gapY / 2
    const centre = (index: number) => leftOf(index, nodes.length) + width / 2
    return (
      <g key={y}>
        <path class="line" d={`M${middle} ${isAbove ? own : own + height}V${bar}`} />
        <path
          class="line"
          d={`M${Math.min(middle, centre(0))} ${bar}H${Math.max(middle, centre(nodes.length - 1))}`}
        />
        {nodes.map((one, index) => (
          <path
            key={one.key}
            class={`line ${one.isDoubtful ? 'doubtful' : ''}`}
            d={`M${centre(index)} ${bar}V${isAbove ? y + height : y}`}
          />
        ))}
        {nodes.map((one, index) => node(one, leftOf(index, nodes.length), y))}
      </g>
    )
  }
  return (
    <>
      <svg
        class="around"
        viewBox={`-2 -2 ${whole + 4} ${total + 4}`}
        role="group"
        aria-label={words.label(label)}
      >
        {over.map((nodes, index) => row(nodes, (over.length - 1 - index) * step, true))}
        {under.map((nodes, index) => row(nodes, own + step * (index + 1), false))}
        {beside.slice(0, maxBeside).map((one, index) => {
          const x = index === 0 ? whole - width : 0
          return (
            <g key={one.key}>
              <path
                class={`line ${one.isDoubtful ? 'doubtful' : ''}`}
                d={`M${middle} ${own + height / 2}H${x + width / 2}`}
              />
              {node(one, x, own)}
            </g>
          )
        })}
        <Node
          {...{ x: middle - width / 2, y: own, name: label, port: '', kind: 'own' as const }}
          level={worst.get(id)}
        />
      </svg>
      {more > 0 && <p class="hint">{texts.list.notShown(more)}</p>}
    </>
  )
}

interface NeighboursProps {
  readonly id: string
  readonly label: string
  readonly ports: readonly LearntPort[]
  readonly typed: readonly { readonly ifIndex: string; readonly ifDesc: string }[]
  readonly neighbours: readonly Neighbour[]
}

export function DrawnNeighbours({ id, label, ports, typed, neighbours }: NeighboursProps) {
  const loaded = useLoad((over) => read<TopologyAnswer>('/plat/topology', { deviceId: id }, over), [id])
  useEvery(60, loaded)
  const portText = (ifIndex: string) =>
    typed.find((one) => one.ifIndex === ifIndex)?.ifDesc ||
    ports.find((one) => one.ifIndex === ifIndex)?.name ||
    (ifIndex === '0' ? '' : words.port(ifIndex))
  const show = (answer: TopologyAnswer) => {
    const around = surroundingsOf(id, answer, neighbours)
    if (around.above.length + around.beside.length + around.below.length === 0)
      return <p class="hint">{words.nothing}</p>
    return <Drawn {...around} {...{ id, label, portText }} />
  }
  return <When loaded={loaded} show={show} />
}
