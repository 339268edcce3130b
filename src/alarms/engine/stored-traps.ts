// Stores recent traps for operators to search, each with its outcome, the reason, and the alarm it changed.

import { type TrapRecord, traps } from '../../resources/alarms/trap.ts'
import type { Transaction } from '../../store/database.ts'
import { openIds } from '../../store/ids.ts'
import { insertAll } from '../../store/table.ts'
import type { Incoming, Outcome } from './incoming-trap.ts'

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
    sourceIp: incoming.sourceIp,
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
