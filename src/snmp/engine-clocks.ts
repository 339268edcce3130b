// The clocks of SNMPv3 engines, kept in the store: a message that was taken once is refused after a restart, too.

import { randomBytes } from 'node:crypto'
import { bulk, type Database, type SqlValue, type Transaction } from '../store/database.ts'
import type { EngineTime, EngineTimes } from './snmp-engines.ts'

const limit = 100_000
/** Our own row: boots count the starts of the service. */
const self = 'self'

export class EngineClocks implements EngineTimes {
  readonly #clocks: Map<string, EngineTime>
  readonly #changed = new Set<string>()
  readonly engineId: Buffer
  readonly engineBoots: number

  private constructor(engineId: Buffer, engineBoots: number, clocks: Map<string, EngineTime>) {
    this.engineId = engineId
    this.engineBoots = engineBoots
    this.#clocks = clocks
  }

  /** Counts one more start. */
  static open(database: Database): Promise<EngineClocks> {
    return database.transaction(async (tx) => {
      const rows = await tx.all('select engine_id, boots, time, received_at from snmp_engine')
      const known = rows.find((row) => String(row.engine_id).startsWith(self))
      const engineId = known ? Buffer.from(String(known.engine_id).slice(self.length), 'hex') : newEngineId()
      const boots = Number(known?.boots ?? 0n) + 1
      const own = { boots, time: 0, receivedAt: tx.now }
      await tx.runEach(written, [rowOf(self + engineId.toString('hex'), own)])
      const others = rows.filter((row) => row !== known)
      const clocks = others.map((row): [string, EngineTime] => [
        String(row.engine_id),
        { boots: Number(row.boots), time: Number(row.time), receivedAt: Number(row.received_at) },
      ])
      return new EngineClocks(engineId, boots, new Map(clocks))
    })
  }

  get(engineId: string): EngineTime | undefined {
    return this.#clocks.get(engineId)
  }

  set(engineId: string, latest: EngineTime): void {
    // Only engines that authenticated come here; still, nothing may grow for ever.
    if (this.#clocks.size >= limit && !this.#clocks.has(engineId)) return
    this.#clocks.set(engineId, latest)
    this.#changed.add(engineId)
  }

  /** Writes what changed, in the transaction of the block that changed it. */
  async write(tx: Transaction): Promise<void> {
    const rows: SqlValue[][] = []
    for (const engineId of this.#changed) {
      const clock = this.#clocks.get(engineId)
      if (clock) rows.push(rowOf(engineId, clock))
    }
    await tx.runEach(written, rows)
    tx.afterCommit(() => this.#changed.clear())
  }
}

const written = bulk(
  'insert into snmp_engine (engine_id, boots, time, received_at) values (?, ?, ?, ?) on conflict (engine_id) do update set boots = excluded.boots, time = excluded.time, received_at = excluded.received_at',
  ['text', 'bigint', 'bigint', 'bigint'],
)

const rowOf = (engineId: string, { boots, time, receivedAt }: EngineTime): SqlValue[] => [
  engineId,
  boots,
  time,
  Math.floor(receivedAt),
]

/** RFC 3411: the first bit set, an enterprise number (the one reserved for examples), then octets of our own. */
function newEngineId(): Buffer {
  return Buffer.concat([Buffer.from([0x80, 0x00, 0x7e, 0xd9, 0x05]), randomBytes(8)])
}
