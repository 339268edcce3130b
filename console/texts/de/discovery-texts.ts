// The words of the pages about discoveries, in German.

import type * as english from '../discovery-texts.ts'
import type { ShapeOf } from '../shape.ts'

const devices = (n: number) => (n === 1 ? '1 Gerät' : `${n} Geräte`)

export const discoveryTexts: ShapeOf<typeof english.discoveryTexts> = {
  title: 'Gerätesuche',
  one: 'Gerätesuche',
  about:
    'Sucht Geräte in Adressbereichen. Gefundenes wird angeboten; in den Bestand kommt nur, was ausgewählt wird.',
  emptyHint:
    'Eine Gerätesuche fragt alle Adressen ihrer Adressbereiche über SNMP, mit den Zugangsdaten der Profile (belfry profile), und folgt Nachbarn.',
  deleteHint: 'Was sie gefunden hat, geht mit ihr. Aufgenommene Geräte bleiben.',
  name: 'Name',
  description: 'Beschreibung',
  ranges: 'Adressbereiche',
  rangesHint: 'Einer je Zeile, etwa 192.0.2.0/24. Alle Adressen darin werden gefragt; höchstens 65.536.',
  neighbourRanges: 'Nachbarn folgen in',
  neighbourHint: 'Einer je Zeile. Adressen darin werden gefragt, wenn ein Gerät sie als Nachbarn nennt.',
  zone: 'Bereich der aufgenommenen Geräte',
  defaultZone: 'der erste Bereich',
  state: 'Zustand',
  states: {
    new: 'noch nicht gestartet',
    running: 'läuft',
    stopping: 'wird angehalten',
    complete: 'vollständig',
    stopped: 'angehalten',
    interrupted: 'unterbrochen',
  },
  progress: 'Gefragt',
  progressText: (asked, total) => `${asked} von ${total} Adressen`,
  answering: 'Antworten',
  refusing: 'Lehnen ab',
  known: 'Schon im Bestand',
  named: 'Nachbarn außerhalb',
  began: 'Begonnen',
  ended: 'Beendet',
  problem: 'Problem',
  start: 'Starten',
  stop: 'Anhalten',
  started: 'Gestartet',
  stopping: 'Wird gleich beendet',
  found: 'Gefunden',
  select: (name) => `${name} auswählen`,
  choose: 'Auswählen',
  ip: 'IP-Adresse',
  device: 'Name',
  model: 'Modell',
  sysDescription: 'Beschreibung',
  foundState: 'Zustand',
  foundStates: {
    answering: 'antwortet',
    refusing: 'ist da, lehnt aber ab',
    named: 'Nachbar, nicht gefragt',
  },
  why: 'Warum',
  namedBy: 'Nachbar von',
  inventory: 'Im Bestand',
  add: (n) => (n === 0 ? 'In den Bestand aufnehmen' : `${devices(n)} in den Bestand aufnehmen`),
  chooseAll: 'Alle auf dieser Seite auswählen',
  added: (n) => `${devices(n)} in den Bestand aufgenommen`,
  addedWith: (n, remarks) => `${devices(n)} in den Bestand aufgenommen. ${remarks}`,
  nothing: 'Noch wurde nichts gefunden.',
}
