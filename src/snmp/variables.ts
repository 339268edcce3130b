// The variables of a notification, with their values as text.

import { isUtf8 } from 'node:buffer'
import { Fault, shown } from '../fault.ts'
import { type BerReader, type BerWriter, Tag } from './ber.ts'
import { malformed } from './malformed.ts'

export type VariableType =
  | 'Integer32'
  | 'OctetString'
  | 'Null'
  | 'ObjectIdentifier'
  | 'IpAddress'
  | 'Counter32'
  | 'Gauge32'
  | 'TimeTicks'
  | 'Opaque'
  | 'Counter64'
  | 'NoSuchObject'
  | 'NoSuchInstance'
  | 'EndOfMibView'

export interface Variable {
  /** Dotted, without a leading dot. */
  readonly oid: string
  readonly type: VariableType
  /**
   * Numbers and time ticks in decimal, OIDs and addresses dotted, octets as text when they are text, else as hex pairs
   * (`0a:1b:ff`). Nothing is lost: text is the octets read as UTF-8.
   */
  readonly value: string
  /** Whether `value` is hex pairs. */
  readonly hex: boolean
}

/** A hostile sender could pack nine thousand into one datagram; real notifications carry a few dozen at most. */
export const MAX_VARIABLES = 512

export function readVariable(reader: BerReader): Variable {
  const outer = reader.enter(Tag.sequence)
  const oid = reader.oid()
  const variable = readValue(reader, oid)
  reader.leave(outer)
  return variable
}

function readValue(reader: BerReader, oid: string): Variable {
  switch (reader.peek()) {
    case Tag.integer:
      return { oid, type: 'Integer32', value: String(reader.integer()), hex: false }
    case Tag.octetString:
      return readOctets(reader, oid)
    case Tag.objectIdentifier:
      return { oid, type: 'ObjectIdentifier', value: reader.oid(), hex: false }
    case Tag.timeTicks:
      return { oid, type: 'TimeTicks', value: String(reader.unsigned(Tag.timeTicks)), hex: false }
    case Tag.counter32:
      return { oid, type: 'Counter32', value: String(reader.unsigned(Tag.counter32)), hex: false }
    case Tag.gauge32:
      return { oid, type: 'Gauge32', value: String(reader.unsigned(Tag.gauge32)), hex: false }
    case Tag.counter64:
      return { oid, type: 'Counter64', value: String(reader.unsigned64(Tag.counter64)), hex: false }
    case Tag.ipAddress:
      return { oid, type: 'IpAddress', value: readAddress(reader), hex: false }
    case Tag.opaque:
      return { oid, type: 'Opaque', value: hexPairs(reader.octets(Tag.opaque)), hex: true }
    case Tag.null:
      return readNothing(reader, oid, 'Null', Tag.null)
    case Tag.noSuchObject:
      return readNothing(reader, oid, 'NoSuchObject', Tag.noSuchObject)
    case Tag.noSuchInstance:
      return readNothing(reader, oid, 'NoSuchInstance', Tag.noSuchInstance)
    case Tag.endOfMibView:
      return readNothing(reader, oid, 'EndOfMibView', Tag.endOfMibView)
    default:
      return malformed('bad-tag')
  }
}

function readOctets(reader: BerReader, oid: string): Variable {
  const end = reader.header(Tag.octetString)
  const start = reader.at
  reader.at = end
  const text = octetsText(reader.bytes, start, end)
  if (text !== undefined) return { oid, type: 'OctetString', value: text, hex: false }
  return { oid, type: 'OctetString', value: hexPairs(reader.bytes.subarray(start, end)), hex: true }
}

export function readAddress(reader: BerReader): string {
  const end = reader.header(Tag.ipAddress)
  if (end - reader.at !== 4) malformed('bad-value')
  const [a, b, c, d] = [
    reader.bytes[end - 4],
    reader.bytes[end - 3],
    reader.bytes[end - 2],
    reader.bytes[end - 1],
  ]
  reader.at = end
  return `${a}.${b}.${c}.${d}`
}

function readNothing(reader: BerReader, oid: string, type: VariableType, tag: number): Variable {
  if (reader.header(tag) !== reader.at) malformed('bad-value')
  return { oid, type, value: '', hex: false }
}

/** The octets as text, if they are UTF-8 without control characters (other than tab and line ends) or noncharacters. */
function octetsText(bytes: Buffer, start: number, end: number): string | undefined {
  let ascii = true
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number
    if (byte >= 0x80) ascii = false
    else if (byte === 0x7f || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d))
      return undefined
  }
  if (ascii) return bytes.toString('latin1', start, end)
  if (!isUtf8(bytes.subarray(start, end))) return undefined
  const text = bytes.toString('utf8', start, end)
  return /[\u0080-\u009f\ufffe\uffff]/.test(text) ? undefined : text
}

const DIGITS = Buffer.from('0123456789abcdef')

function hexPairs(bytes: Buffer): string {
  const text = Buffer.alloc(Math.max(0, bytes.length * 3 - 1), ':')
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    text[i * 3] = DIGITS[byte >> 4] as number
    text[i * 3 + 1] = DIGITS[byte & 15] as number
  }
  return text.toString('latin1')
}

const NOTHING = Buffer.alloc(0)

const WRITE: Record<VariableType, (writer: BerWriter, variable: Variable) => void> = {
  Integer32: (writer, variable) => writer.integer(Number(within(variable, -0x8000_0000n, 0x7fff_ffffn))),
  OctetString: (writer, variable) =>
    writer.octets(variable.hex ? fromHexPairs(variable) : Buffer.from(variable.value, 'utf8')),
  Null: (writer) => writer.octets(NOTHING, Tag.null),
  ObjectIdentifier: (writer, variable) => writer.oid(variable.value),
  IpAddress: (writer, variable) => writer.octets(addressOctets(variable.value), Tag.ipAddress),
  Counter32: (writer, variable) => writer.unsigned(unsigned32(variable), Tag.counter32),
  Gauge32: (writer, variable) => writer.unsigned(unsigned32(variable), Tag.gauge32),
  TimeTicks: (writer, variable) => writer.unsigned(unsigned32(variable), Tag.timeTicks),
  Opaque: (writer, variable) => writer.octets(fromHexPairs(variable), Tag.opaque),
  Counter64: (writer, variable) =>
    writer.unsigned64(within(variable, 0n, 0xffff_ffff_ffff_ffffn), Tag.counter64),
  NoSuchObject: (writer) => writer.octets(NOTHING, Tag.noSuchObject),
  NoSuchInstance: (writer) => writer.octets(NOTHING, Tag.noSuchInstance),
  EndOfMibView: (writer) => writer.octets(NOTHING, Tag.endOfMibView),
}

export function writeVariable(writer: BerWriter, variable: Variable): void {
  const sequence = writer.open(Tag.sequence)
  writer.oid(variable.oid)
  WRITE[variable.type](writer, variable)
  writer.close(sequence)
}

function unsigned32(variable: Variable): number {
  return Number(within(variable, 0n, 0xffff_ffffn))
}

function within(variable: Variable, least: bigint, most: bigint): bigint {
  const number = /^-?\d{1,20}$/.test(variable.value) ? BigInt(variable.value) : undefined
  if (number !== undefined && number >= least && number <= most) return number
  throw new Fault('invalid', `${shown(variable.value)} is not ${variable.type} (${least} to ${most})`)
}

function fromHexPairs(variable: Variable): Buffer {
  const sound = /^([0-9a-f]{2}(:[0-9a-f]{2})*)?$/i.test(variable.value)
  if (!sound) throw new Fault('invalid', `${shown(variable.value)} is not hex pairs such as 0a:1b:ff`)
  return Buffer.from(variable.value.replaceAll(':', ''), 'hex')
}

export function addressOctets(text: string): Buffer {
  const octets = text.split('.').map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : 256))
  if (octets.length === 4 && octets.every((octet) => octet < 256)) return Buffer.from(octets)
  throw new Fault('invalid', `${shown(text)} is not an IPv4 address`)
}
