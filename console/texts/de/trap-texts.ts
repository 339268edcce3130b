// The words of traps, rules and event definitions, in German.

import type { ShapeOf } from '../shape.ts'
import type * as english from '../trap-texts.ts'
import { numberText, plural } from './shared-texts.ts'

export const trapTexts: ShapeOf<typeof english.trapTexts> = {
  title: 'Traps',
  about:
    'Was Geräte zuletzt gesendet haben, und was daraus wurde. Ältere Traps werden entfernt; die Bilanz zählt jedes Datagramm, das je kam.',
  one: 'Trap',
  ledger: 'Bilanz',
  ledgerHint:
    'Jedes Datagramm seit dem ersten Start, nach Ergebnis. Die Liste enthält die, die aufbewahrt werden.',
  ledgerOf: (source) => `Nur von ${source}`,
  source: 'Von Adresse',
  bin: 'Was daraus wurde',
  bins: {
    raised: 'löste einen Alarm aus',
    repeated: 'wiederholte einen Alarm',
    recovered: 'beendete einen Alarm',
    filtered: 'von Regel gefiltert',
    collapsed: 'zusammengefasst',
    'stored-only': 'aufbewahrt, kein Alarm',
    refused: 'abgelehnt',
    malformed: 'nicht verstanden',
  },
  reasons: 'Gründe',
  reasonsOf: (bin) => `Gründe: ${bin}`,
  refusedBy: (because, setting) => `${because} (Einstellung ${setting})`,
  toSettings: 'Einstellung zeigen',
  refusals: {
    sender: {
      because: 'der Absender gehört nicht zu den erlaubten',
      setting: 'trap-senders',
      remedy:
        'Ergänzen Sie trap-senders um die Adresse oder das Netz des Absenders und starten Sie den Dienst neu.',
    },
    'unknown sender': {
      because: 'der Absender ist kein bekanntes Gerät',
      setting: 'unknown-senders',
      remedy:
        'Nehmen Sie ein Gerät mit dieser Adresse in den Bestand auf, oder setzen Sie unknown-senders auf register.',
    },
    'unknown sender, and too many devices': {
      because: 'der Absender ist kein bekanntes Gerät, und weitere werden nicht aufgenommen',
      setting: 'device-limit',
      remedy:
        'Löschen Sie Geräte, die es nicht mehr gibt, legen Sie dieses von Hand an, oder erhöhen Sie device-limit.',
    },
    community: {
      because: 'die Community gehört nicht zu den angenommenen',
      setting: 'trap-communities',
      remedy:
        'Lassen Sie das Gerät mit einer angenommenen Community senden, oder ergänzen Sie trap-communities um seine und starten Sie den Dienst neu.',
    },
    version: {
      because: 'er hat SNMP-Version 3, und es gibt keine Benutzer für Version 3',
      setting: 'trap-users',
      remedy: 'Geben Sie in trap-users eine Benutzerdatei an, oder lassen Sie das Gerät Version 2c senden.',
    },
    'unknown-user': {
      because: 'der Benutzer steht nicht in der Benutzerdatei',
      setting: 'trap-users',
      remedy: 'Ergänzen Sie die Datei aus trap-users um den Benutzer und starten Sie den Dienst neu.',
    },
    'unsupported-security-level': {
      because: 'die Sicherheitsstufe ist nicht die des Benutzers',
      setting: 'trap-users',
      remedy:
        'Geben Sie Gerät und Benutzerdatei dieselbe Stufe: Authentifizierung und Verschlüsselung in beiden oder in keinem.',
    },
    'wrong-digest': {
      because: 'die Authentifizierung ist falsch',
      setting: 'trap-users',
      remedy: 'Geben Sie Gerät und Benutzerdatei dasselbe Passwort und Verfahren für die Authentifizierung.',
    },
    decryption: {
      because: 'er lässt sich nicht entschlüsseln',
      setting: 'trap-users',
      remedy: 'Geben Sie Gerät und Benutzerdatei dasselbe Passwort und Verfahren für die Verschlüsselung.',
    },
    'not-in-time-window': {
      because: 'er ist älter als das, was das Gerät vorher gesendet hat',
      setting: 'trap-users',
      remedy:
        'Prüfen Sie, ob das Gerät seine Starts zählt. Kann es das nicht, setzen Sie relaxedTime für seinen Benutzer in der Datei aus trap-users.',
    },
    replay: {
      because: 'dieselbe Nachricht kam schon einmal',
      remedy: 'Nichts zu tun, es sei denn, jemand anders wiederholt Nachrichten des Geräts.',
    },
    'unknown-engine': {
      because: 'er ist an eine andere SNMP-Engine gerichtet',
      remedy: 'Lassen Sie das Gerät die Engine-ID des Dienstes ermitteln, statt dort eine einzutragen.',
    },
    overload: {
      because: 'es warteten mehr Datagramme, als in den Arbeitsspeicher passen',
      remedy: 'Klären Sie, warum dieser Absender so viele sendet; die Alarme des Dienstes nennen ihn.',
    },
    stopping: {
      because: 'der Dienst wurde gerade beendet',
      remedy: 'Nichts zu tun: Informs sendet das Gerät noch einmal.',
    },
  },
  event: 'Ereignis-OID',
  device: 'Gerät',
  zone: 'Bereich',
  from: 'Ab Tag',
  until: 'Bis Tag',
  ofAlarm: 'Hinter dem Alarm',
  number: 'seine Nummer',
  columns: {
    time: 'Empfangen',
    source: 'Von',
    event: 'Ereignis',
    bin: 'Ergebnis',
    reason: 'Grund',
    alarm: 'Alarm',
  },
  readAt: (time, seconds) => `Stand ${time}; wird alle ${seconds} Sekunden neu gelesen.`,
  count: 'Datagramme',
  last: 'Letztes',
  reason: 'Grund',
  empty: 'Noch wird kein Trap aufbewahrt',
  emptyHint:
    'Lassen Sie ein Gerät seine Traps an UDP-Port 162 dieses Rechners senden (oder den eingestellten Port), oder senden Sie einen zur Probe:',
  rules: 'Trap-Regeln',
  variables: 'Variablen',
  type: 'Typ',
  oid: 'OID',
  name: 'Name',
  value: 'Wert',
  version: 'SNMP-Version',
  received: 'Empfangen',
  became: 'Was daraus wurde',
  toAlarm: 'Zum Alarm',
  define: 'Bedeutung dieses Ereignisses festlegen',
  makeRule: 'Regel anlegen, die solche Traps filtert',
  noEvent: 'keine Definition',
  gone: 'Dieser Trap wird nicht mehr aufbewahrt',
}

export const ruleTexts: ShapeOf<typeof english.ruleTexts> = {
  title: 'Trap-Regeln',
  one: 'Trap-Regel',
  about:
    'Was eine Regel filtert, wird nie zum Alarm. Regeln sind gegen Rauschen da; das Ende eines ausgelösten Alarms kommt immer durch.',
  create: 'Regel anlegen',
  name: 'Name',
  namePlaceholder: 'Was gefiltert wird, und warum',
  filters: 'Filtert',
  groupFilter: 'Gruppe',
  hits: 'Treffer',
  last: 'Letzter Treffer',
  never: 'nie',
  when: 'Wann',
  always: 'immer',
  none: 'Noch keine Regeln',
  noneHint:
    'Jeder Trap wird ausgewertet. Öffnen Sie einen Alarm, der nie einen wert ist, und legen Sie von dort eine Regel an.',
  anyDevice: 'jedes Gerät',
  anyEvent: 'jeder Trap',
  devices: (count) => plural(count, 'Gerät', 'Geräte'),
  group: {
    0: 'Ports, die aus- und wieder angehen',
    1: 'Alarme des Dienstes selbst',
    event: 'nichts: Sie nennt noch kein Ereignis',
  },
  groupChoices: {
    '-1': 'ein Ereignis',
    0: 'Ports, die aus- und wieder angehen',
    1: 'Alarme des Dienstes selbst',
  },
  what: 'Was sie filtert',
  kinds: {
    event: 'Ein Ereignis und alles unter seiner OID',
    0: 'Ports, die aus- und wieder angehen',
    1: 'Alarme des Dienstes selbst',
    any: 'Jeden Trap',
  },
  oid: 'Ereignis-OID',
  oidHint: 'Geben Sie einen Teil des Namens ein, um aus den bekannten zu wählen.',
  where: 'Wo',
  deviceAny: 'Jedes Gerät',
  deviceSome: 'Diese Geräte',
  addDevice: 'Gerät hinzufügen',
  addDeviceHint: 'Ein Teil des Namens',
  remove: (name) => `${name} entfernen`,
  interfaces: 'Schnittstellen',
  interfacesHint: 'Keine: alle. In einer Beschreibung steht * für beliebige Zeichen.',
  ifDesc: 'Beschreibung',
  ofDevice: 'Des Geräts',
  parameters: 'Nur mit diesen Werten',
  parametersHint:
    'Eine Variable, nach Name oder Stelle im Trap, und welchen Wert sie haben muss; * steht für beliebige Zeichen.',
  condition: 'Bedingung',
  variable: 'Variable',
  position: 'Stelle',
  value: 'Wert',
  conditionEvent: 'Nur im Ereignis (OID)',
  apart: 'Jedes Gerät hat eigene Bedingungen',
  conditionsOf: (device) => `Bedingungen von ${device}`,
  addAny: 'Jedes andere Gerät hinzufügen',
  whenHint: (zone) => `Zeiten gelten in der Zeitzone des Dienstes, ${zone}.`,
  weekdays: 'Wochentage',
  days: ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'],
  short: ['So', 'Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa'],
  startTime: 'Von',
  endTime: 'Bis',
  startDay: 'Erster Tag',
  endDay: 'Letzter Tag',
  span: 'Ein durchgehender Zeitraum vom ersten Tag mit Uhrzeit bis zum letzten',
  week: 'Die Woche aus Sicht der Regel',
  weekHours: (count) =>
    count === 168 ? 'die ganze Woche in Kraft' : `${plural(count, 'Stunde', 'Stunden')} der Woche in Kraft`,
  outside: (text) => `Nur ${text}.`,
  between: (first, last) => `von ${first} bis ${last}`,
  from: (first) => `ab ${first}`,
  until: (last) => `bis ${last}`,
  dryRun: 'Probelauf',
  dryRunHint: 'Was die Regel mit den aufbewahrten Traps gemacht hätte. Nichts wird geändert.',
  running: 'Das Aufbewahrte wird durchgesehen …',
  would: (filtered, examined) =>
    `Sie hätte ${plural(filtered, 'Trap', 'Traps')} von ${numberText(examined)} gefiltert, die sie betreffen könnte.`,
  nothing: 'Sie hätte nichts vom Aufbewahrten gefiltert.',
  alarms: 'Alarme, die nicht ausgelöst worden wären',
  noAlarms: 'Kein Alarm würde fehlen.',
  examples: 'Einige davon',
  remarks: 'Hinweise',
  missing: 'Wählen Sie ein Ereignis, um zu sehen, was die Regel gefiltert hätte.',
  save: 'Regel speichern',
  saved: 'Die Regel ist gespeichert und in Kraft.',
  delete: 'Regel löschen',
  deleteHint: 'Was sie gefiltert hat, bleibt gefiltert; ab jetzt werden solche Traps wieder zu Alarmen.',
  gone: 'Diese Regel gibt es nicht mehr',
  interface: 'Schnittstelle',
  invalid: 'So lässt sie sich nicht speichern',
  maintenanceHint:
    'Für eine geplante Abschaltung nehmen Sie ein Wartungsfenster: Es bewahrt, was an seinem Ende noch gestört ist.',
}

export const eventFileTexts: ShapeOf<typeof english.eventFileTexts> = {
  title: 'Definitionen aus Dateien',
  about:
    'Ereignisdefinitionen von OpenNMS (.xml), die Konfiguration von SNMPTT (.conf), Regeln und Klassen von NOC (.json), Trap-Profile von Netdata (.yaml), und was ein anderer Dienst exportiert hat (.json). Dateien, die aufeinander verweisen, werden zusammen ausgewählt.',
  files: 'Dateien',
  replace: 'Vorhandene Definitionen ersetzen',
  trying: 'Wird geprüft …',
  failed: 'So lässt sich nichts aus den Dateien importieren',
  kept: (count) =>
    count === 1
      ? 'Zu denselben Ereignissen ist 1 Definition vorhanden und bleibt.'
      : `Zu denselben Ereignissen sind ${numberText(count)} Definitionen vorhanden und bleiben.`,
  remarks: 'Was nicht übernommen wurde oder anders ist',
  where: 'Wo',
  event: 'Ereignis',
  kind: 'Was',
  kinds: { lost: 'ausgelassen', changed: 'anders' },
  reason: 'Warum',
  go: (count) => `${plural(count, 'Definition', 'Definitionen')} importieren`,
  done: (count) => `${plural(count, 'Definition', 'Definitionen')} importiert.`,
  export: 'Aufgeführte exportieren',
}

export const eventTexts: ShapeOf<typeof english.eventTexts> = {
  title: 'Ereignisdefinitionen',
  one: 'Ereignisdefinition',
  about:
    'Was ein Ereignis bedeutet: Stufe, Kategorie, Text, welche Variablen den Teil des Geräts benennen und was es beendet.',
  name: 'Name',
  oid: 'OID',
  level: 'Stufe',
  category: 'Kategorie',
  text: 'Text',
  textHint: 'Variablen nach Namen in geschweiften Klammern, etwa: Interface {ifDescr} ist ausgefallen',
  handling: 'Was geschieht',
  handlings: { 1: 'Ein Alarm wird ausgelöst', 0: 'Es wird nur aufbewahrt' },
  recovers: 'Beendet die Alarme von',
  recoversHint: 'Ereignisse nach Name oder OID. Keine: Es beendet nichts.',
  parameters: 'Variablen',
  parametersHint:
    'Was der Trap enthält, unter Namen, die der Text verwenden kann; OIDs ohne ihre Instanz. Schlüssel benennen den Teil des Geräts: Störung und Ende müssen darin übereinstimmen.',
  variable: 'Variable',
  variableName: 'Name',
  variableOid: 'OID',
  key: 'Schlüssel',
  fromIndex: 'Wert ist die Instanz der OID',
  labels: 'Wörter für seine Werte',
  pattern: 'Muster, das seinen Wert zuschneidet',
  states: 'Zustände',
  statesHint:
    'Wenn ein Trap sowohl eine Störung als auch ihr Ende meldet, sagt eine Variable, was von beidem. Es gilt die erste Zeile mit passenden Werten; ein Wert, der zu keiner passt, wird wie ohne Zustände behandelt. Werte oder ihre Wörter werden durch Semikolons getrennt, * steht für beliebigen Text.',
  state: 'Zustand',
  stateVariable: 'Variable',
  stateValues: 'Werte',
  stateHandling: '1 löst aus, 2 beendet, 0 bewahrt nur auf',
  stateLevel: 'Stufe, 1 bis 5',
  inTrap: 'Im neuesten Trap und bisher ohne Namen:',
  addFromTrap: (name, value) => `${name} = ${value} hinzufügen`,
  create: 'Definition anlegen',
  categories: 'Kategorien',
  categoryOne: 'Kategorie',
  findCategory: 'Kategorie suchen',
  categoriesAbout: 'Gruppen von Alarmen. Definitionen nennen eine nach ihrer Nummer.',
  categoryNumber: 'Nummer',
  categoryEmpty: 'Definitionen brauchen mindestens eine.',
  none: 'Keine Definition passt',
  catalogue: 'Ereignisse von Herstellern',
  catalogueAbout:
    'Definitionen, die zum Programm gehören. Mit dem ersten Trap wird daraus eine Ereignisdefinition; ändern Sie sie vorher, wenn Sie möchten.',
  vendor: 'Hersteller',
  source: 'Entstanden aus',
  isShipped: (source) =>
    `Wie im Programm enthalten, entstanden aus ${source}. Ein Upgrade kann sie verbessern; mit einer Änderung gehört sie Ihnen.`,
  wouldBeUsed: (source) =>
    `Diese Definition gehört zum Programm, entstanden aus ${source}, und gilt vom ersten Trap an. Speichern Sie sie, um sie zu Ihrer eigenen zu machen:`,
  outOfReach: 'Bedeutet, dass das Gerät oder was über die Schnittstelle erreicht wird, nicht erreichbar ist',
  saved: 'Die Definition ist gespeichert; sie gilt für alles, was ab jetzt kommt.',
  delete: 'Definition löschen',
  deleteHint:
    'Über solche Traps entscheidet dann der Katalog der Hersteller; über andere die Einstellung für unbekannte Traps.',
  unknown: (oid) => `${oid} hat noch keine Definition. Legen Sie die Bedeutung fest:`,
  proposed: (reason) => `Vorschlag aus dem Trap (${reason}). Sehen Sie ihn durch und speichern Sie ihn:`,
  relabel: 'Offene Alarme neu bezeichnen',
  relabelHint:
    'Alarme, die ausgelöst wurden, bevor das Ereignis eine Definition hatte, werden danach neu ausgelöst',
  relabelled: (raised, ended, left) =>
    [
      `${plural(raised, 'Alarm', 'Alarme')} neu bezeichnet`,
      ...(ended > 0 ? [`${plural(ended, 'Alarm', 'Alarme')} beendet`] : []),
      ...(left > 0
        ? [`${plural(left, 'Alarm', 'Alarme')} unverändert: Der Trap wird nicht mehr aufbewahrt`]
        : []),
    ].join(', '),
  before: 'Alarme dieses Ereignisses',
  openNow: (count) =>
    `${plural(count, 'Alarm', 'Alarme')} davon jetzt offen; ${count === 1 ? 'er bleibt, wie er ist' : 'sie bleiben, wie sie sind'}`,
  dryRun: 'Was sie bewirkt hätte',
  dryRunHint: 'Mit den aufbewahrten Traps, als wäre sie da gewesen, als sie kamen. Nichts wird gespeichert.',
  missing:
    'Geben Sie ihr einen Namen und eine OID, um zu sehen, was aus den aufbewahrten Traps geworden wäre.',
  missingVariable:
    'Geben Sie jeder Variablen einen Namen und eine OID, um zu sehen, was die Definition bewirkt hätte.',
  neverCame:
    'Kein Trap dieses Ereignisses wird aufbewahrt: Der Probelauf zeigt etwas, sobald der erste kommt.',
  lookedAt: (count) => `${plural(count, 'Trap', 'Traps')} davon aufbewahrt, die neuesten zuerst:`,
  wouldBe: 'Alarme',
  wouldAlarm: (count, things) =>
    `aus ${plural(count, 'Trap', 'Traps')}, über ${plural(things, 'Sache', 'verschiedene Sachen')}`,
  wouldEnd: 'Enden',
  ends: (count, alarms) =>
    `${plural(count, 'Trap', 'Traps')}; damit hätten ${plural(alarms, 'Alarm', 'Alarme')} geendet`,
  wouldStore: 'Aufbewahrt, kein Alarm',
  staysFiltered: 'Von einer Regel gefiltert',
  traps: (count) => plural(count, 'Trap', 'Traps'),
  was: 'Wie es war',
  examples: 'In diesen Worten',
}
