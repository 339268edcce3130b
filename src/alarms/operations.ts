// What operators and programs do with alarms.

import { Fault } from '../fault.ts'
import { type Alarm, alarms, fromService } from '../resources/alarm.ts'
import { devices } from '../resources/device.ts'
import type { DraftOf, RecordOf } from '../schema/resource.ts'
import type { Transaction } from '../store/database.ts'
import { find, update } from '../store/table.ts'
import type { AlarmChanges, Identity, Fault as NewFault } from './changes.ts'
import { type AlarmEngine, otherCategory } from './engine.ts'
import { ownDevice } from './own-fault.ts'

type Device = RecordOf<typeof devices.resource.fields>

async function load(
  tx: Transaction,
  id: bigint,
  missing: 'not-found' | 'gone' = 'not-found',
): Promise<Alarm> {
  const record = await find(tx, alarms.table, id)
  if (!record) throw new Fault(missing, `alarm ${id} does not exist`)
  return record as Alarm
}

export function acknowledge(engine: AlarmEngine, id: bigint, userName: string): Promise<void> {
  return engine.change(async (changes, tx) => changes.acknowledge(await load(tx, id), userName))
}

/** One recovery alarm with the fault's OID and the operator's name; nothing where it is recovered already. */
export function recover(engine: AlarmEngine, id: bigint, userName: string): Promise<void> {
  return engine.change(async (changes, tx) => endByHand(changes, await load(tx, id), userName, tx.now))
}

/** An open alarm is recovered before it is deleted: those who were told of it are told of its end. */
export function deleteAlarm(engine: AlarmEngine, id: bigint, userName: string): Promise<void> {
  return engine.change(async (changes, tx) => {
    await endByHand(changes, await load(tx, id, 'gone'), userName, tx.now)
    await changes.delete(id)
  })
}

/** `undefined` leaves it as it was. */
export function setRemark(engine: AlarmEngine, id: bigint, remark: string | null | undefined): Promise<void> {
  return engine.change(async (_changes, tx) => {
    const before = await load(tx, id)
    if (remark !== undefined) await update(tx, alarms.table, id, before, { ...before, remark })
  })
}

async function endByHand(changes: AlarmChanges, alarm: Alarm, userName: string, now: number): Promise<void> {
  if (alarm.recStatus === 1) return
  const identity = identityOf(alarm)
  const ended: NewFault = {
    identity,
    OID: alarm.OID,
    eventName: alarm.eventName,
    originalType: alarm.originalType === fromService ? fromService : 1,
    deviceIp: alarm.deviceIp ?? '',
    deviceName: alarm.deviceName ?? '',
    alarmLevel: alarm.alarmLevel,
    alarmCategory: alarm.alarmCategory ?? otherCategory,
    alarmDesc: alarm.alarmDesc ?? '',
    paras: alarm.paras ?? '',
    at: now,
  }
  await changes.recover([identity], ended, userName)
}

const identityOf = ({ deviceId, resource, alarmType }: Alarm): Identity => ({
  deviceId: deviceId ?? 0n,
  resource: resource ?? '',
  alarmType,
})

export interface Raised {
  readonly id: bigint
  /** False where such an alarm was open already and has been repeated. */
  readonly isNew: boolean
}

/** An alarm that a program raises: about a device it names, or about the service's own world. */
export function raiseByProgram(
  engine: AlarmEngine,
  draft: DraftOf<typeof alarms.resource.fields>,
): Promise<Raised> {
  return engine.change(async (changes, tx) => {
    const device = await deviceOf(tx, draft.deviceId ?? null, draft.deviceIp ?? null)
    const OID = draft.OID ?? ''
    const fault: NewFault = {
      identity: { deviceId: device.id, resource: draft.resource ?? '', alarmType: OID },
      OID,
      eventName: OID,
      originalType: fromService,
      deviceIp: draft.deviceIp ?? device.ip,
      deviceName: draft.deviceName ?? device.name,
      alarmLevel: draft.alarmLevel ?? 0,
      alarmCategory: draft.alarmCategory ?? otherCategory,
      alarmDesc: draft.alarmDesc ?? '',
      paras: draft.paras ?? '',
      at: tx.now,
    }
    if (await changes.openAlarm(fault.identity)) {
      return { id: await changes.repeat(fault.identity, fault.alarmLevel, fault.at), isNew: false }
    }
    return { id: await changes.raise(fault), isNew: true }
  })
}

async function deviceOf(
  tx: Transaction,
  id: bigint | null,
  address: string | null,
): Promise<typeof ownDevice> {
  const found = id ?? (address === null ? null : await idOf(tx, address))
  if (found === null) return address === null ? ownDevice : { id: 0n, ip: address, name: address }
  const record = (await find(tx, devices.table, found)) as Device | undefined
  // Ids of devices are not checked anywhere in the interface; an unknown one is kept as given.
  if (!record) return { id: found, ip: address ?? '', name: '' }
  return { id: found, ip: record.ip, name: record.label }
}

async function idOf(tx: Transaction, address: string): Promise<bigint | null> {
  const [row] = await tx.all('select device_id from device_address where ip = ?', [address])
  return (row?.device_id as bigint | undefined) ?? null
}
