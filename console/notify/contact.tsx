// A contact: somebody who can be told of alarms, as records and forms have it.

import type { FormField, Values } from '../parts/form.tsx'
import { timeZoneOf } from '../parts/time-zone.tsx'
import { peopleTexts as words } from '../texts/notify-texts.ts'
import { texts } from '../texts/shared-texts.ts'

export interface Contact {
  readonly id: string
  readonly name: string
  readonly operatorId?: string
  readonly operatorName?: string
  readonly enabled: string
  readonly timeZone?: string
  readonly quietFrom?: string
  readonly quietTo?: string
  readonly quietLevel?: string
}

export interface Team {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly contactId: readonly string[]
}

export const contactPath = '/notify/contact'

/** Info would be everything: then there are no quiet hours. */
const levels: Readonly<Record<string, string>> = Object.fromEntries(
  [1, 2, 3, 4].map((level) => [
    level,
    level === 1 ? words.onlyCritical : words.passes(texts.levels[level] ?? ''),
  ]),
)

export const quietText = ({ quietFrom, quietTo, quietLevel = '1' }: Contact) =>
  quietFrom && quietTo ? words.quietText(quietFrom, quietTo, levels[quietLevel] ?? quietLevel) : words.noQuiet

const hasQuiet = ({ quietFrom = '', quietTo = '' }: Values) => quietFrom !== '' || quietTo !== ''

const contactFields = (isForOthers: boolean): readonly FormField[] => [
  { name: 'name', label: words.name, required: true },
  ...(isForOthers
    ? [{ name: 'operatorId', label: words.operator, of: 'operator' as const, none: words.nobody }]
    : []),
  ...(isForOthers ? [{ name: 'enabled', label: words.enabled, kind: 'check' as const }] : []),
  {
    name: 'timeZone',
    label: words.timeZone,
    hint: words.timeZoneHint,
    control: timeZoneOf({ label: words.timeZone, none: words.ofService }),
  },
  { name: 'quietFrom', label: words.quietFrom, kind: 'time', half: true },
  { name: 'quietTo', label: words.quietTo, kind: 'time', half: true, hint: words.quietHint },
  {
    name: 'quietLevel',
    label: words.quietLevel,
    kind: 'choice',
    choices: levels,
    required: true,
    shown: hasQuiet,
  },
]

const fromForm = (values: Values): Values => ({
  ...values,
  quietLevel: hasQuiet(values) ? (values.quietLevel ?? '1') : '',
})

export const contactShape = (isForOthers: boolean) => ({
  noun: words.one,
  path: contactPath,
  fields: contactFields(isForOthers),
  blank: { enabled: 'true', quietLevel: '1' },
  keyOf: ({ id }: Contact) => id,
  toForm: ({ id: _, operatorName: __, ...contact }: Contact): Values => contact,
  fromForm,
})
