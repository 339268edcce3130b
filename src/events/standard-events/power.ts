// Power: UPS-MIB and POWER-ETHERNET-MIB.

import { category, key, rowKey, type StandardEvent, shown } from './definition.ts'

const wellKnownAlarm = '1.3.6.1.2.1.33.1.6.3'
const upsAlarms = [
  'battery bad',
  'on battery',
  'battery low',
  'battery depleted',
  'temperature out of tolerance',
  'input out of tolerance',
  'output out of tolerance',
  'output overloaded',
  'on bypass',
  'bypass out of tolerance',
  'output off as requested',
  'UPS off as requested',
  'charger failed',
  'output off',
  'UPS system off',
  'fan failed',
  'fuse failed',
  'general fault',
  'diagnostic test failed',
  'communication lost',
  'awaiting input power',
  'shutdown pending',
  'shutdown imminent',
  'test in progress',
]

// The condition identifies the alarm, not upsAlarmId, which counts up with every occurrence: were the removal of
// one occurrence lost, the next one would find the open alarm and its removal would end it.
const upsAlarm = [
  shown('1.3.6.1.2.1.33.1.6.2.1.1', 'upsAlarmId'),
  key(
    '1.3.6.1.2.1.33.1.6.2.1.2',
    'upsAlarmDescr',
    upsAlarms.map((text, i) => `${wellKnownAlarm}.${i + 1}=${text}`).join(';'),
  ),
]

const ups: readonly StandardEvent[] = [
  {
    // Repeated every minute while it lasts; RFC 1628 has no notification of its own for the end.
    eventOid: '1.3.6.1.2.1.33.2.1',
    name: 'upsTrapOnBattery',
    alarmLevel: 1,
    alarmCategory: category.power,
    alarmDesc:
      'UPS is on battery for {upsSecondsOnBattery} s, {upsEstimatedMinutesRemaining} min remain (estimate)',
    parameter: [
      shown('1.3.6.1.2.1.33.1.2.3', 'upsEstimatedMinutesRemaining'),
      shown('1.3.6.1.2.1.33.1.2.2', 'upsSecondsOnBattery'),
      shown('1.3.6.1.2.1.33.1.9.7', 'upsConfigLowBattTime'),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.33.2.2',
    name: 'upsTrapTestCompleted',
    alarmLevel: 5,
    alarmCategory: category.power,
    alarmDesc: 'UPS self-test has ended: {upsTestResultsSummary} {upsTestResultsDetail}',
    parameter: [
      shown('1.3.6.1.2.1.33.1.7.1', 'upsTestId'),
      shown(
        '1.3.6.1.2.1.33.1.7.3',
        'upsTestResultsSummary',
        '1=donePass;2=doneWarning;3=doneError;4=aborted;5=inProgress;6=noTestsInitiated',
      ),
      shown('1.3.6.1.2.1.33.1.7.4', 'upsTestResultsDetail'),
      shown('1.3.6.1.2.1.33.1.7.5', 'upsTestStartTime'),
      shown('1.3.6.1.2.1.33.1.7.6', 'upsTestElapsedTime'),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.33.2.3',
    name: 'upsTrapAlarmEntryAdded',
    alarmLevel: 2,
    alarmCategory: category.power,
    alarmDesc: 'UPS alarm: {upsAlarmDescr}',
    parameter: upsAlarm,
  },
  {
    eventOid: '1.3.6.1.2.1.33.2.4',
    name: 'upsTrapAlarmEntryRemoved',
    alarmLevel: 5,
    alarmCategory: category.power,
    alarmDesc: 'UPS alarm is over: {upsAlarmDescr}',
    parameter: upsAlarm,
    recovers: ['1.3.6.1.2.1.33.2.3'],
  },
]

const detectionStatus = '1.3.6.1.2.1.105.1.1.1.6'
const consumption = '1.3.6.1.2.1.105.1.3.1.1.4'
const mainPower = [
  rowKey(consumption, 'pethMainPseGroupIndex'),
  shown(consumption, 'pethMainPseConsumptionPower'),
]

const powerOverEthernet: readonly StandardEvent[] = [
  {
    // One OID for on and off: the state is in the variable.
    eventOid: '1.3.6.1.2.1.105.0.1',
    name: 'pethPsePortOnOffNotification',
    alarmLevel: 4,
    alarmCategory: category.power,
    alarmDesc: 'Power over Ethernet of port {pethPsePort} (group.port) is now {pethPsePortDetectionStatus}',
    parameter: [
      rowKey(detectionStatus, 'pethPsePort'),
      shown(
        detectionStatus,
        'pethPsePortDetectionStatus',
        '1=disabled;2=searching;3=deliveringPower;4=fault;5=test;6=otherFault',
      ),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.105.0.2',
    name: 'pethMainPowerUsageOnNotification',
    alarmLevel: 3,
    alarmCategory: category.power,
    alarmDesc:
      'Power over Ethernet group {pethMainPseGroupIndex} uses {pethMainPseConsumptionPower} W: above its threshold',
    parameter: mainPower,
  },
  {
    eventOid: '1.3.6.1.2.1.105.0.3',
    name: 'pethMainPowerUsageOffNotification',
    alarmLevel: 5,
    alarmCategory: category.power,
    alarmDesc:
      'Power over Ethernet group {pethMainPseGroupIndex} uses {pethMainPseConsumptionPower} W: below its threshold again',
    parameter: mainPower,
    recovers: ['1.3.6.1.2.1.105.0.2'],
  },
]

export const powerEvents: readonly StandardEvent[] = [...ups, ...powerOverEthernet]
