// The ledger of datagrams: how many ended in which bin, and why. Written in the transaction that processed them.

import { bulk, type Database, type SqlValue, type Transaction } from '../../store/database.ts'
import type { Incoming, Outcome } from './incoming.ts'
import type { ProcessedTrap } from './kept-traps.ts'

interface Line {
  readonly bin: Outcome
  readonly reason: string
  n: number
  lastTime: number
  lastSource: string
}

/** What one block adds to the ledger. */
export class LedgerPage {
  readonly #lines = new Map<string, Line>()
  /** The same by source. */
  readonly #bySource = new Map<string, Map<string, Line>>()

  add(incoming: Incoming, { outcome, reason }: ProcessedTrap): void {
    const { receivedAt: at, sourceIp: source } = incoming
    const times = incoming.kind === 'rejected' ? incoming.times : 1
    let own = this.#bySource.get(source)
    if (!own) {
      own = new Map()
      this.#bySource.set(source, own)
    }
    const key = `${outcome}\0${reason}`
    for (const lines of [this.#lines, own]) {
      const line = lines.get(key)
      if (line) {
        line.n += times
        line.lastTime = at
        line.lastSource = source
      } else lines.set(key, { bin: outcome, reason, n: times, lastTime: at, lastSource: source })
    }
  }

  lines(): Iterable<Readonly<Line>> {
    return this.#lines.values()
  }

  async write(tx: Transaction): Promise<void> {
    const lines = Array.from(this.#lines.values(), ({ bin, reason, n, lastTime, lastSource }) => [
      bin,
      reason,
      n,
      lastTime,
      lastSource,
    ])
    await tx.runEach(ledger, lines)
    const bySource: SqlValue[][] = []
    for (const [source, own] of this.#bySource) {
      for (const { bin, reason, n, lastTime } of own.values())
        bySource.push([source, bin, reason, n, lastTime])
    }
    await tx.runEach(sourceLedger, bySource)
  }
}

const ledger = bulk(
  'insert into trap_ledger (bin, reason, n, last_time, last_source) values (?, ?, ?, ?, ?) on conflict (bin, reason) do update set n = trap_ledger.n + excluded.n, last_time = excluded.last_time, last_source = excluded.last_source',
  ['text', 'text', 'bigint', 'bigint', 'text'],
)
const sourceLedger = bulk(
  'insert into trap_source_ledger (source_ip, bin, reason, n, last_time) values (?, ?, ?, ?, ?) on conflict (source_ip, bin, reason) do update set n = trap_source_ledger.n + excluded.n, last_time = excluded.last_time',
  ['text', 'text', 'text', 'bigint', 'bigint'],
)

/** When the oldest of the newest `lines` lines by source was written; 0 where there are no more than that. */
export async function silentSince(database: Database, lines: number): Promise<number> {
  // It passes over very many lines: a long read, so that nobody waits for it.
  const [oldest] = await database.readInBackground(
    'select last_time from trap_source_ledger order by last_time desc limit 1 offset ?',
    [lines - 1],
  )
  return Number(oldest?.last_time ?? 0)
}

/**
 * Anybody can invent senders: lines of those that have been silent since before a time are removed, `limit` at once.
 */
export async function removeSilentSources(tx: Transaction, before: number, limit: number): Promise<number> {
  const lines = await tx.all(
    'select source_ip, bin, reason from trap_source_ledger where last_time < ? order by last_time limit ?',
    [before, limit],
  )
  for (const { source_ip: source, bin, reason } of lines) {
    await tx.run('delete from trap_source_ledger where source_ip = ? and bin = ? and reason = ?', [
      String(source),
      String(bin),
      String(reason),
    ])
  }
  return lines.length
}

interface LedgerLine {
  readonly [field: string]: unknown
  readonly bin: string
  readonly reason: string
  readonly count: bigint
  readonly lastTime: number
  readonly lastSource: string
}

/** All of it, over the life of the store; or what is kept of one source. */
export async function readLedger(database: Database, source?: string): Promise<LedgerLine[]> {
  const rows =
    source === undefined
      ? await database.all(
          'select bin, reason, n, last_time, last_source from trap_ledger order by bin, reason',
        )
      : await database.all(
          'select bin, reason, n, last_time, source_ip as last_source from trap_source_ledger where source_ip = ? order by bin, reason',
          [source],
        )
  return rows.map((row) => ({
    bin: String(row.bin),
    reason: String(row.reason),
    count: row.n as bigint,
    lastTime: Number(row.last_time),
    lastSource: String(row.last_source),
  }))
}
