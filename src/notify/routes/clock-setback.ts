// A clock that is set back: what was planned by it is due after the time that it had still to wait, so that nobody is
// called a day later because the clock was a day ahead.

import type { Database, Reader, Row } from '../../store/database.ts'

/** Milliseconds. Clocks are corrected by a little all the time. */
const tolerated = 1000

/** The latest time by which anything that waits was planned; a clock that shows less was set back meanwhile. */
export async function lastPlanned(reader: Reader): Promise<number> {
  const latest = ([row]: Row[]) => Number(row?.at ?? 0n)
  return Math.max(
    latest(await reader.all("select max(changed_at) as at from notify_incident where state <> 'closed'")),
    latest(await reader.all("select max(attempt_time) as at from notification where outcome = 'pending'")),
  )
}

/** `before`: what the clock showed when it was last looked at. */
export async function followSetBack(database: Database, before: number): Promise<void> {
  if (before - database.now() <= tolerated) return
  await database.transaction(async (tx) => {
    const ahead = before - tx.now
    if (ahead <= 0) return
    for (const table of ['notify_incident', 'notification']) {
      const inBetween = `update ${table} set due_at = ? where due_at > ? and due_at <= ?`
      await tx.run(inBetween, [tx.now, tx.now, before])
      await tx.run(`update ${table} set due_at = due_at - ? where due_at > ?`, [ahead, before])
    }
    await tx.run("update notification set give_up_at = give_up_at - ? where outcome = 'pending'", [ahead])
    await tx.run('update notify_quota set began_at = began_at - ?', [ahead])
    // Whoever looks next must not take the same step back for another one.
    await tx.run('update notify_incident set changed_at = ? where changed_at > ?', [tx.now, tx.now])
    await tx.run("update notification set attempt_time = ? where outcome = 'pending' and attempt_time > ?", [
      tx.now,
      tx.now,
    ])
  })
}
