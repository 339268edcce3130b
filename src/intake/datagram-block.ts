// Packs datagrams into a block of memory, which the receiving thread transfers without copying.

export interface Datagram {
  /** With the zone of a link-local address, and with its space, as `inSpace` writes it. */
  readonly sourceIp: string
  readonly port: number
  /** By `monotonicTime` in the receiving thread; after that, milliseconds since 1970. */
  readonly receivedAt: number
  readonly bytes: Buffer
  /** A syslog message; otherwise a trap. */
  readonly isMessage?: boolean
}

/** Milliseconds of a clock that never jumps and is the same in all threads. */
export const monotonicTime = (): number => Number(process.hrtime.bigint() / 1_000_000n)

/** Length, port, time and length of the address, which are followed by address and bytes. */
const headSize = 4 + 2 + 8 + 1
/** Added to the length of the address, which is shorter. */
const messageMark = 0x80

export function pack(datagrams: readonly Datagram[]): ArrayBuffer {
  let size = 0
  for (const { sourceIp, bytes } of datagrams) size += headSize + sourceIp.length + bytes.length
  const block = new ArrayBuffer(size)
  const buffer = Buffer.from(block)
  let at = 0
  for (const { sourceIp, port, receivedAt, bytes, isMessage } of datagrams) {
    buffer.writeUInt32LE(bytes.length, at)
    buffer.writeUInt16LE(port, at + 4)
    buffer.writeDoubleLE(receivedAt, at + 6)
    buffer.writeUInt8(sourceIp.length | (isMessage ? messageMark : 0), at + 14)
    at += headSize
    at += buffer.write(sourceIp, at, 'latin1')
    at += bytes.copy(buffer, at)
  }
  return block
}

export function* unpack(block: ArrayBuffer | Buffer): Generator<Datagram> {
  const buffer = block instanceof ArrayBuffer ? Buffer.from(block) : block
  for (let at = 0; at < buffer.length; ) {
    const length = buffer.readUInt32LE(at)
    const start = at + headSize
    const mark = buffer.readUInt8(at + 14)
    const address = mark & ~messageMark
    yield {
      sourceIp: buffer.toString('latin1', start, start + address),
      port: buffer.readUInt16LE(at + 4),
      receivedAt: buffer.readDoubleLE(at + 6),
      bytes: buffer.subarray(start + address, start + address + length),
      ...(mark >= messageMark && { isMessage: true }),
    }
    at = start + address + length
  }
}

/** Shifts the times of all datagrams in a block, in place. */
export function moveTimes(block: ArrayBuffer, milliseconds: number): void {
  const buffer = Buffer.from(block)
  for (let at = 0; at < buffer.length; ) {
    buffer.writeDoubleLE(buffer.readDoubleLE(at + 6) + milliseconds, at + 6)
    at += headSize + (buffer.readUInt8(at + 14) & ~messageMark) + buffer.readUInt32LE(at)
  }
}
