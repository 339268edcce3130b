// The words of the page of the demo's phones, in German.

import type * as english from '../phone-texts.ts'
import type { ShapeOf } from '../shape.ts'

export const phoneTexts: ShapeOf<typeof english.phoneTexts> = {
  title: 'Telefone der Demo',
  about:
    'Jedes steht für das Telefon einer Person, der die Demo schwere Störungen meldet. Nichts verlässt diesen Rechner. Weitere Nachrichten zu einer Störung ersetzen die erste, und das Ende einer Störung kommt dort an, wo die Störung ankam.',
  none: 'Noch keine Nachrichten: Eine Störung muss ein paar Sekunden dauern.',
  messagesTo: (person) => `Nachrichten an ${person}`,
  again: (time, count) => `${time}, ${count}. Nachricht dazu`,
}
