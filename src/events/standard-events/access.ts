// Access lines: ADSL-LINE-MIB, VDSL-LINE-MIB, DOCS-IETF-CABLE-DEVICE-NOTIFICATION-MIB, ISDN-MIB.

import { category, ifIndex, key, rowKey, type StandardEvent, shown } from './definition.ts'

const adsl = '1.3.6.1.2.1.10.94.1'

/**
 * A counter of the current 15 minutes has passed its threshold; the next 15 minutes start anew, without a notification.
 */
function adslThreshold(
  eventOid: string,
  name: string,
  what: string,
  column: string,
  counter: string,
): StandardEvent {
  return {
    eventOid,
    name,
    alarmLevel: 4,
    alarmCategory: category.threshold,
    alarmDesc: `ADSL line {ifIndex}: ${what}: {${counter}} s in 15 minutes, above the threshold`,
    parameter: [rowKey(column, 'ifIndex'), shown(column, counter)],
  }
}

function adslRate(eventOid: string, name: string, entry: string, prefix: string): StandardEvent {
  return {
    eventOid,
    name,
    alarmLevel: 4,
    alarmCategory: category.threshold,
    alarmDesc: `ADSL channel {ifIndex}: transmit rate has changed from {${prefix}PrevTxRate} to {${prefix}CurrTxRate} bit/s`,
    parameter: [
      rowKey(`${entry}.2`, 'ifIndex'),
      shown(`${entry}.2`, `${prefix}CurrTxRate`),
      shown(`${entry}.3`, `${prefix}PrevTxRate`),
    ],
  }
}

const office = `${adsl}.2.1.0`
const remote = `${adsl}.2.2.0`
const officeEntry = `${adsl}.1.6.1`
const remoteEntry = `${adsl}.1.7.1`
const officePerf = 'adslAtucPerfCurr15Min'
const remotePerf = 'adslAturPerfCurr15Min'

const adslEvents: readonly StandardEvent[] = [
  adslThreshold(
    `${office}.1`,
    'adslAtucPerfLofsThreshTrap',
    'loss of framing',
    `${officeEntry}.10`,
    `${officePerf}Lofs`,
  ),
  adslThreshold(
    `${office}.2`,
    'adslAtucPerfLossThreshTrap',
    'loss of signal',
    `${officeEntry}.11`,
    `${officePerf}Loss`,
  ),
  adslThreshold(
    `${office}.3`,
    'adslAtucPerfLprsThreshTrap',
    'loss of power',
    `${officeEntry}.13`,
    `${officePerf}Lprs`,
  ),
  adslThreshold(
    `${office}.4`,
    'adslAtucPerfESsThreshTrap',
    'errored seconds',
    `${officeEntry}.14`,
    `${officePerf}ESs`,
  ),
  adslRate(`${office}.5`, 'adslAtucRateChangeTrap', `${adsl}.1.4.1`, 'adslAtucChan'),
  adslThreshold(
    `${office}.6`,
    'adslAtucPerfLolsThreshTrap',
    'loss of link',
    `${officeEntry}.12`,
    `${officePerf}Lols`,
  ),
  {
    eventOid: `${office}.7`,
    name: 'adslAtucInitFailureTrap',
    alarmLevel: 3,
    alarmCategory: category.link,
    alarmDesc: 'ADSL line {ifIndex} could not be initialized',
    parameter: [rowKey(`${adsl}.1.2.1.6`, 'ifIndex'), shown(`${adsl}.1.2.1.6`, 'adslAtucCurrStatus')],
  },
  adslThreshold(
    `${remote}.1`,
    'adslAturPerfLofsThreshTrap',
    'remote loss of framing',
    `${remoteEntry}.8`,
    `${remotePerf}Lofs`,
  ),
  adslThreshold(
    `${remote}.2`,
    'adslAturPerfLossThreshTrap',
    'remote loss of signal',
    `${remoteEntry}.9`,
    `${remotePerf}Loss`,
  ),
  adslThreshold(
    `${remote}.3`,
    'adslAturPerfLprsThreshTrap',
    'remote loss of power',
    `${remoteEntry}.10`,
    `${remotePerf}Lprs`,
  ),
  adslThreshold(
    `${remote}.4`,
    'adslAturPerfESsThreshTrap',
    'remote errored seconds',
    `${remoteEntry}.11`,
    `${remotePerf}ESs`,
  ),
  adslRate(`${remote}.5`, 'adslAturRateChangeTrap', `${adsl}.1.5.1`, 'adslAturChan'),
]

const vdsl = '1.3.6.1.2.1.10.97.1'
const vdslPerf = `${vdsl}.1.4.1`
const vdslPhys = `${vdsl}.1.2.1`

function vdslThreshold(number: number, counter: string, what: string): StandardEvent {
  const column = `${vdslPerf}.${number + 11}`
  return {
    eventOid: `${vdsl}.0.${number}`,
    name: `vdslPerf${counter}ThreshNotification`,
    alarmLevel: 4,
    alarmCategory: category.threshold,
    alarmDesc: `VDSL line {vdslLine} (interface.side): ${what}: {vdslPerfDataCurr15Min${counter}} s in 15 minutes, above the threshold`,
    parameter: [rowKey(column, 'vdslLine'), shown(column, `vdslPerfDataCurr15Min${counter}`)],
  }
}

function vdslMargin(number: number, name: string, text: string): StandardEvent {
  return {
    eventOid: `${vdsl}.0.${number}`,
    name,
    alarmLevel: 4,
    alarmCategory: category.threshold,
    alarmDesc: `VDSL line {vdslLine} (interface.side): ${text} ({vdslPhysCurrSnrMgn})`,
    parameter: [rowKey(`${vdslPhys}.5`, 'vdslLine'), shown(`${vdslPhys}.5`, 'vdslPhysCurrSnrMgn')],
  }
}

const vdslEvents: readonly StandardEvent[] = [
  vdslThreshold(1, 'Lofs', 'loss of framing'),
  vdslThreshold(2, 'Loss', 'loss of signal'),
  vdslThreshold(3, 'Lprs', 'loss of power'),
  vdslThreshold(4, 'Lols', 'loss of link'),
  vdslThreshold(5, 'ESs', 'errored seconds'),
  vdslThreshold(6, 'SESs', 'severely errored seconds'),
  vdslThreshold(7, 'UASs', 'unavailable seconds'),
  vdslMargin(8, 'vdslDownMaxSnrMgnNotification', 'downstream noise margin is above its maximum'),
  vdslMargin(9, 'vdslDownMinSnrMgnNotification', 'downstream noise margin is below its minimum'),
  vdslMargin(10, 'vdslUpMaxSnrMgnNotification', 'upstream noise margin is above its maximum'),
  vdslMargin(11, 'vdslUpMinSnrMgnNotification', 'upstream noise margin is below its minimum'),
  {
    eventOid: `${vdsl}.0.12`,
    name: 'vdslInitFailureNotification',
    alarmLevel: 3,
    alarmCategory: category.link,
    alarmDesc: 'VDSL line {vdslLine} (interface.side) could not be initialized',
    parameter: [rowKey(`${vdslPhys}.7`, 'vdslLine'), shown(`${vdslPhys}.7`, 'vdslPhysCurrStatus')],
  },
]

const docsEvent = '1.3.6.1.2.1.69.1.5.8.1'
const docsText = [
  shown(
    `${docsEvent}.5`,
    'docsDevEvLevel',
    '1=emergency;2=alert;3=critical;4=error;5=warning;6=notice;7=information;8=debug',
  ),
  shown(`${docsEvent}.6`, 'docsDevEvId'),
  shown(`${docsEvent}.7`, 'docsDevEvText'),
]
const software = [
  ...docsText,
  shown('1.3.6.1.2.1.69.1.3.1', 'docsDevSwServer'),
  shown('1.3.6.1.2.1.69.1.3.2', 'docsDevSwFilename'),
]
// At the head end the modem identifies the alarm; at the modem there is only the modem.
const modem = [...docsText, key('1.3.6.1.2.1.10.127.1.3.3.1.2', 'docsIfCmtsCmStatusMacAddress')]
const cm = '1.3.6.1.2.1.132.2.0'
const cmts = '1.3.6.1.2.1.132.3.0'

function cmEvent(
  number: number,
  name: string,
  alarmDesc: string,
  parameter = docsText,
  alarmCategory: number = category.link,
): StandardEvent {
  return { eventOid: `${cm}.${number}`, name, alarmLevel: 3, alarmCategory, alarmDesc, parameter }
}

function cmtsEvent(
  number: number,
  name: string,
  what: string,
  alarmCategory: number = category.link,
): StandardEvent {
  return {
    eventOid: `${cmts}.${number}`,
    name,
    alarmLevel: 4,
    alarmCategory,
    alarmDesc: `Cable modem {docsIfCmtsCmStatusMacAddress}: ${what} failed: {docsDevEvText}`,
    parameter: modem,
  }
}

const cableEvents: readonly StandardEvent[] = [
  cmEvent(
    5,
    'docsDevCmBpiInitNotif',
    'Cable modem: baseline privacy failed: {docsDevEvText}',
    docsText,
    category.security,
  ),
  cmEvent(8, 'docsDevCmDHCPFailNotif', 'Cable modem: DHCP failed: {docsDevEvText}'),
  {
    ...cmEvent(
      9,
      'docsDevCmSwUpgradeInitNotif',
      'Cable modem: software upgrade to {docsDevSwFilename} begins',
      software,
    ),
    alarmLevel: 5,
    handling: 0,
  },
  cmEvent(
    10,
    'docsDevCmSwUpgradeFailNotif',
    'Cable modem: software upgrade to {docsDevSwFilename} failed: {docsDevEvText}',
    software,
    category.configuration,
  ),
  {
    ...cmEvent(
      11,
      'docsDevCmSwUpgradeSuccessNotif',
      'Cable modem: software upgrade to {docsDevSwFilename} is done',
      software,
      category.configuration,
    ),
    alarmLevel: 5,
    recovers: [`${cm}.10`],
  },
  cmEvent(13, 'docsDevCmTODFailNotif', 'Cable modem: time of day was not received: {docsDevEvText}'),
  cmtsEvent(1, 'docsDevCmtsInitRegReqFailNotif', 'registration request'),
  cmtsEvent(2, 'docsDevCmtsInitRegRspFailNotif', 'registration response'),
  cmtsEvent(3, 'docsDevCmtsInitRegAckFailNotif', 'registration acknowledgement'),
  cmtsEvent(7, 'docsDevCmtsBpiInitNotif', 'baseline privacy', category.security),
]

const bearer = '1.3.6.1.2.1.10.20.1.2.1.1'

const isdnEvents: readonly StandardEvent[] = [
  {
    eventOid: '1.3.6.1.2.1.10.20.2.0.1',
    name: 'isdnMibCallInformation',
    alarmLevel: 5,
    alarmCategory: category.link,
    alarmDesc: 'ISDN channel {ifIndex}: call with {isdnBearerPeerAddress} is {isdnBearerOperStatus}',
    parameter: [
      ifIndex,
      shown(`${bearer}.2`, 'isdnBearerOperStatus', '1=idle;2=connecting;3=connected;4=active'),
      shown(`${bearer}.4`, 'isdnBearerPeerAddress'),
      shown(`${bearer}.6`, 'isdnBearerCallOrigin', '1=unknown;2=originate;3=answer;4=callback'),
    ],
    handling: 0,
  },
]

export const accessEvents: readonly StandardEvent[] = [
  ...adslEvents,
  ...vdslEvents,
  ...cableEvents,
  ...isdnEvents,
]
