// Formats values for people: labels of numbers and bits, and display hints (RFC 2579, section 3.1).

import { isUtf8 } from 'node:buffer'
import { dateAndTimeHint } from './base-module.ts'
import type { MibObject } from './oid-tree.ts'

/** Octets beyond this are shown as they came. */
const octetLimit = 1024

/** The value as its object describes it; undefined where that adds nothing. */
export function display({ base, values, hint }: MibObject, value: string): string | undefined {
  if (base === 'BITS' || base === 'BIT STRING') return bits(values, value)
  if (values.size > 0) {
    const name = /^-?\d{1,10}$/.test(value) ? values.get(Number(value)) : undefined
    return name === undefined ? undefined : `${name}(${value})`
  }
  if (hint === undefined) return undefined
  if (base === 'OCTET STRING' || base === 'Opaque') return octets(hint, value)
  return /^-?\d{1,15}$/.test(value) ? number(hint, Number(value)) : undefined
}

/** The label of a number, without the number. */
export function label({ base, values }: MibObject, value: string): string | undefined {
  if (base === 'BITS' || !/^-?\d{1,10}$/.test(value)) return undefined
  return values.get(Number(value))
}

function bits(values: ReadonlyMap<number, string>, value: string): string | undefined {
  if (values.size === 0 || value === '') return undefined
  const bytes = bytesOf(value)
  if (bytes.length > 64) return undefined
  const names: string[] = []
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const isSet = ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0
    if (isSet) names.push(`${values.get(bit) ?? 'bit'}(${bit})`)
  }
  return names.join(',')
}

const hexPairs = /^[0-9a-f]{2}(?::[0-9a-f]{2})*$/

/**
 * Octets come as text where they are text, else as pairs of hexadecimal digits. Pairs that would make text were
 * therefore text from the beginning.
 */
function bytesOf(value: string): Buffer {
  if (hexPairs.test(value)) {
    const bytes = Buffer.from(value.replaceAll(':', ''), 'hex')
    if (!isText(bytes)) return bytes
  }
  return Buffer.from(value, 'utf8')
}

function isText(bytes: Buffer): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what makes it no text
  return isUtf8(bytes) && !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]/.test(bytes.toString('utf8'))
}

function octets(hint: string, value: string): string | undefined {
  // What came as text and is to be shown as text is shown already.
  if (/^\d+[at]$/.test(hint) && !hexPairs.test(value)) return undefined
  const bytes = bytesOf(value)
  if (bytes.length === 0 || bytes.length > octetLimit) return undefined
  if (hint === dateAndTimeHint) return dateAndTime(bytes)
  const parts = readHint(hint)
  if (!parts) return undefined
  const shown = write(parts, bytes)
  return shown === value ? undefined : shown
}

/** As RFC 2579 lays it out, with the zeros that people expect. */
function dateAndTime(bytes: Buffer): string | undefined {
  if (bytes.length !== 8 && bytes.length !== 11) return undefined
  const two = (at: number) => String(bytes[at]).padStart(2, '0')
  const moment = `${bytes.readUInt16BE(0)}-${two(2)}-${two(3)} ${two(4)}:${two(5)}:${two(6)}.${bytes[7]}`
  if (bytes.length === 8) return moment
  const sign = String.fromCharCode(bytes[8] ?? 0)
  return sign === '+' || sign === '-' ? `${moment} ${sign}${two(9)}:${two(10)}` : moment
}

interface HintPart {
  readonly repeats: boolean
  readonly length: number
  readonly format: string
  readonly separator: string
  readonly terminator: string
}

const part = /(\*)?(\d{1,4})([xdoat])([^\d*])?([^\d*])?/y

function readHint(hint: string): HintPart[] | undefined {
  const parts: HintPart[] = []
  part.lastIndex = 0
  while (part.lastIndex < hint.length) {
    const found = part.exec(hint)
    if (!found || parts.length > 50) return undefined
    const [, star, length = '0', format = '', separator = '', second = ''] = found
    // Only what repeats has a terminator; otherwise the second character has no meaning.
    if (second !== '' && star === undefined) return undefined
    parts.push({ repeats: star !== undefined, length: Number(length), format, separator, terminator: second })
  }
  return parts.length > 0 ? parts : undefined
}

/** The last part goes on until all octets are used. */
function write(parts: readonly HintPart[], bytes: Buffer): string | undefined {
  let text = ''
  let at = 0
  for (let turn = 0; at < bytes.length; turn += 1) {
    const { repeats, length, format, separator, terminator } = parts[
      Math.min(turn, parts.length - 1)
    ] as HintPart
    const times = repeats ? (bytes[at++] ?? 0) : 1
    if (length === 0 && turn >= parts.length) return undefined
    for (let time = 0; time < times && at < bytes.length; time += 1) {
      const piece = bytes.subarray(at, at + length)
      at += length
      const written = writePiece(piece, format)
      if (written === undefined) return undefined
      text += written
      const isLast = time === times - 1
      if (at < bytes.length) text += repeats && isLast ? terminator || separator : separator
    }
  }
  return text
}

function writePiece(piece: Buffer, format: string): string | undefined {
  if (format === 'x') return piece.toString('hex')
  if (format === 'd' || format === 'o') {
    if (piece.length > 8) return undefined
    const number = BigInt(`0x${piece.toString('hex') || '0'}`)
    return number.toString(format === 'd' ? 10 : 8)
  }
  // Many devices send the zero that ends a text in their memory.
  let end = piece.length
  while (end > 0 && piece[end - 1] === 0) end -= 1
  const text = piece.subarray(0, end)
  return isText(text) ? text.toString('utf8') : undefined
}

/** `d-2` is a number with two decimals. */
function number(hint: string, value: number): string | undefined {
  const decimals = /^d-(\d)$/.exec(hint)?.[1]
  if (decimals !== undefined) return (value / 10 ** Number(decimals)).toFixed(Number(decimals))
  if (hint === 'x') return value.toString(16)
  if (hint === 'o') return value.toString(8)
  return hint === 'b' ? value.toString(2) : undefined
}
