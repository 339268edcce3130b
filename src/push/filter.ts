// Which alarms a client has asked for: read from its query, and judged for one entry or for many clients at once.

import type { Facts } from '../alarms/pushed.ts'
import { ancestors } from '../events/ancestors.ts'
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
  /** The id of a view. */
  readonly view: string | undefined
  readonly sendRecovered: boolean
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

/** Clients that ask for the same share one filter: it is then judged once for all of them. */
const shared = new Map<string, Filter>()
const sharedLimit = { filters: 1000, characters: 1000 }

export function readFilter(parameters: Parameters): Filter {
  const key = JSON.stringify(filterParameters.map((name) => parameters.get(name)))
  const known = shared.get(key)
  if (known) return known
  const filter = parseFilter(parameters)
  if (key.length <= sharedLimit.characters) {
    shared.set(key, filter)
    const [oldest] = shared.keys()
    if (shared.size > sharedLimit.filters && oldest !== undefined) shared.delete(oldest)
  }
  return filter
}

function parseFilter(parameters: Parameters): Filter {
  const oids = several(parameters, 'eventOid', anyOid).map((oid) => oid.replace(/^\./, ''))
  return {
    levels: new Set(several(parameters, 'alarmLevel', int())),
    addresses: new Set(several(parameters, 'deviceIp', ip)),
    segments: several(parameters, 'ipSegment', segment),
    oids: new Set(oids.filter((oid) => !oid.endsWith('.*'))),
    subtrees: new Set(oids.filter((oid) => oid.endsWith('.*')).map((oid) => oid.slice(0, -2))),
    view: oneScalar(parameters, 'customView', long)?.toString(),
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

/** What is found out about facts once, however many filters judge them. */
class Subject {
  readonly facts: Facts
  /** The OID and those above it. */
  readonly prefixes: readonly string[]
  #ipKey: string | undefined

  constructor(facts: Facts) {
    this.facts = facts
    this.prefixes = ancestors(facts.OID)
  }

  /** Empty where they are about no address. */
  get ipKey(): string {
    const { deviceIp } = this.facts
    this.#ipKey ??= deviceIp === '' ? '' : ipKey(deviceIp)
    return this.#ipKey
  }
}

/** Whether any of the facts of an entry is what the client asked for. */
export const matches = (filter: Filter, facts: readonly Facts[]): boolean =>
  asksNothing(filter) || facts.some((one) => matchesSubject(filter, new Subject(one)))

const asksNothing = ({ levels, addresses, segments, oids, subtrees, view }: Filter) =>
  levels.size + addresses.size + segments.length + oids.size + subtrees.size === 0 && view === undefined

const matchesSubject = (filter: Filter, subject: Subject) =>
  matchesDevice(filter, subject) && matchesEvent(filter, subject)

function matchesEvent({ levels, oids, subtrees }: Filter, { facts, prefixes }: Subject): boolean {
  const { alarmLevel, OID } = facts
  if (levels.size > 0 && alarmLevel !== undefined && !levels.has(alarmLevel)) return false
  if (oids.size + subtrees.size === 0 || oids.has(OID)) return true
  return subtrees.size > 0 && prefixes.some((prefix) => subtrees.has(prefix))
}

function matchesDevice({ addresses, segments, view }: Filter, subject: Subject): boolean {
  const { views, deviceIp } = subject.facts
  if (view !== undefined && views !== 'any' && !views.has(view)) return false
  if (addresses.size > 0 && !addresses.has(deviceIp)) return false
  if (segments.length === 0) return true
  const key = subject.ipKey
  for (const { first, last } of segments) if (key >= first && key <= last) return true
  return false
}

export interface Filtered {
  readonly filter: Filter
}

/** Clients with one filter. */
export interface Group<T> {
  readonly filter: Filter
  readonly clients: Set<T>
  /** The last entry that it was judged for: it may stand on several shelves. */
  judged: number
}

/**
 * Many clients by what they ask for most precisely: an entry then meets few that it does not concern. Each filter stands
 * under every value of one of its parts.
 */
export class FilterIndex<T extends Filtered> {
  readonly #groups = new Map<Filter, Group<T>>()
  readonly #shelves = new Map<string, Set<Group<T>>>()
  #entries = 0

  add(client: T): void {
    const known = this.#groups.get(client.filter)
    if (known) {
      known.clients.add(client)
      return
    }
    const { filter } = client
    const group = { filter, clients: new Set([client]), judged: 0 }
    this.#groups.set(filter, group)
    for (const key of shelfKeys(filter)) {
      const shelf = this.#shelves.get(key)
      if (shelf) shelf.add(group)
      else this.#shelves.set(key, new Set([group]))
    }
  }

  delete(client: T): void {
    const { filter } = client
    const group = this.#groups.get(filter)
    if (!group?.clients.delete(client) || group.clients.size > 0) return
    this.#groups.delete(filter)
    for (const key of shelfKeys(filter)) {
      const shelf = this.#shelves.get(key)
      shelf?.delete(group)
      if (shelf?.size === 0) this.#shelves.delete(key)
    }
  }

  /** The groups that the entry concerns, each once. */
  groups(facts: readonly Facts[]): Group<T>[] {
    if (this.#groups.size === 0) return []
    const subjects = facts.map((one) => new Subject(one))
    const found: Group<T>[] = []
    this.#entries += 1
    for (const key of this.#keysOf(subjects)) {
      for (const group of this.#shelves.get(key) ?? []) {
        if (group.judged === this.#entries) continue
        group.judged = this.#entries
        if (subjects.some((subject) => matchesSubject(group.filter, subject))) found.push(group)
      }
    }
    return found
  }

  #keysOf(subjects: readonly Subject[]): Set<string> {
    const keys = entryKeys(subjects)
    // Where a level is not known any more, everyone who asked for one may have been given the alarm.
    if (subjects.some(({ facts }) => facts.alarmLevel === undefined)) {
      for (const key of this.#shelves.keys()) if (key.startsWith('level ')) keys.add(key)
    }
    return keys
  }

  /** Each client that the entry concerns, once. */
  concerned(facts: readonly Facts[]): T[] {
    const found: T[] = []
    for (const { clients } of this.groups(facts)) for (const client of clients) found.push(client)
    return found
  }
}

function shelfKeys({ oids, subtrees, addresses, segments, levels }: Filter): string[] {
  if (oids.size + subtrees.size > 0) {
    return [...[...oids].map((oid) => `oid ${oid}`), ...[...subtrees].map((oid) => `below ${oid}`)]
  }
  if (addresses.size > 0) return [...addresses].map((address) => `ip ${address}`)
  if (segments.length > 0) return segments.map((segment) => `in ${commonStart(segment)}`)
  if (levels.size > 0) return [...levels].map((level) => `level ${level}`)
  return ['all']
}

/** With what the keys of all addresses of a segment begin. */
function commonStart({ first, last }: Segment): string {
  let length = 0
  while (length < first.length && first[length] === last[length]) length += 1
  return first.slice(0, length)
}

function entryKeys(subjects: readonly Subject[]): Set<string> {
  const keys = new Set(['all'])
  for (const { facts, prefixes, ipKey: key } of subjects) {
    keys.add(`ip ${facts.deviceIp}`)
    for (let length = 1; length <= key.length; length += 1) keys.add(`in ${key.slice(0, length)}`)
    if (facts.alarmLevel !== undefined) keys.add(`level ${facts.alarmLevel}`)
    keys.add(`oid ${facts.OID}`)
    for (const prefix of prefixes) keys.add(`below ${prefix}`)
  }
  return keys
}
