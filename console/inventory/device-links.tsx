// The links of a device, as its neighbours show them: where both ends agree, where only one names the other, and where they
// disagree.

import { hrefOf } from '../core/address.ts'
import { type Column, Table } from '../parts/list.tsx'
import { Ago } from '../parts/time.tsx'
import { linkTexts as words } from '../texts/inventory-texts.ts'
import type { LearntPort, Neighbour } from './learnt.tsx'

export interface DeviceLinkRow {
  readonly id: string
  readonly ifIndex: string
  readonly otherId: string
  readonly otherName: string
  readonly otherIfIndex: string
  readonly state: 'both' | 'one' | 'differs' | 'gone'
  readonly direction: 'up' | 'down' | 'none'
  readonly learnt: string
  readonly gone: string
}

interface DeviceLinksProps {
  readonly links: readonly DeviceLinkRow[]
  readonly ports: readonly LearntPort[]
  readonly neighbours: readonly Neighbour[]
}

const order = ['differs', 'gone', 'one', 'both'] as const
const maxLinks = 200

export function DeviceLinks({ links, ports, neighbours }: DeviceLinksProps) {
  const names = new Map(ports.map(({ ifIndex, name, description }) => [ifIndex, name || description]))
  const portText = (ifIndex: string, name: string | undefined) =>
    name || (ifIndex === '0' ? words.unknownPort : words.port(ifIndex))
  /** The name that this device has heard of the port there. */
  const heard = ({ ifIndex, otherId }: DeviceLinkRow) =>
    neighbours.find((one) => one.ifIndex === ifIndex && one.neighbourId === otherId)?.remotePort
  const rows = links.toSorted(
    (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || Number(a.ifIndex) - Number(b.ifIndex),
  )
  const columns: readonly Column<DeviceLinkRow>[] = [
    { title: words.ownPort, cell: ({ ifIndex }) => portText(ifIndex, names.get(ifIndex)) },
    {
      title: words.other,
      kind: 'wide',
      cell: (row) => (
        <>
          <a href={hrefOf('device', row.otherId)}>{row.otherName || row.otherId}</a>{' '}
          <span class="hint">
            {portText(row.otherIfIndex, row.state === 'differs' ? undefined : heard(row))}
          </span>
        </>
      ),
    },
    {
      title: words.state,
      cell: ({ state, gone }) => (
        <>
          {state === 'both' ? words.states.both : <span class="tag">{words.states[state]}</span>}
          {state === 'gone' && (
            <div class="hint">
              <Ago at={Number(gone)} />
            </div>
          )}
        </>
      ),
    },
    { title: words.direction, kind: 'rare', cell: ({ direction }) => words.directions[direction] },
    { title: words.learnt, kind: 'rare', cell: ({ learnt }) => <Ago at={Number(learnt)} /> },
  ]
  return (
    <>
      {links.some(({ state }) => state === 'differs') && <p class="hint">{words.differsHint}</p>}
      <Table
        columns={columns}
        rows={rows.slice(0, maxLinks)}
        caption={words.title}
        keyOf={({ id }: DeviceLinkRow) => id}
      />
      {rows.length > maxLinks && <p class="hint">{words.more(rows.length - maxLinks)}</p>}
    </>
  )
}
