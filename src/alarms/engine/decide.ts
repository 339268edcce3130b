// What a trap does to alarms: a pure function that returns the decision with its reason.

import type { EventDefinition } from '../../events/event-catalog.ts'
import { infoLevel } from '../../resources/alarms/alarm.ts'

/** The reason of traps that are counted in the alarm about unknown events. */
export const tooManyUnknown = 'too many unknown events'
/** The reason of traps that are counted in the alarm about too many open alarms. */
export const tooManyOpen = 'too many open alarms'

export interface OpenAlarm {
  readonly id: bigint
  readonly alarmLevel: number
  readonly isSuppressed?: boolean
}

type Decision =
  | { readonly kind: 'raise'; readonly reason: string }
  | { readonly kind: 'repeat'; readonly rises: boolean; readonly reason: string }
  | { readonly kind: 'recover'; readonly reason: string }
  | { readonly kind: 'collapse'; readonly how: 'recovery' | 'fault' | 'start'; readonly reason: string }
  /** It is counted in an alarm of the service. */
  | { readonly kind: 'summarise'; readonly reason: string }
  | { readonly kind: 'filter'; readonly reason: string }
  | { readonly kind: 'store'; readonly reason: string }

export interface Situation {
  /** What the event means, if it is known. */
  readonly event: EventDefinition | undefined
  /** The level the alarm would have. */
  readonly level: number
  /** The open alarm of the same identity. */
  readonly open: OpenAlarm | undefined
  /** Whether a recovery that came later by the device's own time is processed already. */
  readonly isOvertaken?: boolean
  /** Whether there are open alarms that this event ends. */
  readonly endsOpen: boolean
  /** Whether there are alarms that flap, stand at fault, and are ended by this event. */
  readonly endsFlapping: boolean
  /** Whether the alarm flaps: a summary alarm stands for it, and it is not raised. */
  readonly flaps: boolean
  /** Whether it has come and gone so often that it flaps from now on. */
  readonly flapsNow: boolean
  /** The trap rule that filters it. */
  readonly rule: bigint | undefined
  readonly unknownTraps: 'alarm' | 'store'
  /** Why no further alarm is raised, where the limit of open alarms is reached. */
  readonly full: typeof tooManyUnknown | typeof tooManyOpen | undefined
}

export function decide(situation: Situation): Decision {
  const { event, level, open, endsOpen, endsFlapping, rule, unknownTraps } = situation
  if (event?.storeOnly) return { kind: 'store', reason: 'the definition says store only' }
  if (situation.isOvertaken) return { kind: 'store', reason: 'overtaken by a recovery' }
  // An alarm that was raised is ended, whatever the rules say: nobody must wait in vain for its end.
  if (endsOpen) return { kind: 'recover', reason: 'it ends an open alarm' }
  if (endsFlapping) return { kind: 'collapse', how: 'recovery', reason: 'flapping' }
  if (rule !== undefined) return { kind: 'filter', reason: `trap rule ${rule}` }
  if (!event && unknownTraps === 'store') return { kind: 'store', reason: 'unknown event' }
  // A restart ends what a shutdown began, and is worth an alarm by itself; a mere recovery is not.
  if (event && event.recovers.length > 0 && level >= infoLevel) {
    return { kind: 'store', reason: 'a recovery with nothing open to clear' }
  }
  if (situation.flaps) return { kind: 'collapse', how: 'fault', reason: 'flapping' }
  if (!open && situation.flapsNow) return { kind: 'collapse', how: 'start', reason: 'flapping' }
  if (!open && situation.full) return { kind: 'summarise', reason: situation.full }
  if (!open)
    return {
      kind: 'raise',
      reason: event ? 'no such alarm was open' : 'unknown event, and no such alarm was open',
    }
  // A smaller number is a more severe level.
  const rises = level < open.alarmLevel
  return { kind: 'repeat', rises, reason: rises ? 'the open alarm rises in level' : 'such an alarm is open' }
}
