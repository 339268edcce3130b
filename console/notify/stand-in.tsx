// Standing in, from the page of who is on call: an override for a while, or the hand-over of a layer that has no hours.

import { useState } from 'preact/hooks'
import { ask } from '../core/api.ts'
import { may } from '../core/session.ts'
import { useChoosable } from '../parts/by-name.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Form, type Values } from '../parts/form.tsx'
import { RecordDialog } from '../parts/records.tsx'
import { say } from '../parts/toast.tsx'
import { onCallTexts as words } from '../texts/on-call-texts.ts'
import { overrideShape, spanFrom } from './override.ts'
import { type Layer, type Schedule, schedulePath } from './schedule.ts'

/** Whose turn it is: the first contact, until somebody has handed over. */
const turnOf = ({ onCall, contact }: Layer) => onCall ?? contact[0] ?? ''

/** The next in the order, which begins anew at its end. */
function nextOf(layer: Layer): string {
  const { contact } = layer
  return contact[(contact.indexOf(turnOf(layer)) + 1) % contact.length] ?? ''
}

interface HandOverProps {
  readonly schedule: Schedule
  readonly layer: Layer
  readonly close: () => void
  readonly done: () => void
}

function HandOver({ schedule, layer, close, done }: HandOverProps) {
  const { all } = useChoosable('contact')
  const nameOf = (id: string) => all.find(({ value }) => value === id)?.label ?? id
  const others = layer.contact.filter((id) => id !== turnOf(layer))
  const save = async ({ contactId }: Values) => {
    await ask('PUT', `${schedulePath}/${schedule.id}/handOver`, { body: { layer: layer.name, contactId } })
    say(words.handedOver(nameOf(contactId ?? '')))
    close()
    done()
  }
  return (
    <Dialog title={words.handOverOf(layer.name)} onClose={close}>
      <p>{words.hasTurn(nameOf(turnOf(layer)))}</p>
      <Form
        fields={[
          {
            ...{ name: 'contactId', label: words.handOverTo, kind: 'choice', required: true },
            choices: Object.fromEntries(others.map((id) => [id, nameOf(id)])),
          },
        ]}
        values={{ contactId: nextOf(layer) }}
        submitText={words.handOverNow}
        onSubmit={save}
        onCancel={close}
      />
    </Dialog>
  )
}

interface StandInProps {
  readonly schedule: Schedule
  /** The contact of the operator who is signed in; empty where there is none. */
  readonly own: string
  readonly nowSeconds: number
  readonly again: () => void
}

/** Operators stand in themselves, and hand over what is theirs; administrators do it for everyone. */
export function StandIn({ schedule, own, nowSeconds, again }: StandInProps) {
  const [open, setOpen] = useState<'override' | Layer | undefined>(undefined)
  const close = () => setOpen(undefined)
  const isAdministrator = may('administrator')
  if (!may('operator') || (!isAdministrator && own === '')) return null
  const byHand = schedule.layer.filter(
    ({ rotation, contact }) =>
      rotation === 'byHand' && contact.length > 1 && (isAdministrator || contact.includes(own)),
  )
  const blank = { contactId: own, ...spanFrom(nowSeconds, Number(schedule.onCallUntil)) }
  return (
    <>
      <button type="button" aria-label={words.takeOverOne(schedule.name)} onClick={() => setOpen('override')}>
        {own === '' ? words.standIn : words.takeOver}
      </button>
      {byHand.map((layer) => (
        <button key={layer.name} type="button" onClick={() => setOpen(layer)}>
          {byHand.length > 1 ? words.handOverOf(layer.name) : words.handOverShort}
        </button>
      ))}
      {open === 'override' && (
        <RecordDialog
          before={undefined}
          shape={overrideShape(schedule.id, blank)}
          close={close}
          again={again}
        />
      )}
      {open !== undefined && open !== 'override' && (
        <HandOver schedule={schedule} layer={open} close={close} done={again} />
      )}
    </>
  )
}
