// Which columns a list has, in which order and how wide: chosen by the person at this browser, and remembered for them.

import { type Signal, signal } from '@preact/signals'
import { session } from '../core/session.ts'

export interface ColumnChoice {
  /** By key; those that are not named keep their place after the ones before them. */
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  /** Those that are hidden unless somebody asks for them. */
  readonly added: readonly string[]
  /** In pixels; others have the width that their content needs. */
  readonly widths: Readonly<Record<string, number>>
}

const defaultChoice: ColumnChoice = { order: [], hidden: [], added: [], widths: {} }

export const minWidth = 48
export const maxWidth = 1200

const keyFor = (list: string) => `belfry columns ${session.value.operatorId} ${list}`

const isText = (value: unknown): value is string => typeof value === 'string'
const texts = (value: unknown) => (Array.isArray(value) ? value.filter(isText) : [])

/** What an older version, or somebody, has written to the storage may be anything. */
function readChoice(stored: string | null): ColumnChoice {
  try {
    const { order, hidden, added, widths } = JSON.parse(stored ?? '{}') as Record<string, unknown>
    const pairs = Object.entries((widths ?? {}) as object).filter(
      ([, width]) => typeof width === 'number' && width >= minWidth && width <= maxWidth,
    )
    return {
      order: texts(order),
      hidden: texts(hidden),
      added: texts(added),
      widths: Object.fromEntries(pairs),
    }
  } catch {
    return defaultChoice
  }
}

const choices = new Map<string, Signal<ColumnChoice>>()

function choiceFor(list: string): Signal<ColumnChoice> {
  const key = keyFor(list)
  const known = choices.get(key) ?? signal(readChoice(localStorage.getItem(key)))
  choices.set(key, known)
  return known
}

export const columnChoice = (list: string): ColumnChoice => choiceFor(list).value

export function chooseColumns(list: string, change: Partial<ColumnChoice>): void {
  const choice = choiceFor(list)
  choice.value = { ...choice.value, ...change }
  localStorage.setItem(keyFor(list), JSON.stringify(choice.value))
}

export function forgetColumns(list: string): void {
  choiceFor(list).value = defaultChoice
  localStorage.removeItem(keyFor(list))
}

export const isDefaultChoice = (choice: ColumnChoice) =>
  JSON.stringify(choice) === JSON.stringify(defaultChoice)

/** It was chosen in another tab. */
export function followColumns(): void {
  addEventListener('storage', ({ key, newValue }) => {
    const choice = choices.get(key ?? '')
    if (choice) choice.value = readChoice(newValue)
  })
}

interface Known {
  readonly key: string
  /** It cannot be left out. */
  readonly isFixed?: boolean
  /** Only shown where somebody asks for it. */
  readonly isExtra?: boolean
}

/** All of them in the order that was chosen; one that is new stays after the one that it usually follows. */
export function ordered<C extends Known>(columns: readonly C[], { order }: ColumnChoice): C[] {
  const result = order.flatMap((key) => columns.find((column) => column.key === key) ?? [])
  for (const [index, column] of columns.entries()) {
    if (result.includes(column)) continue
    const before = columns[index - 1]
    result.splice(before ? result.indexOf(before) + 1 : 0, 0, column)
  }
  return result
}

export const isShown = ({ key, isFixed = false, isExtra = false }: Known, choice: ColumnChoice): boolean =>
  isFixed || (isExtra ? choice.added.includes(key) : !choice.hidden.includes(key))

export const arranged = <C extends Known>(columns: readonly C[], choice: ColumnChoice): C[] =>
  ordered(columns, choice).filter((column) => isShown(column, choice))
