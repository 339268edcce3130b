// Keeps recent traps for people to search: with the bin each ended in, the reason, and the alarm it touched.

import { type TrapRecord, traps } from '../../resources/alarms/trap.ts'
import type { Transaction } from '../../store/database.ts'
import { openIds } from '../../store/ids.ts'
import { insertAll } from '../../store/table.ts'
import type { Incoming, Outcome } from './incoming.ts'

/** What became of a datagram. */
export interface ProcessedTrap {
  /** The number under which it is kept. */
  readonly trapId?: bigint | undefined
  readonly outcome: Outcome
  readonly reason: string
  readonly deviceId?: bigint
  readonly eventName?: string | undefined
  readonly alarmId?: bigint | undefined
  /** What each variable is called. */
  readonly names?: readonly (string | undefined)[]
}

/** The numbers of a block of what came in, in its order. */
export class TrapNumbers {
  readonly #next: (name: 'trap') => bigint
  readonly #rejected = new Set<string>()

  private constructor(next: (name: 'trap') => bigint) {
    this.#next = next
  }

  static async gather(tx: Transaction): Promise<TrapNumbers> {
    return new TrapNumbers(await openIds(tx, 'trap'))
  }

  /** Undefined for what is not kept. */
  take(incoming: Incoming): bigint | undefined {
    if (incoming.kind === 'rejected') {
      // A flood of refused datagrams must not push the good ones out: of each kind, one per sender and block is kept.
      const kind = `${incoming.sourceIp}\0${incoming.outcome}\0${incoming.reason}`
      if (this.#rejected.has(kind)) return undefined
      this.#rejected.add(kind)
    }
    return this.#next('trap')
  }
}

/** Writes a block of datagrams, with what became of each. */
export async function keepTraps(
  tx: Transaction,
  block: readonly Incoming[],
  processed: readonly ProcessedTrap[],
): Promise<void> {
  const records: TrapRecord[] = []
  for (const [index, incoming] of block.entries()) {
    const outcome = processed[index] as ProcessedTrap
    if (outcome.trapId !== undefined) records.push(recordOf(outcome.trapId, incoming, outcome))
  }
  await insertAll(tx, traps.table, records)
}

function recordOf(id: bigint, incoming: Incoming, processed: ProcessedTrap): TrapRecord {
  const { outcome, reason, deviceId = 0n, eventName, alarmId, names } = processed
  const understood = incoming.kind === 'trap'
  return {
    id,
    receivedTime: incoming.receivedAt,
    sourceIp: incoming.sourceIp,
    version: understood ? incoming.version : '',
    OID: understood ? incoming.oid : '',
    deviceId,
    eventName: eventName ?? null,
    bin: outcome,
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
}
