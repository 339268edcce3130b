// Describes an alarm before it is raised: its identity and its fields.

import type { Alarm, Origin } from '../../resources/alarms/alarm.ts'
import type { Row } from '../../store/database.ts'
import { neverPushed } from '../log/push-attributes.ts'

/** Identifies an alarm: at most one alarm of an identity is open. */
export class Identity {
  readonly deviceId: bigint
  /** Set only for device 0, which stands for all hosts that are not devices. */
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

  /** Cached, because it is used several times for every trap. */
  get key(): string {
    this.#key ??= `${this.deviceId}\0${this.deviceIp}\0${this.alarmType}\0${this.resource}`
    return this.#key
  }

  /** The identity of another alarm type on the same resource. */
  ofType(alarmType: string): Identity {
    return new Identity(this.deviceId, this.deviceIp, this.resource, alarmType)
  }
}

export interface AlarmDraft {
  readonly identity: Identity
  readonly OID: string
  readonly eventName: string
  readonly originalType: Origin
  readonly deviceIp: string
  readonly deviceName: string
  readonly alarmLevel: number
  readonly alarmCategory: number
  readonly alarmDesc: string
  readonly paras: string
  /** The interface that the alarm is about. */
  readonly ifIndex?: bigint | null
  readonly ifDesc?: string | null
  /** Whether the device, or everything downstream of the interface, is unreachable. */
  readonly outOfReach?: boolean
  /** The trap that raised it, and why. */
  readonly trapId?: bigint
  readonly reason?: string
  readonly at: number
}

/** A draft in the store, without its identity, which columns hold. */
export function draftToText({ identity: _, ...rest }: AlarmDraft): string {
  return JSON.stringify(rest, (_name, value) => (typeof value === 'bigint' ? String(value) : value))
}

const bigintFields = new Set(['ifIndex', 'trapId'])

export const draftFromText = (text: string, identity: Identity): AlarmDraft => ({
  ...JSON.parse(text, (name, value) =>
    bigintFields.has(name) && typeof value === 'string' ? BigInt(value) : value,
  ),
  identity,
})

/** An alarm that a transaction may raise or repeat; without a level, one that it may end. */
export type AlarmToGather = Pick<AlarmDraft, 'identity'> &
  Partial<Pick<AlarmDraft, 'alarmLevel' | 'alarmCategory'>>

export const systemUser = '$SYSTEM'

export const identityOfRow = (row: Row): Identity =>
  new Identity(
    row.device_id as bigint,
    String(row.device_ip ?? ''),
    String(row.resource),
    String(row.alarm_type),
  )

/** The identity of an existing alarm. */
export const identityOfAlarm = ({ deviceId, deviceIp, resource, alarmType }: Alarm): Identity =>
  new Identity(deviceId ?? 0n, deviceIp ?? '', resource ?? '', alarmType)

/** The initial values of an alarm's fields. */
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

/** The new alarm that a draft describes. */
export const newAlarm = (draft: AlarmDraft, id: bigint, entry: bigint): Alarm => {
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
