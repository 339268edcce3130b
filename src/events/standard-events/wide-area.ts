// Lines of the wide area: DS1-MIB, DS3-MIB, APS-MIB, ATM2-MIB, FRAME-RELAY-DTE-MIB, FR-MFR-MIB.

import { category, ifIndex, key, rowKey, type StandardEvent, shown } from './definition.ts'

/** The state of the line is a sum of bits in one variable, so the same notification reports failure and repair. */
function lineStatus(eventOid: string, entry: string, lastChange: number, prefix: string): StandardEvent {
  return {
    eventOid,
    name: `${prefix}LineStatusChange`,
    alarmLevel: 3,
    alarmCategory: category.link,
    alarmDesc: `Line {${prefix}LineIndex}: status is now {${prefix}LineStatus} (1 = no alarm)`,
    parameter: [
      rowKey(`${entry}.10`, `${prefix}LineIndex`),
      shown(`${entry}.10`, `${prefix}LineStatus`),
      shown(`${entry}.${lastChange}`, `${prefix}LineStatusLastChange`),
    ],
  }
}

const apsStatus = '1.3.6.1.2.1.10.49.1.2.1'

function aps(number: number, name: string, alarmDesc: string, counter: string): StandardEvent {
  return {
    eventOid: `1.3.6.1.2.1.10.49.2.0.${number}`,
    name,
    alarmLevel: 3,
    alarmCategory: category.link,
    alarmDesc,
    parameter: [
      rowKey(`${apsStatus}.3`, 'apsGroup'),
      shown(`${apsStatus}.3`, 'apsStatusCurrent'),
      shown(`${apsStatus}.${number + 2}`, counter),
    ],
  }
}

const atmEntry = '1.3.6.1.2.1.37.1.14.1.14.1'
const mfrBundle = '1.3.6.1.2.1.10.47.2.3.1'
const mfrLink = '1.3.6.1.2.1.10.47.3.1.1'

export const wideAreaEvents: readonly StandardEvent[] = [
  lineStatus('1.3.6.1.2.1.10.18.15.0.1', '1.3.6.1.2.1.10.18.6.1', 16, 'dsx1'),
  lineStatus('1.3.6.1.2.1.10.30.15.0.1', '1.3.6.1.2.1.10.30.5.1', 14, 'dsx3'),
  {
    eventOid: '1.3.6.1.2.1.10.49.2.0.1',
    name: 'apsEventSwitchover',
    alarmLevel: 4,
    alarmCategory: category.link,
    alarmDesc: 'Automatic protection has switched over on {deviceName}',
    parameter: [
      rowKey('1.3.6.1.2.1.10.49.1.6.1.4', 'apsChannel'),
      shown('1.3.6.1.2.1.10.49.1.6.1.4', 'apsChanStatusSwitchovers'),
    ],
  },
  aps(
    2,
    'apsEventModeMismatch',
    'Automatic protection: the far end works in another mode',
    'apsStatusModeMismatches',
  ),
  aps(3, 'apsEventChannelMismatch', 'Automatic protection: channel mismatch', 'apsStatusChannelMismatches'),
  aps(4, 'apsEventPSBF', 'Automatic protection: protection switching bytes fail', 'apsStatusPSBFs'),
  aps(
    5,
    'apsEventFEPLF',
    'Automatic protection: the far end has lost its protection line',
    'apsStatusFEPLFs',
  ),
  {
    eventOid: '1.3.6.1.2.1.37.1.14.2.1.0.1',
    name: 'atmIntfPvcFailuresTrap',
    alarmLevel: 3,
    alarmCategory: category.link,
    alarmDesc:
      'ATM interface {ifIndex}: permanent circuits fail (paths {atmIntfCurrentlyFailingPVpls}, channels {atmIntfCurrentlyFailingPVcls})',
    parameter: [
      ifIndex,
      shown(`${atmEntry}.20`, 'atmIntfPvcFailures'),
      shown(`${atmEntry}.21`, 'atmIntfCurrentlyFailingPVpls'),
      shown(`${atmEntry}.22`, 'atmIntfCurrentlyFailingPVcls'),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.10.32.0.1',
    name: 'frDLCIStatusChange',
    alarmLevel: 3,
    alarmCategory: category.link,
    alarmDesc: 'Frame relay circuit {frCircuit} (interface.DLCI) is now {frCircuitState}',
    parameter: [
      rowKey('1.3.6.1.2.1.10.32.2.1.3', 'frCircuit'),
      shown('1.3.6.1.2.1.10.32.2.1.3', 'frCircuitState', '1=invalid;2=active;3=inactive'),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.10.47.4.0.1',
    name: 'mfrMibTrapBundleLinkMismatch',
    alarmLevel: 3,
    alarmCategory: category.link,
    alarmDesc:
      'Frame relay bundle {mfrBundleNearEndName}: link {mfrBundleLinkNearEndName} is connected to bundle {mfrBundleLinkFarEndBundleName}',
    parameter: [
      key(`${mfrBundle}.4`, 'mfrBundleNearEndName'),
      shown(`${mfrBundle}.18`, 'mfrBundleFarEndName'),
      key(`${mfrLink}.3`, 'mfrBundleLinkNearEndName'),
      shown(`${mfrLink}.5`, 'mfrBundleLinkFarEndName'),
      shown(`${mfrLink}.6`, 'mfrBundleLinkFarEndBundleName'),
    ],
  },
]
