// Detects faults that are processed after their recovery, which can happen when several nodes receive traps. By sysUpTime,
// a fault from before a recovery that was already processed is not raised, unless the device has restarted in between.

import { bulk, type Database, type SqlValue, type Transaction } from '../../store/database.ts'
import { type Identity, identityOfRow } from './alarm-draft.ts'
import type { IncomingTrap } from './incoming-trap.ts'
import type { TrapMeaning } from './trap-meaning.ts'

interface Recovery {
  readonly identity: Identity
  /** sysUpTime in milliseconds. */
  readonly uptime: number
  readonly receivedAt: number
}

/** How long a fault may be delayed: its node may have been disconnected. */
const retentionMs = 3_600_000

const selectRecoveries = bulk(
  'select device_id, resource, alarm_type, uptime, received_at from recovery where device_id = ? and resource = ? and alarm_type = ?',
  ['bigint', 'text', 'text'],
)
const upsertRecoveries = bulk(
  'insert into recovery (device_id, resource, alarm_type, uptime, received_at) values (?, ?, ?, ?, ?) on conflict (device_id, resource, alarm_type) do update set uptime = excluded.uptime, received_at = excluded.received_at',
  ['bigint', 'text', 'text', 'bigint', 'bigint'],
)

/** The known recoveries inside one transaction. Disabled on SQLite: a single service receives traps in order. */
export class LateFaults {
  readonly #isEnabled: boolean
  readonly #known: Map<string, Recovery>
  readonly #new = new Map<string, Recovery>()

  private constructor(isNeeded: boolean, known: Map<string, Recovery>) {
    this.#isEnabled = isNeeded
    this.#known = known
  }

  static async gather(
    tx: Transaction,
    { kind }: Pick<Database, 'kind'>,
    meanings: Iterable<TrapMeaning>,
  ): Promise<LateFaults> {
    if (kind === 'sqlite') return new LateFaults(false, new Map())
    const keys = new Map<string, SqlValue[]>()
    for (const { identity, ends, trap } of meanings) {
      if (ends.length > 0 || !trap.uptime) continue
      keys.set(identity.key, [identity.deviceId, identity.resource, identity.alarmType])
    }
    const rows = await tx.allEach(selectRecoveries, [...keys.values()])
    const known = rows.map((row): [string, Recovery] => {
      const identity = identityOfRow(row)
      const [uptime, receivedAt] = [Number(row.uptime), Number(row.received_at)]
      return [identity.key, { identity, uptime, receivedAt }]
    })
    return new LateFaults(true, new Map(known))
  }

  /** Records a recovery even if nothing was open: its fault may still be on the way. */
  noteRecovery(identities: readonly Identity[], { uptime, receivedAt }: IncomingTrap): void {
    if (!this.#isEnabled || !uptime) return
    for (const identity of identities) {
      const recovery = { identity, uptime: uptime * 10, receivedAt }
      this.#known.set(identity.key, recovery)
      this.#new.set(identity.key, recovery)
    }
  }

  isOvertaken({ identity, ends, trap: { uptime = 0, receivedAt } }: TrapMeaning): boolean {
    if (this.#known.size === 0 || ends.length > 0 || uptime === 0) return false
    const recovery = this.#known.get(identity.key)
    if (!recovery) return false
    const startedAt = receivedAt - uptime * 10
    // After a restart of the device, sysUpTime begins at 0 again.
    return uptime * 10 < recovery.uptime && startedAt < recovery.receivedAt
  }

  async write(tx: Transaction): Promise<void> {
    if (this.#new.size === 0) return
    const rows = Array.from(this.#new.values(), ({ identity, uptime, receivedAt }) => [
      identity.deviceId,
      identity.resource,
      identity.alarmType,
      uptime,
      Math.round(receivedAt),
    ])
    await tx.runEach(upsertRecoveries, rows)
  }
}

/** Deletes recoveries too old for a late fault. */
export async function deleteOldRecoveries(tx: Transaction, now: number, limit: number): Promise<number> {
  return tx.run(
    'delete from recovery where received_at < ? and received_at <= (select max(received_at) from (select received_at from recovery order by received_at limit ?) oldest)',
    [now - retentionMs, limit],
  )
}
