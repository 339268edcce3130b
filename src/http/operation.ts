// The type of an operation: path and method, required role, handler, input and output.

import type { FaultCode } from '../fault.ts'
import type { Scope } from '../resources/access/token.ts'
import type { List, SizeRule } from '../schema/list.ts'
import type { Shape } from '../schema/resource.ts'
import type { Scalar } from '../schema/scalar.ts'
import type { Needs, Permission } from './access-control.ts'
import type { Handler } from './call.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The response with a status. */
export type Answer =
  /** `page` is a list of rows, `rows` the same as a file. */
  | { readonly kind: 'page' | 'rows'; readonly shape: Shape }
  | { readonly kind: 'record'; readonly shape: Shape; readonly located?: true }
  /** Documents without end: mostly the first of these. */
  | { readonly kind: 'stream'; readonly shapes: readonly [Shape, ...Shape[]] }
  /** A page, a sheet, a document for programs, or a PDF. */
  | { readonly kind: 'report' }
  /** Where a record is; for a list of them, this document instead. */
  | { readonly kind: 'location'; readonly shape?: Shape }
  | { readonly kind: 'file' | 'text' | 'imported' | 'nothing' }

export type Answers = { readonly [status: number]: Answer }

/** The body: a document, one or a list of them, a file of rows, or plain text. */
export type Body = Shape | { readonly oneOrMore: Shape } | { readonly rows: Shape } | 'text'

/** A query parameter: what it means, and its type where that is not text. */
export interface Parameter {
  readonly meaning: string
  readonly scalar?: Scalar<unknown>
  readonly required?: true
  /** Whether it may be repeated, or have several values separated by commas. */
  readonly several?: true
}

/** The documentation of an operation, and everything else that the server needs. */
interface Details {
  /** The query parameters of a list. */
  readonly list?: List
  /** The size of a page, where the rows are not those of a list. */
  readonly pages?: SizeRule
  /** The list whose filters select the records. */
  readonly filters?: List
  /** Further query parameters. */
  readonly parameters?: Readonly<Record<string, string | Parameter>>
  readonly takes?: Body
  /** Whether the body may be left out. */
  readonly bodyOptional?: true
  readonly gives: Answers
  /** Whether it has a fixed format, whatever the caller accepts. */
  readonly ownForm?: true
  /** Errors that it answers besides those that follow from its role, method, path and body. */
  readonly alsoAnswers?: readonly FaultCode[]
  /** Never ends, so that HEAD would have nothing to report. */
  readonly endless?: true
  /** The word that must be in the scope of a token; without one, a role must. */
  readonly scope?: Scope
}

interface Entry extends Details, Permission {
  readonly handle: Handler
  /**
   * The verb names the operation, together with its subject; the words complete the sentence that begins with the verb.
   */
  readonly verb: string
  readonly words: string
}

export interface Operation extends Entry {
  readonly method: Method
  /** With `{id}` or `{name}` where it carries one. */
  readonly path: string
  readonly subject: string
}

/** The operations of one path. `subject` is the kind of record that they are about. */
export const at = (
  path: string,
  subject: string,
  entries: Readonly<Partial<Record<Method, Entry>>>,
): Operation[] =>
  Object.entries(entries).map(([method, entry]) => ({ ...entry, method: method as Method, path, subject }))

const forRole =
  (needs: Needs) =>
  (verb: string, words: string, handle: Handler, details: Details): Entry => ({
    needs,
    verb,
    words,
    handle,
    ...details,
  })

export const anyone = forRole('anyone')
export const viewer = forRole('viewer')
export const operator = forRole('operator')
export const administrator = forRole('administrator')

export const page = (shape: Shape): Answers => ({ 200: { kind: 'page', shape } })
export const rows = (shape: Shape): Answers => ({ 200: { kind: 'rows', shape } })
export const record = (shape: Shape): Answers => ({ 200: { kind: 'record', shape } })
export const file: Answers = { 200: { kind: 'file' } }
export const plainText: Answers = { 200: { kind: 'text' } }
export const done: Answers = { 204: { kind: 'nothing' } }
export const located = (...statuses: number[]): Answers =>
  Object.fromEntries(statuses.map((status) => [status, { kind: 'location' }]))
