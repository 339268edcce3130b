// How much was told within a while: by a route, to a contact; how many incidents a route opened, which is how a
// storm is noticed; and until when a channel that failed is left alone.

import { bulk, type Reader, type SqlValue, type Transaction } from '../../store/database.ts'
import { giveUpAfter } from './ledger.ts'

const minute = 60_000
const hour = 60 * minute

export const quotaKinds = {
  /** New incidents of a route; what comes above is one incident. */
  storm: { span: minute, limit: 10 },
  /** Messages about faults by a route, whose limit is its own. */
  route: { span: hour, limit: 0 },
  /** Messages about faults to a contact, or through a channel that belongs to nobody, by whatever route. */
  contact: { span: hour, limit: 200 },
  channel: { span: hour, limit: 200 },
} as const
type Kind = keyof typeof quotaKinds

interface Quota {
  beganAt: number
  used: number
}

const upsert = bulk(
  `insert into notify_quota (name, began_at, used) values (?, ?, ?)
   on conflict (name) do update set began_at = excluded.began_at, used = excluded.used`,
  ['text', 'bigint', 'integer'],
)

/** The quotas inside one transaction. */
export class Quotas {
  readonly #tx: Transaction
  readonly #quotas = new Map<string, Quota>()

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  /** Takes one, and returns whether that is more than the limit; a limit of 0 is none. */
  async exceeds(kind: Kind, id: bigint, limit: number = quotaKinds[kind].limit): Promise<boolean> {
    if (limit === 0) return false
    const quota = await this.#quota(`${kind} ${id}`, quotaKinds[kind].span)
    quota.used += 1
    return quota.used > limit
  }

  /** Whether a channel is to be told that a limit was reached: once while it lasts. */
  async tellsFirst(name: string, channelId: bigint): Promise<boolean> {
    const quota = await this.#quota(`told ${name} ${channelId}`, hour)
    quota.used += 1
    return quota.used === 1
  }

  async #quota(name: string, span: number): Promise<Quota> {
    let quota = this.#quotas.get(name)
    if (!quota) {
      const [row] = await this.#tx.all('select began_at, used from notify_quota where name = ?', [name])
      quota = row
        ? { beganAt: Number(row.began_at), used: Number(row.used) }
        : { beganAt: this.#tx.now, used: 0 }
      this.#quotas.set(name, quota)
    }
    if (this.#tx.now - quota.beganAt >= span || quota.beganAt > this.#tx.now) {
      Object.assign(quota, { beganAt: this.#tx.now, used: 0 })
    }
    return quota
  }

  async write(): Promise<void> {
    if (this.#quotas.size === 0) return
    await this.#tx.run('delete from notify_quota where began_at <= ?', [this.#tx.now - hour])
    const rows = [...this.#quotas].map(([name, { beganAt, used }]): SqlValue[] => [name, beganAt, used])
    await this.#tx.runEach(upsert, rows)
  }
}

/** Kept among the quotas; `began_at` is when it ends. */
const pause = 'pause '

/**
 * All messages of a channel wait until then, new ones too; no longer than any of them may fail, each of which is to be
 * tried once more before it is given up.
 */
export async function pauseChannel(tx: Transaction, channelId: bigint, until: number): Promise<void> {
  const [row] = await tx.all(
    "select min(give_up_at) as first from notification where channel_id = ? and outcome = 'pending' and give_up_at > ?",
    [channelId, tx.now],
  )
  const first = typeof row?.first === 'bigint' ? Number(row.first) : until
  const end = Math.min(until, first, tx.now + giveUpAfter)
  await tx.runEach(upsert, [[`${pause}${channelId}`, end, 0]])
}

export async function endPause(tx: Transaction, channelId: bigint): Promise<void> {
  await tx.run('delete from notify_quota where name = ?', [`${pause}${channelId}`])
}

/** One that ends later than any can was begun by a clock that was wrong. */
export async function pausedChannels(reader: Reader, now: number): Promise<Set<bigint>> {
  const rows = await reader.all(
    `select name from notify_quota where name like '${pause}%' and began_at > ? and began_at <= ?`,
    [now, now + giveUpAfter],
  )
  return new Set(rows.map((row) => BigInt(String(row.name).slice(pause.length))))
}
