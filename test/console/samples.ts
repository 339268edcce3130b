// An alarm as the stream sends it, and as a list does.

import type { Alarm } from '../../console/alarms/alarm-document.ts'
import type { ListedAlarm } from '../../console/alarms/row.ts'

export const alarmOf = (given: Partial<Alarm>): Alarm => ({
  id: '1',
  OID: '1.3.6.1.6.3.1.1.5.3',
  originalType: '1',
  originalTypeDesc: 'Trap',
  deviceId: '5',
  deviceIp: '192.0.2.5',
  deviceName: 'core-5',
  alarmLevel: '2',
  alarmLevelDesc: 'Major',
  alarmCategoryDesc: 'Interface and link',
  faultTime: '1000',
  recTime: '0',
  recStatus: '0',
  recUserName: '',
  ackTime: '0',
  ackStatus: '0',
  ackUserName: '',
  alarmDesc: 'Interface 7 is down',
  paras: '*ifIndex=7',
  parentId: '0',
  isReceoverFault: '0',
  nAction: 'Push',
  ...given,
})

export const listedOf = (given: Partial<ListedAlarm>): ListedAlarm => ({
  ...alarmOf(given),
  remark: '',
  repeats: '1',
  lastTime: '1000',
  eventName: 'linkDown',
  ...given,
})
