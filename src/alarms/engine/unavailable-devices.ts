// Finds the open alarm that says a whole device is unreachable: the parent of alarms about its interfaces.

import { type Bulk, bulk, type Transaction } from '../../store/database.ts'
import type { AlarmToGather } from './alarm-draft.ts'

const availabilityCategory = 2
export const interfaceCategory = 3

/** Availability alarms inside one transaction. */
export class UnavailableDevices {
  readonly #tx: Transaction
  /** By device: its oldest open availability alarms, as many as this transaction can need. */
  readonly #alarms = new Map<bigint, bigint[]>()

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  async gather(alarms: readonly AlarmToGather[]): Promise<void> {
    // One more than may be ended, so that the oldest remaining alarm is known afterwards.
    const counts = new Map<bigint, number>()
    for (const { identity, alarmCategory } of alarms) {
      const { deviceId } = identity
      // Device 0 stands for all hosts that are not devices: their alarms are unrelated.
      if (alarmCategory === interfaceCategory && deviceId !== 0n && !this.#alarms.has(deviceId)) {
        counts.set(deviceId, 0)
      }
    }
    if (counts.size === 0) return
    for (const { identity } of alarms) {
      const count = counts.get(identity.deviceId)
      if (count !== undefined) counts.set(identity.deviceId, count + 1)
    }
    const rows = await this.#tx.allEach(
      selectOldest(Math.max(...counts.values())),
      Array.from(counts.keys(), (device) => [device]),
    )
    for (const device of counts.keys()) this.#alarms.set(device, [])
    for (const row of rows) this.#alarms.get(row.device_id as bigint)?.push(row.id as bigint)
  }

  /** The parent of an interface alarm on this device; 0 if the device is reachable. */
  parentOf(deviceId: bigint): bigint {
    if (deviceId === 0n) return 0n
    const alarms = this.#alarms.get(deviceId)
    if (!alarms) throw new Error(`device ${deviceId} was not gathered`)
    return alarms[0] ?? 0n
  }

  add(id: bigint, deviceId: bigint, alarmCategory: number): void {
    if (alarmCategory === availabilityCategory) this.#alarms.get(deviceId)?.push(id)
  }

  remove(id: bigint, deviceId: bigint): void {
    const others = this.#alarms.get(deviceId)?.filter((other) => other !== id)
    if (others) this.#alarms.set(deviceId, others)
  }
}

/**
 * For limits of 1, 2, 4 and so on. The limit is part of the text because SQLite plans a statement again whenever a limit
 * is bound as a parameter.
 */
const statements = Array.from({ length: 32 }, (_, power) =>
  bulk(
    `select device_id, id from alarm where device_id = ? and rec_status = 0 and alarm_category = ${availabilityCategory} order by id limit ${2 ** power}`,
    ['bigint'],
  ),
)
const selectOldest = (limit: number) => statements[Math.ceil(Math.log2(limit))] as Bulk
