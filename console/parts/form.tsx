// Forms that are described as data: fields, their values, and where a refusal of the service belongs.

import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { isSignedOut, Refused } from '../core/refused.ts'
import { texts } from '../texts/shared-texts.ts'
import { type Kind, OneByName } from './by-name.tsx'
import { DialogChanges } from './dialog.tsx'
import { RestoredNote, useDraft } from './draft.tsx'
import { messageAt, messageFor } from './refusal.ts'

export interface FormField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly kind?: 'text' | 'number' | 'password' | 'present' | 'area' | 'check' | 'choice' | 'date' | 'time'
  readonly choices?: Readonly<Record<string, string>>
  /** One of these, by its name; `none` is what choosing nothing means, where nothing may be chosen. */
  readonly of?: Kind
  readonly none?: string
  /** One that is not offered, for the values of the form. */
  readonly without?: (values: Values) => string
  /** Whether it is asked for at all, for the values of the form. */
  readonly shown?: (values: Values) => boolean
  readonly required?: boolean
  readonly placeholder?: string
  /** Two stand side by side. */
  readonly half?: boolean
  /** In the place of label and input: such as devices that are chosen by name. */
  readonly control?: (props: ChoosingProps) => ComponentChildren
  /** The control has fields of its own, and shows itself which of them a refusal is about. */
  readonly placesErrors?: boolean
}

export interface ChoosingProps {
  readonly value: string
  /** Of all fields. */
  readonly values: Values
  /** Why it was refused, and which part of it, as the service names it: `parameter[2]/oid`. */
  readonly error: string
  readonly errorAt: string
  readonly change: (value: string) => void
}

export type Values = Readonly<Record<string, string>>

interface FieldProps extends ChoosingProps {
  readonly field: FormField
}

const typed = (event: Event) => (event.target as HTMLInputElement).value

function Control({ field, value, values, error, change }: FieldProps) {
  const { name, kind = 'text', choices = {}, required = false, placeholder = '' } = field
  const described = [error !== '' && `${name}-error`, field.hint && `${name}-hint`].filter(Boolean).join(' ')
  const common = {
    id: `field-${name}`,
    name,
    required,
    'aria-invalid': error !== '' ? true : undefined,
    'aria-describedby': described === '' ? undefined : described,
  }
  if (field.of) {
    const { id, name: _, ...state } = common
    return (
      <OneByName
        id={id}
        state={state}
        label={field.label}
        kind={field.of}
        any={field.none}
        without={field.without?.(values)}
        value={value}
        change={change}
      />
    )
  }
  const onInput = (event: Event) => change(typed(event))
  if (kind === 'choice')
    return (
      <select {...common} value={value} onChange={onInput}>
        {Object.entries(choices).map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    )
  if (kind === 'area') return <textarea {...common} rows={4} value={value} onInput={onInput} />
  const given = { ...common, spellcheck: false, placeholder, value, onInput }
  if (kind === 'date') return <input type="date" autocomplete="off" {...given} />
  if (kind === 'time') return <input type="time" autocomplete="off" {...given} />
  if (kind === 'password') return <input type="password" autocomplete="new-password" {...given} />
  if (kind === 'present') return <input type="password" autocomplete="current-password" {...given} />
  return (
    <input type="text" inputmode={kind === 'number' ? 'numeric' : undefined} autocomplete="off" {...given} />
  )
}

export function Field(props: FieldProps) {
  const { field, value, error, change } = props
  const { name, label, hint, kind, half, control: Choosing, placesErrors = false } = field
  if (Choosing)
    return (
      <div class="field">
        <Choosing {...props} />
        {hint && <p class="hint">{hint}</p>}
        {error !== '' && !placesErrors && <p class="field-error">{error}</p>}
      </div>
    )
  if (kind === 'check')
    return (
      <label class="check">
        <input
          type="checkbox"
          name={name}
          checked={value === 'true'}
          onChange={() => change(value === 'true' ? 'false' : 'true')}
        />
        {label}
      </label>
    )
  return (
    <div class={`field ${half ? 'half' : ''}`}>
      <label for={`field-${name}`}>
        {label}
        {!field.required && (
          <>
            {' '}
            <span class="hint">{texts.form.optional}</span>
          </>
        )}
      </label>
      <Control {...props} />
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error !== '' && (
        <p class="field-error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

interface FormProps {
  readonly fields: readonly FormField[]
  readonly values: Values
  readonly submitText: string
  readonly onSubmit: (values: Values) => Promise<void>
  readonly onCancel?: () => void
  /** Called with every change, for pages that show its effect. */
  readonly onChange?: (values: Values) => void
  /** For those who may not change it. */
  readonly isOnlyShown?: boolean
  /** Names what is edited: what was typed and not saved is there again when one returns. */
  readonly draftKey?: string
  /** Something is tried out, and nothing saved: the form may be left at any time. */
  readonly isTrial?: boolean
  readonly children?: ComponentChildren
}

const secretKinds: ReadonlySet<FormField['kind']> = new Set(['password', 'present'])

/** What may be kept while the form is closed. */
const withoutSecrets = (fields: readonly FormField[], values: Values): Values => {
  const secrets = new Set(fields.filter(({ kind }) => secretKinds.has(kind)).map(({ name }) => name))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secrets.has(name)))
}

/** Sends the values; a refusal is shown at the field it names, or above the buttons. */
export function Form(props: FormProps) {
  const {
    fields: all,
    values: given,
    submitText,
    onSubmit,
    onCancel,
    onChange,
    isOnlyShown,
    draftKey,
    isTrial = false,
    children,
  } = props
  // Outside a dialog, a form that names nothing only tries something out.
  const isInDialog = useContext(DialogChanges) !== undefined
  const isGuarded = !isTrial && (isInDialog || draftKey !== undefined)
  const draft = useDraft(draftKey, given, { kept: (typed) => withoutSecrets(all, typed), isGuarded })
  const { value: values, change: setValues } = draft
  const fields = all.filter(({ shown }) => shown?.(values) ?? true)
  useEffect(() => onChange?.(values), [values])
  const [refused, setRefused] = useState<Refused | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  // The refused field may be far above the button that was pressed.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [refused])
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setRefused(undefined)
    try {
      await onSubmit(values)
      draft.forget()
    } catch (error) {
      if (!isSignedOut(error))
        setRefused(error instanceof Refused ? error : new Refused(0, '', (error as Error).message))
    }
    setBusy(false)
  }
  const isAt = (name: string) => refused !== undefined && refused.field.split(/[[/]/)[0] === name
  const labels = Object.fromEntries(all.map(({ name, label }) => [name, label]))
  const elsewhere = refused && !fields.some(({ name }) => isAt(name))
  return (
    <form class="fields" ref={form} onSubmit={submit} novalidate>
      <RestoredNote {...draft} />
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          values={values}
          error={refused && isAt(field.name) ? messageAt(refused, labels) : ''}
          errorAt={refused?.field ?? ''}
          change={(value: string) => setValues((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      {children}
      {elsewhere && (
        <p class="field-error" role="alert">
          {messageFor(refused, labels)}
        </p>
      )}
      {!isOnlyShown && (
        <footer>
          {onCancel && (
            <button
              type="button"
              onClick={() => {
                draft.forget()
                onCancel()
              }}
            >
              {texts.cancel}
            </button>
          )}
          <button type="submit" class="main" disabled={busy}>
            {submitText}
          </button>
        </footer>
      )}
    </form>
  )
}
