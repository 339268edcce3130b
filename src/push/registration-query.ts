// A client's registration: read from its query, with remarks where it may not do what the client expects.

import { shown } from '../fault.ts'
import { oneScalar, oneText, oneValue, type Parameters } from '../schema/list.ts'
import { bool } from '../schema/scalar.ts'
import { type Position, readPosition } from './positions.ts'
import { requireUuid } from './registrations.ts'
import { type StreamForm, sharedVariant, type Variant } from './stream-documents.ts'
import { type Filter, type Filters, filterParameters } from './stream-filter.ts'

export interface RegistrationQuery {
  readonly filter: Filter
  /** The filter as it was asked for. */
  readonly query: string
  readonly variant: Variant
  readonly uuid: string | undefined
  /** A position that the client brings takes precedence over anything else. */
  readonly position: { readonly text: string; readonly value: Position } | undefined
  readonly snapshot: boolean
  /** Remarks: what was accepted and is not what the client may expect. */
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

/** The position that the client gives: the header first, then the parameter. */
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

/** A filter whose name is misspelt would let everything through. */
function unknownParameters(parameters: Parameters): string[] {
  const unknown = [...parameters.keys()].filter((name) => !knownParameters.includes(name))
  const remarks = unknown.slice(0, warningLimit).map((name) => {
    const meant = knownParameters.find((known) => known.toLowerCase() === name.toLowerCase())
    const known = meant === undefined ? `known are ${knownParameters.join(', ')}` : `is ${meant} meant?`
    return `parameter ${shown(name)} is not known and was ignored: ${known}`
  })
  const more = unknown.length - remarks.length
  return more > 0 ? [...remarks, `${more} more parameters are not known and were ignored`] : remarks
}
