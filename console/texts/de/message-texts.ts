// The words of syslog messages and their shapes, in German.

import type * as english from '../message-texts.ts'
import type { ShapeOf } from '../shape.ts'
import { numberText } from './shared-texts.ts'

const plural = (count: number, one: string, many: string) =>
  `${numberText(count)} ${count === 1 ? one : many}`

/** By severity, the worst first: the words of the protocol, as devices show them. */
const severities = [
  'emergency',
  'alert',
  'critical',
  'error',
  'warning',
  'notice',
  'informational',
  'debug',
] as const

export const messageTexts: ShapeOf<typeof english.messageTexts> = {
  title: 'Meldungen',
  about:
    'Die letzten Syslog-Meldungen, so weit der Arbeitsspeicher reicht. Die eines Sturms oder unterhalb einer Schwelle werden gezählt, aber nicht aufbewahrt.',
  device: 'Gerät',
  text: 'Mit dem Text',
  textHint: 'irgendwo darin',
  severity: 'Schwere',
  severityText: (severity) => `${severity} ${severities[severity] ?? ''}`,
  atLeast: Object.fromEntries(
    severities.map((word, severity) => [
      severity,
      severity === 0 ? `0 ${word}` : `${severity} ${word} oder schwerer`,
    ]),
  ),
  does: 'Bedeutung',
  effects: {
    raise: 'eine Störung',
    clear: 'Ende einer Störung',
    event: 'keine Störung',
    ignore: 'ein Detail',
    unknown: 'unbekannt',
  },
  from: 'Ab Tag',
  until: 'Bis Tag',
  columns: {
    time: 'Empfangen',
    device: 'Gerät',
    severity: 'Schwere',
    origin: 'Code',
    text: 'Text',
    does: 'Bedeutung',
  },
  open: (time) => `Zur Meldung von ${time}`,
  follow: 'Mitlesen',
  followHint: 'Meldungen zeigen, wie sie kommen',
  following:
    'Meldungen erscheinen, wie sie kommen, die neuesten zuerst. Solange der Zeiger auf der Liste ist, bleiben die Zeilen stehen.',
  stop: 'Nicht mehr mitlesen',
  fresh: (count) => `${numberText(count)} neu`,
  freshHint: 'Jetzt zeigen',
  skipped: 'Es kamen mehr, als sich zeigen ließ: Einige fehlen hier.',
  none: 'Noch ist keine Meldung gekommen',
  noneHint:
    'Setzen Sie syslog-udp, syslog-tcp oder syslog-tls, und lassen Sie Geräte ihre Meldungen dorthin senden. Oder senden Sie eine zur Probe:',
  toShapes: 'Unbekannte Meldungen',
  one: 'Meldung',
  became: 'Was daraus wurde',
  becameOf: {
    unknown: 'Keine Definition kennt sie. Sie wird gezählt; ein Alarm wurde nicht daraus.',
    event:
      'Für eine Definition ist sie keine Störung, etwa eine Anmeldung oder eine geänderte Konfiguration. Sie wird gezählt.',
    ignore: 'Für eine Definition ist sie ein Detail anderer Meldungen. Sie wird gezählt.',
    raise: 'Sie meldet eine Störung.',
    clear: 'Sie meldet das Ende einer Störung.',
  },
  trap: 'In der Liste der Traps',
  noTrap:
    'Sie steht nicht in der Liste der Traps: Sie kam mit anderen, die dasselbe sagen, oder wird dort nicht mehr aufbewahrt.',
  toAlarm: (id) => `Alarm ${id}`,
  definition: 'Definition',
  event: 'Ereignis',
  resource: 'Betrifft',
  received: 'Empfangen',
  deviceTime: 'Zeit des Geräts',
  clock: {
    same: 'wie hier',
    ahead: (time) => `geht ${time} vor`,
    behind: (time) => `geht ${time} nach`,
    zone: { local: 'als Ortszeit gelesen', utc: 'als UTC gelesen' },
  },
  facility: 'Facility',
  host: 'Genannter Rechner',
  program: 'Programm',
  code: 'Code',
  node: 'Empfangen vom Knoten',
  address: 'Von Adresse',
}

export const shapeTexts: ShapeOf<typeof english.shapeTexts> = {
  title: 'Unbekannte Meldungen',
  about:
    'Meldungen seit dem Start des Dienstes, die keine Definition kennt; * steht für wechselnde Wörter. Zuerst kommt, was nach Störung klingt, dann Schweres, dann Häufiges.',
  shape: 'Meldungen dieser Form',
  severity: 'Schwere',
  bad: 'klingt nach Störung',
  count: 'Meldungen',
  devices: 'Von',
  moreDevices: (count) => `und ${plural(count, 'weiterem', 'weiteren')}`,
  first: 'Erste',
  last: 'Letzte',
  show: 'Zeigen',
  showOne: (shape) => `Meldungen wie ${shape} zeigen`,
  never: 'Nie zeigen',
  neverOne: (shape) => `${shape} nie zeigen`,
  neverDone: 'Solche Meldungen werden nicht mehr aufgeführt. Gezählt werden sie wie bisher.',
  empty: 'Keine unbekannte Meldung ist gekommen',
  muted: 'Nie gezeigt',
  mutedOne: 'Form',
  mutedAbout: 'Ihre Meldungen werden gezählt und lassen sich lesen, stehen aber nicht in der Liste oben.',
  mutedEmpty: 'Was oben niemand sehen will, kommt hierher.',
  mutedDelete: 'Solche Meldungen werden ab jetzt wieder aufgeführt.',
  origin: 'Code oder Programm',
  originHint: 'Wie in den Meldungen; leer für Meldungen ohne beides.',
  shapeHint: 'Die Wörter der Meldung; * steht für ein Wort.',
  why: 'Warum',
}

export const definitionTexts: ShapeOf<typeof english.definitionTexts> = {
  title: 'Meldungsdefinitionen',
  about:
    'Was Syslog-Meldungen bedeuten, wie Sie es festgelegt haben. Diese gehen denen vor, die zum Programm gehören.',
  one: 'Meldungsdefinition',
  create: 'Meldungsdefinition anlegen',
  none: 'Noch keine Meldungsdefinitionen',
  define: 'Definieren',
  defineOne: (shape) => `${shape} definieren`,
  defineHint: 'Sagen, was Meldungen wie diese bedeuten',
  name: 'Name',
  description: 'Beschreibung',
  lookedUp: 'Nach Code oder Wort',
  level: 'Stufe',
  code: 'Codes',
  codeHint: 'Wie in der Liste der Meldungen, etwa LINK-UPDOWN; durch Kommas getrennt.',
  word: 'Wörter',
  wordHint: 'Oder Meldungen mit einem dieser Wörter; nur Buchstaben, durch Kommas getrennt.',
  message: 'Meldungen',
  messageHint:
    'Es gilt das erste Muster, auf das der Text passt. (?P<port>{port}) benennt einen Teil; {port}, {address} und {mac} stehen für das, was so aussieht.',
  pattern: 'Muster',
  patternOne: 'Muster',
  handling: 'Wirkung',
  handlings: {
    0: 'kein Alarm',
    1: 'Alarm auslösen',
    2: 'Alarm beenden',
    3: 'wie es der Teil „state“ oder der Text sagt',
  },
  key: 'Teile, die benennen, worum es geht',
  keyHint: 'Störung und Ende stimmen darin überein. Nennen Sie einen Port ifDescr.',
  raises: 'Zustände, die Störungen sind',
  clears: 'Zustände, die sie beenden',
  statesHint: 'Werte des Teils „state“; bei anderen zählen die Wörter.',
  alarmDesc: 'Text des Alarms',
  alarmDescHint: 'Mit Teilen in Klammern, auch {deviceName} und {message}. Leer: die Meldung.',
  eventOid: 'OID eines anderen Ereignisses',
  eventOidHint: 'Der Alarm ist dann der jenes Ereignisses, etwa eines Traps. Leer: ein eigener.',
  network: 'Nur von Geräten in',
  networkHint: 'Adressen oder Netze, etwa 10.1.0.0/16; durch Kommas getrennt.',
  typeName: 'oder von den Typen',
  typeNameHint: 'Wie bei den Geräten angegeben; durch Kommas getrennt.',
  device: 'oder von diesen Geräten',
  zone: 'oder von Geräten in den Zonen',
  bySeverity: 'so schwer wie die Meldung',
  unless: 'Nicht, wenn der Text passt auf',
  saved: 'Gespeichert; ab jetzt werden Meldungen danach gelesen.',
  delete: 'Definition löschen',
  deleteHint: 'Ausgelöste Alarme bleiben offen, bis jemand sie beendet.',
  dryRun: 'Mit den letzten Meldungen',
  dryRunHint:
    'Was diese Definition aus den Meldungen im Arbeitsspeicher machen würde, und aus denen, die Alarme ausgelöst oder beendet haben. Nichts wird gespeichert.',
  missing: 'Geben Sie ihr einen Namen und ein Muster.',
  knowsNone: 'Sie kennt keine der letzten Meldungen.',
  wouldKnow: 'Von den letzten Meldungen kennt sie:',
  faults: 'Störungen',
  about1: (count, resources) =>
    `${numberText(count)}, über ${plural(resources, 'Sache', 'verschiedene Sachen')}`,
  ends: 'Enden von Störungen',
  others: 'Keine Alarme',
  examples: 'Die neuesten',
  becomes: (before, after) => (before === after ? after : `${before} → ${after}`),
}
