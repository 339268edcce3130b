// A schedule as the service sends it, and as the editor holds it.

import type { Labels } from '../parts/refusal.ts'
import { onCallTexts as words } from '../texts/on-call-texts.ts'

export interface Layer {
  readonly name: string
  readonly rotation: string
  readonly every?: string
  readonly handOver?: string
  readonly startDay?: string
  readonly contact: readonly string[]
  readonly onCall?: string
  readonly startTime?: string
  readonly endTime?: string
  readonly selectedWeekDay?: string
}

export interface Schedule {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly timeZone: string
  readonly layer: readonly Layer[]
  readonly onCallId?: string
  readonly onCallName?: string
  readonly onCallUntil: string
  readonly nextId?: string
  readonly nextName?: string
  readonly gapFrom: string
  readonly gapUntil: string
}

export const schedulePath = '/notify/schedule'

export type Draft = Pick<Schedule, 'name' | 'timeZone' | 'layer'> & { readonly description: string }

const two = (number: number) => String(number).padStart(2, '0')

/** The day in the zone of this browser. */
const today = (at: Date) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`

export const blankLayer = (at = new Date()): Layer => ({
  ...{ name: '', rotation: 'weekly', every: '1', handOver: '08:00', startDay: today(at), contact: [] },
})

export const blankSchedule = (timeZone: string): Draft => ({
  ...{ name: '', description: '', timeZone, layer: [{ ...blankLayer(), name: 'Everyone' }] },
})

/** Only what belongs to the rotation, and nothing that is empty. */
function layerBody(layer: Layer): Partial<Layer> {
  const { every, handOver, startDay, onCall, ...others } = layer
  const turns = layer.rotation === 'byHand' ? { onCall } : { every, handOver, startDay }
  const given = Object.entries({ ...others, ...turns }).filter(
    ([, value]) => value !== '' && value !== undefined,
  )
  return Object.fromEntries(given)
}

export const scheduleBody = (draft: Draft) => ({ ...draft, layer: draft.layer.map(layerBody) })

/** Labels of the fields, by the names that the service has for them. */
export const scheduleLabels: Labels = {
  name: words.name,
  description: words.description,
  timeZone: words.timeZone,
  'layer/name': words.name,
  'layer/rotation': words.rotation,
  'layer/every': words.every,
  'layer/handOver': words.handOver,
  'layer/startDay': words.startDay,
  'layer/contact': words.people,
  'layer/startTime': words.startTime,
  'layer/endTime': words.endTime,
}
