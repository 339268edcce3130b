// Reads a client's registration from its query, with warnings where it may not do what the client expects.

import { shown } from '../fault.ts'
import { oneScalar, oneText, oneValue, type Parameters } from '../schema/list.ts'
import { bool } from '../schema/scalar.ts'
import { type Position, readPosition } from './positions.ts'
import { requireUuid } from './registration-claims.ts'
import { type StreamForm, sharedVariant, type Variant } from './stream-documents.ts'
import { type Filter, type Filters, filterParameters } from './stream-filter.ts'

export interface RegistrationQuery {
  readonly filter: Filter
  /** The filter's parameters, as a query string. */
  readonly query: string
  readonly variant: Variant
  readonly uuid: string | undefined
  /** A position that the client sent; it takes precedence over everything else. */
  readonly position: { readonly text: string; readonly value: Position } | undefined
  readonly snapshot: boolean
  readonly warnings: readonly string[]
}

const knownParameters: readonly string[] = [
  'type',
  'uuid',
  ...filterParameters,
  'cursor',
  'since',
  'snapshot',
]
const warningLimit = 5

/** `lastEventId` is the header of event streams, where the client sends one. */
export function readRegistrationQuery(
  parameters: Parameters,
  form: StreamForm,
  lastEventId: string | undefined,
  filters: Filters,
): RegistrationQuery {
  const filter = filters.read(parameters)
  const uuid = oneText(parameters, 'uuid')
  const cursor = oneScalar(parameters, 'cursor', bool) ?? false
  return {
    filter,
    query: filterQuery(parameters),
    variant: sharedVariant({
      form,
      sendRecovered: filter.sendRecovered,
      cursor,
      changes: filter.changes,
    }),
    uuid: uuid === undefined ? undefined : requireUuid(uuid),
    position: positionOf(parameters, lastEventId),
    snapshot: oneScalar(parameters, 'snapshot', bool) ?? false,
    warnings: unknownParameters(parameters),
  }
}

/** The position that the client sent: in the header, else in the parameter. */
function positionOf(parameters: Parameters, lastEventId = ''): RegistrationQuery['position'] {
  const header = lastEventId.trim()
  if (header !== '') return { text: header, value: readPosition(header, 'Last-Event-ID') }
  const since = oneValue(parameters, 'since')
  return since === undefined ? undefined : { text: since, value: readPosition(since, 'since') }
}

function filterQuery(parameters: Parameters): string {
  const query = new URLSearchParams()
  for (const name of filterParameters)
    for (const value of parameters.get(name) ?? []) query.append(name, value)
  return query.toString()
}

/** Warns about unknown parameters: a filter whose name is misspelt would match everything. */
function unknownParameters(parameters: Parameters): string[] {
  const unknown = [...parameters.keys()].filter((name) => !knownParameters.includes(name))
  const warnings = unknown.slice(0, warningLimit).map((name) => {
    const similar = knownParameters.find((known) => known.toLowerCase() === name.toLowerCase())
    const known = similar === undefined ? `known are ${knownParameters.join(', ')}` : `is ${similar} meant?`
    return `parameter ${shown(name)} is not known and was ignored: ${known}`
  })
  const more = unknown.length - warnings.length
  return more > 0 ? [...warnings, `${more} more parameters are not known and were ignored`] : warnings
}
