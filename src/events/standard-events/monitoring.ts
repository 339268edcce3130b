// Thresholds and tests that a device runs itself: RMON-MIB, HC-ALARM-MIB, DISMAN-EVENT-MIB, DISMAN-PING-MIB,
// DISMAN-TRACEROUTE-MIB, DISMAN-SCHEDULE-MIB.

import { category, key, rowKey, type StandardEvent, shown } from './definition.ts'

const sampleTypes = '1=absoluteValue;2=deltaValue'

const alarmEntry = '1.3.6.1.2.1.16.3.1.1'
const rmonAlarm = [
  key(`${alarmEntry}.1`, 'alarmIndex'),
  shown(`${alarmEntry}.3`, 'alarmVariable'),
  shown(`${alarmEntry}.4`, 'alarmSampleType', sampleTypes),
  shown(`${alarmEntry}.5`, 'alarmValue'),
]

const hcAlarmEntry = '1.3.6.1.2.1.16.29.1.1.1.1'
const hcAlarm = [
  rowKey(`${hcAlarmEntry}.3`, 'hcAlarmIndex'),
  shown(`${hcAlarmEntry}.3`, 'hcAlarmVariable'),
  shown(`${hcAlarmEntry}.4`, 'hcAlarmSampleType', sampleTypes),
  shown(`${hcAlarmEntry}.5`, 'hcAlarmAbsValue'),
  shown(`${hcAlarmEntry}.6`, 'hcAlarmValueStatus', '1=valueNotAvailable;2=valuePositive;3=valueNegative'),
]

const rmon: readonly StandardEvent[] = [
  {
    eventOid: '1.3.6.1.2.1.16.0.1',
    name: 'risingAlarm',
    alarmLevel: 3,
    alarmCategory: category.threshold,
    alarmDesc:
      'Threshold {alarmIndex}: {alarmVariable} has risen to {alarmValue}, above {alarmRisingThreshold} ({alarmSampleType})',
    parameter: [...rmonAlarm, shown(`${alarmEntry}.7`, 'alarmRisingThreshold')],
  },
  {
    eventOid: '1.3.6.1.2.1.16.0.2',
    name: 'fallingAlarm',
    alarmLevel: 5,
    alarmCategory: category.threshold,
    alarmDesc:
      'Threshold {alarmIndex}: {alarmVariable} has fallen to {alarmValue}, below {alarmFallingThreshold} ({alarmSampleType})',
    parameter: [...rmonAlarm, shown(`${alarmEntry}.8`, 'alarmFallingThreshold')],
    recovers: ['1.3.6.1.2.1.16.0.1'],
  },
  {
    eventOid: '1.3.6.1.2.1.16.29.2.0.1',
    name: 'hcRisingAlarm',
    alarmLevel: 3,
    alarmCategory: category.threshold,
    alarmDesc:
      'Threshold {hcAlarmIndex}: {hcAlarmVariable} has risen to {hcAlarmAbsValue} ({hcAlarmSampleType})',
    parameter: hcAlarm,
  },
  {
    eventOid: '1.3.6.1.2.1.16.29.2.0.2',
    name: 'hcFallingAlarm',
    alarmLevel: 5,
    alarmCategory: category.threshold,
    alarmDesc:
      'Threshold {hcAlarmIndex}: {hcAlarmVariable} has fallen to {hcAlarmAbsValue} ({hcAlarmSampleType})',
    parameter: hcAlarm,
    recovers: ['1.3.6.1.2.1.16.29.2.0.1'],
  },
]

const hot = '1.3.6.1.2.1.88.2.1'
const trigger = [
  key(`${hot}.1`, 'mteHotTrigger'),
  key(`${hot}.2`, 'mteHotTargetName'),
  key(`${hot}.3`, 'mteHotContextName'),
  key(`${hot}.4`, 'mteHotOID'),
]
const hotValue = shown(`${hot}.5`, 'mteHotValue')
const errorStatus =
  '0=noError;1=tooBig;2=noSuchName;3=badValue;4=readOnly;5=genErr;6=noAccess;7=wrongType;8=wrongLength;' +
  '9=wrongEncoding;10=wrongValue;11=noCreation;12=inconsistentValue;13=resourceUnavailable;14=commitFailed;' +
  '15=undoFailed;16=authorizationError;17=notWritable;18=inconsistentName'
const failedReason = shown(
  `${hot}.6`,
  'mteFailedReason',
  '-1=localResourceLack;-2=badDestination;-3=destinationUnreachable;-4=noResponse;-5=badType;-6=sampleOverrun;' +
    errorStatus,
)

const triggers: readonly StandardEvent[] = [
  {
    eventOid: '1.3.6.1.2.1.88.2.0.1',
    name: 'mteTriggerFired',
    alarmLevel: 3,
    alarmCategory: category.threshold,
    alarmDesc: 'Monitor {mteHotTrigger} has fired: {mteHotOID} is {mteHotValue}',
    parameter: [...trigger, hotValue],
  },
  {
    eventOid: '1.3.6.1.2.1.88.2.0.2',
    name: 'mteTriggerRising',
    alarmLevel: 3,
    alarmCategory: category.threshold,
    alarmDesc: 'Monitor {mteHotTrigger}: {mteHotOID} has risen to {mteHotValue}, above its threshold',
    parameter: [...trigger, hotValue],
  },
  {
    eventOid: '1.3.6.1.2.1.88.2.0.3',
    name: 'mteTriggerFalling',
    alarmLevel: 5,
    alarmCategory: category.threshold,
    alarmDesc: 'Monitor {mteHotTrigger}: {mteHotOID} has fallen to {mteHotValue}, below its threshold',
    parameter: [...trigger, hotValue],
    recovers: ['1.3.6.1.2.1.88.2.0.2'],
  },
  {
    eventOid: '1.3.6.1.2.1.88.2.0.4',
    name: 'mteTriggerFailure',
    alarmLevel: 4,
    alarmCategory: category.system,
    alarmDesc: 'Monitor {mteHotTrigger} could not read {mteHotOID}: {mteFailedReason}',
    parameter: [...trigger, failedReason],
  },
  {
    eventOid: '1.3.6.1.2.1.88.2.0.5',
    name: 'mteEventSetFailure',
    alarmLevel: 4,
    alarmCategory: category.system,
    alarmDesc: 'Monitor {mteHotTrigger} could not set {mteHotOID}: {mteFailedReason}',
    parameter: [...trigger, failedReason],
  },
]

const pingCtlEntry = '1.3.6.1.2.1.80.1.2.1'
const pingResultsEntry = '1.3.6.1.2.1.80.1.3.1'
// Owner and name of the test, as they are encoded in the index.
const ping = [
  rowKey(`${pingCtlEntry}.4`, 'pingTest'),
  shown(`${pingCtlEntry}.4`, 'pingCtlTargetAddress'),
  shown(`${pingResultsEntry}.7`, 'pingResultsProbeResponses'),
  shown(`${pingResultsEntry}.8`, 'pingResultsSentProbes'),
]
const traceEntry = '1.3.6.1.2.1.81.1.2.1'
const trace = [
  rowKey(`${traceEntry}.4`, 'traceRouteTest'),
  shown(`${traceEntry}.4`, 'traceRouteCtlTargetAddress'),
]

const tests: readonly StandardEvent[] = [
  {
    eventOid: '1.3.6.1.2.1.80.0.1',
    name: 'pingProbeFailed',
    alarmLevel: 4,
    alarmCategory: category.threshold,
    alarmDesc:
      'Probes to {pingCtlTargetAddress} fail: {pingResultsProbeResponses} of {pingResultsSentProbes} answered',
    parameter: ping,
  },
  {
    eventOid: '1.3.6.1.2.1.80.0.2',
    name: 'pingTestFailed',
    alarmLevel: 3,
    alarmCategory: category.threshold,
    alarmDesc:
      'Ping test of {pingCtlTargetAddress} failed: {pingResultsProbeResponses} of {pingResultsSentProbes} answered',
    parameter: ping,
  },
  {
    // Reports that a test is over, not that it went well: it can end nothing.
    eventOid: '1.3.6.1.2.1.80.0.3',
    name: 'pingTestCompleted',
    alarmLevel: 5,
    alarmCategory: category.threshold,
    alarmDesc:
      'Ping test of {pingCtlTargetAddress} is over: {pingResultsProbeResponses} of {pingResultsSentProbes} answered',
    parameter: ping,
    handling: 0,
  },
  {
    eventOid: '1.3.6.1.2.1.81.0.1',
    name: 'traceRoutePathChange',
    alarmLevel: 4,
    alarmCategory: category.routing,
    alarmDesc: 'The path to {traceRouteCtlTargetAddress} has changed',
    parameter: trace,
  },
  {
    eventOid: '1.3.6.1.2.1.81.0.2',
    name: 'traceRouteTestFailed',
    alarmLevel: 3,
    alarmCategory: category.routing,
    alarmDesc: 'No path to {traceRouteCtlTargetAddress} was found',
    parameter: trace,
  },
  {
    eventOid: '1.3.6.1.2.1.81.0.3',
    name: 'traceRouteTestCompleted',
    alarmLevel: 5,
    alarmCategory: category.routing,
    alarmDesc: 'The path to {traceRouteCtlTargetAddress} was found',
    parameter: trace,
    recovers: ['1.3.6.1.2.1.81.0.2'],
  },
  {
    eventOid: '1.3.6.1.2.1.63.2.0.1',
    name: 'schedActionFailure',
    alarmLevel: 4,
    alarmCategory: category.system,
    alarmDesc: 'A scheduled action of {deviceName} failed: {schedLastFailure}',
    parameter: [
      rowKey('1.3.6.1.2.1.63.1.2.1.17', 'schedule'),
      shown('1.3.6.1.2.1.63.1.2.1.17', 'schedLastFailure', `-1=noResponse;${errorStatus}`),
      shown('1.3.6.1.2.1.63.1.2.1.18', 'schedLastFailed'),
    ],
  },
]

export const monitoringEvents: readonly StandardEvent[] = [...rmon, ...triggers, ...tests]
