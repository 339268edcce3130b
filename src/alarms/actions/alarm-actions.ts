// Recovers, deletes and annotates alarms on behalf of operators and programs.

import { Fault } from '../../fault.ts'
import { auditChange } from '../../resources/access/audit-entry.ts'
import { type Alarm, alarm, alarms, type Origin } from '../../resources/alarms/alarm.ts'
import { eraseIn } from '../../resources/collection.ts'
import { devices } from '../../resources/inventory/device.ts'
import type { Transaction } from '../../store/database.ts'
import { find, update } from '../../store/table.ts'
import type { AlarmChanges } from '../engine/alarm-changes.ts'
import { type AlarmDraft, identityOfAlarm } from '../engine/alarm-draft.ts'
import type { AlarmEngine } from '../engine/engine.ts'
import { otherCategory } from '../engine/trap-meaning.ts'

/** Changes alarms on behalf of a caller. */
export type AlarmWriter = Pick<AlarmEngine, 'change'>

/** Records a change of an alarm in the audit log. */
export async function auditAlarm(
  tx: Transaction,
  action: string,
  id: bigint,
  before: Alarm | undefined,
): Promise<void> {
  if (tx.actor) await auditChange(tx, action, alarm, id, before, await find(tx, alarms.table, id))
}

export async function loadAlarm(
  changes: AlarmChanges,
  id: bigint,
  missing: 'not-found' | 'gone' = 'not-found',
): Promise<Alarm> {
  const [record] = await changes.load([id])
  if (!record) throw new Fault(missing, `alarm ${id} does not exist`)
  return record
}

/** Recovers an open alarm before deleting it, so that clients that received it see it end. */
export function deleteAlarm(engine: AlarmWriter, id: bigint, userName: string): Promise<void> {
  return engine.change(async (changes, tx) => {
    const before = await loadAlarm(changes, id, 'gone')
    if (before.recStatus === 0) {
      await changes.gather([{ identity: identityOfAlarm(before) }])
      recoverByOperator(changes, before, userName, tx.now)
    }
    changes.delete(id)
    await changes.write()
    await auditAlarm(tx, 'delete', id, before)
  })
}

/** Alarms recovered in one transaction; other transactions wait for it. */
const recoverBatchSize = 100

/** Recovers the open alarms of a device before deleting it, so that clients that received them see them end. */
export async function deleteDevice(engine: AlarmWriter, id: bigint, userName: string): Promise<void> {
  let isGone = false
  while (!isGone) {
    isGone = await engine.change(async (changes, tx) => {
      if (!(await find(tx, devices.table, id))) throw new Fault('gone', `device ${id} does not exist`)
      const open = await openOf(tx, id)
      await changes.gather(open.map((one) => ({ identity: identityOfAlarm(one) })))
      for (const one of open) {
        recoverByOperator(changes, one, userName, tx.now)
        await auditAlarm(tx, 'recover', one.id, one)
      }
      if (open.length === recoverBatchSize) return false
      // Otherwise a flapping alarm whose summary was ended would be raised again.
      await tx.run('delete from flapping where device_id = ?', [id])
      await eraseIn(tx, devices, id)
      return true
    })
  }
}

async function openOf(tx: Transaction, deviceId: bigint): Promise<Alarm[]> {
  const { form, name } = alarms.table
  const rows = await tx.all(
    `select ${form.shown} from ${name} where device_id = ? and rec_status = 0 order by id limit ${recoverBatchSize}`,
    [deviceId],
  )
  return rows.map((row) => form.toRecord(row) as Alarm)
}

/** `undefined` leaves the remark unchanged. */
export function setRemark(engine: AlarmWriter, id: bigint, remark: string | null | undefined): Promise<void> {
  return engine.change(async (changes, tx) => {
    const before = await loadAlarm(changes, id)
    if (remark === undefined) return
    await update(tx, alarms.table, id, before, { ...before, remark })
    await auditAlarm(tx, 'remark', id, before)
  })
}

/** Raises a recovery alarm with the fault's OID and the operator's name. The open alarm must have been gathered. */
export function recoverByOperator(changes: AlarmChanges, open: Alarm, userName: string, now: number): void {
  const end = endOf(open, now)
  changes.recover([end.identity], end, userName)
}

/** The recovery of an open alarm that no report of the device ends: it is about the same. */
export const endOf = (open: Alarm, now: number): AlarmDraft => ({
  identity: identityOfAlarm(open),
  OID: open.OID,
  eventName: open.eventName,
  originalType: open.originalType as Origin,
  deviceIp: open.deviceIp ?? '',
  deviceName: open.deviceName ?? '',
  alarmLevel: open.alarmLevel,
  alarmCategory: open.alarmCategory ?? otherCategory,
  alarmDesc: open.alarmDesc ?? '',
  paras: open.paras ?? '',
  ifIndex: open.ifIndex,
  ifDesc: open.ifDesc,
  at: now,
})
