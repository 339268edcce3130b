// The words of what is around a device, in German.

import type * as english from '../around-texts.ts'
import type { ShapeOf } from '../shape.ts'

export const aroundTexts: ShapeOf<typeof english.aroundTexts> = {
  title: 'Nachbarn',
  label: (device) => `Was um ${device} liegt`,
  hint: 'Darüber liegt, worüber es erreicht wird, darunter, was über es erreicht wird, mit dem eigenen Port.',
  nothing:
    'Von Nachbarn ist nichts bekannt: Es ist kein übergeordnetes Gerät eingetragen und kein Nachbar gelernt.',
  unknown: 'nicht im Inventar',
  fine: 'alles in Ordnung',
  port: (ifIndex) => `Port ${ifIndex}`,
  maintenance: 'Wartung',
  noMaintenance: 'Keine gilt für das Gerät, und keine ist geplant.',
  plan: 'Wartung planen',
  rule: 'Regel',
  ruleFor: (text) => `Regel anlegen für: ${text}`,
}
