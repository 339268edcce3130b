// The clocks of SNMPv3 engines, kept in the store so that a replayed message is refused after a restart, too.

import { randomBytes } from 'node:crypto'
import { bulk, type Database, type Row, type SqlValue, type Transaction } from '../store/database.ts'
import type { EngineTime, EngineTimes } from './snmp-engines.ts'

const limit = 100_000
/** The id prefix of our own row, whose boots count the starts of the service. */
const self = 'self'

export class EngineClocks implements EngineTimes {
  readonly #clocks: Map<string, EngineTime>
  readonly #changed = new Set<string>()
  readonly engineId: Buffer
  readonly engineBoots: number
  /** When the boots were last incremented. */
  readonly bootedAt: number

  private constructor(engineId: Buffer, own: EngineTime, clocks: Map<string, EngineTime>) {
    this.engineId = engineId
    this.engineBoots = own.boots
    this.bootedAt = own.receivedAt
    this.#clocks = clocks
  }

  /** For a single service; counts this start. */
  static open(database: Database): Promise<EngineClocks> {
    return database.transaction(async (tx) => {
      const rows = await tx.all(clocksSql)
      const known = rows.find(isOwn)
      const engineId = known ? ownId(known) : newEngineId()
      const own = { boots: Number(known?.boots ?? 0n) + 1, time: 0, receivedAt: tx.now }
      await tx.runEach(saveClock, [rowOf(self + engineId.toString('hex'), own)])
      return new EngineClocks(engineId, own, clocksOf(rows))
    })
  }

  /** For one of several nodes: all share boots and time, which do not change when one of them starts. */
  static async share(database: Database): Promise<EngineClocks> {
    const rows = await database.all(clocksSql)
    const known = rows.find(isOwn)
    if (known) return new EngineClocks(ownId(known), timeOf(known), clocksOf(rows))
    await database.transaction(async (tx) => {
      // Another service may have been faster.
      if ((await tx.all(clocksSql)).some(isOwn)) return
      const own = { boots: 1, time: 0, receivedAt: tx.now }
      await tx.runEach(saveClock, [rowOf(self + newEngineId().toString('hex'), own)])
    })
    return EngineClocks.share(database)
  }

  get(engineId: string): EngineTime | undefined {
    return this.#clocks.get(engineId)
  }

  set(engineId: string, latest: EngineTime): void {
    // Only engines that authenticated are recorded; still, the map must not grow without limit.
    if (this.#clocks.size >= limit && !this.#clocks.has(engineId)) return
    this.#clocks.set(engineId, latest)
    this.#changed.add(engineId)
  }

  /** Writes the changed clocks, in the transaction of the block that changed them. */
  async write(tx: Transaction): Promise<void> {
    const rows: SqlValue[][] = []
    const changed = [...this.#changed]
    for (const engineId of changed) {
      const clock = this.#clocks.get(engineId)
      if (clock) rows.push(rowOf(engineId, clock))
    }
    await tx.runEach(saveClock, rows)
    tx.afterCommit(
      () => this.#changed.clear(),
      () => {
        for (const engineId of changed) this.#changed.add(engineId)
      },
    )
  }
}

const clocksSql = 'select engine_id, boots, time, received_at from snmp_engine'
const isOwn = (row: Row) => String(row.engine_id).startsWith(self)
const ownId = (row: Row) => Buffer.from(String(row.engine_id).slice(self.length), 'hex')
const timeOf = (row: Row): EngineTime => ({
  boots: Number(row.boots),
  time: Number(row.time),
  receivedAt: Number(row.received_at),
})
const clocksOf = (rows: readonly Row[]) =>
  new Map(rows.filter((row) => !isOwn(row)).map((row) => [String(row.engine_id), timeOf(row)]))

/**
 * Counts a start of our own engine when the store was replaced or restored: it may not know all messages that were
 * accepted before, and none of them may be accepted again.
 */
export async function countBoot(tx: Transaction): Promise<void> {
  await tx.run('update snmp_engine set boots = boots + 1, received_at = ? where engine_id like ?', [
    tx.now,
    `${self}%`,
  ])
}

/** Counts this many more starts, so that numbers from a lost history are not used again. */
export async function skipBoots(tx: Transaction, by: number): Promise<void> {
  await tx.run('update snmp_engine set boots = boots + ? where engine_id like ?', [by, `${self}%`])
}

const saveClock = bulk(
  'insert into snmp_engine (engine_id, boots, time, received_at) values (?, ?, ?, ?) on conflict (engine_id) do update set boots = excluded.boots, time = excluded.time, received_at = excluded.received_at',
  ['text', 'bigint', 'bigint', 'bigint'],
)

const rowOf = (engineId: string, { boots, time, receivedAt }: EngineTime): SqlValue[] => [
  engineId,
  boots,
  time,
  Math.floor(receivedAt),
]

/** RFC 3411: the first bit set, an enterprise number (the one reserved for examples), then random octets. */
function newEngineId(): Buffer {
  return Buffer.concat([Buffer.from([0x80, 0x00, 0x7e, 0xd9, 0x05]), randomBytes(8)])
}
