// The scalar types of the API: how each is parsed, written, and stored in a column. All conversions between the wire,
// the code and the store are made here.

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Fault, shown } from '../fault.ts'

export interface Facets {
  readonly base: 'string' | 'int' | 'long' | 'boolean'
  readonly values?: readonly (string | number)[]
  readonly pattern?: string
  readonly maxLength?: number
  readonly min?: number
  readonly max?: number
}

export interface Scalar<T> {
  /** What is accepted, to complete the sentence "expected …". */
  readonly accepted: string
  readonly column: 'text' | 'integer' | 'bigint'
  readonly facets: Facets
  /** Parses trimmed, non-empty text; throws a Fault that says what is accepted. */
  read(text: string): T
  write(value: T): string
  /** The value from that of its column; an integer column holds a bigint. */
  fromSql(value: string | bigint): T
  /** A text that sorts and compares as users expect the values to: letter case ignored, addresses by number. */
  key(value: T): string
}

function refuse(text: string, accepted: string): Fault {
  return new Fault('invalid', `${shown(text)} is not accepted: expected ${accepted}`)
}

const integer = /^[+-]?\d{1,24}$/
const long64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n }

export const long: Scalar<bigint> = {
  accepted: 'a whole number of 64 bits (-9223372036854775808 to 9223372036854775807)',
  column: 'bigint',
  facets: { base: 'long' },
  read(text) {
    if (!integer.test(text)) throw refuse(text, long.accepted)
    const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
    if (value < long64.min || value > long64.max) throw refuse(text, long.accepted)
    return value
  },
  write: (value) => value.toString(),
  fromSql: (value) => value as bigint,
  key: (value) => value.toString(),
}

/** Minus zero becomes the zero that the store would return. */
const readInteger = (text: string) => (integer.test(text) ? Number(text) + 0 : Number.NaN)

/** A point in time: milliseconds in code and store, Unix seconds on the wire, 0 if it has not occurred. */
export const instant: Scalar<number> = {
  accepted: 'a time in seconds since 1970',
  column: 'bigint',
  facets: { base: 'long' },
  read(text) {
    const seconds = readInteger(text)
    if (!(seconds >= 0 && seconds <= 253_402_300_799)) throw refuse(text, instant.accepted)
    return seconds * 1000
  },
  write: (value) => String(Math.floor(value / 1000)),
  fromSql: Number,
  key: String,
}

interface Range {
  readonly min?: number
  readonly max?: number
}

export function int(range: Range = {}): Scalar<number> {
  const min = range.min ?? -(2 ** 31)
  const max = range.max ?? 2 ** 31 - 1
  const accepted = `a whole number from ${min} to ${max}`
  return {
    accepted,
    column: 'integer',
    facets: { base: 'int', ...range },
    read(text) {
      const value = readInteger(text)
      if (!(value >= min && value <= max)) throw refuse(text, accepted)
      return value
    },
    write: String,
    fromSql: Number,
    key: String,
  }
}

/** An enumeration of ints: `{ 1: 'no authentication', 2: 'MAC-to-interface binding' }`. */
export function coded(meanings: Readonly<Record<number, string>>): Scalar<number> {
  // Object keys put negative numbers last; users read them in order.
  const values = Object.keys(meanings)
    .map(Number)
    .sort((a, b) => a - b)
  const accepted = `one of ${values.map((value) => `${value} (${meanings[value]})`).join(', ')}`
  return {
    accepted,
    column: 'integer',
    facets: { base: 'int', values },
    read(text) {
      const value = readInteger(text)
      if (!values.includes(value)) throw refuse(text, accepted)
      return value
    },
    write: String,
    fromSql: Number,
    key: String,
  }
}

export const bool: Scalar<boolean> = {
  accepted: 'true or false',
  column: 'integer',
  facets: { base: 'boolean' },
  read(text) {
    const word = text.toLowerCase()
    if (word !== 'true' && word !== 'false') throw refuse(text, bool.accepted)
    return word === 'true'
  },
  write: String,
  fromSql: (value) => value !== 0n,
  key: String,
}

// What XML 1.0 cannot carry, PostgreSQL cannot store (NUL) or UTF-8 cannot encode (half a surrogate pair).
const unstorable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u

interface TextForm {
  readonly maxLength?: number
  /** A whole-value pattern in the dialect that JavaScript and XSD share, with a description. */
  readonly pattern?: { readonly source: string; readonly accepted: string }
}

export function text(form: TextForm = {}): Scalar<string> {
  const { maxLength = 1000, pattern } = form
  const whole = pattern && new RegExp(`^(?:${pattern.source})$`)
  const accepted = pattern?.accepted ?? `text of at most ${maxLength} characters`
  return {
    accepted,
    column: 'text',
    facets: { base: 'string', maxLength, ...(pattern && { pattern: pattern.source }) },
    read(value) {
      // Skip the pattern for text that is far too long. XSD counts code points; each has at most two UTF-16 units.
      if (value.length > maxLength * 2) throw refuse(value, accepted)
      const bad = unstorable.exec(value)
      if (bad) {
        const code = (bad[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
        throw new Fault('invalid', `the character U+${code} cannot be kept: expected ${accepted}`)
      }
      if (value.length > maxLength && [...value].length > maxLength) throw refuse(value, accepted)
      if (whole && !whole.test(value)) throw refuse(value, accepted)
      return value
    },
    write: (value) => value,
    fromSql: String,
    key: fold,
  }
}

/** Six colon-separated pairs, stored in lower case so that equal addresses are equal texts. */
const macPattern = '([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}'
const macText = text({
  pattern: {
    source: macPattern,
    accepted: 'six hexadecimal pairs separated by colons, such as 00:1b:44:11:3a:b7',
  },
})
export const mac: Scalar<string> = { ...macText, read: (value) => macText.read(value).toLowerCase() }

/**
 * The notations of switches: pairs separated by colons or hyphens, groups of four separated by dots or hyphens, or no
 * separator.
 */
const macFormats =
  /^(?:[0-9a-f]{12}|[0-9a-f]{2}(?:(?:-[0-9a-f]{2}){5}|(?::[0-9a-f]{2}){5})|[0-9a-f]{4}(?:(?:-[0-9a-f]{4}){2}|(?:\.[0-9a-f]{4}){2}))$/i

/** Converts a MAC address in any notation to the stored one; undefined if the text is no MAC address. */
export function macOf(text: string): string | undefined {
  if (text.length > 17 || !macFormats.test(text)) return undefined
  return text
    .toLowerCase()
    .replaceAll(/[-:.]/g, '')
    .replaceAll(/..(?=.)/g, '$&:')
}

/** A MAC address in any notation. */
export const anyMac: Scalar<string> = {
  ...macText,
  accepted: 'a MAC address such as 00:1b:44:11:3a:b7, 001b.4411.3ab7 or 001B-4411-3AB7',
  read(value) {
    const found = macOf(value)
    if (found === undefined) throw refuse(value, anyMac.accepted)
    return found
  },
}

/** RFC 2578 section 3.5: at most 128 numbers of at most ten digits, the dots between them and one before. */
export const oidLength = 128 * 11

/** An object identifier, without the leading dot that some tools write. */
const oidText = text({
  maxLength: oidLength,
  pattern: { source: '\\.?[0-9]+(\\.[0-9]+)*', accepted: 'an object identifier such as 1.3.6.1.6.3.1.1.5.3' },
})
export const oid: Scalar<string> = { ...oidText, read: (value) => oidText.read(value).replace(/^\./, '') }

/** An IPv4 or IPv6 address in its canonical spelling; an IPv4-mapped IPv6 address is the IPv4 address. */
export const ip: Scalar<string> = {
  accepted: 'an IPv4 or IPv6 address such as 10.0.0.7 or 2001:db8::7',
  column: 'text',
  facets: { base: 'string', maxLength: 39 },
  read(value) {
    // Node checks it, in linear time; the library would also accept octal and shortened forms.
    const family = isIP(value)
    if (family === 0 || value.includes('%')) throw refuse(value, ip.accepted)
    return canonical(ipaddr.process(family === 4 ? value : withoutDots(value)))
  },
  write: (value) => value,
  fromSql: String,
  key: ipKey,
}

/** The last 32 bits of an IPv6 address may be written as IPv4; the library takes `::1.2.3.4` for `::ffff:1.2.3.4`. */
function withoutDots(value: string): string {
  const cut = value.lastIndexOf(':') + 1
  const [a = 0, b, c = 0, d = 0] = value.slice(cut).split('.').map(Number)
  if (b === undefined) return value
  return `${value.slice(0, cut)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

function canonical(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  return address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).toRFC5952String()
}

/** Fixed width, so that text order is address order, IPv4 before IPv6: `4` or `6`, then 32 hexadecimal digits. */
export function ipKey(address: string): string {
  const parsed = ipaddr.parse(address)
  const digits = parsed
    .toByteArray()
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  return (parsed.kind() === 'ipv4' ? '4' : '6') + digits.padStart(32, '0')
}

export function ipFromKey(key: string): string {
  const digits = key.startsWith('4') ? key.slice(-8) : key.slice(1)
  const bytes = digits.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? []
  return canonical(ipaddr.fromByteArray(bytes))
}

/** The number in a key. */
export const keyNumber = (key: string): bigint => BigInt(`0x${key.slice(1)}`)

/** The key of the next address; for the last address, a text that sorts after every key. */
export function nextKey(key: string): string {
  const digits = (keyNumber(key) + 1n).toString(16)
  return digits.length > 32 ? '~' : key.charAt(0) + digits.padStart(32, '0')
}

/**
 * Folds letter case in every alphabet, one character to one: a filter's `?` must still match one character, so letters
 * without a single counterpart (ß, İ) stay as they are. Both stores then compare plain code points.
 */
export function fold(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII
  if (/^[\x00-\x7f]*$/.test(value)) return value.toLowerCase()
  let folded = ''
  for (const char of value) {
    const upper = char.toUpperCase()
    const lower = ([...upper].length === 1 ? upper : char).toLowerCase()
    folded += [...lower].length === 1 ? lower : char
  }
  return folded
}
