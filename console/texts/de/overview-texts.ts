// The words of the overview, in German.

import type * as english from '../overview-texts.ts'
import type { ShapeOf } from '../shape.ts'
import { numberText } from './shared-texts.ts'

export const overviewTexts: ShapeOf<typeof english.overviewTexts> = {
  title: 'Übersicht',
  unacknowledged: (count) => (count === 0 ? 'alle quittiert' : `${numberText(count)} nicht quittiert`),
  none: 'keine offen',
  heldBack: (count) => `${numberText(count)} zurückgehalten`,
  oldest: 'Nicht quittiert, die ältesten zuerst',
  allAcknowledged: 'Auf niemanden wird gewartet: Jeder offene Alarm ist quittiert.',
  service: 'Der Dienst selbst',
  serviceFine: 'Er hat nichts zu beanstanden.',
  maintenance: 'Wartung',
  noMaintenance: 'Keine läuft, und keine beginnt in den nächsten sieben Tagen.',
  allOf: (count) => `Alle ${numberText(count)}`,
  work: 'Zahlen der Woche',
  workHint: 'Alarme der letzten sieben Tage neben denen der sieben davor; Zeiten sind Mittelwerte.',
  change: 'Änderung',
  byDay: '14 Tage',
  barsOf: (figure) => `${figure}, nach Tagen der letzten 14 Tage`,
  tiles: 'Kacheln wählen und anordnen',
  zones: 'Bereiche',
  views: 'Sichten',
  noPlaces: {
    zone: 'Es gibt keine Bereiche.',
    view: 'Eine Sicht mit einigen Geräten zeigt hier deren Zustand; die beiden, die es immer gibt, enthalten alle Geräte.',
  },
  quietOnes: (count) =>
    count === 1
      ? 'Eine weitere Stelle hat keine offenen Alarme.'
      : `${numberText(count)} weitere haben keine offenen Alarme.`,
  hour: 'Die letzte Stunde neben derselben anderer Wochen',
  hourSays: (count, usual) => {
    const what = count === 1 ? 'Alarm in der letzten Stunde' : 'Alarme in der letzten Stunde'
    return usual === undefined
      ? `${what}; von früheren Wochen ist nichts bekannt`
      : `${what}; üblich sind ${numberText(usual)}`
  },
  weeksAgo: (weeks) => (weeks === 0 ? 'Jetzt' : weeks === 1 ? 'Vor einer Woche' : `Vor ${weeks} Wochen`),
  thisWeek: 'Letzte 7 Tage',
  weekBefore: '7 Tage davor',
  alarmsRaised: 'Ausgelöst',
  toAcknowledge: 'Bis zur Quittierung',
  toEnd: 'Bis zum Ende',
  nothingTook: '–',
  makeRule: (event) => `Regel für ${event} anlegen`,
  rule: 'Regel',
  raised: 'Alarme des letzten Tages',
  raisedHint: 'Nach Stufe, in Schritten von einer Viertelstunde.',
  traffic: 'Traps pro Sekunde',
  trafficHint:
    'Was einging, nach Ergebnis: Mittel jeder Minute seit dem Start des Dienstes, höchstens der letzten sechs Stunden. Darunter die Summen.',
  noTraffic: 'Seit dem Start des Dienstes ist nichts eingegangen.',
  devices: 'Geräte mit den meisten offenen Alarmen',
  noDevices: 'Kein Gerät hat einen offenen Alarm.',
  events: 'Ereignisse mit den meisten Alarmen des letzten Tages',
  noEvents: 'Am letzten Tag wurde kein Alarm ausgelöst.',
  outOfReach: 'Nicht erreichbar',
  outOfReachHint: 'Offene Alarme, nach denen etwas nicht erreichbar ist.',
  atLeastMore: (count) => `und mindestens ${numberText(count)} weitere`,
  noOutOfReach: 'Nach keinem offenen Alarm ist etwas nicht erreichbar.',
  nodes: 'Knoten',
  nodesHint: 'Dienste mit einem gemeinsamen Speicher. Einer verarbeitet, was alle empfangen haben.',
  thisNode: 'Dieser Dienst',
  nodeRuns: (settles, since) => `läuft seit ${since}${settles ? ', verarbeitet das Empfangene' : ''}`,
  nodeStates: {
    gone: (age) => `still seit ${age}: Läuft er, und erreicht er den Speicher?`,
    stopped: (age) => `vor ${age} beendet`,
  },
  nodeWaiting: (blocks, age) => `${numberText(blocks)} Blöcke warten, der älteste seit ${age}`,
  nodeClock: (milliseconds) =>
    `seine Uhr geht ${numberText(Math.abs(milliseconds))} ms ${milliseconds > 0 ? 'vor' : 'nach'}`,
  clients: 'Clients',
  clientsLagging: (count) =>
    count === 1 ? 'Ein Client ist im Rückstand' : `${numberText(count)} Clients sind im Rückstand`,
  clientsFine: (count) =>
    count === 0
      ? 'Kein Client ist registriert.'
      : count === 1
        ? 'Der eine Client ist aktuell.'
        : `Alle ${numberText(count)} Clients sind aktuell.`,
  behind: (entries, age) => `${numberText(entries)} Änderungen zurück, ${age}`,
}
