// The words of the map, in German.

import type * as english from '../map-texts.ts'
import type { ShapeOf } from '../shape.ts'
import { numberText } from './shared-texts.ts'

const devicesText = (count: number) => `${numberText(count)} ${count === 1 ? 'Gerät' : 'Geräte'}`

export const mapTexts: ShapeOf<typeof english.mapTexts> = {
  title: 'Karte',
  devices: devicesText,
  summary: (devices, wrong) =>
    `${devicesText(devices)}, ${wrong === 0 ? 'keine Störung' : `${numberText(wrong)} mit Alarmen`}`,
  empty: 'Es gibt noch keine Geräte',
  emptyHint:
    'Die Karte zeigt die Geräte des Bestands in Ebenen, jedes unter den Geräten, über die es erreicht wird.',
  toDevices: 'Zu den Geräten',
  search: 'Gerät suchen',
  found: (count) => (count === 0 ? 'nichts gefunden' : numberText(count)),
  showAs: 'Darstellung',
  asMap: 'Karte',
  asList: 'Liste',
  arrange: 'Anordnen',
  arrangeHint:
    'Ziehen Sie Geräte und Flächen an ihren Platz; dort bleiben sie, für Sie und in diesem Browser.',
  play: 'Tag abspielen',
  live: 'Zurück zu jetzt',
  more: 'Karte',
  foldAll: 'Alle Zonen zuklappen',
  unfoldAll: 'Alle Zonen aufklappen',
  putBack: 'Alles zurücksetzen',
  save: 'Als SVG speichern, zum Drucken',
  zoomIn: 'Größer',
  zoomOut: 'Kleiner',
  fit: 'Alles zeigen',
  keys: 'Karte des Netzes. Pfeiltasten folgen den Verbindungen, Enter öffnet ein Gerät, Plus und Minus ändern den Maßstab, 0 zeigt alles, Escape verlässt das Gerät.',
  announce: (name, state, tier, up, down) =>
    `${name}, ${state}, Ebene ${tier}, ${up} darüber, ${down} darunter`,
  normal: 'keine Störung',
  close: 'Schließen',
  address: 'Adresse',
  type: 'Typ',
  zone: 'Zone',
  alarms: 'Offene Alarme',
  alarmsThen: 'Alarme zu dieser Zeit',
  noAlarms: 'Keine.',
  moreAlarms: (count) => `und ${numberText(count)} weitere`,
  way: 'Weg zum Kern',
  isTop: 'Es steht ganz oben: Darüber ist nichts.',
  below: 'Darunter',
  nothingBelow: 'Nichts.',
  openDevice: 'Gerät öffnen',
  maintenance: 'Wartungsfenster',
  tier: 'Ebene',
  state: 'Zustand',
  device: 'Gerät',
  parents: 'Erreicht über',
  count: 'Alarme',
  caption: (zone) => `Geräte in ${zone}`,
  day: 'Tag',
  start: 'Abspielen',
  stop: 'Anhalten',
  time: 'Uhrzeit',
  loadingDay: 'Die Alarme dieses Tages werden gelesen',
  openThen: (count) =>
    count === 0 ? 'nichts offen' : `${numberText(count)} ${count === 1 ? 'Alarm' : 'Alarme'} offen`,
  tooMany: (most) => `Nur die neuesten ${numberText(most)} Alarme dieses Tages werden abgespielt.`,
  file: 'netzkarte.svg',
  legend: 'Netzkarte',
}

export const frontTexts: ShapeOf<typeof english.frontTexts> = {
  title: 'Ports',
  hint: 'Wie auf der Vorderseite. Wählen Sie einen: was dort ist, und was Sie tun können.',
  port: (name, state, level) => [name, state, level].filter((one) => one !== '').join(', '),
  states: { up: 'aktiv', down: 'inaktiv', shut: 'abgeschaltet', unknown: '' },
  legend: { up: 'aktiv', down: 'inaktiv', shut: 'abgeschaltet', unknown: 'nicht gefragt' },
  taken: 'Endgerät gebunden',
  close: 'Schließen',
  state: 'Zustand',
  terminals: 'Endgeräte',
  neighbours: 'Nachbarn',
  bind: 'Endgerät hier binden',
  rule: 'Regel anlegen',
  ruleFor: (alarm) => `Regel anlegen für: ${alarm}`,
  seen: 'Hier gesehene Endgeräte',
  onMap: 'Auf der Karte',
  day: 'Die letzten 24 Stunden',
  dayNone: 'Kein Alarm des Geräts war offen.',
  daySpan: (text, from, to) => `${text}, von ${from} bis ${to}`,
  now: 'jetzt',
  dayMore: (count) => `und ${numberText(count)} weitere, im Verlauf`,
}
