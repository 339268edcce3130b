// What operators and programs do with alarms.

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
import { meansOutOfReach, otherCategory } from '../engine/meaning.ts'
import { serviceDevice } from '../service/service-alarm-draft.ts'

type Device = RecordOf<typeof devices.resource.fields>

/** Runs changes of alarms, on behalf of whoever asked. */
export type Changing = Pick<AlarmEngine, 'change'>

/** Writes to the audit log what became of an alarm. */
export async function auditAlarm(
  tx: Transaction,
  action: string,
  id: bigint,
  before: Alarm | undefined,
): Promise<void> {
  if (tx.actor) await auditChange(tx, action, alarm, id, before, await find(tx, alarms.table, id))
}

export async function load(
  changes: AlarmChanges,
  id: bigint,
  missing: 'not-found' | 'gone' = 'not-found',
): Promise<Alarm> {
  const [record] = await changes.load([id])
  if (!record) throw new Fault(missing, `alarm ${id} does not exist`)
  return record
}

/** An open alarm is recovered before it is deleted: clients that were given it are given its end. */
export function deleteAlarm(engine: Changing, id: bigint, userName: string): Promise<void> {
  return engine.change(async (changes, tx) => {
    const before = await load(changes, id, 'gone')
    if (before.recStatus === 0) {
      await changes.gather([{ identity: identityOfAlarm(before) }])
      recoverByOperator(changes, before, userName, tx.now)
    }
    changes.delete(id)
    await changes.write()
    await auditAlarm(tx, 'delete', id, before)
  })
}

/** The most that one transaction ends: others wait for it. */
const endedAtOnce = 100

/** Ends the open alarms of a device before it is deleted: clients that were given them are given their end. */
export async function deleteDevice(engine: Changing, id: bigint, userName: string): Promise<void> {
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
      if (open.length === endedAtOnce) return false
      // Otherwise the alarm behind a summary that was ended would be raised again.
      await tx.run('delete from flapping where device_id = ?', [id])
      await eraseIn(tx, devices, id)
      return true
    })
  }
}

async function openOf(tx: Transaction, deviceId: bigint): Promise<Alarm[]> {
  const { form, name } = alarms.table
  const rows = await tx.all(
    `select ${form.shown} from ${name} where device_id = ? and rec_status = 0 order by id limit ${endedAtOnce}`,
    [deviceId],
  )
  return rows.map((row) => form.toRecord(row) as Alarm)
}

/** `undefined` leaves it as it was. */
export function setRemark(engine: Changing, id: bigint, remark: string | null | undefined): Promise<void> {
  return engine.change(async (changes, tx) => {
    const before = await load(changes, id)
    if (remark === undefined) return
    await update(tx, alarms.table, id, before, { ...before, remark })
    await auditAlarm(tx, 'remark', id, before)
  })
}

/** One recovery alarm with the fault's OID and the operator's name. The open alarm's identity was gathered. */
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
  /** False where such an alarm was open already and has been repeated. */
  readonly isNew: boolean
}

/** An alarm that a program raises: about a device it names, or about no device of this service. */
export function raiseByProgram(
  engine: Changing,
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

/** Without an id, or with 0, the address decides. */
async function deviceOf(
  tx: Transaction,
  id: bigint | null,
  address: string | null,
): Promise<typeof serviceDevice> {
  const found = id ?? (address === null ? null : await deviceAt(tx, address))
  if (found === null) return address === null ? serviceDevice : { id: 0n, ip: address, name: address }
  const record = (await find(tx, devices.table, found)) as Device | undefined
  // Ids of devices are not checked anywhere in the interface; an unknown one is kept as given.
  if (!record) return { id: found, ip: address ?? '', name: '' }
  return { id: found, ip: record.ip, name: record.label }
}
