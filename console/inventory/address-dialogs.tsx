// The dialogs that create, change and delete segments, and assign and release addresses.

import { setQuery } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Form, type FormField, type Values } from '../parts/form.tsx'
import { DeleteDialog } from '../parts/records.tsx'
import { say } from '../parts/toast.tsx'
import { addressTexts as words } from '../texts/inventory-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import type { AssignedIp, Segment } from './segment-picture.tsx'

export const path = '/res/access/assignedIpScope'

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
export type Open =
  | { readonly kind: 'new'; readonly inside?: Segment }
  | { readonly kind: 'edit' | 'delete'; readonly segment: Segment }
  | { readonly kind: 'assign'; readonly segment: Segment; readonly ip: string }
  | { readonly kind: 'release' | 'change'; readonly one: AssignedIp }

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

export function Dialogs({ what, close, again }: DialogsProps) {
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
