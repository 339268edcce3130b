// Texts of how devices answered over time, in German.

import type * as english from '../reach-texts.ts'
import type { ShapeOf } from '../shape.ts'
import { numberText } from './shared-texts.ts'

export const historyTexts: ShapeOf<typeof english.historyTexts> = {
  title: 'Antwortzeit, und wann das Gerät nicht geantwortet hat',
  span: 'Zeitraum',
  spans: { day: 'Tag', week: 'Woche', year: 'Jahr' },
  answered: 'Beantwortet',
  losses: 'Fragen ohne Antwort',
  mean: 'Antwortzeit',
  longest: 'Längste',
  none: 'In dieser Zeit wurde nichts gemessen. Die ersten Werte gibt es etwa eine Minute, nachdem ein Gerät zum ersten Mal gefragt wurde.',
  noRoundTrip: 'nicht gemessen',
  step: (time, roundTrip, answered) => `${time}: Antwortzeit ${roundTrip}, beantwortet ${answered}`,
  milliseconds: (value) => `${numberText(rounded(value))} ms`,
  percent: (part) => `${numberText(Math.floor(part * 10_000) / 100)} %`,
}

const rounded = (value: number) => (value < 10 ? Math.round(value * 100) / 100 : Math.round(value * 10) / 10)
