// Where several nodes receive, a fault may be processed after the recovery that ended it. The device's own time shows
// that: a fault from before a recovery that was processed already is not raised, unless the device has restarted in
// between.

import { bulk, type Database, type SqlValue, type Transaction } from '../../store/database.ts'
import { type Identity, identityOf } from './alarm-draft.ts'
import type { IncomingTrap } from './incoming.ts'
import type { Meaning } from './meaning.ts'

interface Recovery {
  readonly identity: Identity
  /** Milliseconds since the device's start. */
  readonly uptime: number
  readonly receivedAt: number
}

/** How long a fault may be delayed: a node may have been cut off meanwhile. */
const keptFor = 3_600_000

const found = bulk(
  'select device_id, resource, alarm_type, uptime, received_at from recovery where device_id = ? and resource = ? and alarm_type = ?',
  ['bigint', 'text', 'text'],
)
const written = bulk(
  'insert into recovery (device_id, resource, alarm_type, uptime, received_at) values (?, ?, ?, ?, ?) on conflict (device_id, resource, alarm_type) do update set uptime = excluded.uptime, received_at = excluded.received_at',
  ['bigint', 'text', 'text', 'bigint', 'bigint'],
)

/** The recoveries that are known inside one transaction. A single service receives in order, and needs none of it. */
export class LateFaults {
  readonly #isNeeded: boolean
  readonly #known: Map<string, Recovery>
  readonly #new = new Map<string, Recovery>()

  private constructor(isNeeded: boolean, known: Map<string, Recovery>) {
    this.#isNeeded = isNeeded
    this.#known = known
  }

  static async gather(
    tx: Transaction,
    { kind }: Pick<Database, 'kind'>,
    meanings: Iterable<Meaning>,
  ): Promise<LateFaults> {
    if (kind === 'sqlite') return new LateFaults(false, new Map())
    const keys = new Map<string, SqlValue[]>()
    for (const { identity, ends, trap } of meanings) {
      if (ends.length > 0 || !trap.uptime) continue
      keys.set(identity.key, [identity.deviceId, identity.resource, identity.alarmType])
    }
    const rows = await tx.allEach(found, [...keys.values()])
    const known = rows.map((row): [string, Recovery] => {
      const identity = identityOf(row)
      const [uptime, receivedAt] = [Number(row.uptime), Number(row.received_at)]
      return [identity.key, { identity, uptime, receivedAt }]
    })
    return new LateFaults(true, new Map(known))
  }

  /** Records a recovery, whether anything was open or not: the fault may still be delayed. */
  recovered(identities: readonly Identity[], { uptime, receivedAt }: IncomingTrap): void {
    if (!this.#isNeeded || !uptime) return
    for (const identity of identities) {
      const recovery = { identity, uptime: uptime * 10, receivedAt }
      this.#known.set(identity.key, recovery)
      this.#new.set(identity.key, recovery)
    }
  }

  isOvertaken({ identity, ends, trap: { uptime = 0, receivedAt } }: Meaning): boolean {
    if (this.#known.size === 0 || ends.length > 0 || uptime === 0) return false
    const recovery = this.#known.get(identity.key)
    if (!recovery) return false
    const startedAt = receivedAt - uptime * 10
    // A device that restarted after the recovery counts its time anew.
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
    await tx.runEach(written, rows)
  }
}

/** Recoveries that no fault can follow any more. */
export async function forgetRecoveries(tx: Transaction, now: number, limit: number): Promise<number> {
  return tx.run(
    'delete from recovery where received_at < ? and received_at <= (select max(received_at) from (select received_at from recovery order by received_at limit ?) oldest)',
    [now - keptFor, limit],
  )
}
