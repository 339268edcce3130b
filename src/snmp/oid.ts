// Object identifiers: BER contents to dotted text and back.

import { Fault, shown } from '../fault.ts'
import { malformed } from './malformed.ts'

/** RFC 2578 section 3.5: at most 128 sub-identifiers, each at most 2^32-1. */
const MAX_SUB_IDENTIFIERS = 128
const MAX_SUB_IDENTIFIER = 0xffff_ffff

// A network sends the same few thousand OIDs over and over, and formatting one costs several times a look-up. The cache
// is direct-mapped: a new OID replaces whatever has its slot. So it cannot grow, needs no bookkeeping, and a hostile
// sender who floods it can only make it useless.
const SLOTS = 4096
const SLOT_BYTES = 48
const slotBytes = new Uint8Array(SLOTS * SLOT_BYTES)
const slotLength = new Uint8Array(SLOTS)
const slotText: string[] = new Array(SLOTS).fill('')

/** The dotted text of the OID whose contents are `bytes[start..end)`. */
export function oidText(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start
  if (length > SLOT_BYTES) return formatOid(bytes, start, end)
  let hash = length
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x0100_0193)
  const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
  if (slotLength[slot] === length && matchesSlot(slot, bytes, start, length)) return slotText[slot] as string
  const text = formatOid(bytes, start, end)
  slotLength[slot] = length
  slotText[slot] = text
  for (let i = 0; i < length; i++) slotBytes[slot * SLOT_BYTES + i] = bytes[start + i] as number
  return text
}

function matchesSlot(slot: number, bytes: Uint8Array, start: number, length: number): boolean {
  const base = slot * SLOT_BYTES
  for (let i = 0; i < length; i++) if (slotBytes[base + i] !== bytes[start + i]) return false
  return length > 0
}

function formatOid(bytes: Uint8Array, start: number, end: number): string {
  // Empty contents are not legal BER, but agents do send them for "no OID", which SMI writes 0.0.
  if (start === end) return '0.0'
  let text = ''
  let count = 0
  let value = 0
  let fresh = true
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number
    // X.690 section 8.19.2: no leading 0x80. Padding would give one OID many spellings.
    if (fresh && byte === 0x80) malformed('bad-oid')
    value = value * 128 + (byte & 0x7f)
    fresh = byte < 0x80
    // Room for the first one, which carries two sub-identifiers in one number.
    if (value > MAX_SUB_IDENTIFIER + 80) malformed('bad-oid')
    if (!fresh) continue
    if (count === 0) {
      const first = value < 80 ? Math.floor(value / 40) : 2
      text = `${first}.${value - first * 40}`
      count = 2
    } else {
      if (value > MAX_SUB_IDENTIFIER || ++count > MAX_SUB_IDENTIFIERS) malformed('bad-oid')
      text += `.${value}`
    }
    value = 0
  }
  return fresh ? text : malformed('bad-oid')
}

// A sender repeats its OIDs, too.
const encoded = new Map<string, Buffer>()

/** The BER contents of a dotted OID; a leading dot is accepted. */
export function oidContents(text: string): Buffer {
  const known = encoded.get(text)
  if (known !== undefined) return known
  const contents = encode(text)
  if (encoded.size === SLOTS) encoded.clear()
  encoded.set(text, contents)
  return contents
}

function encode(text: string): Buffer {
  const parts = (text.startsWith('.') ? text.slice(1) : text).split('.')
  const numbers = parts.map((part) => (/^\d{1,10}$/.test(part) ? Number(part) : Number.NaN))
  const [first, second] = numbers
  const isValid =
    first !== undefined &&
    second !== undefined &&
    first <= 2 &&
    (first === 2 || second < 40) &&
    numbers.length <= MAX_SUB_IDENTIFIERS &&
    numbers.every((number) => number <= MAX_SUB_IDENTIFIER)
  if (!isValid)
    throw new Fault('invalid', `${shown(text)} is not an object identifier such as 1.3.6.1.6.3.1.1.5.3`)
  const contents: number[] = []
  for (const number of [first * 40 + second, ...numbers.slice(2)]) {
    for (let power = 128 ** 4; power > 1; power /= 128) {
      if (number >= power) contents.push(0x80 | (Math.floor(number / power) % 128))
    }
    contents.push(number % 128)
  }
  return Buffer.from(contents)
}

/** Whether the second comes after the first in the order in which agents walk: number by number, the shorter first. */
export function isOidAfter(first: string, second: string): boolean {
  const [before, after] = [first.split('.'), second.split('.')]
  for (const [index, part] of after.entries()) {
    const other = before[index]
    if (other === undefined) return true
    if (other !== part) return Number(part) > Number(other)
  }
  return false
}
