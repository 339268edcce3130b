// IS-IS: ISIS-MIB. As with OSPF, a state is carried in a variable, so none of these ends another.

import { category, eventsBelow, key, type StandardEvent, shown } from './definition.ts'

const isis = '1.3.6.1.2.1.138'
const note = `${isis}.1.10.1`
const level = key(`${note}.1`, 'isisNotificationSysLevelIndex', '0=none;1=area;2=domain')
const circuit = key(`${note}.2`, 'isisNotificationCircIfIndex')
const lspId = key(`${note}.3`, 'isisPduLspId')
const fragment = shown(`${note}.4`, 'isisPduFragment')
const on = 'IS-IS circuit {isisNotificationCircIfIndex}:'

const isisEvent = eventsBelow(`${isis}.0`, category.routing)

export const isisEvents: readonly StandardEvent[] = [
  isisEvent(
    1,
    'isisDatabaseOverload',
    2,
    'IS-IS database, level {isisNotificationSysLevelIndex}: overload state is now {isisSysLevelState}',
    [level, shown(`${isis}.1.2.1.1.4`, 'isisSysLevelState', '1=off;2=on;3=waiting;4=overloaded')],
  ),
  isisEvent(2, 'isisManualAddressDrops', 3, 'IS-IS ignores area address {isisNotificationAreaAddress}', [
    key(`${note}.15`, 'isisNotificationAreaAddress'),
  ]),
  isisEvent(3, 'isisCorruptedLSPDetected', 2, 'IS-IS: {isisPduLspId} is corrupt in memory', [level, lspId]),
  isisEvent(4, 'isisAttemptToExceedMaxSequence', 3, 'IS-IS: sequence number of {isisPduLspId} is used up', [
    level,
    lspId,
  ]),
  isisEvent(5, 'isisIDLenMismatch', 3, `${on} system id length {isisPduFieldLen} was received`, [
    level,
    circuit,
    shown(`${note}.5`, 'isisPduFieldLen'),
    fragment,
  ]),
  isisEvent(
    6,
    'isisMaxAreaAddressesMismatch',
    3,
    `${on} a maximum of {isisPduMaxAreaAddress} area addresses was received`,
    [level, circuit, shown(`${note}.6`, 'isisPduMaxAreaAddress'), fragment],
  ),
  isisEvent(7, 'isisOwnLSPPurge', 4, `${on} a neighbour purges our {isisPduLspId}`, [level, circuit, lspId]),
  isisEvent(
    8,
    'isisSequenceNumberSkip',
    4,
    `${on} {isisPduLspId} had to skip numbers; is our system id used twice?`,
    [level, circuit, lspId],
  ),
  isisEvent(
    9,
    'isisAuthenticationTypeFailure',
    3,
    `${on} a packet with another authentication type was received`,
    [level, circuit, fragment],
    category.security,
  ),
  isisEvent(
    10,
    'isisAuthenticationFailure',
    3,
    `${on} a packet that is not authentic was received`,
    [level, circuit, fragment],
    category.security,
  ),
  isisEvent(11, 'isisVersionSkew', 3, `${on} protocol version {isisPduProtocolVersion} was received`, [
    level,
    circuit,
    shown(`${note}.7`, 'isisPduProtocolVersion'),
    fragment,
  ]),
  isisEvent(12, 'isisAreaMismatch', 3, `${on} a neighbour shares no area with {deviceName}`, [
    circuit,
    fragment,
  ]),
  isisEvent(13, 'isisRejectedAdjacency', 3, `${on} an adjacency was rejected`, [level, circuit, fragment]),
  isisEvent(
    14,
    'isisLSPTooLargeToPropagate',
    3,
    `${on} {isisPduLspId} of {isisPduLspSize} bytes is too large to be passed on`,
    [level, circuit, shown(`${note}.8`, 'isisPduLspSize'), lspId],
  ),
  isisEvent(
    15,
    'isisOrigLSPBuffSizeMismatch',
    3,
    `${on} {isisPduLspId}: buffer size {isisPduOriginatingBufferSize} or length {isisPduBufferSize} does not fit ours`,
    [
      level,
      circuit,
      lspId,
      shown(`${note}.9`, 'isisPduOriginatingBufferSize'),
      shown(`${note}.10`, 'isisPduBufferSize'),
    ],
  ),
  isisEvent(16, 'isisProtocolsSupportedMismatch', 3, `${on} {isisPduLspId} supports no protocol of ours`, [
    level,
    circuit,
    shown(`${note}.11`, 'isisPduProtocolsSupported'),
    lspId,
    fragment,
  ]),
  isisEvent(17, 'isisAdjacencyChange', 3, `${on} adjacency with {isisPduLspId} is now {isisAdjState}`, [
    level,
    circuit,
    lspId,
    shown(`${note}.12`, 'isisAdjState', '1=down;2=initializing;3=up;4=failed'),
  ]),
  isisEvent(
    18,
    'isisLSPErrorDetected',
    4,
    `${on} {isisPduLspId} cannot be parsed at byte {isisErrorOffset}`,
    [
      level,
      lspId,
      circuit,
      fragment,
      shown(`${note}.13`, 'isisErrorOffset'),
      shown(`${note}.14`, 'isisErrorTLVType'),
    ],
  ),
]
