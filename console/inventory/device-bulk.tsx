// What is done with several devices at once: some of their fields are changed, or maintenance is planned.

import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { hrefOf } from '../core/address.ts'
import { ask } from '../core/api.ts'
import { isSignedOut } from '../core/refused.ts'
import { NameOf, useChoosable } from '../parts/by-name.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { type ChoosingProps, Form, type FormField, type Values } from '../parts/form.tsx'
import type { Column } from '../parts/list.tsx'
import { say } from '../parts/toast.tsx'
import { deviceTexts, bulkTexts as words } from '../texts/inventory-texts.ts'
import { texts } from '../texts/shared-texts.ts'
import type { Device } from './devices.tsx'

/** Of this and other pages of the list, by id. */
export type Ticked = ReadonlyMap<string, Device>

/** Fields that several devices may have in common, by their names at the service. */
const common = {
  zoneId: deviceTexts.zone,
  typeName: deviceTexts.type,
  location: deviceTexts.location,
  contact: deviceTexts.contact,
} as const

type Name = keyof typeof common
type Change = Readonly<Partial<Record<Name, string>>>

const names = Object.keys(common) as Name[]
const isChanged = (name: Name) => `change-${name}`
const currentOf = (device: Device, name: Name) => device[name] ?? (name === 'zoneId' ? '1' : '')

/** The fields of a device that would become something else. */
const differing = (device: Device, change: Change) =>
  names.filter((name) => change[name] !== undefined && change[name] !== currentOf(device, name))

const changeIn = (values: Values): Change =>
  Object.fromEntries(
    names
      .filter((name) => values[isChanged(name)] === 'true')
      // A device is always in a zone: none chosen yet changes nothing.
      .filter((name) => name !== 'zoneId' || (values[name] ?? '') !== '')
      .map((name) => [name, (values[name] ?? '').trim()]),
  )

interface TickProps {
  readonly ticked: Ticked
  readonly tick: (devices: readonly Device[], isOn: boolean) => void
}

export const tickColumn = ({ ticked, tick }: TickProps): Column<Device> => ({
  title: words.choose,
  kind: 'tick',
  heading: (rows) => {
    const isWhole = rows.every(({ id }) => ticked.has(id))
    return (
      <label>
        <input
          type="checkbox"
          aria-label={words.chooseAll}
          checked={isWhole}
          onChange={() => tick(rows, !isWhole)}
        />
      </label>
    )
  },
  cell: (device) => (
    <label>
      <input
        type="checkbox"
        aria-label={words.chooseOne(device.label)}
        checked={ticked.has(device.id)}
        onChange={() => tick([device], !ticked.has(device.id))}
      />
    </label>
  ),
})

interface Refusal {
  readonly device: Device
  readonly reason: string
}

const put = ({ id, ip, label }: Device, change: Change) =>
  ask('PUT', `/plat/res/device/${id}`, { body: { ip, label, ...change } })

/** One after the other: one that is refused does not keep the others from being changed. */
async function changeEach(
  devices: readonly Device[],
  changeOf: (device: Device) => Change,
): Promise<{ readonly done: readonly Device[]; readonly refused: readonly Refusal[] }> {
  const done: Device[] = []
  const refused: Refusal[] = []
  for (const device of devices) {
    try {
      await put(device, changeOf(device))
      done.push(device)
    } catch (error) {
      if (isSignedOut(error)) throw error
      refused.push({ device, reason: (error as Error).message })
    }
  }
  return { done, refused }
}

/** Grows where a change was taken back: the list is read again. */
export const undone = signal(0)

async function undo(devices: readonly Device[], change: Change): Promise<void> {
  const before = (device: Device) =>
    Object.fromEntries(differing(device, change).map((name) => [name, currentOf(device, name)]))
  const { refused } = await changeEach(devices, before)
  undone.value += 1
  const [first] = refused
  if (first) throw new Error(words.notUndone(refused.length, first.device.label, first.reason))
}

const shownOfMany = 8

/** What each device would become, before it does. */
function Preview({ devices, change }: { readonly devices: readonly Device[]; readonly change: Change }) {
  const zones = useChoosable('zone')
  if (Object.keys(change).length === 0) return <p class="hint">{words.nothingChosen}</p>
  const affected = devices.filter((device) => differing(device, change).length > 0)
  const text = (name: Name, value: string) =>
    name === 'zoneId' ? <NameOf among={zones} id={value} /> : value
  const line = (device: Device, name: Name) => {
    const [before, after] = [currentOf(device, name), change[name] ?? '']
    return (
      <span class="becomes" key={name}>
        {common[name]}: {before !== '' && <s>{text(name, before)}</s>}{' '}
        {after === '' ? <i>{words.removed}</i> : text(name, after)}
      </span>
    )
  }
  return (
    <div class="preview" role="group" aria-label={words.preview}>
      <p>{words.affected(affected.length, devices.length)}</p>
      <ul class="lines">
        {affected.slice(0, shownOfMany).map((device) => (
          <li key={device.id}>
            <b>{device.label}</b>
            <span>{differing(device, change).map((name) => line(device, name))}</span>
          </li>
        ))}
      </ul>
      {affected.length > shownOfMany && <p class="hint">{words.more(affected.length - shownOfMany)}</p>}
    </div>
  )
}

const fieldsFor = (devices: readonly Device[]): readonly FormField[] => [
  ...names.flatMap((name): FormField[] => [
    { name: isChanged(name), label: common[name], kind: 'check' },
    {
      ...{ name, label: words.becomes(common[name]), required: true },
      ...(name === 'zoneId' && { of: 'zone' as const }),
      ...(name !== 'zoneId' && { hint: words.emptyHint }),
      shown: (values) => values[isChanged(name)] === 'true',
    },
  ]),
  {
    ...{ name: 'preview', label: words.preview },
    control: ({ values }: ChoosingProps) => <Preview devices={devices} change={changeIn(values)} />,
  },
]

interface DialogProps {
  readonly devices: readonly Device[]
  readonly close: () => void
  /** Called with those that were changed. */
  readonly done: (devices: readonly Device[]) => void
}

function ChangeDialog({ devices, close, done: report }: DialogProps) {
  const [refused, setRefused] = useState<readonly Refusal[]>([])
  const [fields] = useState(() => fieldsFor(devices))
  const save = async (values: Values) => {
    const change = changeIn(values)
    const affected = devices.filter((device) => differing(device, change).length > 0)
    if (affected.length === 0) throw new Error(words.nothingToDo)
    const result = await changeEach(affected, () => change)
    const { done } = result
    if (done.length > 0) say(words.changed(done.length), () => undo(done, change))
    report(done)
    if (result.refused.length === 0) close()
    else setRefused(result.refused)
  }
  const title = words.title(refused.length === 0 ? devices.length : refused.length)
  if (refused.length > 0)
    return (
      <Dialog title={words.refused(refused.length)} onClose={close}>
        <ul class="lines" role="alert">
          {refused.map(({ device, reason }) => (
            <li key={device.id}>
              <b>{device.label}</b> <span>{reason}</span>
            </li>
          ))}
        </ul>
        <footer>
          <button type="button" class="main" autofocus onClick={close}>
            {texts.close}
          </button>
        </footer>
      </Dialog>
    )
  return (
    <Dialog title={title} onClose={close}>
      <Form fields={fields} values={{}} submitText={words.submit} onSubmit={save} onCancel={close} />
    </Dialog>
  )
}

interface BarProps {
  readonly ticked: Ticked
  readonly clear: () => void
  readonly done: (devices: readonly Device[]) => void
}

/** Appears when some are selected. */
export function DeviceBar({ ticked, clear, done }: BarProps) {
  const [isOpen, setOpen] = useState(false)
  const devices = [...ticked.values()]
  if (devices.length === 0) return null
  return (
    <div class="action-bar below" role="toolbar" aria-label={words.chosen(devices.length)}>
      <strong>{words.chosen(devices.length)}</strong>
      <button type="button" onClick={() => setOpen(true)}>
        {words.begin}
      </button>
      <a class="button" href={hrefOf('window', 'new', { device: devices.map(({ id }) => id).join() })}>
        {deviceTexts.maintenance}
      </a>
      <button type="button" class="plain" onClick={clear}>
        {texts.alarms.clearSelection}
      </button>
      {isOpen && <ChangeDialog devices={devices} close={() => setOpen(false)} done={done} />}
    </div>
  )
}
