// An override, as records and forms have it: somebody is on call instead of whom the schedule names.

import type { FormField, Values } from '../parts/form.tsx'
import { onCallTexts as words } from '../texts/on-call-texts.ts'
import { secondsAt } from './plan.tsx'

export interface Override {
  readonly id: string
  readonly scheduleId: string
  readonly contactId: string
  readonly contactName?: string
  readonly fromTime: string
  readonly toTime: string
  readonly reason?: string
  readonly createdBy?: string
}

const fields: readonly FormField[] = [
  { name: 'contactId', label: words.contact, of: 'contact', required: true },
  { name: 'fromDay', label: words.fromDay, kind: 'date', half: true, required: true },
  { name: 'fromHour', label: words.fromHour, kind: 'time', half: true, required: true },
  { name: 'toDay', label: words.toDay, kind: 'date', half: true, required: true },
  { name: 'toHour', label: words.toHour, kind: 'time', half: true, required: true, hint: words.here },
  { name: 'reason', label: words.reason },
]

const two = (number: number) => String(number).padStart(2, '0')

/** Day and time in the zone of this browser. */
function apart(seconds: number): readonly [day: string, hour: string] {
  const at = new Date(seconds * 1000)
  return [
    `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
    `${two(at.getHours())}:${two(at.getMinutes())}`,
  ]
}

function between(from: number, to: number): Values {
  const [[fromDay, fromHour], [toDay, toHour]] = [apart(from), apart(to)]
  return { fromDay, fromHour, toDay, toHour }
}

const hourLength = 3600

/** From this hour on, until the given time, or for eight hours. */
export function spanFrom(nowSeconds: number, until = 0): Values {
  const from = Math.floor(nowSeconds / hourLength) * hourLength
  return between(from, until > nowSeconds ? until : from + 8 * hourLength)
}

/** What a form for overrides of a schedule needs. */
export const overrideShape = (scheduleId: string, blank: Values) => ({
  noun: words.override,
  path: '/notify/override',
  fields,
  blank,
  keyOf: ({ id }: Override) => id,
  toForm: ({ contactId, fromTime, toTime, reason = '' }: Override): Values => ({
    ...{ contactId, reason, ...between(Number(fromTime), Number(toTime)) },
  }),
  fromForm: ({ contactId, reason, fromDay, fromHour, toDay, toHour }: Values) => ({
    ...{ scheduleId, contactId, reason },
    fromTime: secondsAt(fromDay, fromHour),
    toTime: secondsAt(toDay, toHour),
  }),
})
