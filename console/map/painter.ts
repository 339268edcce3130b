// What the map is painted with: a canvas on the screen, or SVG for paper. Both know the same few things.

import type { Box } from './layout.ts'

export interface Look {
  readonly fill?: string
  readonly stroke?: string
  readonly width?: number
  readonly dash?: boolean
}

export interface Letters {
  readonly size: number
  readonly weight?: number
  readonly fill: string
  readonly anchor?: 'start' | 'middle' | 'end'
  /** The ground behind letters that stand on lines. */
  readonly halo?: string
}

export interface Painter {
  boxes(boxes: readonly Box[], radius: number, look: Look): void
  /** Paths of SVG. */
  paths(paths: readonly string[], look: Look): void
  /** A path of a square of 16 pixels, drawn in this size with its middle at a point. */
  sign(path: string, x: number, y: number, size: number, look: Look): void
  text(text: string, x: number, y: number, letters: Letters): void
}

const kept = new Map<string, Path2D>()
const maxKept = 20_000

/** A browser takes longer to read a path than to draw it. */
function pathOf(text: string): Path2D {
  let path = kept.get(text)
  if (!path) {
    if (kept.size > maxKept) kept.clear()
    path = new Path2D(text)
    kept.set(text, path)
  }
  return path
}

const dashes = [5, 4]

export class CanvasPainter implements Painter {
  readonly #context: CanvasRenderingContext2D
  readonly #family: string

  constructor(context: CanvasRenderingContext2D, family: string) {
    this.#context = context
    this.#family = family
  }

  boxes(boxes: readonly Box[], radius: number, look: Look): void {
    const path = new Path2D()
    for (const { x, y, width, height } of boxes) path.roundRect(x, y, width, height, radius)
    this.#draw(path, look)
  }

  paths(paths: readonly string[], look: Look): void {
    for (const path of paths) this.#draw(pathOf(path), look)
  }

  sign(path: string, x: number, y: number, size: number, look: Look): void {
    const context = this.#context
    const scale = size / 16
    context.save()
    context.translate(x - size / 2, y - size / 2)
    context.scale(scale, scale)
    this.#draw(pathOf(path), look)
    context.restore()
  }

  text(
    text: string,
    x: number,
    y: number,
    { size, weight = 400, fill, anchor = 'start', halo }: Letters,
  ): void {
    const context = this.#context
    context.font = `${weight} ${size}px ${this.#family}`
    context.textAlign = anchor === 'middle' ? 'center' : anchor
    context.textBaseline = 'middle'
    if (halo) {
      context.strokeStyle = halo
      context.lineWidth = size / 3
      context.lineJoin = 'round'
      context.strokeText(text, x, y)
    }
    context.fillStyle = fill
    context.fillText(text, x, y)
  }

  #draw(path: Path2D, { fill, stroke, width = 1, dash = false }: Look): void {
    const context = this.#context
    if (fill) {
      context.fillStyle = fill
      context.fill(path)
    }
    if (!stroke) return
    context.strokeStyle = stroke
    context.lineWidth = width
    context.setLineDash(dash ? dashes : [])
    context.stroke(path)
  }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const number = (value: number) => String(Math.round(value * 10) / 10)

export class SvgPainter implements Painter {
  readonly #parts: string[] = []

  boxes(boxes: readonly Box[], radius: number, look: Look): void {
    for (const { x, y, width, height } of boxes)
      this.#parts.push(
        `<rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" rx="${radius}"${attributes(look)}/>`,
      )
  }

  paths(paths: readonly string[], look: Look): void {
    for (const path of paths) this.#parts.push(`<path d="${path}"${attributes(look)}/>`)
  }

  sign(path: string, x: number, y: number, size: number, look: Look): void {
    const [left, top, scale] = [x - size / 2, y - size / 2, size / 16].map(number)
    this.#parts.push(
      `<path transform="translate(${left} ${top}) scale(${scale})" d="${path}"${attributes(look)}/>`,
    )
  }

  text(text: string, x: number, y: number, { size, weight = 400, fill, anchor = 'start' }: Letters): void {
    this.#parts.push(
      `<text x="${number(x)}" y="${number(y)}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}" dominant-baseline="central">${escaped(text)}</text>`,
    )
  }

  document({ x, y, width, height }: Box, title: string, ground: string): string {
    const box = [x, y, width, height].map(number).join(' ')
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="${number(width)}" height="${number(height)}" font-family="Inter, system-ui, sans-serif">`,
      `<title>${escaped(title)}</title>`,
      `<rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" fill="${ground}"/>`,
      ...this.#parts,
      '</svg>\n',
    ].join('\n')
  }
}

const attributes = ({ fill = 'none', stroke, width = 1, dash }: Look) =>
  ` fill="${fill}"${stroke ? ` stroke="${stroke}" stroke-width="${number(width)}"` : ''}${dash ? ` stroke-dasharray="${dashes.join(' ')}"` : ''}`
