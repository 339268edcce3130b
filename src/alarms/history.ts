// Recent traps are kept for people to search: with the bin each ended in, the reason, and the alarm it touched.

import { type TrapRecord, traps } from '../resources/trap.ts'
import type { Transaction } from '../store/database.ts'
import { insert } from '../store/table.ts'
import type { Bin, Incoming } from './incoming.ts'
import { type OpenCounter, openCounter } from './numbers.ts'

export interface Settled {
  readonly bin: Bin
  readonly reason: string
  readonly deviceId?: bigint
  readonly eventName?: string | undefined
  readonly alarmId?: bigint | undefined
  /** What each variable is called. */
  readonly names?: readonly (string | undefined)[]
}

export class TrapHistory {
  readonly #tx: Transaction
  readonly #ids: OpenCounter
  readonly #rejected = new Set<string>()

  private constructor(tx: Transaction, ids: OpenCounter) {
    this.#tx = tx
    this.#ids = ids
  }

  static async begin(tx: Transaction): Promise<TrapHistory> {
    return new TrapHistory(tx, await openCounter(tx, 'trap'))
  }

  async keep(
    incoming: Incoming,
    { bin, reason, deviceId = 0n, eventName, alarmId, names }: Settled,
  ): Promise<void> {
    if (incoming.kind === 'rejected') {
      // A flood of refused datagrams must not wash the good ones away: of each kind, one per sender and batch.
      const kind = `${incoming.sourceIp}\0${bin}\0${reason}`
      if (this.#rejected.has(kind)) return
      this.#rejected.add(kind)
    }
    const understood = incoming.kind === 'trap'
    const record: TrapRecord = {
      id: this.#ids.take(),
      receivedTime: incoming.receivedAt,
      sourceIp: incoming.sourceIp,
      version: understood ? incoming.version : '',
      OID: understood ? incoming.oid : '',
      deviceId,
      eventName: eventName ?? null,
      bin,
      reason,
      alarmId: alarmId ?? null,
      rules: '',
      variables: understood
        ? incoming.variables.map(({ oid, type, value }, index) => ({
            oid,
            type,
            value,
            name: names?.[index] ?? null,
          }))
        : [],
    }
    await insert(this.#tx, traps.table, record)
  }

  async finish(): Promise<void> {
    await this.#ids.close()
  }
}
