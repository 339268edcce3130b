// The words of the search over everything, in German.

import type * as english from '../search-texts.ts'
import type { ShapeOf } from '../shape.ts'
import { numberText } from './shared-texts.ts'

export const searchTexts: ShapeOf<typeof english.searchTexts> = {
  title: 'Alles durchsuchen',
  open: 'Suchen',
  keys: 'Strg K',
  hint: 'Ein Gerät, ein Gerät mit Port (core-1 ge-0/0/1), eine MAC- oder IP-Adresse oder ein Teil davon, ein Alarm nach Nummer oder Text, eine Seite',
  groups: {
    alarms: 'Alarme',
    devices: 'Geräte',
    ports: 'Schnittstellen',
    terminals: 'Endgeräte',
    addresses: 'Adressen',
    pages: 'Seiten',
    actions: 'Aktionen',
  },
  actions: {
    raise: 'Alarm von Hand auslösen',
    window: 'Wartungsfenster anlegen',
    rule: 'Trap-Regel anlegen',
    import: 'Geräte, Endgeräte oder Adressen importieren',
  },
  actionsOn: {
    window: (device) => `Wartungsfenster für ${device} anlegen`,
    alarms: (device) => `Offene Alarme von ${device}`,
    history: (device) => `Frühere Alarme von ${device}`,
  },
  allAlarms: (count) => `Alle ${numberText(count)} in der Liste der Alarme`,
  allDevices: (count) => `Alle ${numberText(count)} in der Liste der Geräte`,
  allTerminals: (count) => `Alle ${numberText(count)} in der Liste der Endgeräte`,
  alarm: (id) => `Alarm ${id}`,
  over: 'beendet',
  freeIn: (segment) => `nicht vergeben, im Segment ${segment}`,
  assignedIn: (name, segment) =>
    name === '' ? `vergeben, im Segment ${segment}` : `${name}, im Segment ${segment}`,
  asking: 'Wird gesucht …',
  nothing: (text) => `Nichts gefunden für „${text}“.`,
  found: (count) => `${numberText(count)} gefunden`,
  unasked: 'Der Dienst ließ sich nicht fragen: Gezeigt wird nur, was diese Seite weiß.',
}
