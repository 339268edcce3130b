// Segments as a tree; for the chosen one, a picture and the addresses in use.

import { useEffect, useState } from 'preact/hooks'
import { address } from '../core/address.ts'
import { list, type Rows } from '../core/api.ts'
import { may } from '../core/session.ts'
import { Section } from '../parts/facts.tsx'
import { type Column, List, useList } from '../parts/list.tsx'
import type { ListFilter } from '../parts/list-filters.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { More } from '../parts/more.tsx'
import { Empty } from '../parts/problem.tsx'
import { addressTexts as words } from '../texts/inventory-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import { Dialogs, type Open, path } from './address-dialogs.tsx'
import { type AssignedIp, type Segment, SegmentPicture } from './segment-picture.tsx'
import { SegmentTree } from './segment-tree.tsx'

interface Acts {
  readonly open: (what: Open) => void
}

function find(segments: readonly Segment[], id: string): Segment | undefined {
  for (const segment of segments) {
    const found = segment.id === id ? segment : find(segment.assignedIpScope ?? [], id)
    if (found) return found
  }
  return undefined
}

/** The picture is made of so many addresses at most; the list has all of them. */
const maxDrawn = 5000

const addressFilters: readonly ListFilter[] = [
  { name: 'ip', label: words.ip, anywhere: true },
  { name: 'name', label: words.owner, anywhere: true },
  { name: 'description', label: words.description, anywhere: true },
]

const columnsFor = (open: Acts['open']): readonly Column<AssignedIp>[] => [
  { title: words.ip, kind: 'mono', order: 'ip', cell: ({ ip }) => ip },
  {
    title: words.owner,
    order: 'name',
    cell: ({ name, terminalMac }) => (
      <>
        {name}
        {terminalMac && <p class="mono hint">{terminalMac}</p>}
      </>
    ),
  },
  { title: words.description, kind: 'wide', cell: ({ description }) => description },
  ...(may('operator')
    ? [
        {
          title: texts.records.actions,
          kind: 'actions' as const,
          cell: (one: AssignedIp) => (
            <>
              <button
                type="button"
                class="plain"
                aria-label={words.changeTitle(one.ip)}
                onClick={() => open({ kind: 'change', one })}
              >
                {words.change}
              </button>
              <More
                label={texts.more(one.ip)}
                actions={[
                  {
                    ...{ text: words.release, label: words.releaseTitle(one.ip), isDangerous: true },
                    act: () => open({ kind: 'release', one }),
                  },
                ]}
              />
            </>
          ),
        },
      ]
    : []),
]

interface ChosenProps extends Acts {
  readonly segment: Segment
  /** Grows with each change. */
  readonly changes: number
}

function Addresses({ segment, changes, open }: ChosenProps) {
  const props = {
    path: `${path}/ip`,
    queryPrefix: 'ip',
    columns: columnsFor(open),
    filters: addressFilters,
    fixed: { ipScopeId: segment.id },
    caption: words.title,
    keyOf: ({ id }: AssignedIp) => id,
    empty: <p class="hint">{words.noAddresses}</p>,
  }
  const loaded = useList(props)
  useEffect(() => {
    if (changes > 0) loaded.again()
  }, [changes])
  return <List {...props} loaded={loaded} />
}

function Chosen({ segment, changes, open }: ChosenProps) {
  const taken = useLoad(
    (over) => list<AssignedIp>(`${path}/ip`, { ipScopeId: segment.id, size: maxDrawn }, over),
    [segment.id, changes],
  )
  return (
    <Section title={segment.name} hint={segment.description ?? ''}>
      {may('operator') && (
        <div class="buttons">
          <button type="button" class="main" onClick={() => open({ kind: 'assign', segment, ip: '' })}>
            {words.assignNext}
          </button>
          <button type="button" onClick={() => open({ kind: 'new', inside: segment })}>
            {words.newInside}
          </button>
          <More
            label={texts.more(segment.name)}
            actions={[
              { text: words.edit, act: () => open({ kind: 'edit', segment }) },
              { text: words.delete, isDangerous: true, act: () => open({ kind: 'delete', segment }) },
            ]}
          />
        </div>
      )}
      <When
        loaded={taken}
        show={({ rows, total }: Rows<AssignedIp>) => (
          <>
            <SegmentPicture
              segment={segment}
              addresses={rows}
              choose={(ip: string) => may('operator') && open({ kind: 'assign', segment, ip })}
            />
            {total > rows.length && <p class="hint">{words.notDrawn(rows.length, total)}</p>}
          </>
        )}
      />
      <Addresses key={segment.id} segment={segment} changes={changes} open={open} />
    </Section>
  )
}

export default function AddressesPage() {
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const id = address.value.query.get('segment') ?? ''
  const segments = useLoad((over) => list<Segment>(path, {}, over), [])
  const [changes, setChanges] = useState(0)
  const again = () => {
    segments.again()
    setChanges(changes + 1)
  }
  const button = may('operator') && (
    <button type="button" class="main" onClick={() => setOpen({ kind: 'new' })}>
      {words.newSegment}
    </button>
  )
  return (
    <section class="page">
      <header class="page-head">
        <h1>{words.title}</h1>
        <span class="gap" />
        {button}
      </header>
      <p class="hint about">{words.about}</p>
      <When
        loaded={segments}
        show={({ rows }: Rows<Segment>) => {
          if (rows.length === 0)
            return (
              <Empty title={words.emptyTitle}>
                <p>{words.emptyHint}</p>
                {button}
              </Empty>
            )
          const chosen = find(rows, id)
          return (
            <div class="columns tree-columns">
              <SegmentTree segments={rows} chosen={id} />
              {chosen ? (
                <Chosen segment={chosen} changes={changes} open={setOpen} />
              ) : (
                <p class="hint choose">{words.choose}</p>
              )}
            </div>
          )
        }}
      />
      {open && <Dialogs what={open} close={() => setOpen(undefined)} again={again} />}
    </section>
  )
}
