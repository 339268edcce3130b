// Segments as a tree, narrowed by name and zone.

import { address, hrefOf } from '../core/address.ts'
import { type ListFilter, ListFilters } from '../parts/list-filters.tsx'
import { addressTexts as words } from '../texts/inventory-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import type { Segment } from './segment-picture.tsx'

/** The filter of the tree stays when another segment is chosen. */
const kept = () => {
  const { query } = address.value
  return { name: query.get('name') ?? '', zoneId: query.get('zoneId') ?? '' }
}

function Branch({ segment, chosen }: { segment: Segment; chosen: string }) {
  const inside = segment.assignedIpScope ?? []
  const isChosen = segment.id === chosen
  return (
    <li>
      <a
        href={hrefOf('addresses', '', { ...kept(), segment: segment.id })}
        aria-current={isChosen ? 'true' : undefined}
      >
        <b>{segment.name}</b>
        <span class="mono">
          {segment.startIp} – {segment.endIp}
        </span>
        <span class="fill">
          <i style={{ width: `${Number(segment.percent)}%` }} />
        </span>
        <span class="hint">{words.taken(Number(segment.percent))}</span>
      </a>
      {inside.length > 0 && (
        <ul>
          {inside.map((one) => (
            <Branch key={one.id} segment={one} chosen={chosen} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** Those that match, with what they lie in. */
function matching(segments: readonly Segment[], name: string, zoneId: string): readonly Segment[] {
  const isWanted = (one: Segment) =>
    one.name.toLowerCase().includes(name.toLowerCase()) && (zoneId === '' || one.zoneId === zoneId)
  return segments.flatMap((one) => {
    const inside = matching(one.assignedIpScope ?? [], name, zoneId)
    return isWanted(one) || inside.length > 0 ? [{ ...one, assignedIpScope: inside }] : []
  })
}

const segmentFilters: readonly ListFilter[] = [
  { name: 'name', label: words.find },
  { name: 'zoneId', label: words.zone, of: 'zone' },
]

export function SegmentTree({ segments, chosen }: { segments: readonly Segment[]; chosen: string }) {
  const { query } = address.value
  const shown = matching(segments, query.get('name')?.trim() ?? '', query.get('zoneId') ?? '')
  return (
    <nav class="part tree" aria-label={words.segments}>
      <ListFilters filters={segmentFilters} />
      {shown.length === 0 && <p class="hint">{texts.list.noMatch}</p>}
      <ul>
        {shown.map((one) => (
          <Branch key={one.id} segment={one} chosen={chosen} />
        ))}
      </ul>
    </nav>
  )
}
