// The syslog messages that raised, repeated or ended an alarm, as they are stored with traps.

import type { Database } from '../../store/database.ts'
import { deviceHeads } from '../inventory/device.ts'
import { messageTextOid, wholeMessageOid } from './message-definition.ts'
import { type TrapRecord, traps } from './trap.ts'

export interface StoredMessage {
  readonly receivedTime: number
  readonly deviceIp: string
  /** As it came. Those stored by older versions are their text alone. */
  readonly whole: string
}

const perRead = 500
/** Of the newest traps, so many are looked through. */
const maxExamined = 200_000

/** The newest first, page by page. */
export async function* storedMessages(database: Database): AsyncGenerator<StoredMessage[]> {
  const { form, name } = traps.table
  const [newest] = await database.all(`select max(id) as id from ${name}`)
  if (typeof newest?.id !== 'bigint') return
  const oldest = newest.id - BigInt(maxExamined)
  for (let before = newest.id + 1n; ; ) {
    const rows = await database.readInBackground(
      `select ${form.names} from ${name} where id < ? and id > ? and version = 'syslog' order by id desc limit ?`,
      [before, oldest, perRead],
    )
    const records = rows.map((row) => form.toRecord(row) as TrapRecord)
    const heads = await deviceHeads(database, [...new Set(records.map(({ deviceId }) => deviceId))])
    yield records.map(({ receivedTime, sourceIp, deviceId, variables }) => ({
      receivedTime,
      deviceIp: heads.get(deviceId)?.ip ?? sourceIp,
      whole: textOf(variables, wholeMessageOid) ?? textOf(variables, messageTextOid) ?? '',
    }))
    const last = records.at(-1)
    if (!last || records.length < perRead) return
    before = last.id
  }
}

const textOf = (variables: TrapRecord['variables'], wanted: string) =>
  variables.find(({ oid }) => oid === wanted)?.value ?? undefined
