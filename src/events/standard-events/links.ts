// Interfaces, links and bridges: IF-MIB, MAU-MIB, SNMP-REPEATER-MIB, BRIDGE-MIB, IEEE8021-CFM-MIB, LLDP-MIB,
// LLDP-EXT-MED-MIB, PTOPO-MIB, IEEE802dot11-MIB; lines of the wide area are beside it.

import {
  category,
  ifAdminStatus,
  ifDescr,
  ifIndex,
  ifOperStatus,
  key,
  rowKey,
  type StandardEvent,
  shown,
} from './definition.ts'
import { wideAreaEvents } from './wide-area.ts'

const linkDown = '1.3.6.1.6.3.1.1.5.3'
const link = [ifIndex, ifDescr, ifAdminStatus, ifOperStatus]

const jabberLabels = '1=other;2=unknown;3=noJabber;4=jabbering'
const repeaterLabels = '1=other;2=ok;3=rptrFailure;4=groupFailure;5=portFailure;6=generalFailure'
const repeaterStatus = shown('1.3.6.1.2.1.22.1.1.2', 'rptrOperStatus', repeaterLabels)
const repeaterInfo = [
  rowKey('1.3.6.1.2.1.22.1.4.1.1.3', 'rptrInfoId'),
  shown('1.3.6.1.2.1.22.1.4.1.1.3', 'rptrInfoOperStatus', '1=other;2=ok;3=failure'),
]

const ethernet: readonly StandardEvent[] = [
  {
    eventOid: linkDown,
    name: 'linkDown',
    alarmLevel: 2,
    alarmCategory: category.link,
    alarmDesc: 'Interface {ifDescr} (index {ifIndex}) is down',
    parameter: link,
    outOfReach: true,
  },
  {
    eventOid: '1.3.6.1.6.3.1.1.5.4',
    name: 'linkUp',
    alarmLevel: 5,
    alarmCategory: category.link,
    alarmDesc: 'Interface {ifDescr} (index {ifIndex}) is up',
    parameter: link,
    recovers: [linkDown],
  },
  {
    eventOid: '1.3.6.1.2.1.26.0.1',
    name: 'rpMauJabberTrap',
    alarmLevel: 3,
    alarmCategory: category.link,
    alarmDesc: 'Repeater MAU {rpMau} (group.port.MAU) is now {rpMauJabberState}',
    parameter: [
      rowKey('1.3.6.1.2.1.26.1.1.1.8', 'rpMau'),
      shown('1.3.6.1.2.1.26.1.1.1.8', 'rpMauJabberState', jabberLabels),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.26.0.2',
    name: 'ifMauJabberTrap',
    alarmLevel: 3,
    alarmCategory: category.link,
    alarmDesc: 'MAU {ifMau} (interface.MAU) is now {ifMauJabberState}',
    parameter: [
      rowKey('1.3.6.1.2.1.26.2.1.1.7', 'ifMau'),
      shown('1.3.6.1.2.1.26.2.1.1.7', 'ifMauJabberState', jabberLabels),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.22.0.1',
    name: 'rptrHealth',
    alarmLevel: 3,
    alarmCategory: category.link,
    alarmDesc: 'Repeater state is now {rptrOperStatus}',
    parameter: [repeaterStatus],
  },
  {
    eventOid: '1.3.6.1.2.1.22.0.2',
    name: 'rptrGroupChange',
    alarmLevel: 4,
    alarmCategory: category.configuration,
    alarmDesc: 'Repeater group {rptrGroupIndex} was added or removed',
    parameter: [key('1.3.6.1.2.1.22.1.2.1.1.1', 'rptrGroupIndex')],
  },
  {
    eventOid: '1.3.6.1.2.1.22.0.3',
    name: 'rptrResetEvent',
    alarmLevel: 4,
    alarmCategory: category.status,
    alarmDesc: 'Repeater was reset; its state is {rptrOperStatus}',
    parameter: [repeaterStatus],
  },
  {
    eventOid: '1.3.6.1.2.1.22.0.4',
    name: 'rptrInfoHealth',
    alarmLevel: 3,
    alarmCategory: category.link,
    alarmDesc: 'Repeater {rptrInfoId} state is now {rptrInfoOperStatus}',
    parameter: repeaterInfo,
  },
  {
    eventOid: '1.3.6.1.2.1.22.0.5',
    name: 'rptrInfoResetEvent',
    alarmLevel: 4,
    alarmCategory: category.status,
    alarmDesc: 'Repeater {rptrInfoId} was reset; its state is {rptrInfoOperStatus}',
    parameter: repeaterInfo,
  },
]

const lldpStats = '1.0.8802.1.1.2.1.2'
const lldpRemEntry = '1.0.8802.1.1.2.1.4.1.1'
const mepDefect = '1.3.111.2.802.1.1.8.1.7.1.1.13'
const ptopoStats = '1.3.6.1.2.1.79.1.2'

const bridging: readonly StandardEvent[] = [
  {
    eventOid: '1.3.6.1.2.1.17.0.1',
    name: 'newRoot',
    alarmLevel: 4,
    alarmCategory: category.bridging,
    alarmDesc: '{deviceName} has become the root of the spanning tree',
  },
  {
    eventOid: '1.3.6.1.2.1.17.0.2',
    name: 'topologyChange',
    alarmLevel: 5,
    alarmCategory: category.bridging,
    alarmDesc:
      'A port of {deviceName} has changed between forwarding and blocking: the spanning tree has changed',
  },
  {
    // Sent when a defect appears; there is none for its end.
    eventOid: '1.3.111.2.802.1.1.8.0.1',
    name: 'dot1agCfmFaultAlarm',
    alarmLevel: 2,
    alarmCategory: category.link,
    alarmDesc:
      'Connectivity fault at maintenance point {dot1agCfmMep} (domain.association.point): {dot1agCfmMepHighestPrDefect}',
    parameter: [
      rowKey(mepDefect, 'dot1agCfmMep'),
      shown(
        mepDefect,
        'dot1agCfmMepHighestPrDefect',
        '0=none;1=defRDICCM;2=defMACstatus;3=defRemoteCCM;4=defErrorCCM;5=defXconCCM',
      ),
    ],
  },
  {
    eventOid: '1.0.8802.1.1.2.0.0.1',
    name: 'lldpRemTablesChange',
    alarmLevel: 5,
    alarmCategory: category.configuration,
    alarmDesc: 'LLDP neighbours of {deviceName} have changed',
    parameter: [
      shown(`${lldpStats}.2`, 'lldpStatsRemTablesInserts'),
      shown(`${lldpStats}.3`, 'lldpStatsRemTablesDeletes'),
      shown(`${lldpStats}.4`, 'lldpStatsRemTablesDrops'),
      shown(`${lldpStats}.5`, 'lldpStatsRemTablesAgeouts'),
    ],
    handling: 0,
  },
  {
    eventOid: '1.0.8802.1.1.2.1.5.4795.0.1',
    name: 'lldpXMedTopologyChangeDetected',
    alarmLevel: 5,
    alarmCategory: category.configuration,
    alarmDesc: 'An LLDP-MED endpoint was connected to or removed from {deviceName}: {lldpXMedRemDeviceClass}',
    parameter: [
      shown(
        `${lldpRemEntry}.4`,
        'lldpRemChassisIdSubtype',
        '1=chassisComponent;2=interfaceAlias;3=portComponent;4=macAddress;5=networkAddress;6=interfaceName;7=local',
      ),
      shown(`${lldpRemEntry}.5`, 'lldpRemChassisId'),
      shown(
        '1.0.8802.1.1.2.1.5.4795.1.3.1.1.3',
        'lldpXMedRemDeviceClass',
        '0=notDefined;1=endpointClass1;2=endpointClass2;3=endpointClass3;4=networkConnectivity',
      ),
    ],
    handling: 0,
  },
  {
    eventOid: '1.3.6.1.2.1.79.2.0.1',
    name: 'ptopoConfigChange',
    alarmLevel: 5,
    alarmCategory: category.configuration,
    alarmDesc: 'The physical topology seen by {deviceName} has changed',
    parameter: [
      shown(`${ptopoStats}.2`, 'ptopoConnTabInserts'),
      shown(`${ptopoStats}.3`, 'ptopoConnTabDeletes'),
      shown(`${ptopoStats}.4`, 'ptopoConnTabDrops'),
      shown(`${ptopoStats}.5`, 'ptopoConnTabAgeouts'),
    ],
    handling: 0,
  },
]

const station = '1.2.840.10036.1.1.1'

const wireless: readonly StandardEvent[] = [
  {
    eventOid: '1.2.840.10036.1.6.0.1',
    name: 'dot11Disassociate',
    alarmLevel: 5,
    alarmCategory: category.wireless,
    alarmDesc: 'Station {dot11DisassociateStation} was disassociated (reason {dot11DisassociateReason})',
    parameter: [
      ifIndex,
      shown(`${station}.15`, 'dot11DisassociateReason'),
      key(`${station}.16`, 'dot11DisassociateStation'),
    ],
    handling: 0,
  },
  {
    eventOid: '1.2.840.10036.1.6.0.2',
    name: 'dot11Deauthenticate',
    alarmLevel: 5,
    alarmCategory: category.wireless,
    alarmDesc:
      'Station {dot11DeauthenticateStation} was deauthenticated (reason {dot11DeauthenticateReason})',
    parameter: [
      ifIndex,
      shown(`${station}.17`, 'dot11DeauthenticateReason'),
      key(`${station}.18`, 'dot11DeauthenticateStation'),
    ],
    handling: 0,
  },
  {
    eventOid: '1.2.840.10036.1.6.0.3',
    name: 'dot11AuthenticateFail',
    alarmLevel: 4,
    alarmCategory: category.wireless,
    alarmDesc:
      'Station {dot11AuthenticateFailStation} failed to authenticate (status {dot11AuthenticateFailStatus})',
    parameter: [
      ifIndex,
      shown(`${station}.19`, 'dot11AuthenticateFailStatus'),
      key(`${station}.20`, 'dot11AuthenticateFailStation'),
    ],
  },
]

export const linkEvents: readonly StandardEvent[] = [...ethernet, ...bridging, ...wideAreaEvents, ...wireless]
