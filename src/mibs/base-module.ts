// The definitions that every module builds on, built in so that nobody has to load them: the roots of the OID tree,
// the types of SMI, the standard textual conventions, and the objects that index half of all tables.

import type { ModuleText, NodeText, Syntax, TypeText } from './module-text.ts'

/** Types that need no definition. */
export const primitives: ReadonlySet<string> = new Set([
  ...['INTEGER', 'OCTET STRING', 'OBJECT IDENTIFIER', 'NULL', 'BITS', 'BIT STRING', 'BOOLEAN'],
  ...[
    'SEQUENCE',
    'SEQUENCE OF',
    'CHOICE',
    'Integer32',
    'Unsigned32',
    'UInteger32',
    'Integer64',
    'Unsigned64',
  ],
  ...['Counter', 'Counter32', 'Counter64', 'Gauge', 'Gauge32', 'TimeTicks', 'IpAddress', 'NetworkAddress'],
  ...['Opaque', 'NsapAddress', 'ObjectName', 'ObjectSyntax', 'NotificationName', 'SimpleSyntax'],
  ...['ApplicationSyntax', 'ExtUTCTime', 'Float', 'Double'],
])

const roots: Readonly<Record<string, string>> = {
  ccitt: '0',
  iso: '1',
  'joint-iso-ccitt': '2',
  zeroDotZero: '0.0',
  org: '1.3',
  dod: '1.3.6',
  internet: '1.3.6.1',
  directory: '1.3.6.1.1',
  mgmt: '1.3.6.1.2',
  'mib-2': '1.3.6.1.2.1',
  experimental: '1.3.6.1.3',
  private: '1.3.6.1.4',
  enterprises: '1.3.6.1.4.1',
  security: '1.3.6.1.5',
  snmpV2: '1.3.6.1.6',
  snmpDomains: '1.3.6.1.6.1',
  snmpProxys: '1.3.6.1.6.2',
  snmpModules: '1.3.6.1.6.3',
  snmpMIB: '1.3.6.1.6.3.1',
  snmpMIBObjects: '1.3.6.1.6.3.1.1',
  snmpTrap: '1.3.6.1.6.3.1.1.4',
  snmpTraps: '1.3.6.1.6.3.1.1.5',
  system: '1.3.6.1.2.1.1',
  interfaces: '1.3.6.1.2.1.2',
  ifTable: '1.3.6.1.2.1.2.2',
  at: '1.3.6.1.2.1.3',
  ip: '1.3.6.1.2.1.4',
  icmp: '1.3.6.1.2.1.5',
  tcp: '1.3.6.1.2.1.6',
  udp: '1.3.6.1.2.1.7',
  egp: '1.3.6.1.2.1.8',
  transmission: '1.3.6.1.2.1.10',
  snmp: '1.3.6.1.2.1.11',
  ifMIB: '1.3.6.1.2.1.31',
  ifMIBObjects: '1.3.6.1.2.1.31.1',
  ifXTable: '1.3.6.1.2.1.31.1.1',
}

type Values = readonly (readonly [string, number])[]

const named = (...names: readonly string[]): Values => names.map((name, index) => [name, index + 1] as const)

const operation = named('up', 'down', 'testing', 'unknown', 'dormant', 'notPresent', 'lowerLayerDown')

/** Name, place, type; labels where its values have them. */
const objects: readonly (readonly [string, string, string, Values?])[] = [
  ['sysDescr', '1.3.6.1.2.1.1.1', 'DisplayString'],
  ['sysObjectID', '1.3.6.1.2.1.1.2', 'OBJECT IDENTIFIER'],
  ['sysUpTime', '1.3.6.1.2.1.1.3', 'TimeTicks'],
  ['sysContact', '1.3.6.1.2.1.1.4', 'DisplayString'],
  ['sysName', '1.3.6.1.2.1.1.5', 'DisplayString'],
  ['sysLocation', '1.3.6.1.2.1.1.6', 'DisplayString'],
  ['snmpTrapOID', '1.3.6.1.6.3.1.1.4.1', 'OBJECT IDENTIFIER'],
  ['snmpTrapEnterprise', '1.3.6.1.6.3.1.1.4.3', 'OBJECT IDENTIFIER'],
  ['ifIndex', '1.3.6.1.2.1.2.2.1.1', 'InterfaceIndex'],
  ['ifDescr', '1.3.6.1.2.1.2.2.1.2', 'DisplayString'],
  ['ifAdminStatus', '1.3.6.1.2.1.2.2.1.7', 'INTEGER', named('up', 'down', 'testing')],
  ['ifOperStatus', '1.3.6.1.2.1.2.2.1.8', 'INTEGER', operation],
  ['ifName', '1.3.6.1.2.1.31.1.1.1.1', 'DisplayString'],
  ['ifAlias', '1.3.6.1.2.1.31.1.1.1.18', 'DisplayString'],
]

export const dateAndTimeHint = '2d-1d-1d,1d:1d:1d.1d,1a1d:1d'

/** Name, type, hint, values. */
const types: readonly (readonly [string, string, (string | undefined)?, Values?])[] = [
  ['DisplayString', 'OCTET STRING', '255a'],
  ['PhysAddress', 'OCTET STRING', '1x:'],
  ['MacAddress', 'OCTET STRING', '1x:'],
  ['TruthValue', 'INTEGER', undefined, named('true', 'false')],
  ['TestAndIncr', 'INTEGER'],
  ['AutonomousType', 'OBJECT IDENTIFIER'],
  ['InstancePointer', 'OBJECT IDENTIFIER'],
  ['VariablePointer', 'OBJECT IDENTIFIER'],
  ['RowPointer', 'OBJECT IDENTIFIER'],
  [
    'RowStatus',
    'INTEGER',
    undefined,
    named('active', 'notInService', 'notReady', 'createAndGo', 'createAndWait', 'destroy'),
  ],
  ['TimeStamp', 'TimeTicks'],
  ['TimeInterval', 'INTEGER'],
  ['DateAndTime', 'OCTET STRING', dateAndTimeHint],
  ['StorageType', 'INTEGER', undefined, named('other', 'volatile', 'nonVolatile', 'permanent', 'readOnly')],
  ['TDomain', 'OBJECT IDENTIFIER'],
  ['TAddress', 'OCTET STRING'],
  ['SnmpAdminString', 'OCTET STRING', '255t'],
  ['SnmpEngineID', 'OCTET STRING'],
  ['SnmpTagValue', 'OCTET STRING', '255t'],
  ['SnmpTagList', 'OCTET STRING', '255t'],
  ['SnmpSecurityLevel', 'INTEGER', undefined, named('noAuthNoPriv', 'authNoPriv', 'authPriv')],
  ['SnmpSecurityModel', 'INTEGER'],
  ['SnmpMessageProcessingModel', 'INTEGER'],
  ['InterfaceIndex', 'Integer32', 'd'],
  ['InterfaceIndexOrZero', 'Integer32', 'd'],
  ['IANAifType', 'INTEGER'],
  ['OwnerString', 'OCTET STRING', '255a'],
  ['EntryStatus', 'INTEGER', undefined, named('valid', 'createRequest', 'underCreation', 'invalid')],
  ['PhysicalIndex', 'Integer32', 'd'],
  ['PhysicalIndexOrZero', 'Integer32', 'd'],
  [
    'InetAddressType',
    'INTEGER',
    undefined,
    [
      ['unknown', 0],
      ['ipv4', 1],
      ['ipv6', 2],
      ['ipv4z', 3],
      ['ipv6z', 4],
      ['dns', 16],
    ],
  ],
  ['InetAddress', 'OCTET STRING'],
  ['InetAddressIPv4', 'OCTET STRING', '1d.1d.1d.1d'],
  ['InetAddressIPv6', 'OCTET STRING', '2x:2x:2x:2x:2x:2x:2x:2x'],
  ['InetAddressIPv4z', 'OCTET STRING', '1d.1d.1d.1d%4d'],
  ['InetAddressIPv6z', 'OCTET STRING', '2x:2x:2x:2x:2x:2x:2x:2x%4d'],
  ['InetScopeType', 'INTEGER'],
  ['InetZoneIndex', 'Unsigned32', 'd'],
  ['InetAddressDNS', 'OCTET STRING', '255a'],
  ['InetAddressPrefixLength', 'Unsigned32', 'd'],
  ['InetPortNumber', 'Unsigned32', 'd'],
  ['InetAutonomousSystemNumber', 'Unsigned32', 'd'],
  ['InetVersion', 'INTEGER', undefined, [['unknown', 0], ...named('ipv4', 'ipv6')]],
  ['BridgeId', 'OCTET STRING', '1x:'],
  ['VlanId', 'Integer32', 'd'],
  ['VlanIndex', 'Unsigned32', 'd'],
  ['TimeFilter', 'TimeTicks'],
  ['ZeroBasedCounter32', 'Gauge32'],
  ['ZeroBasedCounter64', 'Counter64'],
  ['CounterBasedGauge64', 'Counter64'],
  ['Utf8String', 'OCTET STRING', '255t'],
  ['LongUtf8String', 'OCTET STRING', '1024t'],
]

const path = (oid: string) => oid.split('.').map(Number)

function object([name, oid, type, values]: (typeof objects)[number]): NodeText {
  const syntax: Syntax = values ? { type, values } : { type }
  return { name, line: 0, path: path(oid), syntax, access: 'read-only' }
}

function convention([name, type, hint, values]: (typeof types)[number]): TypeText {
  const syntax: Syntax = values ? { type, values } : { type }
  return hint === undefined ? { name, line: 0, syntax } : { name, line: 0, syntax, hint }
}

const row = (name: string, oid: string, more: Partial<NodeText>): NodeText => ({
  name,
  line: 0,
  path: path(oid),
  syntax: { type: 'SEQUENCE' },
  ...more,
})

/** As if it had been read from a file. */
export const baseModule: ModuleText = {
  name: '',
  line: 0,
  imports: [],
  nodes: [
    ...Object.entries(roots).map(([name, oid]) => ({ name, line: 0, path: path(oid) })),
    row('ifEntry', '1.3.6.1.2.1.2.2.1', { index: ['ifIndex'] }),
    row('ifXEntry', '1.3.6.1.2.1.31.1.1.1', { augments: 'ifEntry' }),
    ...objects.map(object),
  ],
  types: types.map(convention),
  notifications: [],
}
