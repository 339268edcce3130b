// The words of the calendar, in German.

import type * as english from '../calendar-texts.ts'
import type { ShapeOf } from '../shape.ts'
import { numberText } from './shared-texts.ts'

export const plannedTexts: ShapeOf<typeof english.plannedTexts> = {
  title: 'Kalender',
  about: (zone) =>
    `Wartungsfenster und anstehende Berichte; eine Woche zeigt auch, wer Bereitschaft hat. Zeiten gelten in ${zone}. Wiederkehrende Fenster sind ab heute gezeigt.`,
  viewLabel: 'Ansicht',
  views: { week: 'Woche', month: 'Monat' },
  today: 'Heute',
  before: { week: 'Woche davor', month: 'Monat davor' },
  after: { week: 'Woche danach', month: 'Monat danach' },
  newOn: (day) => `Wartungsfenster am ${day} anlegen`,
  kinds: { window: 'Wartung', report: 'Bericht', shift: 'Bereitschaft' },
  span: (from, to) => `${from} bis ${to}`,
  from: (time) => `ab ${time}`,
  until: (time) => `bis ${time}`,
  allDay: 'ganztägig',
  shift: (person, schedule) => `${person}, ${schedule}`,
  more: (count) => `${numberText(count)} weitere`,
}
