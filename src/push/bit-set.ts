// Sets of slots as rows of bits, one bit per slot, so that many sets are combined quickly.

export type Bits = Uint32Array<ArrayBuffer>

export const noBits = (): Bits => new Uint32Array(1)

const word = (bits: Bits, index: number) => bits[index] as number

/** Returns the row, or a longer copy of it where the slot lies after its end. */
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

/** Keeps the bits that are set in both; `other` must not be shorter. */
export function keepCommon(bits: Bits, other: Bits): void {
  for (let index = 0; index < bits.length; index += 1) bits[index] = word(bits, index) & word(other, index)
}

/** Sets the bits that are set in `other`, which must not be longer. */
export function addAll(bits: Bits, other: Bits): void {
  for (let index = 0; index < other.length; index += 1) bits[index] = word(bits, index) | word(other, index)
}

/** The elements of a list at the positions of the set bits, in order, without the empty ones. */
export function pick<T>(list: readonly (T | undefined)[], bits: Bits): T[] {
  const picked: T[] = []
  for (let index = 0; index < bits.length; index += 1) {
    // Clears the lowest set bit until none is left.
    for (let left = word(bits, index); left !== 0; left &= left - 1) {
      const element = list[index * 32 + 31 - Math.clz32(left & -left)]
      if (element !== undefined) picked.push(element)
    }
  }
  return picked
}

const listLimit = 64

/** A set of slots: a list while it is small, then a row of bits. */
export class Slots {
  readonly #list = new Set<number>()
  #bits: Bits | undefined
  #count = 0

  get size(): number {
    return this.#count
  }

  add(slot: number): void {
    this.#count += 1
    if (!this.#bits && this.#list.size < listLimit) {
      this.#list.add(slot)
      return
    }
    this.#bits ??= noBits()
    for (const added of [slot, ...this.#list]) {
      this.#bits = withRoomFor(this.#bits, added)
      setBit(this.#bits, added)
    }
    this.#list.clear()
  }

  delete(slot: number): void {
    this.#count -= 1
    if (this.#bits) clearBit(this.#bits, slot)
    else this.#list.delete(slot)
  }

  /** Sets the bits of these slots in a row that is long enough. */
  mark(bits: Bits): void {
    if (this.#bits) addAll(bits, this.#bits)
    else for (const slot of this.#list) setBit(bits, slot)
  }
}
