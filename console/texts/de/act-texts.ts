// The texts of the page that a link in a message opens, in German.

import type * as english from '../act-texts.ts'
import type { ShapeOf } from '../shape.ts'

export const actTexts: ShapeOf<typeof english.actTexts> = {
  level: 'Stufe',
  device: 'Gerät',
  since: 'Seit',
  over: 'Beendet seit',
  acknowledged: 'Quittiert von',
  somebody: 'jemandem',
  owner: 'Zugewiesen an',
  shelved: 'Zurückgestellt',
  yes: 'ja',
  actingAs: (name) => `Was Sie hier tun, wird als Handlung von ${name} festgehalten.`,
  noLink: 'Diese Seite wird über die Links in Nachrichten zu Alarmen geöffnet. Die Adresse enthält keinen.',
  nothingLeft: 'Mit diesem Link ist nichts mehr zu tun: Der Alarm ist beendet, oder alles ist getan.',
  actions: {
    acknowledge: 'Quittieren',
    escalate: 'Ich kann nicht, weiter eskalieren',
    assign: 'Mir zuweisen',
    shelve: 'Eine Stunde zurückstellen',
  },
  done: {
    acknowledge: 'Der Alarm ist quittiert.',
    escalate: 'Die nächste Eskalationsstufe wird jetzt gerufen.',
    assign: 'Der Alarm ist Ihnen zugewiesen.',
    shelve: 'Der Alarm ist für eine Stunde zurückgestellt.',
    other: 'Erledigt.',
  },
}
