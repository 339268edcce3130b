// The filters of many clients at once: an entry finds those it concerns without looking at each of the others.
//
// Clients with one filter are a group, and each group has a slot: a bit. For each part of filters the index knows under
// each value the slots that ask for it, and the slots that do not ask. The bits of those an entry satisfies are gathered
// part by part, and those that are set in every part are the groups it concerns.

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

/** Clients with one filter. */
export interface Group<T> {
  readonly filter: Filter
  readonly clients: Set<T>
  readonly slot: number
}

/** One part of filters. */
interface Part {
  /** Whether a filter asks for something in this part. */
  asks(filter: Filter): boolean
  add(slot: number, filter: Filter): void
  delete(slot: number, filter: Filter): void
  /** Marks the slots that ask for what the facts have; false where every slot is satisfied. */
  mark(facts: PushAttributes, bits: Bits): boolean
}

/** A part in which filters name values, and facts have some of them. */
class Values implements Part {
  readonly #asked: (filter: Filter) => Iterable<string>
  readonly #had: (facts: PushAttributes) => Iterable<string> | 'any'
  readonly #slots = new Map<string, Slots>()

  constructor(
    asked: (filter: Filter) => Iterable<string>,
    had: (facts: PushAttributes) => Iterable<string> | 'any',
  ) {
    this.#asked = asked
    this.#had = had
  }

  asks(filter: Filter): boolean {
    for (const _ of this.#asked(filter)) return true
    return false
  }

  add(slot: number, filter: Filter): void {
    for (const value of this.#asked(filter)) {
      let slots = this.#slots.get(value)
      if (!slots) {
        slots = new Slots()
        this.#slots.set(value, slots)
      }
      slots.add(slot)
    }
  }

  delete(slot: number, filter: Filter): void {
    for (const value of this.#asked(filter)) {
      const slots = this.#slots.get(value)
      slots?.delete(slot)
      if (slots?.size === 0) this.#slots.delete(value)
    }
  }

  mark(facts: PushAttributes, bits: Bits): boolean {
    const had = this.#had(facts)
    if (had === 'any') return false
    for (const value of had) this.#slots.get(value)?.mark(bits)
    return true
  }
}

/** The part of ranges of addresses. */
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

/** A part with the slots that ask for nothing in it, as bits, and how many ask. */
interface Column {
  readonly part: Part
  withoutCondition: Bits
  withCondition: number
}

const wanted = ({ causes }: Filter) => (causes ? 'causes' : 'everything')

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
  /** Slots in use, as bits: all of them, and by what they asked for: everything, or causes alone. */
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
    setBit(this.#used[wanted(filter)], slot)
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
    clearBit(this.#used[wanted(filter)], slot)
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

  /** All that are in it, as they are now. */
  clients(): T[] {
    return [...this.#groups.values()].flatMap(({ clients }) => [...clients])
  }

  /** The groups that an entry concerns, each once. */
  groups(facts: readonly PushAttributes[]): Group<T>[] {
    if (this.#groups.size === 0) return []
    const given = facts.filter(({ audience: to }) => to !== audiences.nobody)
    const [concerned, ...others] = given.map((one) => this.#satisfied(one))
    if (!concerned) return []
    for (const more of others) addAll(concerned, more)
    return pick(this.#bySlot, concerned)
  }

  /** The slots whose whole filter is satisfied. */
  #satisfied(facts: PushAttributes): Bits {
    const { all, everything, causes } = this.#used
    const { audience: to = audiences.all } = facts
    const addressed = to & audiences.everything ? everything : causes
    const result = (to === audiences.all ? all : addressed).slice()
    for (const { part, withoutCondition, withCondition } of this.#columns) {
      if (withCondition === 0) continue
      const bits = withoutCondition.slice()
      if (part.mark(facts, bits)) keepCommon(result, bits)
    }
    return result
  }
}
