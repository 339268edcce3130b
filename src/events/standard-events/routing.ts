// Routing other than OSPF and IS-IS: BGP4-MIB, EGP (RFC 1213), BFD-STD-MIB, VRRP-MIB, VRRPV3-MIB, PIM-STD-MIB, PIM-MIB,
// MSDP-MIB, IPV6-MIB, NAT-MIB.

import { category, ifIndex, key, rowKey, type StandardEvent, shown } from './definition.ts'

const bgp = '1.3.6.1.2.1.15'
const bgpPeerEntry = `${bgp}.3.1`
const bgpBackward = [`${bgp}.0.2`, `${bgp}.7.2`]
// The older pair does not carry the peer's address as a variable, so both take it from the index.
const bgpPeer = [
  rowKey(`${bgpPeerEntry}.2`, 'bgpPeerRemoteAddr'),
  shown(
    `${bgpPeerEntry}.2`,
    'bgpPeerState',
    '1=idle;2=connect;3=active;4=opensent;5=openconfirm;6=established',
  ),
  shown(`${bgpPeerEntry}.14`, 'bgpPeerLastError'),
]

function bgpUp(eventOid: string, name: string): StandardEvent {
  return {
    eventOid,
    name,
    alarmLevel: 5,
    alarmCategory: category.routing,
    alarmDesc: 'BGP session with {bgpPeerRemoteAddr} is established',
    parameter: bgpPeer,
    recovers: bgpBackward,
  }
}

function bgpDown(eventOid: string, name: string): StandardEvent {
  return {
    eventOid,
    name,
    alarmLevel: 2,
    alarmCategory: category.routing,
    alarmDesc:
      'BGP session with {bgpPeerRemoteAddr} has fallen back to {bgpPeerState} (last error {bgpPeerLastError})',
    parameter: bgpPeer,
  }
}

const bfdSessDiag = '1.3.6.1.2.1.222.1.2.1.13'
// Sessions that change together may come as one notification that names the first and the last of a range; the same
// range ends it.
const bfdSession = [rowKey(bfdSessDiag, 'bfdSessIndex'), shown(bfdSessDiag, 'bfdSessDiag')]

const msdpPeerEntry = '1.3.6.1.3.92.1.1.5.1'

const sessions: readonly StandardEvent[] = [
  bgpUp(`${bgp}.0.1`, 'bgpEstablishedNotification'),
  bgpDown(`${bgp}.0.2`, 'bgpBackwardTransNotification'),
  bgpUp(`${bgp}.7.1`, 'bgpEstablished'),
  bgpDown(`${bgp}.7.2`, 'bgpBackwardTransition'),
  {
    eventOid: '1.3.6.1.6.3.1.1.5.6',
    name: 'egpNeighborLoss',
    alarmLevel: 2,
    alarmCategory: category.routing,
    alarmDesc: 'EGP neighbour {egpNeighAddr} is lost',
    parameter: [key('1.3.6.1.2.1.8.5.1.2', 'egpNeighAddr')],
  },
  {
    eventOid: '1.3.6.1.2.1.222.0.1',
    name: 'bfdSessUp',
    alarmLevel: 5,
    alarmCategory: category.routing,
    alarmDesc: 'BFD session {bfdSessIndex} is up',
    parameter: bfdSession,
    recovers: ['1.3.6.1.2.1.222.0.2'],
  },
  {
    eventOid: '1.3.6.1.2.1.222.0.2',
    name: 'bfdSessDown',
    alarmLevel: 2,
    alarmCategory: category.routing,
    alarmDesc: 'BFD session {bfdSessIndex} is down (diagnostic {bfdSessDiag})',
    parameter: bfdSession,
  },
  {
    eventOid: '1.3.6.1.3.92.1.1.0.1',
    name: 'msdpEstablished',
    alarmLevel: 5,
    alarmCategory: category.routing,
    alarmDesc: 'MSDP session with {msdpPeerRemoteAddress} is established',
    parameter: [
      rowKey(`${msdpPeerEntry}.15`, 'msdpPeerRemoteAddress'),
      shown(`${msdpPeerEntry}.15`, 'msdpPeerFsmEstablishedTransitions'),
    ],
    recovers: ['1.3.6.1.3.92.1.1.0.2'],
  },
  {
    eventOid: '1.3.6.1.3.92.1.1.0.2',
    name: 'msdpBackwardTransition',
    alarmLevel: 3,
    alarmCategory: category.routing,
    alarmDesc: 'MSDP session with {msdpPeerRemoteAddress} has fallen back to {msdpPeerState}',
    parameter: [
      rowKey(`${msdpPeerEntry}.3`, 'msdpPeerRemoteAddress'),
      shown(
        `${msdpPeerEntry}.3`,
        'msdpPeerState',
        '1=inactive;2=listen;3=connecting;4=established;5=disabled',
      ),
    ],
  },
]

const vrrpMaster = '1.3.6.1.2.1.68.1.3.1.7'
const vrrpv3Master = '1.3.6.1.2.1.207.1.1.1.1.3'
const vrrpv3Statistics = '1.3.6.1.2.1.207.1.2.5.1'

const redundancy: readonly StandardEvent[] = [
  {
    eventOid: '1.3.6.1.2.1.68.0.1',
    name: 'vrrpTrapNewMaster',
    alarmLevel: 4,
    alarmCategory: category.routing,
    alarmDesc: '{deviceName} has become master of virtual router {vrrpRouter} (interface.router)',
    parameter: [rowKey(vrrpMaster, 'vrrpRouter'), shown(vrrpMaster, 'vrrpOperMasterIpAddr')],
  },
  {
    eventOid: '1.3.6.1.2.1.68.0.2',
    name: 'vrrpTrapAuthFailure',
    alarmLevel: 4,
    alarmCategory: category.security,
    alarmDesc: 'VRRP packet from {vrrpTrapPacketSrc} refused: {vrrpTrapAuthErrorType}',
    parameter: [
      key('1.3.6.1.2.1.68.1.5', 'vrrpTrapPacketSrc'),
      shown(
        '1.3.6.1.2.1.68.1.6',
        'vrrpTrapAuthErrorType',
        '1=invalidAuthType;2=authTypeMismatch;3=authFailure',
      ),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.207.0.1',
    name: 'vrrpv3NewMaster',
    alarmLevel: 4,
    alarmCategory: category.routing,
    alarmDesc:
      '{deviceName} has become master of virtual router {vrrpv3Router}: {vrrpv3StatisticsNewMasterReason}',
    parameter: [
      rowKey(vrrpv3Master, 'vrrpv3Router'),
      shown(vrrpv3Master, 'vrrpv3OperationsMasterIpAddr'),
      shown(
        `${vrrpv3Statistics}.2`,
        'vrrpv3StatisticsNewMasterReason',
        '0=notMaster;1=priority;2=preempted;3=masterNoResponse',
      ),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.207.0.2',
    name: 'vrrpv3ProtoError',
    alarmLevel: 4,
    alarmCategory: category.routing,
    alarmDesc: 'VRRP packet refused by {deviceName}: {vrrpv3StatisticsProtoErrReason}',
    parameter: [
      shown(
        `${vrrpv3Statistics}.6`,
        'vrrpv3StatisticsProtoErrReason',
        '0=noError;1=ipTtlError;2=versionError;3=checksumError;4=vrIdError',
      ),
    ],
  },
]

const pim = '1.3.6.1.2.1.157.1'
const pimModes = '1=none;2=ssm;3=asm;4=bidir;5=dm;6=other'
const pimMode = shown(`${pim}.13.1.7`, 'pimGroupMappingPimMode', pimModes)

const multicast: readonly StandardEvent[] = [
  {
    eventOid: '1.3.6.1.2.1.157.0.1',
    name: 'pimNeighborLoss',
    alarmLevel: 3,
    alarmCategory: category.routing,
    alarmDesc: 'PIM neighbour {pimNeighbor} (interface.type.address) is lost',
    parameter: [rowKey(`${pim}.2.1.6`, 'pimNeighbor'), shown(`${pim}.2.1.6`, 'pimNeighborUpTime')],
  },
  {
    eventOid: '1.3.6.1.2.1.157.0.2',
    name: 'pimInvalidRegister',
    alarmLevel: 4,
    alarmCategory: category.routing,
    alarmDesc: 'An unexpected PIM Register message reached {deviceName}',
    parameter: [
      pimMode,
      key(`${pim}.34`, 'pimInvalidRegisterOrigin'),
      key(`${pim}.35`, 'pimInvalidRegisterGroup'),
      shown(`${pim}.36`, 'pimInvalidRegisterRp'),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.157.0.3',
    name: 'pimInvalidJoinPrune',
    alarmLevel: 4,
    alarmCategory: category.routing,
    alarmDesc: 'An unexpected PIM Join/Prune message reached {deviceName}',
    parameter: [
      pimMode,
      key(`${pim}.40`, 'pimInvalidJoinPruneOrigin'),
      key(`${pim}.41`, 'pimInvalidJoinPruneGroup'),
      shown(`${pim}.42`, 'pimInvalidJoinPruneRp'),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.157.0.4',
    name: 'pimRPMappingChange',
    alarmLevel: 5,
    alarmCategory: category.routing,
    alarmDesc: 'The rendezvous point of a multicast group has changed on {deviceName}',
    parameter: [pimMode, shown(`${pim}.13.1.8`, 'pimGroupMappingPrecedence')],
    handling: 0,
  },
  {
    eventOid: '1.3.6.1.2.1.157.0.5',
    name: 'pimInterfaceElection',
    alarmLevel: 5,
    alarmCategory: category.routing,
    alarmDesc: '{deviceName} was elected designated router or forwarder on interface {pimInterface}',
    parameter: [rowKey(`${pim}.1.1.4`, 'pimInterface'), shown(`${pim}.1.1.4`, 'pimInterfaceAddress')],
  },
  {
    // The experimental module of RFC 2934, which many devices still send.
    eventOid: '1.3.6.1.3.61.1.0.1',
    name: 'pimNeighborLoss',
    alarmLevel: 3,
    alarmCategory: category.routing,
    alarmDesc: 'PIM neighbour {pimNeighborAddress} on interface {pimNeighborIfIndex} is lost',
    parameter: [
      rowKey('1.3.6.1.3.61.1.1.3.1.2', 'pimNeighborAddress'),
      shown('1.3.6.1.3.61.1.1.3.1.2', 'pimNeighborIfIndex'),
    ],
  },
]

const internet: readonly StandardEvent[] = [
  {
    eventOid: '1.3.6.1.2.1.55.2.0.1',
    name: 'ipv6IfStateChange',
    alarmLevel: 3,
    alarmCategory: category.link,
    alarmDesc: 'IPv6 interface {ipv6IfDescr} (index {ipv6IfIndex}) is now {ipv6IfOperStatus}',
    parameter: [
      rowKey('1.3.6.1.2.1.55.1.5.1.10', 'ipv6IfIndex'),
      shown('1.3.6.1.2.1.55.1.5.1.2', 'ipv6IfDescr'),
      shown(
        '1.3.6.1.2.1.55.1.5.1.10',
        'ipv6IfOperStatus',
        '1=up;2=down;3=noIfIdentifier;4=unknown;5=notPresent',
      ),
    ],
  },
  {
    eventOid: '1.3.6.1.2.1.123.0.1',
    name: 'natPacketDiscard',
    alarmLevel: 4,
    alarmCategory: category.routing,
    alarmDesc: 'Packets are discarded on interface {ifIndex}: no address translation was possible',
    parameter: [ifIndex],
  },
]

export const routingEvents: readonly StandardEvent[] = [...sessions, ...redundancy, ...multicast, ...internet]
