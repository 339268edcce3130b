// Ranges of addresses: of one filter, sorted and without overlaps; and of many filters, to find those an address lies in.

import { nextKey } from '../schema/scalar.ts'
import { type Bits, setBit } from './bit-set.ts'

/** Both ends belong to it. Addresses are keys, whose order is that of the addresses; see `ipKey`. */
export interface Segment {
  readonly first: string
  readonly last: string
}

/** In order; those that overlap or touch each other become one. */
export function merged(segments: readonly Segment[]): Segment[] {
  const result: Segment[] = []
  for (const { first, last } of segments.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = result.at(-1)
    if (!before || first > nextKey(before.last)) result.push({ first, last })
    else if (last > before.last) result[result.length - 1] = { first: before.first, last }
  }
  return result
}

/** Whether an address lies in one of many merged segments. */
export function lieIn(segments: readonly Segment[], key: string): boolean {
  let low = 0
  let high = segments.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((segments[middle] as Segment).last < key) low = middle + 1
    else high = middle
  }
  const found = segments[low]
  return found !== undefined && found.first <= key
}

/** An address as whole numbers of 32 bits, the highest first. */
function wordsOf(key: string): number[] {
  const digits = key.startsWith('4') ? key.slice(-8) : key.slice(1)
  return Array.from({ length: digits.length / 8 }, (_, index) =>
    Number.parseInt(digits.slice(index * 8, index * 8 + 8), 16),
  )
}

/**
 * Segments of one kind of address, each with the slot of its owner, side by side in typed arrays: looking at ten
 * thousand of them takes some microseconds, and nothing must be kept in order when clients come and go.
 */
class SegmentTable {
  readonly #words: number
  #firsts: Uint32Array
  #lasts: Uint32Array
  #slots: Uint32Array
  /** Where the segments of each slot are. */
  readonly #places = new Map<number, number[]>()
  #count = 0

  constructor(words: number) {
    this.#words = words
    this.#firsts = new Uint32Array(4 * words)
    this.#lasts = new Uint32Array(4 * words)
    this.#slots = new Uint32Array(4)
  }

  add(slot: number, first: readonly number[], last: readonly number[]): void {
    if (this.#count === this.#slots.length) {
      this.#firsts = grown(this.#firsts)
      this.#lasts = grown(this.#lasts)
      this.#slots = grown(this.#slots)
    }
    this.#firsts.set(first, this.#count * this.#words)
    this.#lasts.set(last, this.#count * this.#words)
    this.#slots[this.#count] = slot
    const places = this.#places.get(slot)
    if (places) places.push(this.#count)
    else this.#places.set(slot, [this.#count])
    this.#count += 1
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** The last ones take the places that become free. */
  delete(slot: number): void {
    const words = this.#words
    const places = this.#places.get(slot) ?? []
    this.#places.delete(slot)
    for (const place of places.toSorted((a, b) => b - a)) {
      this.#count -= 1
      const last = this.#count
      if (place === last) continue
      this.#firsts.copyWithin(place * words, last * words, (last + 1) * words)
      this.#lasts.copyWithin(place * words, last * words, (last + 1) * words)
      const moved = this.#slots[last] as number
      this.#slots[place] = moved
      const theirs = this.#places.get(moved)
      theirs?.splice(theirs.indexOf(last), 1, place)
    }
  }

  /** Marks the slots of those that an address lies in. */
  mark(address: readonly number[], bits: Bits): void {
    const [firsts, lasts, slots, words, count] = [
      this.#firsts,
      this.#lasts,
      this.#slots,
      this.#words,
      this.#count,
    ]
    const highest = (address[0] ?? 0) | 0
    for (let place = 0, start = 0; place < count; place += 1, start += words) {
      // The first word alone rules most of them out. What lies below a segment is, without a sign, far above its length.
      const first = firsts[start] as number
      if ((highest - first) >>> 0 > ((lasts[start] as number) - first) >>> 0) continue
      if (words > 1 && (compare(firsts, start, address) > 0 || compare(lasts, start, address) < 0)) continue
      setBit(bits, slots[place] as number)
    }
  }
}

function grown(array: Uint32Array): Uint32Array {
  const more = new Uint32Array(array.length * 2)
  more.set(array)
  return more
}

function compare(words: Uint32Array, start: number, address: readonly number[]): number {
  for (let index = 0; index < address.length; index += 1) {
    const difference = (words[start + index] as number) - (address[index] as number)
    if (difference !== 0) return difference
  }
  return 0
}

/** Hexadecimal digits of a key that name the neighbourhood of an address: a /16 of IPv4, a /48 of IPv6. */
const neighbourhood = (key: string) => (key.startsWith('4') ? key.slice(0, -4) : key.slice(0, 13))

/** The segments of many filters. Those within a neighbourhood are looked at only for addresses there. */
export class SegmentIndex {
  readonly #tables = new Map<string, SegmentTable>()

  /** Where a segment is kept: by its neighbourhood, or by its kind of address alone. */
  #nameOf({ first, last }: Segment): string {
    const name = neighbourhood(first)
    return name === neighbourhood(last) ? name : first.slice(0, 1)
  }

  add(slot: number, segments: readonly Segment[]): void {
    for (const segment of segments) {
      const name = this.#nameOf(segment)
      let table = this.#tables.get(name)
      if (!table) {
        table = new SegmentTable(name.startsWith('4') ? 1 : 4)
        this.#tables.set(name, table)
      }
      table.add(slot, wordsOf(segment.first), wordsOf(segment.last))
    }
  }

  delete(slot: number, segments: readonly Segment[]): void {
    for (const name of new Set(segments.map((segment) => this.#nameOf(segment)))) {
      const table = this.#tables.get(name)
      table?.delete(slot)
      if (table?.isEmpty) this.#tables.delete(name)
    }
  }

  mark(key: string, bits: Bits): void {
    const address = wordsOf(key)
    this.#tables.get(key.slice(0, 1))?.mark(address, bits)
    this.#tables.get(neighbourhood(key))?.mark(address, bits)
  }
}
