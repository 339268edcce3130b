// Documents of the service, as they are sent: every value is a text.
//
// Numbers stay texts on purpose. Ids are 64 bits wide, which a JavaScript number cannot hold, and a bigint does not go
// through JSON.stringify: as texts they can be compared, used as keys and stored without loss. Number(alarm.alarmLevel)
// is safe for levels, categories, states and times.

export interface Alarm {
  /** 64 bits. 0 for a message of the service to this client alone, which is in no list. */
  readonly id: string
  /** The event, in the SNMPv2 form, without a leading dot. */
  readonly OID: string
  /** 1 trap, 2 syslog, 3 the service itself. */
  readonly originalType: string
  readonly originalTypeDesc: string
  readonly deviceId: string
  readonly deviceIp: string
  readonly deviceName: string
  /** 1 critical, 2 major, 3 minor, 4 warning, 5 info. */
  readonly alarmLevel: string
  readonly alarmLevelDesc: string
  readonly alarmCategory: string
  readonly alarmCategoryDesc: string
  /** Unix seconds, as all times; 0 when not set. */
  readonly faultTime: string
  /** Local time in the zone of the service, as all descriptions of times; empty when not set. */
  readonly faultTimeDesc: string
  readonly recTime: string
  readonly recTimeDesc: string
  /** 0 unrecovered, 1 recovered. */
  readonly recStatus: string
  readonly recStatusDesc: string
  readonly recUserName: string
  readonly ackTime: string
  readonly ackTimeDesc: string
  /** 0 unacknowledged, 1 acknowledged. */
  readonly ackStatus: string
  readonly ackStatusDesc: string
  readonly ackUserName: string
  readonly alarmDesc: string
  /** `Name=Value;Name=Value`; key parameters have a leading asterisk. */
  readonly paras: string
  readonly parentId: string
  readonly somState: string
  /** 1 for the recovery of other alarms, which `recoverFaultIdList` names. */
  readonly isReceoverFault: string
  readonly recoverFaultIdList?: readonly string[]
  readonly nAction: 'Push' | 'Recover'
  /** The events that a recovery has cleared; only with the filter's `sendRecovered`. */
  readonly lstRecovered?: { readonly faultOid: readonly string[] }
  /** Its position. Not on alarms of a snapshot before the last one. */
  readonly cursor?: string
}

/** What cannot be delivered any more, or may have been missed. */
export interface Gap {
  /** The position that was asked for, where there was one. */
  readonly from: string | undefined
  /** The position from which alarms are delivered again, where it is known. */
  readonly to: string | undefined
  readonly reason: string
}

type OneOrMany<T> = T | readonly T[]

/** Which alarms are wanted: different fields are ANDed, values of one are ORed. */
export interface AlarmFilter {
  readonly alarmLevel?: OneOrMany<number | string> | undefined
  /** The devices of this view. */
  readonly customView?: number | bigint | string | undefined
  readonly deviceIp?: OneOrMany<string> | undefined
  /** `first-last`, IPv4 or IPv6. */
  readonly ipSegment?: OneOrMany<string> | undefined
  /** An event's OID, or one followed by `.*` for all below it. */
  readonly eventOid?: OneOrMany<string> | undefined
  /** Whether recoveries name the events they have cleared (`lstRecovered`). */
  readonly sendRecovered?: boolean | undefined
}

export type StreamDocument =
  | Alarm
  | { readonly gap: Gap }
  | { readonly bookmark: { readonly cursor: string } }
