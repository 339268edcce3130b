// The words of the wall.

import { numberText } from './shared-texts.ts'

export const wallTexts = {
  zones: 'Zones with open alarms',
  quietZones: (count: number) => (count === 1 ? 'one zone is quiet' : `${numberText(count)} zones are quiet`),
  page: (page: string, pages: string) => `Page ${page} of ${pages}`,
}
