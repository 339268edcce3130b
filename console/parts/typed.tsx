// Several values that are typed, with suggestions of what there is: names of people, events by name or OID.

import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { texts } from '../texts/shared.ts'
import { type Finding, type Found, Suggestions, useFound } from './suggest.tsx'

interface TypedProps {
  readonly label: string
  readonly hint: string
  readonly placeholder?: string
  readonly values: readonly string[]
  readonly change: (values: readonly string[]) => void
  readonly find: (text: string) => Promise<Finding>
  /** Whether what is typed may be added although nobody suggested it. */
  readonly accepts: (text: string) => boolean
  readonly show?: (value: string) => ComponentChildren
}

const asItIs = (value: string): ComponentChildren => value

export function TypedValues({
  label,
  hint,
  placeholder = '',
  values,
  change,
  find,
  accepts,
  show = asItIs,
}: TypedProps) {
  const [text, setText] = useState('')
  const id = useId()
  const found = useFound(text, find, (value) => values.includes(value))
  const add = (value: string) => {
    if (!values.includes(value)) change([...values, value])
    setText('')
  }
  const addTyped = () => {
    const value = text.trim()
    if (value !== '' && accepts(value)) add(value)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    addTyped()
  }
  const token = (value: string) => (
    <li key={value}>
      {show(value)}
      <button
        type="button"
        class="plain icon"
        aria-label={texts.list.without(label, value)}
        onClick={() => change(values.filter((one) => one !== value))}
      >
        ✕
      </button>
    </li>
  )
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {values.length > 0 && <ul class="tokens">{values.map(token)}</ul>}
      <input
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        placeholder={values.length === 0 ? placeholder : ''}
        aria-describedby={`${id}-hint`}
        value={text}
        onInput={(event: InputEvent) => setText((event.target as HTMLInputElement).value)}
        onBlur={addTyped}
        onKeyDown={onKey}
      />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      {/* The field keeps the focus while a suggestion is clicked: what was typed so far is not the value. */}
      <div onMouseDown={(event: Event) => event.preventDefault()}>
        <Suggestions finding={found} pick={({ value }: Found) => add(value)} />
      </div>
    </div>
  )
}
