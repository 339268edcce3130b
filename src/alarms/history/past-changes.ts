// What became of many alarms, for what compares the past with a plan: when each got worse, was acknowledged, shelved or
// told of after it was suppressed.

import type { Reader, SqlValue } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
import type { EntryKind } from '../log/alarm-log.ts'

export interface PastChange {
  readonly at: number
  readonly kind: EntryKind
  /** Whether anybody received it. */
  readonly pushed: boolean
  /** The alarm that it was found to follow from, or does not follow from any more. */
  readonly causeId: bigint | undefined
}

/** Of one alarm, programs may write any number of notes. */
const maxChanges = 1000

function causeIn(kind: string, detail: string): bigint | undefined {
  const [, id] = kind === 'cause' || kind === 'release' ? (/^alarm (\d{1,18})$/.exec(detail) ?? []) : []
  return id === undefined ? undefined : BigInt(id)
}

/** By alarm, in their order. An alarm that was suppressed from its beginning has a change of kind `raise`. */
export async function pastChanges(
  reader: Reader,
  alarmIds: readonly bigint[],
): Promise<Map<bigint, PastChange[]>> {
  const rows = await allWithValues(
    reader,
    alarmIds,
    (marks) =>
      `select alarm_id, at, kind, pushed, detail from alarm_history where alarm_id in (${marks}) order by alarm_id, entry`,
  )
  const found = new Map<SqlValue, PastChange[]>()
  for (const { alarm_id, at, kind, pushed, detail } of rows) {
    const changes = found.get(alarm_id ?? 0n) ?? []
    if (changes.length < maxChanges)
      changes.push({
        ...{ at: Number(at), kind: String(kind) as EntryKind, pushed: pushed === 1n },
        causeId: causeIn(String(kind), String(detail)),
      })
    found.set(alarm_id ?? 0n, changes)
  }
  return found as Map<bigint, PastChange[]>
}
