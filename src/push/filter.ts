// Which alarms a client has asked for: read from its query, and judged for one entry or for many clients at once.

import type { Facts } from '../alarms/log.ts'
import { ancestors } from '../alarms/oid-tree.ts'
import { Fault, shown } from '../fault.ts'
import { oneScalar, type Parameters } from '../schema/list.ts'
import { bool, int, ip, ipKey, long, type Scalar, text } from '../schema/scalar.ts'

interface Segment {
  readonly first: string
  readonly last: string
}

/** Different parts are ANDed, values of one are ORed; an empty part asks for everything. */
export interface Filter {
  readonly levels: ReadonlySet<number>
  readonly addresses: ReadonlySet<string>
  readonly segments: readonly Segment[]
  readonly oids: ReadonlySet<string>
  /** OIDs with everything below them. */
  readonly subtrees: ReadonlySet<string>
  readonly view: bigint | undefined
  readonly sendRecovered: boolean
}

/** Which devices a view holds. */
export interface Views {
  has(view: bigint, deviceId: bigint): boolean
  exists(view: bigint): boolean
}

/** The parameters that make up a filter, as they are kept with a registration. */
export const filterParameters = [
  'alarmLevel',
  'customView',
  'deviceIp',
  'ipSegment',
  'eventOid',
  'sendRecovered',
] as const

const anyOid = text({
  pattern: {
    source: '\\.?[0-9]+(\\.[0-9]+)*(\\.\\*)?',
    accepted: 'an event OID such as 1.3.6.1.6.3.1.1.5.3, or one with .* behind it for all below',
  },
})
const valueLimit = 1000

export function readFilter(parameters: Parameters): Filter {
  const oids = several(parameters, 'eventOid', anyOid).map((oid) => oid.replace(/^\./, ''))
  return {
    levels: new Set(several(parameters, 'alarmLevel', int())),
    addresses: new Set(several(parameters, 'deviceIp', ip)),
    segments: several(parameters, 'ipSegment', segment),
    oids: new Set(oids.filter((oid) => !oid.endsWith('.*'))),
    subtrees: new Set(oids.filter((oid) => oid.endsWith('.*')).map((oid) => oid.slice(0, -2))),
    view: oneScalar(parameters, 'customView', long),
    sendRecovered: oneScalar(parameters, 'sendRecovered', bool) ?? false,
  }
}

/** Names may be repeated, values may stand in a list with commas. */
function several<T>(parameters: Parameters, name: string, scalar: Pick<Scalar<T>, 'read'>): T[] {
  const values = (parameters.get(name) ?? [])
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
  const given = values.filter((value) => value !== '')
  if (given.length > valueLimit) {
    throw new Fault('invalid', `${name}: more than ${valueLimit} values`, { field: name })
  }
  return given.map((value) => {
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

/** A recovery concerns a client that would have been sent what it cleared, although it is itself of another level. */
export function matches(filter: Filter, facts: Facts, views: Views): boolean {
  if (!matchesDevice(filter, facts, views)) return false
  if (matchesEvent(filter, facts.OID, facts.alarmLevel)) return true
  return facts.cleared.some(({ OID, alarmLevel }) => matchesEvent(filter, OID, alarmLevel))
}

function matchesEvent({ levels, oids, subtrees }: Filter, OID: string, level: number): boolean {
  if (levels.size > 0 && !levels.has(level)) return false
  if (oids.size === 0 && subtrees.size === 0) return true
  return oids.has(OID) || (subtrees.size > 0 && ancestors(OID).some((prefix) => subtrees.has(prefix)))
}

function matchesDevice({ addresses, segments, view }: Filter, facts: Facts, views: Views): boolean {
  if (view !== undefined && !views.has(view, facts.deviceId)) return false
  if (addresses.size > 0 && !addresses.has(facts.deviceIp)) return false
  if (segments.length === 0) return true
  if (facts.deviceIp === '') return false
  const key = ipKey(facts.deviceIp)
  return segments.some(({ first, last }) => key >= first && key <= last)
}

export interface Filtered {
  readonly filter: Filter
}

/**
 * Many clients by what they ask for most precisely: an entry then meets few that it does not concern. Each client stands
 * under every value of one part of its filter.
 */
export class FilterIndex<T extends Filtered> {
  readonly #shelves = new Map<string, Set<T>>()

  add(client: T): void {
    for (const key of shelfKeys(client.filter)) {
      const shelf = this.#shelves.get(key)
      if (shelf) shelf.add(client)
      else this.#shelves.set(key, new Set([client]))
    }
  }

  delete(client: T): void {
    for (const key of shelfKeys(client.filter)) {
      const shelf = this.#shelves.get(key)
      shelf?.delete(client)
      if (shelf?.size === 0) this.#shelves.delete(key)
    }
  }

  /** Each client that the entry concerns, once. */
  concerned(facts: Facts, views: Views): T[] {
    const found: T[] = []
    const several = new Set<T>()
    for (const key of entryKeys(facts)) {
      for (const client of this.#shelves.get(key) ?? []) {
        if (isSpread(client.filter)) {
          if (several.has(client)) continue
          several.add(client)
        }
        if (matches(client.filter, facts, views)) found.push(client)
      }
    }
    return found
  }
}

/** Whether a client can be met on more than one shelf for one entry. */
const isSpread = ({ oids, subtrees, levels, addresses }: Filter) =>
  oids.size + subtrees.size > 1 ||
  (oids.size + subtrees.size === 0 && addresses.size === 0 && levels.size > 1)

function shelfKeys({ oids, subtrees, addresses, levels }: Filter): string[] {
  if (oids.size + subtrees.size > 0) {
    return [...[...oids].map((oid) => `oid ${oid}`), ...[...subtrees].map((oid) => `below ${oid}`)]
  }
  if (addresses.size > 0) return [...addresses].map((address) => `ip ${address}`)
  if (levels.size > 0) return [...levels].map((level) => `level ${level}`)
  return ['all']
}

function entryKeys({ OID, deviceIp, alarmLevel, cleared }: Facts): Set<string> {
  const keys = new Set(['all', `ip ${deviceIp}`])
  for (const event of [{ OID, alarmLevel }, ...cleared]) {
    keys.add(`level ${event.alarmLevel}`)
    keys.add(`oid ${event.OID}`)
    for (const prefix of ancestors(event.OID)) keys.add(`below ${prefix}`)
  }
  return keys
}
