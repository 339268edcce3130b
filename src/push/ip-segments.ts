// Ranges of addresses: those of one filter, sorted and without overlaps, and an index of those of all filters.

import { nextKey } from '../schema/scalar.ts'
import { type Bits, setBit } from './bit-set.ts'

/** Both ends are included. Addresses are keys of `ipKey`: 4 or 6, and 32 hexadecimal digits, which sort like them. */
export interface Segment {
  readonly first: string
  readonly last: string
}

/** Sorts segments, and joins those that overlap or touch. */
export function merged(segments: readonly Segment[]): Segment[] {
  const result: Segment[] = []
  for (const { first, last } of segments.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const previous = result.at(-1)
    if (!previous || first > nextKey(previous.last)) result.push({ first, last })
    else if (last > previous.last) result[result.length - 1] = { first: previous.first, last }
  }
  return result
}

/** Whether an address lies in one of the merged segments; a binary search. */
export function isInSegments(segments: readonly Segment[], key: string): boolean {
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

/** An address as 32-bit integers, the highest first. */
function wordsOf(key: string): number[] {
  const digits = key.startsWith('4') ? key.slice(-8) : key.slice(1)
  return Array.from({ length: digits.length / 8 }, (_, index) =>
    Number.parseInt(digits.slice(index * 8, index * 8 + 8), 16),
  )
}

/**
 * Segments of one kind of address, each with the slot of its owner, in typed arrays: scanning ten thousand takes a few
 * microseconds, and nothing has to be kept sorted when clients come and go.
 */
class SegmentTable {
  readonly #words: number
  #firsts: Uint32Array
  #lasts: Uint32Array
  #slots: Uint32Array
  /** The indexes of each slot's segments. */
  readonly #indexes = new Map<number, number[]>()
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
    const indexes = this.#indexes.get(slot)
    if (indexes) indexes.push(this.#count)
    else this.#indexes.set(slot, [this.#count])
    this.#count += 1
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** The last segments move to the indexes that become free. */
  delete(slot: number): void {
    const words = this.#words
    const indexes = this.#indexes.get(slot) ?? []
    this.#indexes.delete(slot)
    for (const index of indexes.toSorted((a, b) => b - a)) {
      this.#count -= 1
      const last = this.#count
      if (index === last) continue
      this.#firsts.copyWithin(index * words, last * words, (last + 1) * words)
      this.#lasts.copyWithin(index * words, last * words, (last + 1) * words)
      const moved = this.#slots[last] as number
      this.#slots[index] = moved
      const theirs = this.#indexes.get(moved)
      theirs?.splice(theirs.indexOf(last), 1, index)
    }
  }

  /** Sets the bit of each slot (the number of a filter in the index) that has a segment with this address. */
  mark(address: readonly number[], bits: Bits): void {
    const [firsts, lasts, slots, words, count] = [
      this.#firsts,
      this.#lasts,
      this.#slots,
      this.#words,
      this.#count,
    ]
    const firstWord = (address[0] ?? 0) | 0
    for (let index = 0, start = 0; index < count; index += 1, start += words) {
      // The first word alone excludes most segments. An address below the segment gives, as an unsigned difference, a
      // number far above the segment's length.
      const first = firsts[start] as number
      if ((firstWord - first) >>> 0 > ((lasts[start] as number) - first) >>> 0) continue
      if (words > 1 && (compare(firsts, start, address) > 0 || compare(lasts, start, address) < 0)) continue
      setBit(bits, slots[index] as number)
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

/** The part of a key that is the prefix of the address: a /16 of IPv4, a /48 of IPv6. */
const prefixOf = (key: string) => (key.startsWith('4') ? key.slice(0, -4) : key.slice(0, 13))

/** The segments of all filters, by prefix, so that few are compared with an address. */
export class SegmentIndex {
  readonly #tables = new Map<string, SegmentTable>()

  /** The table of a segment: that of its prefix, or, if it spans several, that of its kind of address. */
  #nameOf({ first, last }: Segment): string {
    const name = prefixOf(first)
    return name === prefixOf(last) ? name : first.slice(0, 1)
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
    this.#tables.get(prefixOf(key))?.mark(address, bits)
  }
}
