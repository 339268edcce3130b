// The agent, the machine and its parts: SNMPv2-MIB, NET-SNMP-AGENT-MIB, ENTITY-MIB, ENTITY-STATE-MIB, Printer-MIB,
// RDBMS-MIB, SIP-COMMON-MIB, ISCSI-MIB.

import { category, key, rowKey, type StandardEvent, shown } from './definition.ts'

const snmpTraps = '1.3.6.1.6.3.1.1.5'
const netSnmp = '1.3.6.1.4.1.8072.4.0'
const shutdown = `${netSnmp}.2`

/** The life of the agent. net-snmp reports its shutdown with nsNotifyShutdown and its return with coldStart. */
const agent: readonly StandardEvent[] = [
  {
    eventOid: `${snmpTraps}.1`,
    name: 'coldStart',
    alarmLevel: 4,
    alarmCategory: category.status,
    alarmDesc: '{deviceName} has started; its configuration may have changed (cold start)',
    recovers: [shutdown],
  },
  {
    eventOid: `${snmpTraps}.2`,
    name: 'warmStart',
    alarmLevel: 4,
    alarmCategory: category.status,
    alarmDesc: '{deviceName} has restarted with its configuration unchanged (warm start)',
    recovers: [shutdown],
  },
  {
    eventOid: `${snmpTraps}.5`,
    name: 'authenticationFailure',
    alarmLevel: 4,
    alarmCategory: category.security,
    alarmDesc: '{deviceName} was sent an SNMP request with a wrong community or credentials',
  },
  {
    eventOid: `${netSnmp}.1`,
    name: 'nsNotifyStart',
    alarmLevel: 5,
    alarmCategory: category.availability,
    alarmDesc: 'The SNMP agent of {deviceName} has started',
    recovers: [shutdown],
  },
  {
    eventOid: shutdown,
    name: 'nsNotifyShutdown',
    alarmLevel: 2,
    alarmCategory: category.availability,
    alarmDesc: 'The SNMP agent of {deviceName} is shutting down',
  },
  {
    eventOid: `${netSnmp}.3`,
    name: 'nsNotifyRestart',
    alarmLevel: 5,
    alarmCategory: category.availability,
    alarmDesc: 'The SNMP agent of {deviceName} has restarted',
    recovers: [shutdown],
  },
]

const entStateEntry = '1.3.6.1.2.1.131.1.1.1'
const entityState = [
  rowKey(`${entStateEntry}.2`, 'entPhysicalIndex'),
  shown(`${entStateEntry}.2`, 'entStateAdmin', '1=unknown;2=locked;3=shuttingDown;4=unlocked'),
  // A set of bits (0 unknown, 1 under repair, 2 critical, 3 major, 4 minor, 5 warning, 6 indeterminate): no labels.
  shown(`${entStateEntry}.5`, 'entStateAlarm'),
]

const entity: readonly StandardEvent[] = [
  {
    eventOid: '1.3.6.1.2.1.47.2.0.1',
    name: 'entConfigChange',
    alarmLevel: 5,
    alarmCategory: category.configuration,
    alarmDesc: 'The inventory of {deviceName} has changed: a component was added, removed or renamed',
  },
  {
    eventOid: '1.3.6.1.2.1.131.0.1',
    name: 'entStateOperEnabled',
    alarmLevel: 5,
    alarmCategory: category.status,
    alarmDesc: 'Component {entPhysicalIndex} is in operation again',
    parameter: entityState,
    recovers: ['1.3.6.1.2.1.131.0.2'],
  },
  {
    eventOid: '1.3.6.1.2.1.131.0.2',
    name: 'entStateOperDisabled',
    alarmLevel: 2,
    alarmCategory: category.status,
    alarmDesc: 'Component {entPhysicalIndex} is out of operation (administratively {entStateAdmin})',
    parameter: entityState,
  },
]

const prtAlertEntry = '1.3.6.1.2.1.43.18.1.1'
const alertGroups =
  '1=other;2=unknown;3=storage;4=device;5=printer;6=cover;7=localization;8=input;9=output;10=marker;' +
  '11=marker supplies;12=marker colorant;13=media path;14=channel;15=interpreter;16=console display;' +
  '17=console lights;18=alert;30=finisher;31=finisher supply;32=finisher supply input;33=finisher attribute'
const alertCodes =
  '1=other;2=unknown;3=cover open;4=cover closed;5=interlock open;6=interlock closed;7=configuration changed;' +
  '8=jam;9=part missing;10=life almost over;11=life over;12=almost empty;13=empty;14=almost full;15=full;' +
  '16=near limit;17=at limit;18=opened;19=closed;20=turned on;21=turned off;22=offline;23=power saver;' +
  '24=warming up;25=added;26=removed;27=resource added;28=resource removed;29=recoverable failure;' +
  '30=unrecoverable failure;31=recoverable storage error;32=unrecoverable storage error;33=motor failure;' +
  '34=memory exhausted;35=under temperature;36=over temperature;37=timing failure;38=thermistor failure;' +
  '501=door open;502=door closed;503=power up;504=power down;507=ready to print;801=input tray missing;' +
  '807=media supply low;808=media supply empty;809=media change requested;902=output tray almost full;' +
  '903=output tray full;1101=toner empty;1102=ink empty;1104=toner almost empty;1105=ink almost empty;' +
  '1109=waste toner full;1115=toner cartridge missing;1801=alert removed'

/** What runs on the machine, and what it prints with. */
const service: readonly StandardEvent[] = [
  {
    // The end of an alert has the same OID (code 1801), so nothing here can end it.
    eventOid: '1.3.6.1.2.1.43.18.2.0.1',
    name: 'printerV2Alert',
    alarmLevel: 4,
    alarmCategory: category.status,
    alarmDesc: 'Printer: {prtAlertGroup} {prtAlertGroupIndex}: {prtAlertCode} ({prtAlertSeverityLevel})',
    parameter: [
      shown(`${prtAlertEntry}.1`, 'prtAlertIndex'),
      shown(
        `${prtAlertEntry}.2`,
        'prtAlertSeverityLevel',
        '1=other;3=critical;4=warning;5=warningBinaryChangeEvent',
      ),
      key(`${prtAlertEntry}.4`, 'prtAlertGroup', alertGroups),
      key(`${prtAlertEntry}.5`, 'prtAlertGroupIndex'),
      shown(`${prtAlertEntry}.6`, 'prtAlertLocation'),
      key(`${prtAlertEntry}.7`, 'prtAlertCode', alertCodes),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.39.2.1',
    name: 'rdbmsStateChange',
    alarmLevel: 3,
    alarmCategory: category.service,
    alarmDesc: 'Database {rdbmsDatabase} (database.server) is now {rdbmsRelState}',
    parameter: [
      rowKey('1.3.6.1.2.1.39.1.9.1.1', 'rdbmsDatabase'),
      shown(
        '1.3.6.1.2.1.39.1.9.1.1',
        'rdbmsRelState',
        '1=other;2=active;3=available;4=restricted;5=unavailable',
      ),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.39.2.2',
    name: 'rdbmsOutOfSpace',
    alarmLevel: 2,
    alarmCategory: category.service,
    alarmDesc:
      'Database server {applIndex} could not get disk space ({rdbmsSrvInfoDiskOutOfSpaces} times so far)',
    parameter: [
      rowKey('1.3.6.1.2.1.39.1.6.1.9', 'applIndex'),
      shown('1.3.6.1.2.1.39.1.6.1.9', 'rdbmsSrvInfoDiskOutOfSpaces'),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.149.0.6',
    name: 'sipCommonServiceStatusChanged',
    alarmLevel: 3,
    alarmCategory: category.service,
    alarmDesc: 'SIP service {sipCommonNotifApplIndex} is now {sipCommonCfgServiceOperStatus}',
    parameter: [
      key('1.3.6.1.2.1.149.1.9.5', 'sipCommonNotifApplIndex'),
      shown(
        '1.3.6.1.2.1.149.1.1.1.1.2',
        'sipCommonCfgServiceOperStatus',
        '1=unknown;2=up;3=down;4=congested;5=restarting;6=quiescing;7=testing',
      ),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.142.0.1',
    name: 'iscsiTgtLoginFailure',
    alarmLevel: 4,
    alarmCategory: category.security,
    alarmDesc: 'iSCSI target {iscsiTarget}: login of {iscsiTgtLastIntrFailureName} failed',
    parameter: [
      rowKey('1.3.6.1.2.1.142.1.6.1.1.1', 'iscsiTarget'),
      shown('1.3.6.1.2.1.142.1.6.1.1.1', 'iscsiTgtLoginFailures'),
      shown('1.3.6.1.2.1.142.1.6.1.1.4', 'iscsiTgtLastIntrFailureName'),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.142.0.2',
    name: 'iscsiIntrLoginFailure',
    alarmLevel: 4,
    alarmCategory: category.security,
    alarmDesc: 'iSCSI initiator {iscsiInitiator}: login at {iscsiIntrLastTgtFailureName} failed',
    parameter: [
      rowKey('1.3.6.1.2.1.142.1.8.1.1.1', 'iscsiInitiator'),
      shown('1.3.6.1.2.1.142.1.8.1.1.1', 'iscsiIntrLoginFailures'),
      shown('1.3.6.1.2.1.142.1.8.1.1.4', 'iscsiIntrLastTgtFailureName'),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.142.0.3',
    name: 'iscsiInstSessionFailure',
    alarmLevel: 3,
    alarmCategory: category.service,
    alarmDesc: 'iSCSI instance {iscsiInstIndex}: the session with {iscsiInstLastSsnRmtNodeName} failed',
    parameter: [
      rowKey('1.3.6.1.2.1.142.1.1.1.1.10', 'iscsiInstIndex'),
      shown('1.3.6.1.2.1.142.1.1.1.1.10', 'iscsiInstSsnFailures'),
      shown('1.3.6.1.2.1.142.1.1.1.1.12', 'iscsiInstLastSsnRmtNodeName'),
    ],
  },
]

export const systemEvents: readonly StandardEvent[] = [...agent, ...entity, ...service]
