// An alarm as the service sends it: every value is a text, since ids are wider than a number can hold.

export interface Alarm {
  readonly id: string
  readonly OID: string
  /** 1 trap, 2 syslog, 3 the service itself. */
  readonly originalType: string
  readonly originalTypeDesc: string
  readonly deviceId: string
  readonly deviceIp: string
  readonly deviceName: string
  readonly alarmLevel: string
  readonly alarmLevelDesc: string
  readonly alarmCategoryDesc: string
  /** Unix seconds, as all times; 0 when not set. */
  readonly faultTime: string
  readonly recTime: string
  readonly recStatus: string
  readonly recUserName: string
  readonly ackTime: string
  readonly ackStatus: string
  readonly ackUserName: string
  readonly alarmDesc: string
  readonly paras: string
  readonly parentId: string
  readonly isReceoverFault: string
  readonly recoverFaultIdList?: readonly string[]
  /** Only on the stream: it was raised or rose, it is over, or what somebody did with it. */
  readonly nAction?:
    | 'Push'
    | 'Recover'
    | 'Acknowledge'
    | 'Unacknowledge'
    | 'Note'
    | 'Assign'
    | 'Shelve'
    | 'Unshelve'
}
