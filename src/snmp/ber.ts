// The part of ASN.1's basic encoding rules (X.690) that SNMP uses (RFC 3417 section 8): definite lengths and
// single-byte tags. The reader trusts nothing, copies nothing and never recurses; the writer is for messages that we
// send.

import { Fault } from '../fault.ts'
import { malformed } from './malformed.ts'
import { oidContents, oidText } from './oid.ts'

export const Tag = {
  integer: 0x02,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  sequence: 0x30,
  ipAddress: 0x40,
  counter32: 0x41,
  gauge32: 0x42,
  timeTicks: 0x43,
  opaque: 0x44,
  counter64: 0x46,
  noSuchObject: 0x80,
  noSuchInstance: 0x81,
  endOfMibView: 0x82,
  get: 0xa0,
  getNext: 0xa1,
  response: 0xa2,
  trapV1: 0xa4,
  getBulk: 0xa5,
  inform: 0xa6,
  trapV2: 0xa7,
  report: 0xa8,
} as const

/** The largest payload of a UDP datagram; nothing we read or write can be longer. */
export const MAX_DATAGRAM = 65_507

export class BerReader {
  readonly bytes: Buffer
  /** The next byte to read. */
  at: number
  /** Where the innermost open container ends. */
  end: number

  constructor(bytes: Buffer, at = 0, end = bytes.length) {
    this.bytes = bytes
    this.at = at
    this.end = end
  }

  /** The tag of the next element, not yet read. */
  peek(): number {
    if (this.at >= this.end) malformed('truncated')
    return this.bytes[this.at] as number
  }

  /** Reads a tag and a length; `at` is then the first byte of the contents, and the return value is where they end. */
  header(tag: number): number {
    if (this.peek() !== tag) malformed('bad-tag')
    this.at++
    let length = this.peek()
    this.at++
    if (length >= 0x80) length = this.#longLength(length & 0x7f)
    const end = this.at + length
    // Beyond the datagram, the message was cut off; beyond the container only, a length is wrong.
    if (end > this.end) malformed(end > this.bytes.length ? 'truncated' : 'bad-length')
    return end
  }

  // Devices do pad lengths (82 00 05), so the long form need not be minimal. Zero bytes would be the indefinite form.
  #longLength(count: number): number {
    if (count === 0 || count > 4) malformed('bad-length')
    let length = 0
    for (let i = 0; i < count; i++) {
      length = length * 256 + this.peek()
      this.at++
    }
    return length
  }

  /** Enters a container; the return value is for `leave`. */
  enter(tag: number): number {
    const outer = this.end
    this.end = this.header(tag)
    return outer
  }

  /** Leaves a container, which must have been read to its end. */
  leave(outer: number): void {
    if (this.at !== this.end) malformed('trailing-bytes')
    this.end = outer
  }

  /** A signed integer of at most 32 bits. */
  integer(tag: number = Tag.integer): number {
    const end = this.header(tag)
    const length = end - this.at
    if (length === 0 || length > 4) malformed('bad-integer')
    let value = ((this.bytes[this.at] as number) << 24) >> 24
    for (let i = this.at + 1; i < end; i++) value = (value << 8) | (this.bytes[i] as number)
    this.at = end
    return value
  }

  /** An unsigned 32-bit integer: five bytes with a leading zero, or four from a sender that omits the zero. */
  unsigned(tag: number): number {
    const end = this.header(tag)
    const length = end - this.at
    if (length === 0 || length > 5 || (length === 5 && this.bytes[this.at] !== 0)) malformed('bad-integer')
    let value = ((this.bytes[this.at] as number) << 24) >> 24
    for (let i = this.at + 1; i < end; i++) value = (value << 8) | (this.bytes[i] as number)
    this.at = end
    return value >>> 0
  }

  /** An unsigned 64-bit integer: up to nine bytes, as above. */
  unsigned64(tag: number): bigint {
    const end = this.header(tag)
    const length = end - this.at
    if (length === 0 || length > 9 || (length === 9 && this.bytes[this.at] !== 0)) malformed('bad-integer')
    let low = ((this.bytes[this.at] as number) << 24) >> 31
    let high = low
    for (let i = this.at; i < end; i++) {
      high = (high << 8) | (low >>> 24)
      low = (low << 8) | (this.bytes[i] as number)
    }
    this.at = end
    return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
  }

  oid(): string {
    const end = this.header(Tag.objectIdentifier)
    const text = oidText(this.bytes, this.at, end)
    this.at = end
    return text
  }

  /** The contents of an octet string: a view, not a copy. */
  octets(tag: number = Tag.octetString): Buffer {
    const end = this.header(tag)
    const contents = this.bytes.subarray(this.at, end)
    this.at = end
    return contents
  }

  /** The next element, tag and length included: a view, not a copy. */
  element(): Buffer {
    const start = this.at
    this.at = this.header(this.peek())
    return this.bytes.subarray(start, this.at)
  }
}

export class BerWriter {
  #bytes = Buffer.allocUnsafe(512)
  #length = 0

  /** Where the next byte goes. */
  get at(): number {
    return this.#length
  }

  /** Starts a container; the return value is for `close`. Its length always takes two bytes, so that nothing moves. */
  open(tag: number): number {
    this.#room(4)
    this.#bytes[this.#length] = tag
    this.#bytes[this.#length + 1] = 0x82
    this.#length += 4
    return this.#length
  }

  close(start: number): void {
    this.#bytes.writeUInt16BE(this.#length - start, start - 2)
  }

  integer(value: number, tag: number = Tag.integer): void {
    let size = 1
    while (size < 4 && (value < -(2 ** (size * 8 - 1)) || value >= 2 ** (size * 8 - 1))) size++
    this.#header(tag, size)
    this.#bytes.writeIntBE(value, this.#length - size, size)
  }

  unsigned(value: number, tag: number): void {
    if (value < 0x8000_0000) {
      this.integer(value, tag)
      return
    }
    this.#header(tag, 5)
    this.#bytes[this.#length - 5] = 0
    this.#bytes.writeUInt32BE(value, this.#length - 4)
  }

  unsigned64(value: bigint, tag: number): void {
    let size = 1
    while (value >> BigInt(size * 8 - 1) > 0n) size++
    this.#header(tag, size)
    let rest = value
    for (let i = 1; i <= size; i++) {
      this.#bytes[this.#length - i] = Number(rest & 0xffn)
      rest >>= 8n
    }
  }

  oid(text: string): void {
    this.octets(oidContents(text), Tag.objectIdentifier)
  }

  octets(contents: Uint8Array, tag: number = Tag.octetString): void {
    this.#header(tag, contents.length)
    this.#bytes.set(contents, this.#length - contents.length)
  }

  /** Elements that are encoded already. */
  raw(elements: Uint8Array): void {
    this.#room(elements.length)
    this.#bytes.set(elements, this.#length)
    this.#length += elements.length
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Writes a tag and a length; the caller fills in the contents, which are the last `size` bytes. */
  #header(tag: number, size: number): void {
    this.#room(size + 4)
    this.#bytes[this.#length++] = tag
    if (size >= 0x80) {
      this.#bytes[this.#length] = 0x82
      this.#bytes.writeUInt16BE(size, this.#length + 1)
      this.#length += 3
    } else {
      this.#bytes[this.#length++] = size
    }
    this.#length += size
  }

  #room(more: number): void {
    const needed = this.#length + more
    if (needed > MAX_DATAGRAM) throw new Fault('too-large', 'the message does not fit into one datagram')
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.min(MAX_DATAGRAM, needed * 2))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
