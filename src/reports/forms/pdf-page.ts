// Draws on the pages of a PDF, with text in any alphabet.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { visible, withoutTurns } from './html-page.ts'

// The fonts of a PDF. DejaVu covers the European alphabets and more; characters it lacks are taken from Unifont,
// which has a glyph for nearly every character.

const require = createRequire(import.meta.url)
const bytesOf = (file: string) => readFileSync(require.resolve(file))

const plainFont = () => bytesOf('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')
const boldFont = () => bytesOf('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')
const wideFont = () => unpacked(bytesOf('@fontsource/unifont/files/unifont-latin-400-normal.woff'))

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

export const margin = 42
const bottom = 46
const ink = '#1f2933'
export const textSize = 8
/** Of one text: it may be as long as its sender likes. */
const maxCharacters = 600

export interface Style {
  readonly font?: 'plain' | 'bold'
  readonly size?: number
  readonly colour?: string
}

type FontName = 'plain' | 'bold' | 'wide'

/** The parts of a font, as the library has parsed it, that are used here. */
interface Glyphs {
  readonly unitsPerEm: number
  hasGlyphForCodePoint(code: number): boolean
  glyphForCodePoint(code: number): { readonly advanceWidth: number }
}

/** A font in a document. The library remembers how each word is laid out, for as long as the document is made. */
interface DocumentFont {
  readonly font: Glyphs
  layoutCache: Record<string, unknown>
}

/** Fonts are parsed when they are needed: the wide one hardly ever is. */
const sources: Readonly<Record<FontName, () => Buffer>> = { plain: plainFont, bold: boldFont, wide: wideFont }

interface Character {
  readonly text: string
  readonly font: FontName
  /** At one point. */
  readonly width: number
}

export class PdfPages {
  readonly doc: PDFKit.PDFDocument
  readonly width: number
  /** Where the next thing goes. */
  y = margin
  /** The number of the page it goes on. */
  page = 1
  /** Drawn on each page when it is full. */
  readonly #foot: (page: number) => void
  #counting = false
  readonly #fonts = new Map<FontName, DocumentFont>()
  readonly #characters = new Map<string, Character>()

  constructor(title: string, foot: (page: number) => void) {
    this.#foot = foot
    this.doc = new PDFDocument({
      size: 'A4',
      margins: { top: margin, left: margin, right: margin, bottom: 0 },
      // No default font: the library would open a font again for each of its names.
      font: '',
      info: { Title: plain(title), Creator: 'Belfry', Producer: 'Belfry' },
    })
    this.width = this.doc.page.width - 2 * margin
  }

  /** Begins the next page where less room than this is left; returns whether it did. */
  require(height: number): boolean {
    if (this.y + height <= this.doc.page.height - bottom) return false
    // A full page is compressed and passed on at once, and its cached words are dropped: those of all pages would take
    // hundreds of megabytes.
    this.draw((doc) => {
      this.#foot(this.page)
      doc.addPage()
    })
    for (const font of this.#fonts.values()) font.layoutCache = Object.create(null)
    this.page += 1
    this.y = margin
    return true
  }

  draw(work: (doc: PDFKit.PDFDocument) => void): void {
    if (!this.#counting) work(this.doc)
  }

  /** The number of pages that the same calls will fill; nothing is drawn. */
  count(layOut: () => void): number {
    this.#counting = true
    layOut()
    const pages = this.page
    this.#counting = false
    this.page = 1
    this.y = margin
    return pages
  }

  end(): void {
    this.#foot(this.page)
    this.doc.end()
  }

  #font(name: FontName): Glyphs {
    let known = this.#fonts.get(name)
    if (!known) {
      this.doc.registerFont(name, sources[name]())
      this.doc.font(name)
      known = (this.doc as unknown as { _font: DocumentFont })._font
      this.#fonts.set(name, known)
    }
    return known.font
  }

  #character(char: string, wanted: 'plain' | 'bold'): Character {
    const key = wanted + char
    let known = this.#characters.get(key)
    if (!known) {
      const code = char.codePointAt(0) ?? 0
      const font = ([wanted, 'wide'] as const).find((name) => this.#font(name).hasGlyphForCodePoint(code))
      known = font
        ? { text: char, font, width: this.#widthOf(font, char) }
        : { text: visible(char), font: wanted, width: this.#widthOf(wanted, visible(char)) }
      this.#characters.set(key, known)
    }
    return known
  }

  #widthOf(font: FontName, text: string): number {
    const glyphs = this.#font(font)
    const units = [...text].reduce(
      (sum, char) => sum + glyphs.glyphForCodePoint(char.codePointAt(0) ?? 0).advanceWidth,
      0,
    )
    return units / glyphs.unitsPerEm
  }

  widthOf(text: string, { font = 'plain', size = textSize }: Style = {}): number {
    let width = 0
    for (const char of text) width += this.#character(char, font).width
    return width * size
  }

  /** One line, from its upper left corner, or its upper right one. */
  write(text: string, x: number, y: number, style: Style & { readonly toRight?: boolean } = {}): void {
    if (this.#counting) return
    const { font = 'plain', size = textSize, colour = ink, toRight } = style
    let at = toRight ? x - this.widthOf(text, style) : x
    for (const run of this.#runs(text, font)) {
      this.doc.font(run.font).fontSize(size).fillColor(colour).text(run.text, at, y, { lineBreak: false })
      at += run.width * size
    }
  }

  /** Characters of one font together: within a font, they are joined as their script requires. */
  #runs(text: string, font: 'plain' | 'bold'): Character[] {
    const runs: { text: string; font: FontName; width: number }[] = []
    for (const char of text) {
      const one = this.#character(char, font)
      const last = runs.at(-1)
      if (last?.font === one.font) {
        last.text += one.text
        last.width += one.width
      } else runs.push({ ...one })
    }
    return runs
  }

  /** Text in lines that fit into a width: broken between words where it can be, inside them where it must. */
  lines(text: string, width: number, style: Style = {}): string[] {
    const lines: string[] = []
    let line = ''
    let taken = 0
    const turn = () => {
      if (line !== '') lines.push(line.trimEnd())
      line = ''
      taken = 0
    }
    for (const word of plain(text).split(/(?<= )/)) {
      const needed = this.widthOf(word.trimEnd(), style)
      if (taken + needed > width) turn()
      if (needed <= width) {
        line += word
        taken += this.widthOf(word, style)
        continue
      }
      for (const char of word) {
        const one = this.widthOf(char, style)
        if (taken + one > width) turn()
        line += char
        taken += one
      }
    }
    turn()
    return lines
  }
}

/** One line of text, without control characters for its direction, and not too long. */
function plain(text: string): string {
  const characters = [
    ...withoutTurns(text.slice(0, 4 * maxCharacters))
      .replace(/\s+/g, ' ')
      .trim(),
  ]
  return characters.length > maxCharacters
    ? `${characters.slice(0, maxCharacters).join('')}…`
    : characters.join('')
}
