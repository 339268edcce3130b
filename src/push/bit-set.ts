// Rows of bits, a bit for each slot: sets of slots that are combined many at a time.

export type Bits = Uint32Array<ArrayBuffer>

export const noBits = (): Bits => new Uint32Array(1)

/** A word of a row, which exists. */
const word = (bits: Bits, index: number) => bits[index] as number

/** The row, or a longer one where the slot lies behind its end. */
export function withRoomFor(bits: Bits, slot: number): Bits {
  if (slot >>> 5 < bits.length) return bits
  const longer = new Uint32Array(Math.max(bits.length * 2, (slot >>> 5) + 1))
  longer.set(bits)
  return longer
}

export function setBit(bits: Bits, slot: number): void {
  bits[slot >>> 5] = word(bits, slot >>> 5) | (1 << (slot & 31))
}

export function clearBit(bits: Bits, slot: number): void {
  bits[slot >>> 5] = word(bits, slot >>> 5) & ~(1 << (slot & 31))
}

/** Keeps what is in both; the other is not shorter. */
export function keepCommon(bits: Bits, other: Bits): void {
  for (let index = 0; index < bits.length; index += 1) bits[index] = word(bits, index) & word(other, index)
}

/** Adds what is in the other, which is not longer. */
export function addAll(bits: Bits, other: Bits): void {
  for (let index = 0; index < other.length; index += 1) bits[index] = word(bits, index) | word(other, index)
}

/** The elements of a list at the places of the slots, in order; empty places are left out. */
export function pick<T>(list: readonly (T | undefined)[], bits: Bits): T[] {
  const picked: T[] = []
  for (let index = 0; index < bits.length; index += 1) {
    // The lowest bit that is set is cleared until none is left.
    for (let left = word(bits, index); left !== 0; left &= left - 1) {
      const one = list[index * 32 + 31 - Math.clz32(left & -left)]
      if (one !== undefined) picked.push(one)
    }
  }
  return picked
}

const fewLimit = 64

/** A set of slots: few as a list, many as a row of bits. */
export class Slots {
  readonly #few = new Set<number>()
  #many: Bits | undefined
  #count = 0

  get size(): number {
    return this.#count
  }

  add(slot: number): void {
    this.#count += 1
    if (!this.#many && this.#few.size < fewLimit) {
      this.#few.add(slot)
      return
    }
    this.#many ??= noBits()
    for (const one of [slot, ...this.#few]) {
      this.#many = withRoomFor(this.#many, one)
      setBit(this.#many, one)
    }
    this.#few.clear()
  }

  delete(slot: number): void {
    this.#count -= 1
    if (this.#many) clearBit(this.#many, slot)
    else this.#few.delete(slot)
  }

  /** Sets their bits in a row that is long enough. */
  mark(bits: Bits): void {
    if (this.#many) addAll(bits, this.#many)
    else for (const slot of this.#few) setBit(bits, slot)
  }
}
