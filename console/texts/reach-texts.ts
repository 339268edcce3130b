// Texts of how devices answered over time.

import { numberText } from './shared-texts.ts'

export const historyTexts = {
  title: 'Round trip, and when the device did not answer',
  span: 'Period',
  spans: { day: 'Day', week: 'Week', year: 'Year' },
  answered: 'Answered',
  losses: 'Questions without an answer',
  mean: 'Round trip',
  longest: 'Longest',
  none: 'Nothing was measured in this time. The first figures come about a minute after a device was first asked.',
  noRoundTrip: 'not measured',
  step: (time: string, roundTrip: string, answered: string) =>
    `${time}: round trip ${roundTrip}, answered ${answered}`,
  milliseconds: (value: number) => `${numberText(rounded(value))} ms`,
  percent: (part: number) => `${numberText(Math.floor(part * 10_000) / 100)} %`,
}

const rounded = (value: number) => (value < 10 ? Math.round(value * 100) / 100 : Math.round(value * 10) / 10)
