// Caches recently used open alarms between transactions: in a storm, most traps repeat an alarm that is already open.

import { type Alarm, alarms } from '../../resources/alarms/alarm.ts'
import { bulk, type Reader, type Row, type SqlValue, type Transaction } from '../../store/database.ts'
import { type Identity, identityOfRow } from '../engine/alarm-draft.ts'
import type { OpenAlarm } from '../engine/decide.ts'

export interface OpenState extends OpenAlarm {
  alarmLevel: number
  /** Whether its pushes are suppressed. */
  isSuppressed: boolean
  /** Repeats that are not written yet. */
  repeats: number
  lastTime: number
  /** When it was repeated: see repeat-times.ts. */
  trail: string
}

/** By identity; `null` if none is open. */
export type OpenByIdentity = Map<string, OpenState | null>

const cacheLimit = 50_000

export class OpenAlarms {
  #alarms: OpenByIdentity = new Map()
  /** A transaction whose commit is not confirmed yet: the next one cannot rely on its changes to the cache. */
  #pending: Transaction | undefined
  #version = -1

  /** The cache for a transaction, which reads from it and updates it. */
  begin(tx: Transaction): OpenByIdentity {
    const stored = () => tx.version(alarms.table.name)
    const isCurrent = !this.#pending && this.#version === stored()
    if (!isCurrent || this.#alarms.size > cacheLimit) this.#alarms = new Map()
    this.#pending = tx
    tx.afterCommit(() => {
      this.#pending = undefined
      this.#version = stored()
    })
    return this.#alarms
  }
}

const selectOpen = bulk(
  "select id, alarm_level, last_time, suppressed, repeat_trail, device_id, device_ip, resource, alarm_type from alarm where device_id = ? and resource = ? and alarm_type = ? and (case when device_id = 0 then device_ip else '' end) = ? and rec_status = 0",
  ['bigint', 'text', 'text', 'text'],
)

/** The open alarms of these identities, by the key of the identity. */
export async function readOpenAlarms(
  tx: Transaction,
  identities: readonly Identity[],
): Promise<Map<string, OpenState>> {
  const values = identities.map(({ deviceId, deviceIp, resource, alarmType }): SqlValue[] => [
    deviceId,
    resource,
    alarmType,
    deviceIp,
  ])
  const rows = await tx.allEach(selectOpen, values)
  return new Map(
    rows.map((row) => [
      identityOfRow(row).key,
      {
        id: row.id as bigint,
        alarmLevel: Number(row.alarm_level),
        isSuppressed: row.suppressed === 1n,
        repeats: 0,
        lastTime: Number(row.last_time),
        trail: String(row.repeat_trail),
      },
    ]),
  )
}

/** Open alarms with higher ids that were pushed, in the order of ids. */
export async function readOpenAfter(reader: Reader, id: bigint, limit: number): Promise<Alarm[]> {
  const { form } = alarms.table
  const rows = await reader.all(
    `select ${form.names} from alarm where rec_status = 0 and hidden = 0 and id > ? order by id limit ?`,
    [id, limit],
  )
  return rows.map((row) => form.toRecord(row) as Alarm)
}

/** Rows of recovered alarms, in the order in which they ended, each with the value of the SQL expression `measure`. */
export const readEndedFirst = (reader: Reader, measure: string, limit: number): Promise<Row[]> =>
  reader.all(
    `select ${alarms.table.form.names}, ${measure} from alarm where rec_status = 1 order by rec_time, id limit ?`,
    [limit],
  )

/** Whether any alarm is hidden from iMC-compatible clients. */
export async function hasHidden(reader: Reader): Promise<boolean> {
  const [hidden] = await reader.all('select id from alarm where hidden = 1 limit 1')
  return hidden !== undefined
}
