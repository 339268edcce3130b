// An alarm about a store that was a backup: what happened after the backup is not in it, and clients cannot all know.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import { readCounter, removeCounter } from '../../store/counter.ts'
import type { Database } from '../../store/database.ts'
import { backupMark } from '../../store/sqlite/sqlite-connection.ts'

const day = 24 * 3600 * 1000

/** Called at the start, once the new epoch is open. Returns when the backup was made, if the store was one. */
export async function reportRestore(database: Database, engine: AlarmChanger): Promise<string | undefined> {
  const mark = await readCounter(database, backupMark)
  if (mark === undefined) return undefined
  const madeAt = new Date(Number(mark)).toISOString()
  const text = `The store was restored from a backup of ${madeAt}: what happened from then until this start is missing`
  await raiseServiceAlarm(engine, 'storeRestored', `backup=${madeAt}`, text)
  // Last: after a crash it is reported again.
  await database.transaction((tx) => removeCounter(tx, backupMark))
  return madeAt
}

/** After as many days as the log is kept no client comes back that could still be affected. */
export async function endRestoreAlarm(
  database: Database,
  engine: AlarmChanger,
  now: number,
  days: number,
): Promise<void> {
  for (const event of ['storeRestored', 'storeOlder', 'storeMoved'] as const) {
    for (const resource of await openServiceAlarms(database, event, now - days * day)) {
      const text = `That was ${days} days ago or earlier: no client comes back that would have to be informed`
      await recoverServiceAlarm(engine, event, resource, text)
    }
  }
}
