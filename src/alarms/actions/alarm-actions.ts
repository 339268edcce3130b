// Raises, recovers, deletes and annotates alarms on behalf of operators and programs.

import { Fault } from '../../fault.ts'
import { audit, auditChange } from '../../resources/access/audit-entry.ts'
import { type Alarm, alarm, alarms, fromService } from '../../resources/alarms/alarm.ts'
import { isOutOfReach } from '../../resources/alarms/trap-event.ts'
import { eraseIn } from '../../resources/collection.ts'
import { deviceAt, devices } from '../../resources/inventory/device.ts'
import type { DraftOf, RecordOf } from '../../schema/resource.ts'
import type { Transaction } from '../../store/database.ts'
import { find, update } from '../../store/table.ts'
import type { AlarmChanges } from '../engine/alarm-changes.ts'
import { type AlarmDraft, Identity, identityOfAlarm } from '../engine/alarm-draft.ts'
import type { AlarmEngine } from '../engine/engine.ts'
import { meansOutOfReach, otherCategory } from '../engine/trap-meaning.ts'
import { serviceDevice } from '../service/service-alarm-draft.ts'

type Device = RecordOf<typeof devices.resource.fields>

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
  const identity = identityOfAlarm(open)
  const ended: AlarmDraft = {
    identity,
    OID: open.OID,
    eventName: open.eventName,
    originalType: open.originalType === fromService ? fromService : 1,
    deviceIp: open.deviceIp ?? '',
    deviceName: open.deviceName ?? '',
    alarmLevel: open.alarmLevel,
    alarmCategory: open.alarmCategory ?? otherCategory,
    alarmDesc: open.alarmDesc ?? '',
    paras: open.paras ?? '',
    ifIndex: open.ifIndex,
    ifDesc: open.ifDesc,
    at: now,
  }
  changes.recover([identity], ended, userName)
}

export interface Raised {
  readonly id: bigint
  /** False if such an alarm was open already and has been repeated. */
  readonly isNew: boolean
}

/** Raises an alarm for a program, about a device it names, or about none. */
export function raiseByProgram(
  engine: AlarmWriter,
  draft: DraftOf<typeof alarms.resource.fields>,
): Promise<Raised> {
  return engine.change(async (changes, tx) => {
    const device = await deviceOf(tx, draft.deviceId || null, draft.deviceIp ?? null)
    const OID = draft.OID ?? ''
    const deviceIp = draft.deviceIp ?? device.ip
    const alarmCategory = draft.alarmCategory ?? otherCategory
    const fault: AlarmDraft = {
      identity: new Identity(device.id, deviceIp, draft.resource ?? '', OID),
      OID,
      eventName: OID,
      originalType: fromService,
      deviceIp,
      deviceName: draft.deviceName ?? device.name,
      alarmLevel: draft.alarmLevel ?? 0,
      alarmCategory,
      alarmDesc: draft.alarmDesc ?? '',
      paras: draft.paras ?? '',
      ifIndex: draft.ifIndex ?? null,
      ifDesc: draft.ifDesc ?? null,
      outOfReach: meansOutOfReach(await isOutOfReach(tx, OID), alarmCategory, draft.ifIndex ?? null),
      at: tx.now,
    }
    await changes.gather([fault])
    const open = changes.openAlarm(fault.identity)
    const id = open ? changes.repeat(fault.identity, fault.alarmLevel, fault.at) : changes.raise(fault)
    await changes.write()
    if (open) await audit(tx, { action: 'repeat', resource: alarm.name, id })
    else await auditAlarm(tx, 'raise', id, undefined)
    return { id, isNew: !open }
  })
}

/** Finds the device by its id or, without one, by its address. */
async function deviceOf(
  tx: Transaction,
  id: bigint | null,
  address: string | null,
): Promise<typeof serviceDevice> {
  const found = id ?? (address === null ? null : await deviceAt(tx, address))
  if (found === null) return address === null ? serviceDevice : { id: 0n, ip: address, name: address }
  const record = (await find(tx, devices.table, found)) as Device | undefined
  // Device ids are not checked anywhere in the API; an unknown one is stored as sent.
  if (!record) return { id: found, ip: address ?? '', name: '' }
  return { id: found, ip: record.ip, name: record.label }
}
