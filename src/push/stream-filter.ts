// Which alarms a client has asked for: read from its query, and compared with the facts of an entry.

import { audiences, isInZone, type PushAttributes, zoneMark } from '../alarms/log/push-attributes.ts'
import { ancestors } from '../events/ancestors.ts'
import { Fault, shown } from '../fault.ts'
import { oneScalar, type Parameters } from '../schema/list.ts'
import { bool, int, ip, ipKey, long, type Scalar, text } from '../schema/scalar.ts'
import { lieIn, merged, type Segment } from './ip-segments.ts'

/** Different parts are ANDed, values of one are ORed; an empty part asks for everything. */
export interface Filter {
  readonly levels: ReadonlySet<number>
  readonly addresses: ReadonlySet<string>
  /** In order, without overlaps. */
  readonly segments: readonly Segment[]
  readonly oids: ReadonlySet<string>
  /** OIDs with everything below them. */
  readonly subtrees: ReadonlySet<string>
  /** The id of a view. */
  readonly view: string | undefined
  readonly sendRecovered: boolean
  /** Zones, as facts name them. */
  readonly zones: ReadonlySet<string>
  /** Whether entries about people's work are wanted as well. */
  readonly changes: boolean
  /** Whether alarms that follow from others are not wanted. */
  readonly causes: boolean
}

/** The parameters that make up a filter, as they are kept with a registration. */
export const filterParameters = [
  'alarmLevel',
  'customView',
  'deviceIp',
  'ipSegment',
  'eventOid',
  'sendRecovered',
  'zoneId',
  'changes',
  'causes',
] as const

const anyOid = text({
  pattern: {
    source: '\\.?[0-9]+(\\.[0-9]+)*(\\.\\*)?',
    accepted: 'an event OID such as 1.3.6.1.6.3.1.1.5.3, or one with .* behind it for all below',
  },
})

/**
 * Values of all parameters of a filter together: every entry is compared with them, as long as the client is connected.
 */
const valueLimit = 1000

/** Clients that ask for the same share one filter: it is then evaluated once for all of them. */
const sharedLimit = { filters: 1000, characters: 1000 }

export class Filters {
  readonly #shared = new Map<string, Filter>()

  read(parameters: Parameters): Filter {
    const key = JSON.stringify(filterParameters.map((name) => parameters.get(name)))
    const known = this.#shared.get(key)
    if (known) return known
    const filter = readFilter(parameters)
    if (key.length <= sharedLimit.characters) {
      this.#shared.set(key, filter)
      const [oldest] = this.#shared.keys()
      if (this.#shared.size > sharedLimit.filters && oldest !== undefined) this.#shared.delete(oldest)
    }
    return filter
  }
}

export function readFilter(parameters: Parameters): Filter {
  requireFewValues(parameters)
  const oids = several(parameters, 'eventOid', anyOid).map((oid) => oid.replace(/^\./, ''))
  return {
    levels: new Set(several(parameters, 'alarmLevel', int())),
    addresses: new Set(several(parameters, 'deviceIp', ip)),
    segments: merged(several(parameters, 'ipSegment', segment)),
    oids: new Set(oids.filter((oid) => !oid.endsWith('.*'))),
    subtrees: new Set(oids.filter((oid) => oid.endsWith('.*')).map((oid) => oid.slice(0, -2))),
    view: oneScalar(parameters, 'customView', long)?.toString(),
    sendRecovered: oneScalar(parameters, 'sendRecovered', bool) ?? false,
    zones: new Set(several(parameters, 'zoneId', long).map(zoneMark)),
    changes: oneScalar(parameters, 'changes', bool) ?? false,
    causes: oneScalar(parameters, 'causes', bool) ?? false,
  }
}

/** Names may be repeated, and values separated by commas. */
const valuesOf = (parameters: Parameters, name: string): string[] =>
  (parameters.get(name) ?? [])
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '')

function requireFewValues(parameters: Parameters): void {
  let count = 0
  for (const name of filterParameters) {
    count += valuesOf(parameters, name).length
    if (count <= valueLimit) continue
    const message = `${name}: with it the filter has more than ${valueLimit} values, which is the most that one may have`
    throw new Fault('invalid', message, { field: name })
  }
}

function several<T>(parameters: Parameters, name: string, scalar: Pick<Scalar<T>, 'read'>): T[] {
  return valuesOf(parameters, name).map((value) => {
    try {
      return scalar.read(value)
    } catch (error) {
      throw error instanceof Fault
        ? new Fault('invalid', `${name}: ${error.message}`, { field: name, cause: error })
        : error
    }
  })
}

const segment: Pick<Scalar<Segment>, 'read'> = {
  read(value) {
    const [first = '', last = '', more] = value.split('-').map((part) => part.trim())
    const accepted = 'expected two addresses such as 10.0.0.1-10.0.0.99'
    if (more !== undefined || first === '' || last === '') {
      throw new Fault('invalid', `${shown(value)} is not a range of addresses: ${accepted}`)
    }
    const range = { first: ipKey(ip.read(first)), last: ipKey(ip.read(last)) }
    if (range.first[0] !== range.last[0] || range.first > range.last) {
      throw new Fault('invalid', `${shown(value)} does not run from a lower to a higher address: ${accepted}`)
    }
    return range
  },
}

/** Whether any of the facts of an entry is what the client asked for. */
export const matches = (filter: Filter, facts: readonly PushAttributes[]): boolean =>
  facts.some((one) => isFor(filter, one) && matchesDevice(filter, one) && matchesEvent(filter, one))

const isFor = ({ causes }: Filter, { audience: to = audiences.all }: PushAttributes) =>
  (to & (causes ? audiences.causes : audiences.everything)) !== 0

function matchesEvent({ levels, oids, subtrees }: Filter, { alarmLevel, OID }: PushAttributes): boolean {
  if (levels.size > 0 && alarmLevel !== undefined && !levels.has(alarmLevel)) return false
  if (oids.size + subtrees.size === 0 || oids.has(OID)) return true
  return subtrees.size > 0 && ancestors(OID).some((prefix) => subtrees.has(prefix))
}

function matchesDevice(
  { addresses, segments, view, zones }: Filter,
  { views, deviceIp }: PushAttributes,
): boolean {
  if (zones.size > 0 && !isInZone(views, zones)) return false
  if (view !== undefined && views !== 'any' && !views.has(view)) return false
  if (addresses.size > 0 && !addresses.has(deviceIp)) return false
  return segments.length === 0 || (deviceIp !== '' && lieIn(segments, ipKey(deviceIp)))
}
