// The readable name and value of a trap variable: from the definition of its event, from the module that defines its
// object, or its OID.

import type { Library } from '../mibs/module-library.ts'
import { display, label } from '../mibs/value-display.ts'
import { oidLength } from '../schema/scalar.ts'
import { watchedObject } from './watched-objects.ts'

/** A variable with the name and the value that people read. */
export interface NamedValue {
  readonly name: string
  readonly value: string
  readonly isKey: boolean
  /** The place of its variable in the trap. */
  readonly position: number
  /** The row it stands in, where a module names it. */
  readonly index?: string
  /** The value as it came, where the readable form differs. */
  readonly raw?: string
  /** The label of a number, without the number. */
  readonly label?: string | undefined
}

/** A variable that no definition names has the name of its object; one that no module knows, its OID. */
export function nameOf(library: Library, { oid, type, value }: Variable, position: number): NamedValue {
  const found = library.find(oid)
  if (!found) return { name: oid, value, isKey: false, position }
  const { object, index } = found
  const shown = display(object, value) ?? objectIn(library, type, value)
  const plain = { name: object.name, isKey: false, position, ...(index !== '' && { index }) }
  if (shown === undefined) return { ...plain, value }
  return { ...plain, value: shown, raw: value, label: label(object, value) }
}

/** The readable value of a variable that only a module describes. */
export function readable(
  library: Library,
  { oid, type, value }: Variable,
): { value: string; label?: string | undefined } {
  const named = objectIn(library, type, value)
  if (named !== undefined) return { value: named }
  const found = library.find(oid)
  const shown = found && display(found.object, value)
  return found && shown !== undefined ? { value: shown, label: label(found.object, value) } : { value }
}

/** An OID that is the value of a variable, as the name of its object and the row: `ifInOctets.3`. */
function objectIn(library: Library, type: string, value: string): string | undefined {
  if (type !== 'ObjectIdentifier') return undefined
  const found = library.find(value)
  if (!found) return watchedObject(value)
  return found.index === '' ? found.object.name : `${found.object.name}.${found.index}`
}

/** With the row, as people write it: `ifDescr.3`. */
export const fullName = ({ name, index }: NamedValue): string =>
  index === undefined ? name : `${name}.${index}`.slice(0, oidLength)

/** Every form in which somebody may write the value: rules must not depend on which modules are loaded. */
export const spellings = ({ value, raw, label: word }: NamedValue): string[] =>
  [value, raw, word].filter((one) => one !== undefined)

export interface Variable {
  readonly oid: string
  readonly type: string
  readonly value: string
}
