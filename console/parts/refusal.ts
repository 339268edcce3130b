// A refusal in the words of the page: the service names fields of its interface, people see labels.

import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { Refused } from '../core/refused.ts'

/** Labels by field; fields of a group by their path without numbers, as in `ifInfo/ifIndex`. */
export type Labels = Readonly<Record<string, string>>

const withoutNumbers = (field: string) => field.replace(/\[\d+\]/g, '')

const labelOf = (labels: Labels, name: string) => (Object.hasOwn(labels, name) ? labels[name] : undefined)

/** Of names that are no words of English alone. */
const fieldName = /\b[a-z]+[A-Z]\w*\b/g

const quoted = (labels: Labels, text: string) =>
  text.replace(fieldName, (name) => {
    const label = labelOf(labels, name)
    return label === undefined ? name : `“${label}”`
  })

/** The message beside the field that it is about. */
export function messageAt({ message, field }: Pick<Refused, 'message' | 'field'>, labels: Labels): string {
  const label = labelOf(labels, withoutNumbers(field))
  return label !== undefined && message.startsWith(field)
    ? label + quoted(labels, message.slice(field.length))
    : quoted(labels, message)
}

/** The message in another place, which has to name the field. */
export function messageFor(refused: Pick<Refused, 'message' | 'field'>, labels: Labels): string {
  const label = labelOf(labels, withoutNumbers(refused.field))
  const message = messageAt(refused, labels)
  return label === undefined || message.startsWith(label) ? message : `${label}: ${message}`
}

/** What the service refused of the fields of an editor. */
export const Refusal = createContext<Refused | undefined>(undefined)

/** Marks the control of a field that was refused; a path with numbers is that of one member of a group alone. */
export function useMark(name: string): { readonly 'aria-invalid'?: true } {
  const field = useContext(Refusal)?.field ?? ''
  return field !== '' && (field === name || withoutNumbers(field) === name) ? { 'aria-invalid': true } : {}
}

/** What was refused when it was sent: until something of it changes. The marked field gets the focus. */
export function useRefused(draft: object): [Refused | undefined, (refused: Refused) => void] {
  const [refused, setRefused] = useState<Refused | undefined>(undefined)
  useEffect(() => setRefused(undefined), [JSON.stringify(draft)])
  useEffect(() => {
    if (refused) document.querySelector<HTMLElement>('form [aria-invalid]')?.focus()
  }, [refused])
  return [refused, setRefused]
}
