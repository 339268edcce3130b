// Which addresses of a segment are in use, as a picture: a cell for each, or for several where there are very many.

import { addressTexts as words } from '../texts/inventory-texts.ts'
import { addressOf, addressText, type Cell, cellsOf } from './ip.ts'

export interface Segment {
  readonly id: string
  readonly ip: string
  readonly startIp: string
  readonly endIp: string
  readonly name: string
  readonly description?: string
  readonly parentId: string
  readonly percent: string
  readonly zoneId?: string
  readonly assignedIpScope?: readonly Segment[]
}

export interface AssignedIp {
  readonly id: string
  readonly ip: string
  readonly name?: string
  readonly description?: string
  readonly terminalMac?: string
}

const maxCells = 1024
const perLine = 64
const side = 12

interface PictureProps {
  readonly segment: Segment
  readonly addresses: readonly AssignedIp[]
  readonly choose: (ip: string) => void
}

export function SegmentPicture({ segment, addresses, choose }: PictureProps) {
  const { family, value: start } = addressOf(segment.startIp)
  const end = addressOf(segment.endIp).value
  const children = (segment.assignedIpScope ?? []).map((child) => ({
    start: addressOf(child.startIp).value,
    end: addressOf(child.endIp).value,
  }))
  const cells = cellsOf(
    { start, end },
    addresses.map(({ ip }) => addressOf(ip).value),
    children,
    maxCells,
  )
  const owners = new Map(addresses.map(({ ip, name = '' }) => [addressOf(ip).value, name]))
  const text = (value: bigint) => addressText({ family, value })
  const title = ({ first, last, taken }: Cell) => {
    if (first === last)
      return taken > 0 ? words.held(text(first), owners.get(first) ?? '') : words.free(text(first))
    return `${text(first)} – ${text(last)}: ${words.count(taken, String(last - first + 1n))}`
  }
  const kind = ({ taken, first, last, inChild }: Cell) =>
    taken > 0 ? (BigInt(taken) === last - first + 1n ? 'full' : 'some') : inChild ? 'child' : 'free'
  const lines = Math.ceil(cells.length / perLine)
  const wide = Math.min(perLine, cells.length)
  return (
    <figure class="segment">
      <svg
        viewBox={`0 0 ${wide * side} ${lines * side}`}
        style={{ maxWidth: `${wide * side * 1.4}px` }}
        role="img"
        aria-label={`${words.picture}: ${words.count(addresses.length, String(end - start + 1n))}`}
      >
        {cells.map((cell, index) => (
          <rect
            key={index}
            class={kind(cell)}
            x={(index % perLine) * side + 1}
            y={Math.floor(index / perLine) * side + 1}
            width={side - 2}
            height={side - 2}
            rx="2"
            onClick={
              cell.first === cell.last && cell.taken === 0 ? () => choose(text(cell.first)) : undefined
            }
          >
            <title>{title(cell)}</title>
          </rect>
        ))}
      </svg>
      <figcaption>
        <span>
          <i class="full" />
          {words.legend.taken}
        </span>
        <span>
          <i class="free" />
          {words.legend.free}
        </span>
        {children.length > 0 && (
          <span>
            <i class="child" />
            {words.legend.child}
          </span>
        )}
        <span class="gap" />
        <span>{words.count(addresses.length, String(end - start + 1n))}</span>
      </figcaption>
    </figure>
  )
}
