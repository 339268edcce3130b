// The fields of the rule editor: what, where, with which values, and when.

import { useContext } from 'preact/hooks'
import { serverZone } from '../core/time-text.ts'
import { Section } from '../parts/facts.tsx'
import { Refusal, useMark } from '../parts/refusal.ts'
import { written } from '../parts/row-values.ts'
import { rowsOf } from '../parts/rows.tsx'
import { Weekdays } from '../parts/weekdays.tsx'
import { ruleTexts as words } from '../texts/trap-texts.ts'
import { DeviceChoice, EventChoice } from './choose.tsx'
import { anyDevice, type Draft, type NamedDevice, type RuleDevice, type RuleParameter } from './rule.ts'
import type { Validity } from './validity.ts'
import { stretchesOf } from './week.ts'
import { WeekPicture } from './week-picture.tsx'
import { spanText } from './words.ts'

export interface EditProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
}

const typed = (event: Event) => (event.target as HTMLInputElement).value

/** Conditions that were made for the event before are meant for this one. */
function withEvent({ oid: before, parameters, devices }: Draft, oid: string): Partial<Draft> {
  const moved = (all: readonly RuleParameter[]) =>
    all.map((one) => (before !== '' && one.faultOid === before ? { ...one, faultOid: oid } : one))
  return {
    oid,
    parameters: moved(parameters),
    devices: devices.map((device) => ({ ...device, parameters: moved(device.parameters) })),
  }
}

const kinds = ['event', '0', '1', 'any'] as const

export const What = ({ draft, set }: EditProps) => (
  <Section title={words.what}>
    <div class="radios" role="radiogroup" aria-label={words.what}>
      {kinds.map((kind) => (
        <label key={kind} class="check">
          <input type="radio" name="kind" checked={draft.kind === kind} onChange={() => set({ kind })} />
          {words.kinds[kind]}
        </label>
      ))}
    </div>
    {draft.kind === 'event' && (
      <EventChoice oid={draft.oid} change={(oid: string) => set(withEvent(draft, oid))} />
    )}
  </Section>
)

const InterfaceRows = rowsOf({
  field: 'trapInterfaces',
  title: words.interfaces,
  hint: words.interfacesHint,
  noun: words.interface,
  columns: [
    { name: 'ifDesc', label: words.ifDesc },
    { name: 'deviceId', label: words.ofDevice, kind: 'device' },
  ],
})

/** A device that is added is asked for what the others are. */
const withDevices = ({ devices, parameters }: Draft, next: readonly NamedDevice[]): Partial<Draft> => ({
  devices: next.map((one) => devices.find((old) => old === one) ?? { ...one, parameters }),
})

export const Where = ({ draft, set }: EditProps) => (
  <Section title={words.where}>
    <p>{draft.devices.length === 0 ? words.deviceAny : words.deviceSome}</p>
    <DeviceChoice
      devices={draft.devices}
      change={(devices: readonly NamedDevice[]) => set(withDevices(draft, devices))}
    />
    <div class="field">
      <InterfaceRows {...useRows(draft.interfaces, (interfaces) => set({ interfaces }))} />
    </div>
  </Section>
)

const ConditionRows = rowsOf({
  field: 'trapFilterEventParasInfo',
  title: '',
  noun: words.condition,
  columns: [
    { name: 'name', label: words.variable, required: true },
    { name: 'position', label: words.position, size: 'short', required: true },
    { name: 'value', label: words.value, required: true },
    { name: 'faultOid', label: words.conditionEvent, size: 'wide' },
  ],
})

/** What a row does not know is nothing to the service either. `inside` is the path of the group that has the rows. */
function useRows<T extends object>(all: readonly T[], change: (all: readonly T[]) => void, inside = /^/) {
  const refused = useContext(Refusal)
  const isHere = refused !== undefined && inside.test(refused.field)
  return {
    ...{ value: written(all), values: {} },
    error: isHere ? refused.message : '',
    errorAt: isHere ? refused.field.replace(inside, '') : '',
    change: (text: string) => change(JSON.parse(text)),
  }
}

interface ConditionsProps {
  readonly all: readonly RuleParameter[]
  readonly change: (all: readonly RuleParameter[]) => void
  /** Which of the devices it is of, as a pattern. */
  readonly place: string
}

const Conditions = ({ all, change, place }: ConditionsProps) => (
  <ConditionRows {...useRows(all, change, new RegExp(`^trapDevice\\[${place}\\]/`))} />
)

/** The same of all devices, or of each its own. */
export function Values({ draft, set }: EditProps) {
  const { devices, parameters, isApart } = draft
  const turn = () =>
    set(
      isApart
        ? { isApart: false, parameters: devices[0]?.parameters ?? [] }
        : { isApart: true, devices: devices.map((device) => ({ ...device, parameters })) },
    )
  const changeOf = (device: RuleDevice) => (next: readonly RuleParameter[]) =>
    set({ devices: devices.map((one) => (one === device ? { ...one, parameters: next } : one)) })
  const addAny = () =>
    set({ devices: [...devices, { id: anyDevice, name: words.anyDevice, parameters: [] }] })
  return (
    <Section title={words.parameters} hint={words.parametersHint}>
      {(isApart || devices.length > 1) && (
        <label class="check">
          <input type="checkbox" checked={isApart} onChange={turn} />
          {words.apart}
        </label>
      )}
      {isApart ? (
        <>
          {devices.map((device, index) => (
            <div
              key={`${device.id} ${index}`}
              class="field"
              role="group"
              aria-label={words.conditionsOf(device.name)}
            >
              <h3>{device.name}</h3>
              <Conditions all={device.parameters} change={changeOf(device)} place={`${index + 1}`} />
            </div>
          ))}
          {!devices.some(({ id }) => id === anyDevice) && (
            <button type="button" onClick={addAny}>
              {words.addAny}
            </button>
          )}
        </>
      ) : (
        <Conditions all={parameters} change={(next) => set({ parameters: next })} place={'\\d+'} />
      )}
    </Section>
  )
}

const Limit = ({
  id,
  name,
  label,
  value,
  hint,
  set,
}: {
  id: string
  /** Of the field of the service. */
  name: string
  label: string
  value: string
  hint: string
  set: (value: string) => void
}) => (
  <div class="field half">
    <label for={id}>{label}</label>
    <input
      id={id}
      {...useMark(name)}
      type="text"
      autocomplete="off"
      placeholder={hint}
      value={value}
      onInput={(event: Event) => set(typed(event))}
    />
  </div>
)

interface WhenProps {
  readonly title?: string
  readonly draft: Validity
  readonly set: (change: Partial<Validity>) => void
}

/** Of rules and of maintenance windows. */
export function When({ title = words.when, draft, set }: WhenProps) {
  const { startDay, endDay, startTime, endTime, isSpan } = draft
  const span = spanText(draft)
  return (
    <Section title={title} hint={words.whenHint(serverZone.value ?? '')}>
      <Weekdays chosen={draft.weekdays} change={(weekdays: readonly number[]) => set({ weekdays })} />
      <div class="halves">
        <Limit
          id="start-time"
          name="startTime"
          label={words.startTime}
          value={startTime}
          hint="0:00"
          set={(value: string) => set({ startTime: value })}
        />
        <Limit
          id="end-time"
          name="endTime"
          label={words.endTime}
          value={endTime}
          hint="24:00"
          set={(value: string) => set({ endTime: value })}
        />
        <Limit
          id="start-day"
          name="startDay"
          label={words.startDay}
          value={startDay}
          hint="2031-12-24"
          set={(value: string) => set({ startDay: value })}
        />
        <Limit
          id="end-day"
          name="endDay"
          label={words.endDay}
          value={endDay}
          hint="2031-12-26"
          set={(value: string) => set({ endDay: value })}
        />
      </div>
      {(startDay !== '' || endDay !== '') && (
        <label class="check">
          <input type="checkbox" checked={isSpan} onChange={() => set({ isSpan: !isSpan })} />
          {words.span}
        </label>
      )}
      {!isSpan && <WeekPicture stretches={stretchesOf(draft)} />}
      {span !== '' && !isSpan && <p>{words.outside(span)}</p>}
    </Section>
  )
}
