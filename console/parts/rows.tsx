// A field of a form that holds a list of things, each with fields of its own: variables of an event, ports of a device.
// The form holds all of them in one text.

import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { texts } from '../texts/shared-texts.ts'
import { DeviceInput } from './device-input.tsx'
import { deviceName } from './device-names.tsx'
import type { ChoosingProps } from './form.tsx'
import { Icon } from './icon.tsx'
import { messageAt } from './refusal.ts'
import { parsed, type Row, written } from './row-values.ts'

const words = texts.rows

export interface RowColumn {
  readonly name: string
  readonly label: string
  /** `device` is found by its name, and held by its id. */
  readonly kind?: 'text' | 'check' | 'choice' | 'device'
  /** The first is chosen in a new row. */
  readonly choices?: readonly (readonly [value: string, text: string])[]
  readonly placeholder?: string
  /** Else its label says that it is optional. */
  readonly required?: boolean
  /** `wide` has a line to itself, `short` is for a number. */
  readonly size?: 'wide' | 'short'
}

export interface RowsOptions {
  /** The service's name for the list. */
  readonly field: string
  readonly title: string
  readonly hint?: string
  /** The noun for one of them. */
  readonly noun: string
  /** The first one names a row. */
  readonly columns: readonly RowColumn[]
  /** Rows that are suggested. */
  readonly offer?: (props: OfferProps) => ComponentChildren
}

export interface OfferProps {
  readonly rows: readonly Row[]
  readonly add: (row: Row) => void
}

const typed = (event: Event) => (event.target as HTMLInputElement).value

interface CellProps {
  readonly id: string
  readonly column: RowColumn
  readonly value: string
  /** Empty where nothing is wrong with it. */
  readonly error: string
  readonly set: (value: string | undefined) => void
}

function Cell({
  id,
  column: { name, label, kind, choices = [], placeholder = '', required, size },
  value,
  error,
  set,
}: CellProps) {
  const isWrong = error !== ''
  const invalid = isWrong ? { 'aria-invalid': true, 'aria-describedby': `${id}-error` } : {}
  if (kind === 'check')
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={value === 'true'}
          onChange={() => set(value === 'true' ? undefined : 'true')}
        />
        {label}
      </label>
    )
  return (
    <div class={`field ${size ?? ''}`} key={name}>
      <label for={id}>
        {label}
        {!required && (
          <>
            {' '}
            <span class="hint">{texts.form.optional}</span>
          </>
        )}
      </label>
      {kind === 'device' ? (
        <DeviceInput
          id={id}
          label={label}
          value={value}
          none={texts.list.none}
          state={invalid}
          change={(device) => set(device === '' ? undefined : device)}
        />
      ) : kind === 'choice' ? (
        <select id={id} {...invalid} value={value} onInput={(event: Event) => set(typed(event))}>
          {choices.map(([one, text]) => (
            <option key={one} value={one} selected={one === value}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          {...invalid}
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder={placeholder}
          value={value}
          onInput={(event: Event) => set(typed(event))}
        />
      )}
      {isWrong && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

interface OneProps {
  readonly id: string
  readonly title: string
  readonly columns: readonly RowColumn[]
  readonly row: Row
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly errorIn: (column: string) => string
  readonly change: (change: Row) => void
  readonly move: (by: -1 | 1) => void
  readonly remove: () => void
}

function One({ id, title, columns, row, isFirst, isLast, errorIn, change, move, remove }: OneProps) {
  const cellOf = (column: RowColumn) => (
    <Cell
      key={column.name}
      id={`${id}-${column.name}`}
      column={column}
      value={row[column.name] ?? ''}
      error={errorIn(column.name)}
      set={(value: string | undefined) => change({ [column.name]: value })}
    />
  )
  const checks = columns.filter(({ kind }) => kind === 'check')
  return (
    <div class="row-card" role="group" aria-label={title}>
      {columns.filter(({ kind }) => kind !== 'check').map(cellOf)}
      <div class={`row-foot ${checks.length > 0 ? 'checked' : ''}`}>
        {checks.map(cellOf)}
        <div class="buttons">
          <button
            type="button"
            class="plain icon"
            id={`${id}-up`}
            disabled={isFirst}
            aria-label={words.up(title)}
            onClick={() => move(-1)}
          >
            <Icon name="arrowUp" />
          </button>
          <button
            type="button"
            class="plain icon"
            id={`${id}-down`}
            disabled={isLast}
            aria-label={words.down(title)}
            onClick={() => move(1)}
          >
            <Icon name="arrowDown" />
          </button>
          <button type="button" class="plain icon" aria-label={words.remove(title)} onClick={remove}>
            <Icon name="close" />
          </button>
        </div>
      </div>
    </div>
  )
}

/**
 * The first cannot go up and the last cannot go down: a button that was pressed there is disabled, the other is not.
 */
function pressedNext(to: number, by: -1 | 1, last: number): 'up' | 'down' {
  if (to === 0) return 'down'
  if (to === last) return 'up'
  return by < 0 ? 'up' : 'down'
}

const swapped = (rows: readonly Row[], a: number, b: number) =>
  rows.map((row, at) => (at === a ? (rows[b] ?? row) : at === b ? (rows[a] ?? row) : row))

/** Where the focus goes once a change has been drawn: what was pressed may have moved or gone. */
function useFocusAfter(value: string): (id: string) => void {
  const next = useRef('')
  useEffect(() => {
    if (next.current !== '') document.getElementById(next.current)?.focus()
    next.current = ''
  }, [value])
  return (id) => {
    next.current = id
  }
}

/** Something is always chosen. */
const blankOf = (columns: readonly RowColumn[]): Row =>
  Object.fromEntries(
    columns.flatMap(({ name, choices }) => (choices?.[0] ? [[name, choices[0][0]] as const] : [])),
  )

/** A control of a form; it shows itself where an error belongs (`placesErrors`). */
export const rowsOf = ({ field, title, hint, noun, columns, offer: Offer }: RowsOptions) =>
  function Rows({ value, error, errorAt, change }: ChoosingProps) {
    const rows = parsed(value)
    const last = rows.length - 1
    const id = useId()
    const focusAfter = useFocusAfter(value)
    const naming = columns[0] as RowColumn
    const labels = Object.fromEntries(columns.map(({ name, label }) => [`${field}/${name}`, label]))
    const set = (changed: readonly Row[], focus = '') => {
      focusAfter(focus)
      change(written(changed))
    }
    const add = (row: Row) => set([...rows, row], `${id}-${rows.length}-${naming.name}`)
    const nameOf = (row: Row) => {
      const name = row[naming.name] ?? ''
      return naming.kind === 'device' ? deviceName(name) || name : name
    }
    const propsOf = (row: Row, index: number): OneProps => ({
      ...{ id: `${id}-${index}`, title: words.one(noun, index + 1, nameOf(row)), columns, row },
      isFirst: index === 0,
      isLast: index === last,
      // The service counts from 1.
      errorIn: (column) =>
        errorAt === `${field}[${index + 1}]/${column}`
          ? messageAt({ message: error, field: errorAt }, labels)
          : '',
      change: (part) => set(rows.map((old) => (old === row ? { ...old, ...part } : old))),
      move: (by) =>
        set(swapped(rows, index, index + by), `${id}-${index + by}-${pressedNext(index + by, by, last)}`),
      remove: () =>
        set(
          rows.filter((old) => old !== row),
          `${id}-add`,
        ),
    })
    const isPlaced = columns.some(
      ({ name }) => errorAt.startsWith(`${field}[`) && errorAt.endsWith(`]/${name}`),
    )
    return (
      <>
        {title !== '' && <b>{title}</b>}
        {hint && <p class="hint">{hint}</p>}
        {rows.map((row, index) => (
          <One key={index} {...propsOf(row, index)} />
        ))}
        {error !== '' && !isPlaced && (
          <p class="field-error" role="alert">
            {error}
          </p>
        )}
        {Offer && <Offer rows={rows} add={add} />}
        <div class="buttons">
          <button type="button" id={`${id}-add`} onClick={() => add(blankOf(columns))}>
            {words.add(noun)}
          </button>
        </div>
      </>
    )
  }
