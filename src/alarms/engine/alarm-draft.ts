// An alarm that is to be raised: its identity and its content.

import type { Alarm, fromService, fromTrap } from '../../resources/alarms/alarm.ts'
import type { Row } from '../../store/database.ts'
import { neverPushed } from '../log/push-facts.ts'

/** What identifies an alarm. */
export class Identity {
  readonly deviceId: bigint
  /** Only with device 0, which all hosts share that are no devices; else empty. */
  readonly deviceIp: string
  readonly resource: string
  readonly alarmType: string
  #key: string | undefined

  constructor(deviceId: bigint, deviceIp: string, resource: string, alarmType: string) {
    this.deviceId = deviceId
    this.deviceIp = deviceId === 0n ? deviceIp : ''
    this.resource = resource
    this.alarmType = alarmType
  }

  /** One text for each identity. Made once: it is looked up several times for every trap. */
  get key(): string {
    this.#key ??= `${this.deviceId}\0${this.deviceIp}\0${this.alarmType}\0${this.resource}`
    return this.#key
  }

  /** Another kind of alarm on the same resource. */
  ofType(alarmType: string): Identity {
    return new Identity(this.deviceId, this.deviceIp, this.resource, alarmType)
  }
}

/** What is to be raised. */
export interface AlarmDraft {
  readonly identity: Identity
  readonly OID: string
  readonly eventName: string
  readonly originalType: typeof fromTrap | typeof fromService
  readonly deviceIp: string
  readonly deviceName: string
  readonly alarmLevel: number
  readonly alarmCategory: number
  readonly alarmDesc: string
  readonly paras: string
  /** The interface it is about. */
  readonly ifIndex?: bigint | null
  readonly ifDesc?: string | null
  /** Whether it means that the device, or what hangs behind the interface, is out of reach. */
  readonly outOfReach?: boolean
  /** The trap that it comes from, and why that raises an alarm. */
  readonly trapId?: bigint
  readonly reason?: string
  readonly at: number
}

/** An alarm that may be raised or repeated, as in a draft; without a level, one that may be ended. */
export type Wanted = Pick<AlarmDraft, 'identity'> & Partial<Pick<AlarmDraft, 'alarmLevel' | 'alarmCategory'>>

export const bySystem = '$SYSTEM'

export const identityOf = (row: Row): Identity =>
  new Identity(
    row.device_id as bigint,
    String(row.device_ip ?? ''),
    String(row.resource),
    String(row.alarm_type),
  )

/** The identity of an existing alarm. */
export const identityOfAlarm = ({ deviceId, deviceIp, resource, alarmType }: Alarm): Identity =>
  new Identity(deviceId ?? 0n, deviceIp ?? '', resource ?? '', alarmType)

/** The fields of an alarm that nothing has happened to yet. */
export const blankAlarm = {
  originalTypeDesc: '',
  alarmLevelDesc: '',
  alarmCategoryDesc: '',
  faultTimeDesc: '',
  recTime: 0,
  recTimeDesc: '',
  recStatus: 0,
  recStatusDesc: '',
  recUserName: '',
  ackTime: 0,
  ackTimeDesc: '',
  ackStatus: 0,
  ackStatusDesc: '',
  ackUserName: '',
  somState: 0,
  isReceoverFault: 0,
  recoverFaultIdList: [],
  remark: null,
  parentId: 0n,
  repeats: 1n,
  pushed: neverPushed,
  ifIndex: null,
  ifDesc: null,
  zoneId: 0n,
  owner: '',
  note: '',
  ackUntil: 0,
  suppressed: false,
  suppressedBy: [],
  shelvedUntil: 0,
  trapId: 0n,
  reason: '',
  recoveredBy: 0n,
  entry: 0n,
  hidden: false,
  shelvedLevel: 0,
  firstAckTime: 0,
  outOfReach: false,
  causeId: 0n,
  causeUntil: 0,
  repeatTrail: '[]',
}

/** The alarm of a draft, with nothing done to it yet. */
export const alarmOf = (draft: AlarmDraft, id: bigint, entry: bigint): Alarm => {
  const { identity, at } = draft
  return {
    ...blankAlarm,
    id,
    OID: draft.OID,
    originalType: draft.originalType,
    deviceId: identity.deviceId,
    deviceIp: identity.deviceIp || draft.deviceIp,
    deviceName: draft.deviceName,
    alarmLevel: draft.alarmLevel,
    alarmCategory: draft.alarmCategory,
    faultTime: at,
    alarmDesc: draft.alarmDesc,
    paras: draft.paras,
    eventName: draft.eventName,
    alarmType: identity.alarmType,
    resource: identity.resource,
    lastTime: at,
    ifIndex: draft.ifIndex ?? null,
    ifDesc: draft.ifDesc ?? null,
    trapId: draft.trapId ?? 0n,
    reason: draft.reason ?? '',
    entry,
    outOfReach: draft.outOfReach ?? false,
  }
}
