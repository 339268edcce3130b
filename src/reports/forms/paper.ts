// The pages of a PDF, and texts of any alphabet on them.

import PDFDocument from 'pdfkit'
import { boldFont, plainFont, wideFont } from './fonts.ts'
import { visible, withoutTurns } from './page.ts'

export const margin = 42
const bottom = 46
export const ink = '#1f2933'
export const textSize = 8
/** Of one text: it may be as long as its sender likes. */
const mostCharacters = 600

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

/** Fonts are parsed when they are needed: the wide one hardly ever is. */
const sources: Readonly<Record<FontName, () => Buffer>> = { plain: plainFont, bold: boldFont, wide: wideFont }

interface Character {
  readonly text: string
  readonly font: FontName
  /** At one point. */
  readonly width: number
}

export class Paper {
  readonly doc: PDFKit.PDFDocument
  readonly width: number
  /** Where the next thing goes. */
  y = margin
  readonly #glyphs = new Map<FontName, Glyphs>()
  readonly #characters = new Map<string, Character>()

  constructor(title: string) {
    this.doc = new PDFDocument({
      size: 'A4',
      margins: { top: margin, left: margin, right: margin, bottom: 0 },
      bufferPages: true,
      // None to begin with: the library would open a font anew for each name it has for it.
      font: '',
      info: { Title: plain(title), Creator: 'Belfry', Producer: 'Belfry' },
    })
    this.width = this.doc.page.width - 2 * margin
  }

  /** Begins the next page where less room than this is left; returns whether it did. */
  require(height: number): boolean {
    if (this.y + height <= this.doc.page.height - bottom) return false
    this.doc.addPage()
    this.y = margin
    return true
  }

  #font(name: FontName): Glyphs {
    let glyphs = this.#glyphs.get(name)
    if (!glyphs) {
      this.doc.registerFont(name, sources[name]())
      this.doc.font(name)
      glyphs = (this.doc as unknown as { _font: { font: Glyphs } })._font.font
      this.#glyphs.set(name, glyphs)
    }
    return glyphs
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
    for (const word of plain(text).split(/(?<= )/)) {
      if (this.widthOf(line + word.trimEnd(), style) <= width) {
        line += word
        continue
      }
      if (line !== '') lines.push(line.trimEnd())
      line = ''
      for (const char of word) {
        if (line !== '' && this.widthOf(line + char, style) > width) {
          lines.push(line)
          line = ''
        }
        line += char
      }
    }
    if (line !== '') lines.push(line.trimEnd())
    return lines
  }
}

/** One line of text, without control characters for its direction, and not too long. */
function plain(text: string): string {
  const characters = [
    ...withoutTurns(text.slice(0, 4 * mostCharacters))
      .replace(/\s+/g, ' ')
      .trim(),
  ]
  return characters.length > mostCharacters
    ? `${characters.slice(0, mostCharacters).join('')}…`
    : characters.join('')
}
