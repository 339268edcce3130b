// The status of a device: the worst level of its open alarms that are not suppressed, in the numbers of iMC.

import { coded } from '../../schema/scalar.ts'
import type { Database, SqlValue } from '../../store/database.ts'

const words = { 1: 'Normal', 2: 'Warning', 3: 'Minor', 4: 'Major', 5: 'Critical' }

export const deviceStatus = coded(words)

export type Status = keyof typeof words

export const statusWord = (status: Status): string => words[status]

const normal = 1
/** Levels count down from 1, critical; information is no fault. */
const fromLevel = (level: number): Status => (level > 4 ? normal : ((6 - level) as Status))

/** The status of devices that have open alarms; of these, or of all. Others are normal. */
export class Statuses {
  readonly #worst: ReadonlyMap<bigint, Status>

  private constructor(worst: ReadonlyMap<bigint, Status>) {
    this.#worst = worst
  }

  /** A device in a storm has very many open alarms: they are a long read, for which nobody waits. */
  static async read(database: Database, ids?: readonly bigint[]): Promise<Statuses> {
    const some = ids ? ` and device_id in (${ids.map(() => '?').join(', ')})` : ''
    const rows = await database.readInBackground(
      `select device_id, min(alarm_level) as level from alarm where rec_status = 0 and suppressed = 0${some} group by device_id`,
      (ids ?? []) as SqlValue[],
    )
    return new Statuses(new Map(rows.map((row) => [row.device_id as bigint, fromLevel(Number(row.level))])))
  }

  of(id: bigint): Status {
    return this.#worst.get(id) ?? normal
  }

  /** The worst of several devices, or of all; the service itself is not one. */
  worst(ids: Iterable<bigint> = this.#worst.keys()): Status {
    let worst: Status = normal
    for (const id of ids) {
      if (id === 0n) continue
      const status = this.of(id)
      if (status > worst) worst = status
    }
    return worst
  }
}
