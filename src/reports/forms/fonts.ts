// The fonts of a PDF. DejaVu covers the European alphabets and more; characters it lacks are taken from Unifont,
// which has a glyph for nearly every character.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'

const require = createRequire(import.meta.url)
const bytesOf = (file: string) => readFileSync(require.resolve(file))

export const plainFont = () => bytesOf('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')
export const boldFont = () => bytesOf('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')
export const wideFont = () => unpacked(bytesOf('@fontsource/unifont/files/unifont-latin-400-normal.woff'))

/**
 * The font inside a WOFF 1.0 file (W3C Recommendation of 2012, sections 3 to 5): its tables, inflated and put behind
 * each other. The library that reads fonts can do that too, but does it again for each glyph.
 */
export function unpacked(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(12 + 16 * count)
  woff.copy(head, 0, 4, 8)
  const power = 2 ** Math.floor(Math.log2(count))
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(power * 16, 6)
  head.writeUInt16BE(Math.log2(power), 8)
  head.writeUInt16BE((count - power) * 16, 10)
  const parts = [head]
  let at = head.length
  for (let index = 0; index < count; index += 1) {
    const entry = 44 + 20 * index
    const [start, packed, length] = [4, 8, 12].map((offset) => woff.readUInt32BE(entry + offset)) as [
      number,
      number,
      number,
    ]
    const stored = woff.subarray(start, start + packed)
    const table = packed < length ? inflateSync(stored, { maxOutputLength: length }) : stored
    const place = 12 + 16 * index
    woff.copy(head, place, entry, entry + 4)
    woff.copy(head, place + 4, entry + 16, entry + 20)
    head.writeUInt32BE(at, place + 8)
    head.writeUInt32BE(length, place + 12)
    const padded = Buffer.alloc(Math.ceil(length / 4) * 4)
    table.copy(padded)
    parts.push(padded)
    at += padded.length
  }
  return Buffer.concat(parts)
}
