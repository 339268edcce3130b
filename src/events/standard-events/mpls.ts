// MPLS and tunnels: MPLS-LSR-STD-MIB, MPLS-TE-STD-MIB, GMPLS-TE-STD-MIB, MPLS-LDP-STD-MIB, MPLS-L3VPN-STD-MIB, PW-STD-MIB,
// TE-MIB, L2TP-MIB.

import { category, key, operLabels, rowKey, type StandardEvent, shown } from './definition.ts'

const mpls = '1.3.6.1.2.1.10.166'

/** A pair of notifications with the same variables: the second name is the fault, the first its end. */
function pair(
  up: { readonly oid: string; readonly name: string; readonly text: string },
  down: { readonly oid: string; readonly name: string; readonly text: string },
  parameter: StandardEvent['parameter'] & {},
  alsoRecovers: readonly string[] = [],
): readonly StandardEvent[] {
  return [
    {
      eventOid: up.oid,
      name: up.name,
      alarmLevel: 5,
      alarmCategory: category.routing,
      alarmDesc: up.text,
      parameter,
      recovers: [down.oid, ...alsoRecovers],
    },
    {
      eventOid: down.oid,
      name: down.name,
      alarmLevel: 2,
      alarmCategory: category.routing,
      alarmDesc: down.text,
      parameter,
    },
  ]
}

const xcOperStatus = `${mpls}.2.1.10.1.10`
const tunnelEntry = `${mpls}.3.2.2.1`
const tunnel = [
  rowKey(`${tunnelEntry}.35`, 'mplsTunnel'),
  shown(`${tunnelEntry}.34`, 'mplsTunnelAdminStatus', '1=up;2=down;3=testing'),
  shown(`${tunnelEntry}.35`, 'mplsTunnelOperStatus', operLabels),
]
const tunnelError = `${mpls}.13.2.6.1`
const gmplsTunnelDown = `${mpls}.13.0.1`

const paths: readonly StandardEvent[] = [
  // Cross-connects that change together may come as one notification with both ends of a range; the same range ends it.
  ...pair(
    { oid: `${mpls}.2.0.1`, name: 'mplsXCUp', text: 'MPLS cross-connect {mplsXC} is up' },
    { oid: `${mpls}.2.0.2`, name: 'mplsXCDown', text: 'MPLS cross-connect {mplsXC} is {mplsXCOperStatus}' },
    [rowKey(xcOperStatus, 'mplsXC'), shown(xcOperStatus, 'mplsXCOperStatus', operLabels)],
  ),
  ...pair(
    { oid: `${mpls}.3.0.1`, name: 'mplsTunnelUp', text: 'MPLS tunnel {mplsTunnel} is up' },
    {
      oid: `${mpls}.3.0.2`,
      name: 'mplsTunnelDown',
      text: 'MPLS tunnel {mplsTunnel} is {mplsTunnelOperStatus}',
    },
    tunnel,
    [gmplsTunnelDown],
  ),
  {
    eventOid: `${mpls}.3.0.3`,
    name: 'mplsTunnelRerouted',
    alarmLevel: 4,
    alarmCategory: category.routing,
    alarmDesc: 'MPLS tunnel {mplsTunnel} takes another path',
    parameter: tunnel,
  },
  {
    eventOid: `${mpls}.3.0.4`,
    name: 'mplsTunnelReoptimized',
    alarmLevel: 5,
    alarmCategory: category.routing,
    alarmDesc: 'MPLS tunnel {mplsTunnel} was optimized again',
    parameter: tunnel,
    handling: 0,
  },
  {
    eventOid: gmplsTunnelDown,
    name: 'gmplsTunnelDown',
    alarmLevel: 2,
    alarmCategory: category.routing,
    alarmDesc: 'GMPLS tunnel {mplsTunnel} is {mplsTunnelOperStatus} (error {gmplsTunnelErrorLastErrorType})',
    parameter: [
      ...tunnel,
      shown(
        `${tunnelError}.1`,
        'gmplsTunnelErrorLastErrorType',
        '0=noError;1=unknown;2=protocol;3=pathComputation;4=localConfiguration;5=localResources;6=localOther',
      ),
      shown(`${tunnelError}.5`, 'gmplsTunnelErrorCode'),
      shown(`${tunnelError}.6`, 'gmplsTunnelErrorSubcode'),
    ],
  },
]

const ldpSessionState = `${mpls}.4.1.3.3.1.2`

const ldp: readonly StandardEvent[] = [
  {
    eventOid: `${mpls}.4.0.1`,
    name: 'mplsLdpInitSessionThresholdExceeded',
    alarmLevel: 3,
    alarmCategory: category.routing,
    alarmDesc:
      'LDP sessions cannot be set up: more than {mplsLdpEntityInitSessionThreshold} attempts; do both ends agree?',
    parameter: [
      rowKey(`${mpls}.4.1.2.3.1.11`, 'mplsLdpEntity'),
      shown(`${mpls}.4.1.2.3.1.11`, 'mplsLdpEntityInitSessionThreshold'),
    ],
  },
  {
    eventOid: `${mpls}.4.0.2`,
    name: 'mplsLdpPathVectorLimitMismatch',
    alarmLevel: 4,
    alarmCategory: category.configuration,
    alarmDesc:
      'LDP path vector limits differ: {mplsLdpEntityPathVectorLimit} here, {mplsLdpPeerPathVectorLimit} at the peer',
    parameter: [
      shown(`${mpls}.4.1.2.3.1.14`, 'mplsLdpEntityPathVectorLimit'),
      rowKey(`${mpls}.4.1.3.2.1.3`, 'mplsLdpPeer'),
      shown(`${mpls}.4.1.3.2.1.3`, 'mplsLdpPeerPathVectorLimit'),
    ],
  },
  ...pair(
    { oid: `${mpls}.4.0.3`, name: 'mplsLdpSessionUp', text: 'LDP session {mplsLdpSession} is up' },
    {
      oid: `${mpls}.4.0.4`,
      name: 'mplsLdpSessionDown',
      text: 'LDP session {mplsLdpSession} is down ({mplsLdpSessionState})',
    },
    [
      rowKey(ldpSessionState, 'mplsLdpSession'),
      shown(
        ldpSessionState,
        'mplsLdpSessionState',
        '1=nonexistent;2=initialized;3=openrec;4=opensent;5=operational',
      ),
    ],
  ),
]

const vrf = `${mpls}.11.1.2.2.1`
const vrfRoutes = `${mpls}.11.1.3.1.1.3`
// The VRF's name as it is encoded in the index: its length, then its characters as numbers.
const routeCount = [rowKey(vrfRoutes, 'mplsL3VpnVrf'), shown(vrfRoutes, 'mplsL3VpnVrfPerfCurrNumRoutes')]
const highThreshold = shown(`${vrf}.10`, 'mplsL3VpnVrfConfHighRteThresh')

const vpn: readonly StandardEvent[] = [
  ...pair(
    {
      oid: `${mpls}.11.0.1`,
      name: 'mplsL3VpnVrfUp',
      text: 'A VRF of {deviceName} is {mplsL3VpnVrfOperStatus} (index {mplsL3VpnVrf})',
    },
    {
      oid: `${mpls}.11.0.2`,
      name: 'mplsL3VpnVrfDown',
      text: 'A VRF of {deviceName} is {mplsL3VpnVrfOperStatus} (index {mplsL3VpnVrf})',
    },
    [rowKey(`${vrf}.6`, 'mplsL3VpnVrf'), shown(`${vrf}.6`, 'mplsL3VpnVrfOperStatus', '1=up;2=down')],
  ),
  {
    eventOid: `${mpls}.11.0.3`,
    name: 'mplsL3VpnVrfRouteMidThreshExceeded',
    alarmLevel: 4,
    alarmCategory: category.threshold,
    alarmDesc:
      'A VRF has {mplsL3VpnVrfPerfCurrNumRoutes} routes, over the middle threshold {mplsL3VpnVrfConfMidRteThresh}',
    parameter: [...routeCount, shown(`${vrf}.9`, 'mplsL3VpnVrfConfMidRteThresh')],
  },
  {
    eventOid: `${mpls}.11.0.4`,
    name: 'mplsL3VpnVrfNumVrfRouteMaxThreshExceeded',
    alarmLevel: 3,
    alarmCategory: category.threshold,
    alarmDesc:
      'A VRF has {mplsL3VpnVrfPerfCurrNumRoutes} routes, over the high threshold {mplsL3VpnVrfConfHighRteThresh}',
    parameter: [...routeCount, highThreshold],
  },
  {
    eventOid: `${mpls}.11.0.5`,
    name: 'mplsL3VpnNumVrfSecIllglLblThrshExcd',
    alarmLevel: 3,
    alarmCategory: category.security,
    alarmDesc:
      'A VRF was sent packets with labels that are not its own ({mplsL3VpnVrfSecIllegalLblVltns} so far)',
    parameter: [
      rowKey(`${mpls}.11.1.2.6.1.1`, 'mplsL3VpnVrf'),
      shown(`${mpls}.11.1.2.6.1.1`, 'mplsL3VpnVrfSecIllegalLblVltns'),
    ],
  },
  {
    eventOid: `${mpls}.11.0.6`,
    name: 'mplsL3VpnNumVrfRouteMaxThreshCleared',
    alarmLevel: 5,
    alarmCategory: category.threshold,
    alarmDesc: 'A VRF has {mplsL3VpnVrfPerfCurrNumRoutes} routes, below the high threshold again',
    parameter: [...routeCount, highThreshold],
    recovers: [`${mpls}.11.0.4`],
  },
]

const pwOperStatus = '1.3.6.1.2.1.10.246.1.2.1.38'
const te = '1.3.6.1.2.1.122'
const teTunnel = [key(`${te}.1.2.1.2`, 'teTunnelName'), shown(`${te}.1.3.1.2`, 'tePathName')]

const tunnels: readonly StandardEvent[] = [
  // Here too a range of pseudowires may come as one notification.
  ...pair(
    { oid: '1.3.6.1.2.1.10.246.0.2', name: 'pwUp', text: 'Pseudowire {pwIndex} is up' },
    { oid: '1.3.6.1.2.1.10.246.0.1', name: 'pwDown', text: 'Pseudowire {pwIndex} is down' },
    [rowKey(pwOperStatus, 'pwIndex'), shown(pwOperStatus, 'pwOperStatus')],
  ),
  ...pair(
    {
      oid: `${te}.0.1`,
      name: 'teTunnelUp',
      text: 'Traffic engineering tunnel {teTunnelName} is up (path {tePathName})',
    },
    { oid: `${te}.0.2`, name: 'teTunnelDown', text: 'Traffic engineering tunnel {teTunnelName} is down' },
    teTunnel,
  ),
  {
    eventOid: `${te}.0.3`,
    name: 'teTunnelChanged',
    alarmLevel: 4,
    alarmCategory: category.routing,
    alarmDesc: 'Traffic engineering tunnel {teTunnelName} now uses path {tePathName}',
    parameter: teTunnel,
  },
  {
    eventOid: `${te}.0.4`,
    name: 'teTunnelRerouted',
    alarmLevel: 4,
    alarmCategory: category.routing,
    alarmDesc: 'Traffic engineering tunnel {teTunnelName}: path {tePathName} runs over other hops',
    parameter: teTunnel,
  },
  {
    eventOid: '1.3.6.1.2.1.10.95.0.1',
    name: 'l2tpTunnelAuthFailure',
    alarmLevel: 4,
    alarmCategory: category.security,
    alarmDesc:
      'L2TP tunnel with {l2tpTunnelStatsRemoteHostName}, set up {l2tpTunnelStatsInitiated}: authentication failed',
    parameter: [
      shown('1.3.6.1.2.1.10.95.1.5.1.4', 'l2tpTunnelStatsInitiated', '1=locally;2=remotely'),
      key('1.3.6.1.2.1.10.95.1.5.1.5', 'l2tpTunnelStatsRemoteHostName'),
    ],
  },
]

export const mplsEvents: readonly StandardEvent[] = [...paths, ...ldp, ...vpn, ...tunnels]
