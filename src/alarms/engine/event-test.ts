// Plays traps against event definitions in memory, and says which alarm each of them would raise, repeat or end.

import type { EventCatalog } from '../../events/event-catalog.ts'
import type { Variable } from '../../events/naming.ts'
import { TimeSlice } from '../../pacing/time-slice.ts'
import type { Identity } from './alarm-draft.ts'
import type { KnownDevice } from './device-directory.ts'
import { draftOf, meaningOf, type TrapMeaning } from './trap-meaning.ts'

export interface PlayedTrap {
  /** 0 for one that was not stored. */
  readonly id: bigint
  readonly oid: string
  readonly sourceIp: string
  readonly device: KnownDevice
  readonly receivedAt: number
  readonly variables: readonly Variable[]
}

export interface PlayedOutcome {
  readonly trapId: bigint
  readonly OID: string
  readonly eventName: string
  readonly isDefined: boolean
  readonly outcome: 'raises' | 'repeats' | 'ends' | 'ends nothing' | 'is stored'
  readonly alarmLevel: number
  readonly resource: string
  readonly alarmDesc: string
  /** The places of the traps whose alarms it ends or repeats, counted from 1. */
  readonly alarms: readonly number[]
}

/** Traps in their order, with nothing open before the first. Trap rules, windows and flapping are left out. */
export async function playTraps(
  traps: readonly PlayedTrap[],
  catalog: EventCatalog,
  unknownTraps: 'alarm' | 'store',
): Promise<PlayedOutcome[]> {
  const open = new Map<string, number>()
  const outcomes: PlayedOutcome[] = []
  const timeSlice = new TimeSlice()
  for (const [index, trap] of traps.entries()) {
    await timeSlice.step()
    const { sourceIp, receivedAt, oid, variables, device } = trap
    const received = { kind: 'trap', receivedAt, sourceIp, agentIp: undefined, version: '2c' } as const
    const meaning = meaningOf({ ...received, oid, variables }, device, catalog)
    const { outcome, alarms } = effectOf(meaning, open, index + 1, unknownTraps)
    const { identity, event, alarmLevel } = meaning
    const { eventName, alarmDesc } = draftOf(meaning)
    const about = { trapId: trap.id, OID: oid, eventName, isDefined: event !== undefined }
    outcomes.push({ ...about, outcome, alarmLevel, resource: identity.resource, alarmDesc, alarms })
  }
  return outcomes
}

function effectOf(
  { effect, ends, identity, event }: TrapMeaning,
  open: Map<string, number>,
  place: number,
  unknownTraps: 'alarm' | 'store',
): Pick<PlayedOutcome, 'outcome' | 'alarms'> {
  if (effect === 'store' || (!event && unknownTraps === 'store')) return { outcome: 'is stored', alarms: [] }
  const ended = take(open, ends)
  if (ended.length > 0) return { outcome: 'ends', alarms: ended }
  if (effect === 'end') return { outcome: 'ends nothing', alarms: [] }
  const earlier = open.get(identity.key)
  if (earlier !== undefined) return { outcome: 'repeats', alarms: [earlier] }
  open.set(identity.key, place)
  return { outcome: 'raises', alarms: [] }
}

function take(open: Map<string, number>, identities: readonly Identity[]): number[] {
  return identities.flatMap(({ key }) => {
    const place = open.get(key)
    open.delete(key)
    return place ?? []
  })
}
