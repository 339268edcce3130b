// Keeps the trap ledger: how many datagrams had which outcome, and why. Written in the transaction that processes them.

import { type TrapRecord, traps } from '../../resources/alarms/trap.ts'
import { addressOf, defaultSpace, spaceOf } from '../../schema/space.ts'
import { bulk, type Database, type SqlValue, type Transaction } from '../../store/database.ts'
import { openIds } from '../../store/ids.ts'
import { insertAll } from '../../store/table.ts'
import type { Incoming, Outcome } from './incoming-trap.ts'

interface Line {
  readonly outcome: Outcome
  readonly reason: string
  n: number
  lastTime: number
  lastSource: string
}

/** The ledger entries of one block. */
export class LedgerPage {
  readonly #lines = new Map<string, Line>()
  /** The same, by source address. */
  readonly #bySource = new Map<string, Map<string, Line>>()

  add(incoming: Incoming, { outcome, reason }: ProcessedTrap): void {
    const { receivedAt: at, sourceIp: source } = incoming
    const times = incoming.kind === 'rejected' ? incoming.times : 1
    let linesOfSource = this.#bySource.get(source)
    if (!linesOfSource) {
      linesOfSource = new Map()
      this.#bySource.set(source, linesOfSource)
    }
    const key = `${outcome}\0${reason}`
    for (const lines of [this.#lines, linesOfSource]) {
      const line = lines.get(key)
      if (line) {
        line.n += times
        line.lastTime = at
        line.lastSource = source
      } else lines.set(key, { outcome, reason, n: times, lastTime: at, lastSource: source })
    }
  }

  lines(): Iterable<Readonly<Line>> {
    return this.#lines.values()
  }

  async write(tx: Transaction): Promise<void> {
    const lines = Array.from(this.#lines.values(), ({ outcome, reason, n, lastTime, lastSource }) => [
      outcome,
      reason,
      n,
      lastTime,
      lastSource,
    ])
    await tx.runEach(addToLedger, lines)
    const bySource: SqlValue[][] = []
    for (const [source, lines] of this.#bySource) {
      for (const { outcome, reason, n, lastTime } of lines.values())
        bySource.push([source, outcome, reason, n, lastTime])
    }
    await tx.runEach(addToSourceLedger, bySource)
  }
}

const addToLedger = bulk(
  'insert into trap_ledger (bin, reason, n, last_time, last_source) values (?, ?, ?, ?, ?) on conflict (bin, reason) do update set n = trap_ledger.n + excluded.n, last_time = excluded.last_time, last_source = excluded.last_source',
  ['text', 'text', 'bigint', 'bigint', 'text'],
)
const addToSourceLedger = bulk(
  'insert into trap_source_ledger (source_ip, bin, reason, n, last_time) values (?, ?, ?, ?, ?) on conflict (source_ip, bin, reason) do update set n = trap_source_ledger.n + excluded.n, last_time = excluded.last_time',
  ['text', 'text', 'text', 'bigint', 'bigint'],
)

/** When the oldest of the newest `lines` lines by source was written; 0 if there are not that many. */
export async function silentSince(database: Database, lines: number): Promise<number> {
  // Skips very many lines: read in the background, so that nothing waits for it.
  const [oldest] = await database.readInBackground(
    'select last_time from trap_source_ledger order by last_time desc limit 1 offset ?',
    [lines - 1],
  )
  return Number(oldest?.last_time ?? 0)
}

/** Removes up to `limit` lines of sources that have been silent since `before`: anyone can invent source addresses. */
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
  readonly space?: number
}

const spaceIn = (source: string) => (spaceOf(source) === defaultSpace ? {} : { space: spaceOf(source) })

/** The whole ledger since the store was created, or the lines of one address, in all spaces. */
export async function readLedger(database: Database, source?: string): Promise<LedgerLine[]> {
  const rows =
    source === undefined
      ? await database.all(
          'select bin, reason, n, last_time, last_source from trap_ledger order by bin, reason',
        )
      : await database.all(
          // The next character after @ is A.
          'select bin, reason, n, last_time, source_ip as last_source from trap_source_ledger where source_ip = ? or (source_ip > ? and source_ip < ?) order by bin, reason, source_ip',
          [source, `${source}@`, `${source}A`],
        )
  return rows.map((row) => ({
    bin: String(row.bin),
    reason: String(row.reason),
    count: row.n as bigint,
    lastTime: Number(row.last_time),
    lastSource: addressOf(String(row.last_source)),
    ...spaceIn(String(row.last_source)),
  }))
}

// Stores recent traps for operators to search, each with its outcome, the reason, and the alarm it changed.

/** The result of processing a datagram. */
export interface ProcessedTrap {
  /** The id under which it is stored. */
  readonly trapId?: bigint | undefined
  readonly outcome: Outcome
  readonly reason: string
  readonly deviceId?: bigint
  readonly eventName?: string | undefined
  readonly alarmId?: bigint | undefined
  /** The name of each variable. */
  readonly names?: readonly (string | undefined)[]
}

/** Assigns ids to the traps of a block, in order. */
export class TrapIds {
  readonly #next: (name: 'trap') => bigint
  readonly #rejected = new Set<string>()

  private constructor(next: (name: 'trap') => bigint) {
    this.#next = next
  }

  static async gather(tx: Transaction): Promise<TrapIds> {
    return new TrapIds(await openIds(tx, 'trap'))
  }

  /** Undefined if the datagram is not stored. */
  take(incoming: Incoming): bigint | undefined {
    if (incoming.kind === 'rejected') {
      // Syslog messages that change nothing: there are a thousand times more of them than of anything else.
      if (incoming.outcome === 'filtered') return undefined
      // A flood of rejected datagrams must not displace good ones: one of each kind is stored per sender and block.
      const kind = `${incoming.sourceIp}\0${incoming.outcome}\0${incoming.reason}`
      if (this.#rejected.has(kind)) return undefined
      this.#rejected.add(kind)
    }
    return this.#next('trap')
  }
}

/** Writes a block of datagrams with their results. */
export async function storeTraps(
  tx: Transaction,
  block: readonly Incoming[],
  processed: readonly ProcessedTrap[],
): Promise<void> {
  const records: TrapRecord[] = []
  for (const [index, incoming] of block.entries()) {
    const result = processed[index] as ProcessedTrap
    if (result.trapId !== undefined) records.push(recordOf(result.trapId, incoming, result))
  }
  await insertAll(tx, traps.table, records)
}

function recordOf(id: bigint, incoming: Incoming, processed: ProcessedTrap): TrapRecord {
  const { outcome, reason, deviceId = 0n, eventName, alarmId, names } = processed
  const isDecoded = incoming.kind === 'trap'
  return {
    id,
    receivedTime: incoming.receivedAt,
    sourceIp: addressOf(incoming.sourceIp),
    space: spaceOf(incoming.sourceIp) || null,
    version: isDecoded ? incoming.version : '',
    OID: isDecoded ? incoming.oid : '',
    deviceId,
    eventName: eventName ?? null,
    bin: outcome,
    reason,
    alarmId: alarmId ?? null,
    rules: '',
    variables: isDecoded
      ? incoming.variables.map(({ oid, type, value }, index) => ({
          oid,
          type,
          value,
          name: names?.[index] ?? null,
        }))
      : [],
  }
}
