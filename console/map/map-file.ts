// The map as a file of SVG: all of it, as large as it can be read, in the colours of paper.

import { saveFile } from '../core/save-file.ts'
import { timeText } from '../core/time-text.ts'
import { mapTexts as words } from '../texts/map-texts.ts'
import { type Colors, type Measure, paintMap, paintTitle, type Scene } from './draw.ts'
import { SvgPainter } from './painter.ts'

const margin = 32
const heading = 40

export function saveMap(scene: Scene, colors: Colors, measure: Measure, at: number): void {
  saveFile(
    words.file,
    'image/svg+xml',
    mapText({ ...scene, chosen: '', found: undefined }, colors, measure, at),
  )
}

function mapText(scene: Scene, colors: Colors, measure: Measure, at: number): string {
  const { x, y, width, height } = scene.layout.bounds
  const paper = {
    x: x - margin,
    y: y - margin - heading,
    width: width + 2 * margin,
    height: height + 2 * margin + heading,
  }
  const painter = new SvgPainter()
  painter.text(words.legend, x, y - heading + 4, { size: 20, weight: 650, fill: colors.ink })
  painter.text(timeText(at), x + width, y - heading + 4, { size: 13, fill: colors.soft, anchor: 'end' })
  paintMap(painter, scene, colors, { visible: paper, scale: 1, measure })
  for (const area of scene.layout.areas.values())
    if (!area.isFolded) paintTitle(painter, area, scene.states, colors, 1, measure)
  return painter.document(paper, words.legend, colors.paper)
}
