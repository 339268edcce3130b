// Decides what a trap does to alarms: a pure function from the state of the alarms to a decision with its reason.

import type { TrapEffect } from '../../events/event-catalog.ts'

/** The reason of traps that are only counted, in the alarm about unknown events. */
export const tooManyUnknown = 'too many unknown events'
/** The reason of traps that are only counted, in the alarm about too many open alarms. */
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
  /** Raised later, unless its end is reported meanwhile. */
  | { readonly kind: 'hold'; readonly reason: string }
  /** Counted in a service alarm. */
  | { readonly kind: 'summarise'; readonly reason: string }
  | { readonly kind: 'filter'; readonly reason: string }
  | { readonly kind: 'store'; readonly reason: string }

export interface TrapContext {
  /** Whether the event has a definition. */
  readonly isDefined: boolean
  /** What the trap does by its definition and its values. */
  readonly effect: TrapEffect['kind']
  /** The level the alarm would have. */
  readonly level: number
  /** The open alarm of the same identity. */
  readonly open: OpenAlarm | undefined
  /** Whether a recovery that the device sent later has already been processed. */
  readonly isOvertaken?: boolean
  /** Whether it may be a late repetition of a fault that has ended. */
  readonly isUnclear?: boolean
  /** Whether it is the end of an earlier fault than that of the open alarm. */
  readonly endsEarlier?: boolean
  /** Whether there are open alarms that this event ends. */
  readonly endsOpen: boolean
  /** Whether this event ends a flapping alarm that is currently at fault. */
  readonly endsFlapping: boolean
  /** Whether the alarm is flapping: a summary alarm replaces it. */
  readonly isFlapping: boolean
  /** Whether this fault is the one that makes it flap. */
  readonly startsFlapping: boolean
  /** The trap rule that filters it. */
  readonly filteredBy: bigint | undefined
  readonly unknownTraps: 'alarm' | 'store'
  /** Set if a limit of open alarms is reached. */
  readonly limitReached: typeof tooManyUnknown | typeof tooManyOpen | undefined
}

export function decide(situation: TrapContext): Decision {
  const { isDefined, effect, level, open, endsOpen, endsFlapping, filteredBy, unknownTraps } = situation
  if (effect === 'store') return { kind: 'store', reason: 'the definition says store only' }
  if (situation.isOvertaken) return { kind: 'store', reason: 'overtaken by a recovery' }
  // Before the rules: an alarm that was raised must be able to end.
  if (endsOpen) return { kind: 'recover', reason: 'it ends an open alarm' }
  if (endsFlapping) return { kind: 'collapse', how: 'recovery', reason: 'flapping' }
  if (filteredBy !== undefined) return { kind: 'filter', reason: `trap rule ${filteredBy}` }
  if (!isDefined && unknownTraps === 'store') return { kind: 'store', reason: 'unknown event' }
  if (effect === 'end' && situation.endsEarlier)
    return { kind: 'store', reason: 'the end of an earlier fault, which has ended' }
  if (effect === 'end') return { kind: 'store', reason: 'a recovery with nothing open to clear' }
  if (situation.isUnclear) return { kind: 'hold', reason: 'held back: its end may have been reported' }
  if (situation.isFlapping) return { kind: 'collapse', how: 'fault', reason: 'flapping' }
  if (!open && situation.startsFlapping) return { kind: 'collapse', how: 'start', reason: 'flapping' }
  if (!open && situation.limitReached) return { kind: 'summarise', reason: situation.limitReached }
  if (!open)
    return {
      kind: 'raise',
      reason: isDefined ? 'no such alarm was open' : 'unknown event, and no such alarm was open',
    }
  // A smaller number is a more severe level.
  const rises = level < open.alarmLevel
  return { kind: 'repeat', rises, reason: rises ? 'the open alarm rises in level' : 'such an alarm is open' }
}
