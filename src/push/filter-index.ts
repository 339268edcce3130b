// An index of the filters of all clients: finds those that an entry matches without evaluating each filter.
//
// Clients with the same filter form a group, and each group has a slot, which is a bit. For each part of filters, the
// index has the slots that ask for each value, and the slots without a condition in this part. For an entry, the bits
// of the slots it satisfies are collected part by part; the groups whose bits are set in every part match.

import { audiences, type PushAttributes, zoneIn } from '../alarms/log/push-attributes.ts'
import { ancestors } from '../events/ancestors.ts'
import { ipKey } from '../schema/scalar.ts'
import {
  addAll,
  type Bits,
  clearBit,
  keepCommon,
  noBits,
  pick,
  Slots,
  setBit,
  withRoomFor,
} from './bit-set.ts'
import { SegmentIndex } from './ip-segments.ts'
import type { Filter } from './stream-filter.ts'

export interface Filtered {
  readonly filter: Filter
}

/** Clients with the same filter. */
export interface Group<T> {
  readonly filter: Filter
  readonly clients: Set<T>
  readonly slot: number
}

/** One part of filters, such as alarm levels. */
interface Part {
  /** Whether a filter has a condition in this part. */
  asks(filter: Filter): boolean
  add(slot: number, filter: Filter): void
  delete(slot: number, filter: Filter): void
  /** Sets the bits of the slots whose condition the entry satisfies; returns false where it satisfies every slot. */
  mark(attributes: PushAttributes, bits: Bits): boolean
}

/** A part in which filters list values, and entries have some of them. */
class Values implements Part {
  readonly #ofFilter: (filter: Filter) => Iterable<string>
  readonly #ofEntry: (attributes: PushAttributes) => Iterable<string> | 'any'
  readonly #slots = new Map<string, Slots>()

  constructor(
    ofFilter: (filter: Filter) => Iterable<string>,
    ofEntry: (attributes: PushAttributes) => Iterable<string> | 'any',
  ) {
    this.#ofFilter = ofFilter
    this.#ofEntry = ofEntry
  }

  asks(filter: Filter): boolean {
    for (const _ of this.#ofFilter(filter)) return true
    return false
  }

  add(slot: number, filter: Filter): void {
    for (const value of this.#ofFilter(filter)) {
      let slots = this.#slots.get(value)
      if (!slots) {
        slots = new Slots()
        this.#slots.set(value, slots)
      }
      slots.add(slot)
    }
  }

  delete(slot: number, filter: Filter): void {
    for (const value of this.#ofFilter(filter)) {
      const slots = this.#slots.get(value)
      slots?.delete(slot)
      if (slots?.size === 0) this.#slots.delete(value)
    }
  }

  mark(attributes: PushAttributes, bits: Bits): boolean {
    const values = this.#ofEntry(attributes)
    if (values === 'any') return false
    for (const value of values) this.#slots.get(value)?.mark(bits)
    return true
  }
}

/** The part for ranges of addresses. */
class Segments implements Part {
  readonly #index = new SegmentIndex()

  asks({ segments }: Filter): boolean {
    return segments.length > 0
  }

  add(slot: number, { segments }: Filter): void {
    this.#index.add(slot, segments)
  }

  delete(slot: number, { segments }: Filter): void {
    this.#index.delete(slot, segments)
  }

  mark({ deviceIp }: PushAttributes, bits: Bits): boolean {
    if (deviceIp !== '') this.#index.mark(ipKey(deviceIp), bits)
    return true
  }
}

const parts = (): Part[] => [
  new Values(
    ({ levels }) => [...levels].map(String),
    ({ alarmLevel }) => (alarmLevel === undefined ? 'any' : [String(alarmLevel)]),
  ),
  new Values(
    ({ view }) => (view === undefined ? [] : [view]),
    ({ views }) => views,
  ),
  new Values(
    ({ addresses }) => addresses,
    ({ deviceIp }) => [deviceIp],
  ),
  new Values(
    ({ oids, subtrees }) => [...oids, ...[...subtrees].map((oid) => `${oid}.*`)],
    ({ OID }) => [OID, ...ancestors(OID).map((oid) => `${oid}.*`)],
  ),
  new Segments(),
  new Values(
    ({ zones }) => zones,
    ({ views }) => (views === 'any' ? 'any' : [zoneIn(views)]),
  ),
]

/** A part with the slots that have no condition in it, as bits, and the number of those that have one. */
interface Column {
  readonly part: Part
  withoutCondition: Bits
  withCondition: number
}

const audienceOf = ({ causes }: Filter) => (causes ? 'causes' : 'everything')

export class FilterIndex<T extends Filtered> {
  readonly #groups = new Map<Filter, Group<T>>()
  /** By slot. */
  readonly #bySlot: (Group<T> | undefined)[] = []
  readonly #freeSlots: number[] = []
  readonly #columns: Column[] = parts().map((part) => ({
    part,
    withoutCondition: noBits(),
    withCondition: 0,
  }))
  /** Slots in use, as bits: all of them, those that want everything, and those that want causes only. */
  readonly #used = { all: noBits(), everything: noBits(), causes: noBits() }

  add(client: T): void {
    const { filter } = client
    const known = this.#groups.get(filter)
    if (known) {
      known.clients.add(client)
      return
    }
    const slot = this.#freeSlots.pop() ?? this.#bySlot.length
    const group = { filter, clients: new Set([client]), slot }
    this.#groups.set(filter, group)
    this.#bySlot[slot] = group
    this.#makeRoom(slot)
    setBit(this.#used.all, slot)
    setBit(this.#used[audienceOf(filter)], slot)
    for (const column of this.#columns) {
      if (column.part.asks(filter)) {
        column.part.add(slot, filter)
        column.withCondition += 1
      } else setBit(column.withoutCondition, slot)
    }
  }

  delete(client: T): void {
    const { filter } = client
    const group = this.#groups.get(filter)
    if (!group?.clients.delete(client) || group.clients.size > 0) return
    const { slot } = group
    this.#groups.delete(filter)
    this.#bySlot[slot] = undefined
    this.#freeSlots.push(slot)
    clearBit(this.#used.all, slot)
    clearBit(this.#used[audienceOf(filter)], slot)
    for (const column of this.#columns) {
      if (column.part.asks(filter)) {
        column.part.delete(slot, filter)
        column.withCondition -= 1
      } else clearBit(column.withoutCondition, slot)
    }
  }

  #makeRoom(slot: number): void {
    this.#used.all = withRoomFor(this.#used.all, slot)
    this.#used.everything = withRoomFor(this.#used.everything, slot)
    this.#used.causes = withRoomFor(this.#used.causes, slot)
    for (const column of this.#columns) column.withoutCondition = withRoomFor(column.withoutCondition, slot)
  }

  /** A copy of the list of clients. */
  clients(): T[] {
    return [...this.#groups.values()].flatMap(({ clients }) => [...clients])
  }

  /** The groups that an entry matches by any of its attributes, each once. */
  groups(attributes: readonly PushAttributes[]): Group<T>[] {
    if (this.#groups.size === 0) return []
    const addressed = attributes.filter(({ audience }) => audience !== audiences.nobody)
    const [matched, ...others] = addressed.map((each) => this.#satisfied(each))
    if (!matched) return []
    for (const bits of others) addAll(matched, bits)
    return pick(this.#bySlot, matched)
  }

  /** The slots whose filter is satisfied in every part. */
  #satisfied(attributes: PushAttributes): Bits {
    const { all, everything, causes } = this.#used
    const { audience = audiences.all } = attributes
    const addressed = audience & audiences.everything ? everything : causes
    const result = (audience === audiences.all ? all : addressed).slice()
    for (const { part, withoutCondition, withCondition } of this.#columns) {
      if (withCondition === 0) continue
      const bits = withoutCondition.slice()
      if (part.mark(attributes, bits)) keepCommon(result, bits)
    }
    return result
  }
}
