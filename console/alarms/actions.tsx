// What people do with alarms, one or many: the one small dialog for the details.

import { signal } from '@preact/signals'
import { useRef, useState } from 'preact/hooks'
import { list } from '../core/api.ts'
import { isSignedOut } from '../core/refused.ts'
import { may, session } from '../core/session.ts'
import { now, timeText } from '../core/time-text.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Unsaved } from '../parts/draft.tsx'
import { useLoad } from '../parts/load.tsx'
import { complain, say } from '../parts/toast.tsx'
import { texts } from '../texts/shared-texts.ts'
import { type Action, carryOut, type Given } from './doing.ts'
import { type Ending, endOf, mornings } from './ending.ts'
import type { AlarmRow } from './row.ts'
import { active, chosen, deselect } from './shown.ts'

const words = texts.actions

interface Asked {
  readonly action: Action
  readonly alarms: readonly AlarmRow[]
}

const asked = signal<Asked | undefined>(undefined)

/** Opens the dialog; where nothing is chosen, or the operator may not do it, nothing happens. */
export function begin(action: Action, alarms: readonly AlarmRow[] = chosen()): void {
  if (!may('operator')) return
  if (alarms.length > 0) asked.value = { action, alarms }
  else if (active.value !== '') say(words.isOver)
}

const shownOfMany = 4

const Chosen = ({ alarms }: { alarms: readonly AlarmRow[] }) => (
  <ul class="chosen">
    {alarms.slice(0, shownOfMany).map(({ id, device, text }) => (
      <li key={id}>
        <b>{device}</b> <span>{text}</span>
      </li>
    ))}
    {alarms.length > shownOfMany && <li>{words.andMore(alarms.length - shownOfMany)}</li>}
  </ul>
)

const typed = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value

interface FieldsProps extends Asked {
  readonly given: Given
  readonly set: (change: Partial<Given>) => void
}

interface Time {
  readonly label: string
  /** The time of an acknowledgement is rarely chosen: Enter does it. */
  readonly focused: boolean
  readonly first: readonly Choice[]
  readonly last?: readonly Choice[]
}

type Choice = readonly [Given['ending'], string]

/** Until a morning, or for how long, and the time that this is. */
function TimeField({
  label,
  focused,
  first,
  last = [],
  given: { ending },
  set,
}: Time & Pick<FieldsProps, 'given' | 'set'>) {
  const until = ending === 'none' ? 0 : endOf(ending, now.value)
  const times: readonly Choice[] = [
    ...first,
    ...mornings(now.value).map((one) => [one, words[one]] as const),
    ...words.times,
    ...last,
  ]
  return (
    <label>
      {label}
      <select
        autofocus={focused}
        value={ending}
        onChange={(event: Event) => set({ ending: typed(event) as Ending })}
      >
        {times.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {until > 0 && <span class="hint">{words.until(timeText(until).slice(0, 16))}</span>}
    </label>
  )
}

interface OperatorName {
  readonly name: string
  readonly fullName: string
}

/** One of the operators; as long as there are none, any name. */
function OwnerField({ given, set }: Pick<FieldsProps, 'given' | 'set'>) {
  const loaded = useLoad((over) => list<OperatorName>('/plat/operator/name', {}, over), [])
  const names = loaded.data?.rows ?? []
  const change = (event: Event) => set({ owner: typed(event) })
  const isOpen = session.value.state === 'open'
  return (
    <label>
      {words.owner}
      {isOpen ? (
        <input type="text" autofocus maxlength={255} value={given.owner} onInput={change} />
      ) : (
        <select autofocus value={given.owner} onChange={change}>
          <option value="">{words.nobody}</option>
          {names.map(({ name, fullName }) => (
            <option key={name} value={name}>
              {fullName === '' ? name : words.named(name, fullName)}
            </option>
          ))}
        </select>
      )}
    </label>
  )
}

const noShelf: Choice = ['none', words.noShelf]
const noEnd: Choice = ['', words.noEnd]
const whileNoWorse: Choice = ['', words.whileNoWorse]

function Fields({ action, alarms, given, set }: FieldsProps) {
  const isShelved = alarms.some(({ shelvedUntil }) => shelvedUntil > 0)
  const isText = action === 'remark' || action === 'note'
  return (
    <>
      {action === 'shelve' && (
        <TimeField
          label={words.shelfEnd}
          focused
          first={isShelved ? [noShelf] : []}
          last={[whileNoWorse]}
          given={given}
          set={set}
        />
      )}
      {action === 'shelve' && given.ending !== 'none' && given.ending !== '' && (
        <label class="check">
          <input
            type="checkbox"
            checked={given.untilWorse}
            onChange={() => set({ untilWorse: !given.untilWorse })}
          />
          {words.untilWorse}
        </label>
      )}
      {action === 'acknowledge' && (
        <TimeField label={words.ackEnd} focused={false} first={[noEnd]} given={given} set={set} />
      )}
      {action === 'assign' && <OwnerField given={given} set={set} />}
      {action !== 'end' && (
        <label>
          {action === 'remark' ? words.remark : action === 'note' ? words.note : words.withNote}
          <input
            type="text"
            autofocus={isText}
            required={action === 'note'}
            pattern={action === 'note' ? '.*\\S.*' : undefined}
            maxlength={action === 'remark' ? 255 : 2000}
            value={given.text}
            onInput={(event: Event) => set({ text: typed(event) })}
          />
        </label>
      )}
    </>
  )
}

function ActionForm({ action, alarms }: Asked) {
  const [given, setGiven] = useState<Given>(() => ({
    text: action === 'remark' && alarms.length === 1 ? (alarms[0]?.remark ?? '') : '',
    owner: session.value.name,
    ending: action === 'shelve' ? (mornings(now.peek())[0] ?? 'tomorrow') : '',
    untilWorse: false,
  }))
  const [typedBefore] = useState(given.text)
  // What failed can be tried again with those that are left.
  const [left, setLeft] = useState(alarms)
  const [done, setDone] = useState(-1)
  const [refused, setRefused] = useState('')
  const course = useRef(new AbortController())
  const close = () => {
    course.current.abort()
    asked.value = undefined
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    setDone(0)
    setRefused('')
    const trimmed = { ...given, text: given.text.trim(), owner: given.owner.trim() }
    const over = course.current.signal
    let count = 0
    const progress = (now: number) => {
      deselect(left.slice(count, now).map(({ id }) => id))
      count = now
      setDone(now)
    }
    try {
      await carryOut(action, left, trimmed, { progress, over })
      if (!over.aborted) close()
    } catch (error) {
      if (over.aborted) return complain(error)
      setLeft(left.slice(count))
      setDone(-1)
      if (!isSignedOut(error)) setRefused((error as Error).message)
    }
  }
  const title = words.title(words[action], left.length)
  const set = (change: Partial<Given>) => setGiven((before) => ({ ...before, ...change }))
  return (
    <Dialog title={title} onClose={close}>
      <form onSubmit={submit}>
        <Unsaved name="action" isChanged={given.text !== typedBefore} />
        <Chosen alarms={left} />
        <p class="hint">{words.hints[action]}</p>
        <Fields action={action} alarms={alarms} given={given} set={set} />
        {refused !== '' && (
          <p class="field-error" role="alert">
            {refused}
          </p>
        )}
        <footer>
          <button type="button" onClick={close}>
            {texts.cancel}
          </button>
          <button
            type="submit"
            class={`main ${action === 'end' ? 'danger' : ''}`}
            autofocus={action === 'acknowledge' || action === 'end'}
            disabled={done >= 0}
          >
            {done >= 0 ? words.working(done, left.length) : words[action]}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

export const ActionDialog = () => asked.value && <ActionForm {...asked.value} />
