// Pictures with few colours take a third of the room with a palette: a screenshot is written again with one.

import { deflateSync, inflateSync } from 'node:zlib'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

interface Picture {
  readonly width: number
  readonly height: number
  /** Red, green and blue of each point. */
  readonly points: Buffer
}

function chunksOf(file: Buffer): Map<string, Buffer[]> {
  const chunks = new Map<string, Buffer[]>()
  for (let at = signature.length; at < file.length; ) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    chunks.set(type, [...(chunks.get(type) ?? []), file.subarray(at + 8, at + 8 + length)])
    at += 12 + length
  }
  return chunks
}

const paeth = (left: number, up: number, corner: number) => {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** Eight bits a channel, with or without transparency, as browsers write them. */
function read(file: Buffer): Picture {
  const chunks = chunksOf(file)
  const head = chunks.get('IHDR')?.[0] ?? Buffer.alloc(13)
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  const size = head[9] === 6 ? 4 : 3
  const data = inflateSync(Buffer.concat(chunks.get('IDAT') ?? []))
  const line = width * size
  const points = Buffer.alloc(width * height * 3)
  let before = Buffer.alloc(line)
  for (let y = 0; y < height; y += 1) {
    const kind = data[y * (line + 1)] ?? 0
    const current = Buffer.from(data.subarray(y * (line + 1) + 1, (y + 1) * (line + 1)))
    for (let x = 0; x < line; x += 1) {
      const left = x >= size ? (current[x - size] ?? 0) : 0
      const up = before[x] ?? 0
      const corner = x >= size ? (before[x - size] ?? 0) : 0
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind] ?? 0
      current[x] = ((current[x] ?? 0) + guess) & 255
    }
    for (let x = 0; x < width; x += 1) current.copy(points, (y * width + x) * 3, x * size, x * size + 3)
    before = current
  }
  return { width, height, points }
}

const apart = (a: number, b: number) =>
  ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2

function nearest(color: number, colors: readonly number[]): number {
  let best = 0
  for (let index = 1; index < colors.length; index += 1)
    if (apart(color, colors[index] ?? 0) < apart(color, colors[best] ?? 0)) best = index
  return best
}

/** Colours closer than this look the same. */
const closest = 14 ** 2

/** The commonest colours that can be distinguished; all others become the nearest of them. */
function paletteOf(points: Buffer): { colors: number[]; indexOf: Map<number, number> } {
  const counts = new Map<number, number>()
  for (let at = 0; at < points.length; at += 3) {
    const color = points.readUIntBE(at, 3)
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([color]) => color)
  const colors: number[] = []
  for (const color of byCount) {
    if (colors.length === 256) break
    // Large areas keep their colour to the last bit.
    const known = colors[nearest(color, colors)]
    if (colors.length < 24 || known === undefined || apart(color, known) > closest) colors.push(color)
  }
  return { colors, indexOf: new Map(byCount.map((color) => [color, nearest(color, colors)])) }
}

const table = Array.from({ length: 256 }, (_, n) => {
  let value = n
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  let crc = 0xffffffff
  for (const byte of body) crc = (table[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8)
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE((crc ^ 0xffffffff) >>> 0)
  return Buffer.concat([length, body, sum])
}

/** The same picture, smaller. */
export function small(file: Buffer): Buffer {
  const { width, height, points } = read(file)
  const { colors, indexOf } = paletteOf(points)
  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      lines[y * (width + 1) + 1 + x] = indexOf.get(points.readUIntBE((y * width + x) * 3, 3)) ?? 0
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3, 0, 0, 0], 8)
  const palette = Buffer.alloc(colors.length * 3)
  for (const [index, color] of colors.entries()) palette.writeUIntBE(color, index * 3, 3)
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
