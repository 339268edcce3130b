// Segments as a tree; for the chosen one, a picture and the addresses in use.

import { useEffect, useState } from 'preact/hooks'
import { address, setQuery } from '../core/address.ts'
import { ask, list, type Rows } from '../core/api.ts'
import { may } from '../core/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Section } from '../parts/facts.tsx'
import { Form, type FormField, type Values } from '../parts/form.tsx'
import { type Column, List, type ListFilter, useList } from '../parts/list.tsx'
import { useLoad, When } from '../parts/load.tsx'
import { Empty } from '../parts/problem.tsx'
import { DeleteDialog } from '../parts/records.tsx'
import { say } from '../parts/toast.tsx'
import { addressTexts as words } from '../texts/inventory.ts'
import { texts } from '../texts/shared.ts'
import { type AssignedIp, type Segment, SegmentPicture } from './segment-picture.tsx'
import { SegmentTree } from './segment-tree.tsx'

const path = '/res/access/assignedIpScope'

const segmentFields: readonly FormField[] = [
  { name: 'name', label: words.name, required: true },
  { name: 'startIp', label: words.start, required: true, placeholder: '192.0.2.0' },
  { name: 'endIp', label: words.end, required: true, placeholder: '192.0.2.255' },
  { name: 'zoneId', label: words.zone, of: 'zone', required: true },
  { name: 'description', label: words.description },
]

const addressFields: readonly FormField[] = [
  { name: 'name', label: words.owner, required: true },
  { name: 'ip', label: words.ip, hint: words.assignHint },
  { name: 'terminalMac', label: words.mac, hint: words.macHint, placeholder: '02:00:5e:10:00:01' },
  { name: 'description', label: words.description },
]

/** The state of the dialog. */
type Open =
  | { readonly kind: 'new'; readonly inside?: Segment }
  | { readonly kind: 'edit' | 'delete'; readonly segment: Segment }
  | { readonly kind: 'assign'; readonly segment: Segment; readonly ip: string }
  | { readonly kind: 'release' | 'change'; readonly one: AssignedIp }

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
const mostDrawn = 5000

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
              <button
                type="button"
                class="plain"
                aria-label={words.releaseTitle(one.ip)}
                onClick={() => open({ kind: 'release', one })}
              >
                {words.release}
              </button>
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
    within: 'ip',
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
    (over) => list<AssignedIp>(`${path}/ip`, { ipScopeId: segment.id, size: mostDrawn }, over),
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
          <button type="button" onClick={() => open({ kind: 'edit', segment })}>
            {words.edit}
          </button>
          <button type="button" class="plain" onClick={() => open({ kind: 'delete', segment })}>
            {words.delete}
          </button>
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

interface DialogsProps {
  readonly what: Open
  readonly close: () => void
  readonly again: () => void
}

async function save(what: Open, values: Values): Promise<void> {
  if (what.kind === 'new')
    await ask('POST', what.inside ? `${path}/${what.inside.id}` : path, { body: values })
  else if (what.kind === 'edit') await ask('PUT', `${path}/${what.segment.id}`, { body: values })
  else if (what.kind === 'change') await ask('PUT', `${path}/ip/${what.one.id}`, { body: values })
  else if (what.kind === 'assign') {
    const { ip = '', ...rest } = values
    const body = ip.trim() === '' ? rest : { ...rest, ip }
    const { location } = await ask('POST', `${path}/ip`, { query: { ipScopeId: what.segment.id }, body })
    const made = await ask<AssignedIp>('GET', `${path}/ip/${location.split('/').at(-1)}`)
    say(words.assigned(made.data.ip))
    return
  }
  say(texts.records.saved)
}

function titleOf(what: Open): string {
  if (what.kind === 'new') return what.inside ? words.newInside : words.newSegment
  if (what.kind === 'change') return words.changeTitle(what.one.ip)
  return what.kind === 'assign' ? words.assign : words.edit
}

function valuesOf(what: Open): Values {
  switch (what.kind) {
    case 'edit': {
      const { name, startIp, endIp, description = '', zoneId = '1' } = what.segment
      return { name, startIp, endIp, description, zoneId }
    }
    case 'change': {
      const { ip, name = '', description = '', terminalMac = '' } = what.one
      return { ip, name, description, terminalMac }
    }
    case 'assign':
      return { ip: what.ip }
    // It is in the zone of the segment around it, unless another zone is chosen.
    case 'new':
      return { zoneId: what.inside?.zoneId ?? '1' }
    default:
      return {}
  }
}

function Dialogs({ what, close, again }: DialogsProps) {
  if (what.kind === 'release')
    return (
      <DeleteDialog
        title={words.releaseTitle(what.one.ip)}
        hint={words.releaseHint}
        path={`${path}/ip/${what.one.id}`}
        close={close}
        done={again}
      />
    )
  if (what.kind === 'delete')
    return (
      <DeleteDialog
        title={words.delete}
        hint={words.deleteHint}
        path={`${path}/${what.segment.id}`}
        close={close}
        done={() => {
          setQuery({ segment: '' })
          again()
        }}
      />
    )
  const submit = async (values: Values) => {
    await save(what, values)
    close()
    again()
  }
  const title = titleOf(what)
  const isAddress = what.kind === 'assign' || what.kind === 'change'
  return (
    <Dialog title={title} onClose={close}>
      <Form
        fields={isAddress ? addressFields : segmentFields}
        values={valuesOf(what)}
        submitText={texts.save}
        onSubmit={submit}
        onCancel={close}
      />
    </Dialog>
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
