// The words of the wall, in German.

import type { ShapeOf } from '../shape.ts'
import type * as english from '../wall-texts.ts'
import { numberText } from './shared-texts.ts'

export const wallTexts: ShapeOf<typeof english.wallTexts> = {
  zones: 'Bereiche mit offenen Alarmen',
  quietZones: (count) => (count === 1 ? 'ein Bereich ist ruhig' : `${numberText(count)} Bereiche sind ruhig`),
  page: (page, pages) => `Seite ${page} von ${pages}`,
}
