// The colours of the map, from the style sheet.

import { colorOf } from '../parts/colors.ts'
import type { Colors } from './draw.ts'

export function colorsOfMap(scheme?: 'light' | 'dark'): Colors {
  const of = (name: string) => colorOf(`--${name}`, scheme)
  return {
    ...{ paper: of('paper'), ground: of('ground'), ink: of('ink'), soft: of('soft') },
    ...{ line: of('line'), edge: of('edge'), accent: of('accent'), chosen: of('chosen'), hover: of('hover') },
    levels: ['', ...[1, 2, 3, 4, 5].map((level) => of(`level-${level}`))],
  }
}
