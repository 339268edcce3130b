// The map on the screen: draws it when something has changed, at most once a frame, and turns what pointers do into moves of
// the map, or of what is on it.

import {
  type Colors,
  cardsFrom,
  type Measure,
  paintMap,
  paintTitle,
  type Scene,
  titleBox,
  type View,
} from './draw.ts'
import { paintNames } from './draw-names.ts'
import type { Box, Point } from './layout.ts'
import { CanvasPainter } from './painter.ts'

export interface MapActions {
  choose(id: string): void
  open(id: string): void
  fold(zoneId: string): void
  /** Counted from the origin of its area. */
  moveDevice(id: string, to: Point): void
  moveArea(zoneId: string, to: Point): void
}

type Target = { readonly kind: 'device' | 'area'; readonly id: string } | undefined

const minZoom = 0.03
const maxZoom = 2.5
/** Less is a press, and no move. */
const slack = 4

export class MapCanvas {
  readonly #canvas: HTMLCanvasElement
  readonly #actions: MapActions
  readonly #over = new AbortController()
  readonly #measure: Measure
  readonly #family: string
  #scene: Scene | undefined
  #colors: Colors
  #view: View = { x: 0, y: 0, scale: 1 }
  #size = { width: 0, height: 0 }
  #isDrawing = false
  #hasFit = false
  isArranging = false

  constructor(canvas: HTMLCanvasElement, colors: Colors, actions: MapActions) {
    this.#canvas = canvas
    this.#actions = actions
    this.#colors = colors
    this.#family = getComputedStyle(canvas).fontFamily
    this.#measure = measureIn(this.#family)
    const signal = this.#over.signal
    canvas.addEventListener('wheel', (event) => this.#onWheel(event), { signal, passive: false })
    canvas.addEventListener('pointerdown', (event) => this.#onDown(event), { signal })
    canvas.addEventListener('pointermove', (event) => this.#onHover(event), { signal })
    canvas.addEventListener('dblclick', (event) => this.#onDouble(event), { signal })
    this.#measureSize()
    const resized = new ResizeObserver(() => this.#onResize())
    resized.observe(canvas)
    signal.addEventListener('abort', () => resized.disconnect())
    document.fonts?.addEventListener('loadingdone', () => this.#drawSoon(), { signal })
  }

  close(): void {
    this.#over.abort()
  }

  get measure(): Measure {
    return this.#measure
  }

  show(scene: Scene): void {
    this.#scene = scene
    if (!this.#hasFit) this.fit()
    this.#drawSoon()
  }

  paintIn(colors: Colors): void {
    this.#colors = colors
    this.#drawSoon()
  }

  /** All of it, with a little room around. */
  fit(): void {
    const { width, height } = this.#size
    const bounds = this.#scene?.layout.bounds
    if (!bounds || width === 0) return
    this.#hasFit = true
    const room = 24
    const scale = clamp(
      Math.min((width - 2 * room) / bounds.width, (height - 2 * room) / bounds.height),
      minZoom,
      1,
    )
    this.#look({
      scale,
      x: width / 2 - (bounds.x + bounds.width / 2) * scale,
      y: height / 2 - (bounds.y + bounds.height / 2) * scale,
    })
  }

  zoom(factor: number, at: Point = { x: this.#size.width / 2, y: this.#size.height / 2 }): void {
    const { x, y, scale: before } = this.#view
    const scale = clamp(before * factor, minZoom, maxZoom)
    const by = scale / before
    this.#look({ scale, x: at.x - (at.x - x) * by, y: at.y - (at.y - y) * by })
  }

  move(dx: number, dy: number): void {
    const { x, y, scale } = this.#view
    this.#look({ scale, x: x + dx, y: y + dy })
  }

  /** Brings a device into sight, large enough to be read. */
  centre(id: string): void {
    const place = this.#scene?.layout.places.get(id)
    if (!place) return
    const scale = Math.max(this.#view.scale, 0.9)
    const { width, height } = this.#size
    this.#look({
      scale,
      x: width / 2 - (place.x + place.width / 2) * scale,
      y: height / 2 - (place.y + place.height / 2) * scale,
    })
  }

  /** Moves the map only where a device is not in sight. */
  reveal(id: string): void {
    const place = this.#scene?.layout.places.get(id)
    if (!place) return
    const { x, y, scale } = this.#view
    const margin = 48
    const [left, top] = [place.x * scale + x, place.y * scale + y]
    const [right, bottom] = [left + place.width * scale, top + place.height * scale]
    const dx = left < margin ? margin - left : Math.min(0, this.#size.width - margin - right)
    const dy = top < margin ? margin - top : Math.min(0, this.#size.height - margin - bottom)
    if (dx !== 0 || dy !== 0) this.move(dx, dy)
  }

  #look(view: View): void {
    this.#view = view
    this.#drawSoon()
  }

  #measureSize(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas
    this.#size = { width, height }
    const ratio = devicePixelRatio || 1
    this.#canvas.width = Math.round(width * ratio)
    this.#canvas.height = Math.round(height * ratio)
  }

  #onResize(): void {
    const before = this.#size
    this.#measureSize()
    const { width, height } = this.#size
    if (!this.#hasFit) this.fit()
    else if (before.width > 0) this.move((width - before.width) / 2, (height - before.height) / 2)
    // A canvas that has another size is empty: the page would flicker.
    this.#draw()
  }

  #drawSoon(): void {
    if (this.#isDrawing) return
    this.#isDrawing = true
    requestAnimationFrame(() => {
      this.#isDrawing = false
      if (!this.#over.signal.aborted) this.#draw()
    })
  }

  #draw(): void {
    const context = this.#canvas.getContext('2d', { alpha: false })
    const scene = this.#scene
    if (!context) return
    const ratio = devicePixelRatio || 1
    const { width, height } = this.#size
    const { x, y, scale } = this.#view
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.fillStyle = this.#colors.ground
    context.fillRect(0, 0, width, height)
    if (!scene) return
    const painter = new CanvasPainter(context, this.#family)
    const visible = { x: -x / scale, y: -y / scale, width: width / scale, height: height / scale }
    context.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * x, ratio * y)
    paintMap(painter, scene, this.#colors, { visible, scale, measure: this.#measure })
    const open = [...scene.layout.areas.values()].filter(({ isFolded }) => !isFolded)
    const unit = titleUnit(scale)
    for (const area of open) paintTitle(painter, area, scene.states, this.#colors, unit, this.#measure)
    if (scale >= cardsFrom) return
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    const taken = open.map((area) => onScreen(titleBox(area, unit), this.#view))
    paintNames(painter, scene, this.#colors, this.#view, this.#size, this.#measure, taken)
  }

  #pointOf({ offsetX, offsetY }: { offsetX: number; offsetY: number }): Point {
    const { x, y, scale } = this.#view
    return { x: (offsetX - x) / scale, y: (offsetY - y) / scale }
  }

  #targetAt(point: Point): Target {
    const scene = this.#scene
    if (!scene) return undefined
    const unit = titleUnit(this.#view.scale)
    for (const area of scene.layout.areas.values())
      if (
        isIn(
          area.isFolded ? area : { ...titleBox(area, unit), width: Math.min(area.width, 260 * unit) },
          point,
        )
      )
        return { kind: 'area', id: area.zoneId }
    // Small ones are hit from a little further away.
    const more = Math.max(0, 5 / this.#view.scale - 5)
    for (const [id, { x, y, width, height }] of scene.layout.places)
      if (isIn({ x: x - more, y: y - more, width: width + 2 * more, height: height + 2 * more }, point))
        return { kind: 'device', id }
    return undefined
  }

  #onWheel(event: WheelEvent): void {
    event.preventDefault()
    const lines = event.deltaMode === 1 ? 16 : 1
    this.zoom(Math.exp((-event.deltaY * lines) / 400), { x: event.offsetX, y: event.offsetY })
  }

  #onHover(event: PointerEvent): void {
    if (event.buttons !== 0) return
    const target = this.#targetAt(this.#pointOf(event))
    this.#canvas.style.cursor = target ? (this.isArranging ? 'move' : 'pointer') : 'grab'
  }

  #onDouble(event: MouseEvent): void {
    const target = this.#targetAt(this.#pointOf(event))
    if (target?.kind === 'device') this.#actions.open(target.id)
  }

  /** One pointer moves, two change the scale. */
  #onDown(first: PointerEvent): void {
    if (first.button !== 0) return
    const canvas = this.#canvas
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, this.#over.signal])
    const pointers = new Map([[first.pointerId, { x: first.offsetX, y: first.offsetY }]])
    const target = this.#targetAt(this.#pointOf(first))
    const grip = this.isArranging ? this.#gripOf(target, this.#pointOf(first)) : undefined
    let isMove = false
    canvas.setPointerCapture(first.pointerId)
    canvas.addEventListener(
      'pointerdown',
      ({ pointerId, offsetX, offsetY }) => {
        isMove = true
        pointers.set(pointerId, { x: offsetX, y: offsetY })
      },
      { signal },
    )
    canvas.addEventListener(
      'pointermove',
      (event) => {
        const before = pointers.get(event.pointerId)
        if (!before) return
        const now = { x: event.offsetX, y: event.offsetY }
        if (!isMove && Math.hypot(event.offsetX - first.offsetX, event.offsetY - first.offsetY) < slack)
          return
        isMove = true
        if (grip) grip(this.#pointOf(event))
        else if (pointers.size === 1) this.move(now.x - before.x, now.y - before.y)
        else this.#pinch(before, now, [...pointers].find(([id]) => id !== event.pointerId)?.[1])
        pointers.set(event.pointerId, now)
      },
      { signal },
    )
    const end = ({ pointerId, type }: PointerEvent) => {
      pointers.delete(pointerId)
      if (pointers.size > 0) return
      over.abort()
      if (isMove || type === 'pointercancel') return
      if (target?.kind === 'area') this.#actions.fold(target.id)
      else this.#actions.choose(target?.id ?? '')
    }
    canvas.addEventListener('pointerup', end, { signal })
    canvas.addEventListener('pointercancel', end, { signal })
  }

  #pinch(before: Point, now: Point, other: Point | undefined): void {
    if (!other) return
    const distance = (one: Point) => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y))
    this.zoom(distance(now) / distance(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 })
  }

  /** How what is under the pointer follows it. */
  #gripOf(target: Target, start: Point): ((to: Point) => void) | undefined {
    const layout = this.#scene?.layout
    if (!target || !layout) return undefined
    if (target.kind === 'area') {
      const area = layout.areas.get(target.id)
      return (
        area &&
        (({ x, y }) =>
          this.#actions.moveArea(target.id, { x: area.x + x - start.x, y: area.y + y - start.y }))
      )
    }
    const place = layout.places.get(target.id)
    const zoneId = this.#scene?.graph.devices.get(target.id)?.zoneId ?? ''
    const origin = layout.areas.get(zoneId)?.origin
    return (
      place &&
      origin &&
      (({ x, y }) =>
        this.#actions.moveDevice(target.id, {
          x: place.x - origin.x + x - start.x,
          y: place.y - origin.y + y - start.y,
        }))
    )
  }
}

/** Titles keep their size on the screen when the map gets smaller, down to where areas are. */
const titleUnit = (scale: number) => Math.max(1, Math.min(1 / scale, 9))

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))

const isIn = ({ x, y, width, height }: Box, point: Point) =>
  point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height

const onScreen = ({ x, y, width, height }: Box, view: View): Box => ({
  ...{ x: x * view.scale + view.x, y: y * view.scale + view.y },
  ...{ width: width * view.scale, height: height * view.scale },
})

function measureIn(family: string): Measure {
  const context = document.createElement('canvas').getContext('2d')
  const widths = new Map<string, number>()
  return (text, size, weight) => {
    const key = `${weight} ${text}`
    let width = widths.get(key)
    if (width === undefined) {
      if (context) context.font = `${weight} 100px ${family}`
      width = (context?.measureText(text).width ?? 0) / 100
      if (widths.size > 50_000) widths.clear()
      widths.set(key, width)
    }
    return width * size
  }
}
