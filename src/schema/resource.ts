// Descriptions of resources: plain data from which readers, writers, columns and published schemas are derived.

import type { Scalar } from './scalar.ts'

/**
 * How a field gets its value. required: the caller must send it. optional: the caller may send it. assigned: the service sets
 * and stores it (an imported file may contain it). derived: computed when the record is written, never stored. secret:
 * the caller may send it; it is neither written nor stored with the record.
 */
export type Origin = 'required' | 'optional' | 'assigned' | 'derived' | 'secret'

export interface ScalarField<T = unknown, O extends Origin = Origin> {
  readonly kind: 'scalar'
  readonly origin: O
  readonly scalar: Scalar<T>
  /** The column, where it is not the field's name in snake case. */
  readonly column?: string
  /** Used for searching or sorting: a second column, `…_key`, contains the scalar's key. */
  readonly keyed: boolean
  /** How an absent value is written: not at all, or as an empty element. */
  readonly absent: 'omit' | 'empty'
  /** A derived or assigned value that some records do not have. */
  readonly mayBeAbsent?: true
  readonly part?: string
}

/** The same value under a second name, for readers of either spelling. */
export interface EchoField {
  readonly kind: 'echo'
  readonly of: string
}

export interface GroupField<F extends Fields = Fields, O extends Origin = Origin> {
  readonly kind: 'group'
  readonly origin: O
  readonly fields: F
}

/** A value repeated: `<otherAddress>…</otherAddress>` once for each. */
export interface SetField<T = unknown, O extends Origin = Origin> {
  readonly kind: 'set'
  readonly origin: O
  readonly scalar: Scalar<T>
  readonly part?: string
}

/** Records of the resource itself inside a record: a tree. */
export interface ChildrenField {
  readonly kind: 'children'
  readonly origin: 'derived'
}

export type Field = ScalarField | EchoField | SetField | GroupField | ChildrenField
export type Fields = { readonly [name: string]: Field }

/** Marks a field as belonging to a part of its record that some documents show by itself. */
export const inPart =
  (part: string) =>
  <F extends ScalarField | SetField>(field: F): F => ({ ...field, part })

/** The fields of a part, in the order of the description. */
export const fieldsIn = (fields: Fields, part: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => 'part' in field && field.part === part))

export type RecordOf<F extends Fields> = {
  -readonly [K in keyof F as F[K] extends EchoField ? never : K]: F[K] extends ScalarField<infer T, infer O>
    ? O extends 'optional' | 'secret'
      ? T | null
      : T
    : F[K] extends SetField<infer T>
      ? T[]
      : F[K] extends GroupField<infer G>
        ? RecordOf<G>[]
        : unknown[]
}

/** The fields a caller sent: an absent field was not mentioned; `null` (or `[]`) means "clear it". */
export type DraftOf<F extends Fields> = { [K in keyof RecordOf<F>]?: RecordOf<F>[K] | null }

export type AnyRecord = { [field: string]: unknown }

/** A document that is written but not stored, such as an error or the service root. */
export interface Shape<F extends Fields = Fields> {
  /** Root element, and the name of a row in a list. */
  readonly name: string
  readonly fields: F
}

export interface Resource<F extends Fields = Fields> extends Shape<F> {
  readonly table: string
  /** The field that identifies a record; its column is `id`. */
  readonly key: string
  /** Elements that iMC-compatible clients send and that have no meaning here. */
  readonly ignored: readonly string[]
}

interface ScalarOptions {
  readonly column?: string
  readonly keyed?: boolean
  readonly absent?: 'omit' | 'empty'
  readonly mayBeAbsent?: true
}

function scalarField<T, O extends Origin>(
  origin: O,
  scalar: Scalar<T>,
  options: ScalarOptions,
): ScalarField<T, O> {
  return { kind: 'scalar', origin, scalar, keyed: false, absent: 'omit', ...options }
}

/** An absent value is written as an empty element, so that readers find every documented field. */
export const empty = { absent: 'empty' } as const

export const required = <T>(scalar: Scalar<T>, options: ScalarOptions = {}) =>
  scalarField('required', scalar, options)
export const optional = <T>(scalar: Scalar<T>, options: ScalarOptions = {}) =>
  scalarField('optional', scalar, options)
export const assigned = <T>(scalar: Scalar<T>, options: ScalarOptions = {}) =>
  scalarField('assigned', scalar, options)
export const derived = <T>(scalar: Scalar<T>, options: ScalarOptions = {}) =>
  scalarField('derived', scalar, options)
export const secret = <T>(scalar: Scalar<T>) => scalarField('secret', scalar, {})
export const echo = (of: string): EchoField => ({ kind: 'echo', of })
export const set = <T>(scalar: Scalar<T>): SetField<T, 'optional'> => ({
  kind: 'set',
  origin: 'optional',
  scalar,
})
export const assignedSet = <T>(scalar: Scalar<T>): SetField<T, 'assigned'> => ({
  kind: 'set',
  origin: 'assigned',
  scalar,
})
export const groups = <F extends Fields>(fields: F): GroupField<F, 'optional'> => ({
  kind: 'group',
  origin: 'optional',
  fields,
})
export const requiredGroups = <F extends Fields>(fields: F): GroupField<F, 'required'> => ({
  kind: 'group',
  origin: 'required',
  fields,
})
export const children = (): ChildrenField => ({ kind: 'children', origin: 'derived' })

export const isSecret = (field: Field) => field.kind === 'scalar' && field.origin === 'secret'

interface ResourceOptions<F extends Fields> {
  readonly table: string
  readonly key: keyof F & string
  readonly ignored?: readonly string[]
}

export function resource<F extends Fields>(
  name: string,
  fields: F,
  options: ResourceOptions<F>,
): Resource<F> {
  return { name, fields, ignored: [], ...options }
}

export function columnOf(resource: Resource, name: string): string {
  if (name === resource.key) return 'id'
  const field = resource.fields[name]
  const own = field?.kind === 'scalar' ? field.column : undefined
  return own ?? name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
}
