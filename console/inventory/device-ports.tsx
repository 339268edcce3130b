// The ports of a device: as people typed them in, as the device names them, and what is at each.

import { hrefOf } from '../core/address.ts'
import { type Column, Table } from '../parts/list.tsx'
import { Ago } from '../parts/time.tsx'
import { learntTexts, deviceTexts as words } from '../texts/inventory-texts.ts'
import { numberText } from '../texts/shared-texts.ts'
import type { Binding } from './bindings.tsx'
import type { Device } from './devices.tsx'
import { type LearntPort, type Neighbour, neighbourLink } from './learnt.tsx'

/** A page shows no more; the interface gives all. */
const maxPorts = 500

interface Row {
  readonly ifIndex: string
  readonly typed: string
  readonly learnt: LearntPort | undefined
}

interface PortsProps {
  readonly device: Device
  readonly bindings: readonly Binding[]
  readonly learnt: readonly LearntPort[]
  readonly neighbours: readonly Neighbour[]
}

function rowsOf(device: Device, learnt: readonly LearntPort[]): Row[] {
  const known = new Map(learnt.map((port) => [port.ifIndex, port]))
  const typed = new Map(device.interfaces.map(({ ifIndex, ifDesc }) => [ifIndex, ifDesc]))
  const indexes = [...new Set([...typed.keys(), ...known.keys()])].sort((a, b) => Number(a) - Number(b))
  return indexes.map((ifIndex) => ({
    ifIndex,
    typed: typed.get(ifIndex) ?? '',
    learnt: known.get(ifIndex),
  }))
}

const learntName = ({ name, description }: LearntPort) => name || description

/** What people typed in comes first; what the device says otherwise stands below. */
function Name({ row: { typed, learnt } }: { row: Row }) {
  const own = learnt ? learntName(learnt) : ''
  const alias = learnt?.alias ?? ''
  const isOther = typed !== '' && learnt !== undefined && learnt.typed !== ''
  return (
    <>
      {typed || own}
      {alias !== '' && alias !== typed && <div class="hint">{alias}</div>}
      {isOther && <div class="hint">{learntTexts.saysName(own)}</div>}
    </>
  )
}

function State({ port }: { port: LearntPort | undefined }) {
  if (!port) return null
  const state = learntTexts.states[port.adminStatus === '2' ? 'shut' : port.operStatus] ?? ''
  return (
    <>
      {state}
      {Number(port.lastChange) > 0 && (
        <div class="hint">
          <Ago at={Number(port.lastChange)} />
        </div>
      )}
    </>
  )
}

export function speedText(speed: string): string {
  const bits = Number(speed)
  if (bits === 0) return ''
  const [unit, divisor] = bits >= 1e9 ? ['G', 1e9] : bits >= 1e6 ? ['M', 1e6] : ['k', 1e3]
  return `${numberText(Number((bits / Number(divisor)).toFixed(1)))}\u00a0${unit}bit/s`
}

export function Ports({ device, bindings, learnt, neighbours }: PortsProps) {
  const rows = rowsOf(device, learnt)
  if (rows.length === 0) return <p class="hint">{words.noInterfaces}</p>
  const boundAt = ({ ifIndex }: Row) =>
    bindings.filter(({ ifInfo }) =>
      ifInfo.some((one) => one.deviceId === device.id && one.ifIndex === ifIndex),
    )
  const namedAt = Map.groupBy(neighbours, ({ ifIndex }) => ifIndex)
  const bound: Column<Row> = {
    title: words.terminals,
    kind: 'wide',
    cell: (row) =>
      boundAt(row).map(({ id, terminalName, terminalMac }) => (
        <>
          <a key={id} class="apart" href={hrefOf('bindings', '', { terminalMac })}>
            {terminalName ?? terminalMac}
          </a>{' '}
        </>
      )),
  }
  const asked: readonly Column<Row>[] = [
    { title: learntTexts.state, cell: (row) => <State port={row.learnt} /> },
    { title: learntTexts.speed, kind: 'rare', cell: (row) => speedText(row.learnt?.speed ?? '0') },
    {
      title: learntTexts.neighbour,
      cell: (row) =>
        (namedAt.get(row.ifIndex) ?? []).map((one) => <div key={one.id}>{neighbourLink(one)}</div>),
    },
  ]
  const columns: readonly Column<Row>[] = [
    { title: words.ifIndex, kind: 'number', cell: ({ ifIndex }) => ifIndex },
    { title: words.ifDesc, cell: (row) => <Name row={row} /> },
    ...(learnt.length > 0 ? asked : []),
    ...(bindings.length > 0 || learnt.length === 0 ? [bound] : []),
  ]
  return (
    <>
      <Table
        columns={columns}
        rows={rows.slice(0, maxPorts)}
        caption={words.interfaces}
        keyOf={({ ifIndex }: Row) => ifIndex}
      />
      {rows.length > maxPorts && <p class="hint">{learntTexts.morePorts(rows.length - maxPorts)}</p>}
    </>
  )
}
