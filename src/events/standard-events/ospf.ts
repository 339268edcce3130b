// OSPF: OSPF-TRAP-MIB, OSPFV3-MIB. Notifications of a state change carry the state in a variable, under one OID for
// better and worse, so none of these ends another.

import { category, eventsBelow, key, rowKey, type StandardEvent, shown } from './definition.ts'

const ospf = '1.3.6.1.2.1.14'
const routerId = shown(`${ospf}.1.1`, 'ospfRouterId')
const ifLabels =
  '1=down;2=loopback;3=waiting;4=pointToPoint;5=designatedRouter;6=backupDesignatedRouter;7=otherDesignatedRouter'
const nbrLabels = '1=down;2=attempt;3=init;4=twoWay;5=exchangeStart;6=exchange;7=loading;8=full'
const exitLabels = '1=none;2=inProgress;3=completed;4=timedOut;5=topologyChanged'
const helperLabels = '1=notHelping;2=helping'

const onInterface = [
  routerId,
  key(`${ospf}.7.1.1`, 'ospfIfIpAddress'),
  key(`${ospf}.7.1.2`, 'ospfAddressLessIf'),
]
const onVirtualLink = [
  routerId,
  key(`${ospf}.9.1.1`, 'ospfVirtIfAreaId'),
  key(`${ospf}.9.1.2`, 'ospfVirtIfNeighbor'),
]
const neighbour = [
  routerId,
  key(`${ospf}.10.1.1`, 'ospfNbrIpAddr'),
  key(`${ospf}.10.1.2`, 'ospfNbrAddressLessIndex'),
  shown(`${ospf}.10.1.3`, 'ospfNbrRtrId'),
]
const virtualNeighbour = [
  routerId,
  key(`${ospf}.11.1.1`, 'ospfVirtNbrArea'),
  key(`${ospf}.11.1.2`, 'ospfVirtNbrRtrId'),
]
const packetSource = key(`${ospf}.16.1.4`, 'ospfPacketSrc')
const packetType = shown(
  `${ospf}.16.1.3`,
  'ospfPacketType',
  '1=hello;2=dbDescript;3=lsReq;4=lsUpdate;5=lsAck;6=nullPacket',
)
const configError = shown(
  `${ospf}.16.1.2`,
  'ospfConfigErrorType',
  '1=badVersion;2=areaMismatch;3=unknownNbmaNbr;4=unknownVirtualNbr;5=authTypeMismatch;6=authFailure;' +
    '7=netMaskMismatch;8=helloIntervalMismatch;9=deadIntervalMismatch;10=optionMismatch;11=mtuMismatch;' +
    '12=duplicateRouterId;13=noError',
)
const lsaEntry = [
  shown(
    `${ospf}.4.1.2`,
    'ospfLsdbType',
    '1=routerLink;2=networkLink;3=summaryLink;4=asSummaryLink;5=asExternalLink;6=multicastLink;' +
      '7=nssaExternalLink;10=areaOpaqueLink',
  ),
  shown(`${ospf}.4.1.3`, 'ospfLsdbLsid'),
  shown(`${ospf}.4.1.4`, 'ospfLsdbRouterId'),
]
const lsa = [routerId, shown(`${ospf}.4.1.1`, 'ospfLsdbAreaId'), ...lsaEntry]
const limit = [routerId, shown(`${ospf}.1.11`, 'ospfExtLsdbLimit')]

const ospfEvent = eventsBelow(`${ospf}.16.2`, category.routing)

const ospfv2Events: readonly StandardEvent[] = [
  ospfEvent(
    1,
    'ospfVirtIfStateChange',
    3,
    'OSPF virtual link to {ospfVirtIfNeighbor} is now {ospfVirtIfState}',
    [...onVirtualLink, shown(`${ospf}.9.1.7`, 'ospfVirtIfState', '1=down;4=pointToPoint')],
  ),
  ospfEvent(
    2,
    'ospfNbrStateChange',
    3,
    'OSPF neighbour {ospfNbrIpAddr} ({ospfNbrRtrId}) is now {ospfNbrState}',
    [...neighbour, shown(`${ospf}.10.1.6`, 'ospfNbrState', nbrLabels)],
  ),
  ospfEvent(
    3,
    'ospfVirtNbrStateChange',
    3,
    'OSPF virtual neighbour {ospfVirtNbrRtrId} is now {ospfVirtNbrState}',
    [...virtualNeighbour, shown(`${ospf}.11.1.5`, 'ospfVirtNbrState', nbrLabels)],
  ),
  ospfEvent(
    4,
    'ospfIfConfigError',
    3,
    'OSPF on {ospfIfIpAddress}: {ospfPacketType} from {ospfPacketSrc} does not match: {ospfConfigErrorType}',
    [...onInterface, packetSource, configError, packetType],
  ),
  ospfEvent(
    5,
    'ospfVirtIfConfigError',
    3,
    'OSPF virtual link to {ospfVirtIfNeighbor}: {ospfPacketType} does not match: {ospfConfigErrorType}',
    [...onVirtualLink, configError, packetType],
  ),
  ospfEvent(
    6,
    'ospfIfAuthFailure',
    3,
    'OSPF on {ospfIfIpAddress}: {ospfPacketType} from {ospfPacketSrc} is not authentic: {ospfConfigErrorType}',
    [...onInterface, packetSource, configError, packetType],
    category.security,
  ),
  ospfEvent(
    7,
    'ospfVirtIfAuthFailure',
    3,
    'OSPF virtual link to {ospfVirtIfNeighbor}: {ospfPacketType} is not authentic: {ospfConfigErrorType}',
    [...onVirtualLink, configError, packetType],
    category.security,
  ),
  ospfEvent(
    8,
    'ospfIfRxBadPacket',
    4,
    'OSPF on {ospfIfIpAddress}: {ospfPacketType} from {ospfPacketSrc} cannot be parsed',
    [...onInterface, packetSource, packetType],
  ),
  ospfEvent(
    9,
    'ospfVirtIfRxBadPacket',
    4,
    'OSPF virtual link to {ospfVirtIfNeighbor}: {ospfPacketType} cannot be parsed',
    [...onVirtualLink, packetType],
  ),
  ospfEvent(
    10,
    'ospfTxRetransmit',
    4,
    'OSPF on {ospfIfIpAddress}: {ospfPacketType} was sent again to {ospfNbrRtrId}',
    [...onInterface, key(`${ospf}.10.1.3`, 'ospfNbrRtrId'), packetType, ...lsaEntry],
  ),
  ospfEvent(
    11,
    'ospfVirtIfTxRetransmit',
    4,
    'OSPF virtual link to {ospfVirtIfNeighbor}: {ospfPacketType} was sent again',
    [...onVirtualLink, packetType, ...lsaEntry],
  ),
  {
    ...ospfEvent(12, 'ospfOriginateLsa', 5, 'OSPF originated {ospfLsdbType} {ospfLsdbLsid}', lsa),
    handling: 0,
  },
  {
    ...ospfEvent(
      13,
      'ospfMaxAgeLsa',
      5,
      'OSPF: {ospfLsdbType} {ospfLsdbLsid} has reached its maximum age',
      lsa,
    ),
    handling: 0,
  },
  ospfEvent(
    14,
    'ospfLsdbOverflow',
    2,
    'OSPF database has outgrown its limit of {ospfExtLsdbLimit} entries',
    limit,
  ),
  ospfEvent(
    15,
    'ospfLsdbApproachingOverflow',
    3,
    'OSPF database has reached 90 % of its limit of {ospfExtLsdbLimit} entries',
    limit,
  ),
  ospfEvent(16, 'ospfIfStateChange', 3, 'OSPF interface {ospfIfIpAddress} is now {ospfIfState}', [
    ...onInterface,
    shown(`${ospf}.7.1.12`, 'ospfIfState', ifLabels),
  ]),
  ospfEvent(
    17,
    'ospfNssaTranslatorStatusChange',
    4,
    'OSPF area {ospfAreaId}: translation by {deviceName} is now {ospfAreaNssaTranslatorState}',
    [
      routerId,
      key(`${ospf}.2.1.1`, 'ospfAreaId'),
      shown(`${ospf}.2.1.12`, 'ospfAreaNssaTranslatorState', '1=enabled;2=elected;3=disabled'),
    ],
  ),
  ospfEvent(
    18,
    'ospfRestartStatusChange',
    4,
    'OSPF graceful restart: {ospfRestartStatus} ({ospfRestartExitReason})',
    [
      routerId,
      shown(`${ospf}.1.19`, 'ospfRestartInterval'),
      shown(`${ospf}.1.21`, 'ospfRestartStatus', '1=notRestarting;2=plannedRestart;3=unplannedRestart'),
      shown(`${ospf}.1.23`, 'ospfRestartExitReason', exitLabels),
    ],
  ),
  ospfEvent(
    19,
    'ospfNbrRestartHelperStatusChange',
    4,
    'OSPF restart of neighbour {ospfNbrIpAddr}: {ospfNbrRestartHelperStatus} ({ospfNbrRestartHelperExitReason})',
    [
      ...neighbour,
      shown(`${ospf}.10.1.12`, 'ospfNbrRestartHelperStatus', helperLabels),
      shown(`${ospf}.10.1.13`, 'ospfNbrRestartHelperAge'),
      shown(`${ospf}.10.1.14`, 'ospfNbrRestartHelperExitReason', exitLabels),
    ],
  ),
  ospfEvent(
    20,
    'ospfVirtNbrRestartHelperStatusChange',
    4,
    'OSPF restart of virtual neighbour {ospfVirtNbrRtrId}: {ospfVirtNbrRestartHelperStatus} ({ospfVirtNbrRestartHelperExitReason})',
    [
      ...virtualNeighbour,
      shown(`${ospf}.11.1.9`, 'ospfVirtNbrRestartHelperStatus', helperLabels),
      shown(`${ospf}.11.1.10`, 'ospfVirtNbrRestartHelperAge'),
      shown(`${ospf}.11.1.11`, 'ospfVirtNbrRestartHelperExitReason', exitLabels),
    ],
  ),
]

const ospfv3 = '1.3.6.1.2.1.191'

const ospfv3Events: readonly StandardEvent[] = [
  {
    eventOid: `${ospfv3}.0.2`,
    name: 'ospfv3NbrStateChange',
    alarmLevel: 3,
    alarmCategory: category.routing,
    alarmDesc: 'OSPFv3 neighbour {ospfv3Neighbour} (interface.instance.router) is now {ospfv3NbrState}',
    parameter: [
      rowKey(`${ospfv3}.1.9.1.8`, 'ospfv3Neighbour'),
      shown(`${ospfv3}.1.9.1.8`, 'ospfv3NbrState', nbrLabels),
    ],
  },
  {
    eventOid: `${ospfv3}.0.10`,
    name: 'ospfv3IfStateChange',
    alarmLevel: 3,
    alarmCategory: category.routing,
    alarmDesc: 'OSPFv3 interface {ospfv3Interface} (interface.instance) is now {ospfv3IfState}',
    parameter: [
      rowKey(`${ospfv3}.1.7.1.12`, 'ospfv3Interface'),
      shown(`${ospfv3}.1.7.1.12`, 'ospfv3IfState', `${ifLabels};8=standby`),
    ],
  },
]

export const ospfEvents: readonly StandardEvent[] = [...ospfv2Events, ...ospfv3Events]
