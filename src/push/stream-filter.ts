// Filters of clients: reads them from the query, and matches them against the attributes of an entry.

import type { EntryKind, LogEntry } from '../alarms/log/alarm-log.ts'
import { audiences, isInZone, type PushAttributes, zoneMark } from '../alarms/log/push-attributes.ts'
import { ancestors } from '../events/ancestors.ts'
import { Fault, shown } from '../fault.ts'
import { oneScalar, type Parameters } from '../schema/list.ts'
import { bool, int, ip, ipKey, long, type Scalar, text } from '../schema/scalar.ts'
import { isInSegments, merged, type Segment } from './ip-segments.ts'

/** Parts are ANDed, the values of a part ORed; an empty part matches everything. */
export interface Filter {
  readonly levels: ReadonlySet<number>
  readonly addresses: ReadonlySet<string>
  /** Sorted, without overlaps. */
  readonly segments: readonly Segment[]
  readonly oids: ReadonlySet<string>
  /** OIDs with everything below them. */
  readonly subtrees: ReadonlySet<string>
  /** The id of a view. */
  readonly view: string | undefined
  readonly sendRecovered: boolean
  /** Zones, as attributes name them. */
  readonly zones: ReadonlySet<string>
  /** Whether entries about operators' work are wanted, too. */
  readonly changes: boolean
  /** Whether only causes are wanted, and not the alarms that follow from them. */
  readonly causes: boolean
}

/** The parameters that make up a filter, as they are stored with a registration. */
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

/** Values in all parameters of a filter: every entry is compared with them while the client is connected. */
const valueLimit = 1000

/** Clients with the same parameters share a filter object, which is then evaluated once for all of them. */
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

/** A parameter may be repeated, and its values separated by commas. */
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

/** Whether a filter matches any of an entry's attributes. */
export const matches = (filter: Filter, attributes: readonly PushAttributes[]): boolean =>
  attributes.some((each) => isFor(filter, each) && matchesDevice(filter, each) && matchesEvent(filter, each))

const isFor = ({ causes }: Filter, { audience = audiences.all }: PushAttributes) =>
  (audience & (causes ? audiences.causes : audiences.everything)) !== 0

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
  return segments.length === 0 || (deviceIp !== '' && isInSegments(segments, ipKey(deviceIp)))
}

/** A client, as far as it matters for which entries it is sent. */
interface Recipient {
  readonly filter: Filter
  /** It was not sent alarms that were pushed before this time. */
  readonly sentFrom: number
}

const pushed: ReadonlySet<EntryKind> = new Set(['raise', 'rise', 'release', 'recover'])

/** Whether clients with this filter want entries of this kind: operators' work is for those that asked for it. */
export const matchesFilter = ({ changes }: Filter, { kind }: LogEntry): boolean => changes || pushed.has(kind)

/** Whether a client was already sent the alarm at its current level. */
export function wasSent({ filter, sentFrom }: Recipient, { earlierPushes, attributes }: LogEntry): boolean {
  const level = attributes[0]?.alarmLevel
  return earlierPushes.some(
    (push) =>
      (push.alarmLevel === undefined || push.alarmLevel === level) &&
      push.at >= sentFrom &&
      matches(filter, [push]),
  )
}

export const isRecipient = (client: Recipient, entry: LogEntry): boolean =>
  matchesFilter(client.filter, entry) && matches(client.filter, entry.attributes) && !wasSent(client, entry)
