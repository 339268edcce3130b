// A walk over every operation of the published table, in an order in which each one has something to work on. Paths and
// bodies name what was created before by its kind: {zone} is the id of the zone that was created last.

import type { Incoming } from '../../src/alarms/engine/incoming-trap.ts'

/** Who asks; `nobody` shows no credentials, `radius` has a token for RADIUS servers. */
export type As = 'administrator' | 'viewer' | 'radius' | 'nobody' | 'browser'

export interface Step {
  /** Method, a space, path and query. */
  readonly line: string
  /** A document as JSON has it; it is sent as XML, too. A text is sent as it is. */
  readonly body?: object | string
  readonly as?: As
  readonly headers?: Readonly<Record<string, string>>
  /** Of an answer that never ends: so many documents are read. */
  readonly documents?: number
  /** On one of the stores. */
  readonly mayBeRefused?: true
}

/** What happens between two steps, by the service itself or to it. */
export type Event =
  | { readonly traps: readonly Incoming[] }
  | { readonly minutes: number }
  | { readonly sql: string }
  | { readonly listen: string }

export const start = Date.UTC(2026, 2, 10, 9, 30)

const step = (line: string, body?: object | string, more: Partial<Step> = {}): Step => ({
  line,
  ...(body !== undefined && { body }),
  ...more,
})

const csv = { 'Content-Type': 'text/csv' }

const trap = (oid: string, sourceIp: string, index: number, version: '1' | '2c' | '3' = '2c'): Incoming => ({
  kind: 'trap',
  receivedAt: start,
  sourceIp,
  agentIp: undefined,
  version,
  oid,
  uptime: 4711,
  variables: [
    { oid: `1.3.6.1.2.1.2.2.1.1.${index}`, type: 'Integer32', value: String(index) },
    { oid: `1.3.6.1.2.1.2.2.1.2.${index}`, type: 'OctetString', value: `GigabitEthernet0/${index}` },
  ],
})

const doors = {
  name: 'Cabinet doors',
  word: ['door'],
  message: [
    { pattern: String.raw`\bdoor (?P<door>\w+) is open\b`, handling: 1 },
    { pattern: String.raw`\bdoor (?P<door>\w+) is closed\b`, handling: 2 },
  ],
  key: ['door'],
  alarmLevel: 3,
  alarmDesc: 'Door {door} is open',
}

const linkDown = '1.3.6.1.6.3.1.1.5.3'
const linkUp = '1.3.6.1.6.3.1.1.5.4'
const refusedLogin = '1.3.6.1.6.3.1.1.5.5'
const unknown = '1.3.6.1.4.1.32473.8.0.1'
const malformed: Incoming = {
  kind: 'rejected',
  receivedAt: start,
  sourceIp: '10.0.0.66',
  outcome: 'malformed',
  reason: 'truncated',
  times: 3,
}

const zones = [
  step('POST /ram/zone', { name: 'Größe', description: 'x & y <z>' }),
  step('POST /ram/zone', { name: 'Empty' }),
  step('GET /ram/zone'),
  step('GET /ram/zone?name=g*&orderBy=name&desc=true'),
  step('GET /ram/zone?size=1&start=1'),
  step('GET /ram/zone?total=true'),
  step('HEAD /ram/zone/{zone}'),
  step('OPTIONS /ram/zone/{zone}'),
  step('GET /ram/zone/{zone}'),
  step('PUT /ram/zone/{zone}', { name: 'Empty', description: 'Nothing yet' }),
  step('GET /plat/data/zone'),
  step('GET /plat/data/zone?format=csv'),
  step('POST /plat/data/zone', { zone: [{ zoneId: '40', name: 'Imported' }] }),
  step('POST /plat/data/zone?dryRun=true&replace=true&records=5', {
    zone: [
      { zoneId: '40', name: 'Renamed' },
      { zoneId: '41', name: 'More' },
    ],
  }),
  step('POST /plat/data/zone', 'zoneId,name\n42,By CSV\n', { headers: csv }),
]

const inventory = [
  step('POST /plat/res/device', {
    ip: '10.0.0.1',
    label: 'Core',
    sysName: 'core.example',
    zoneId: 2,
    interfaces: [
      { ifIndex: 7, ifDesc: 'GigabitEthernet0/7' },
      { ifIndex: 8, ifDesc: 'GigabitEthernet0/8', basePort: 3 },
    ],
    otherAddress: [{ ip: '2001:DB8::1' }],
  }),
  step('POST /plat/res/device', {
    ip: '10.0.0.2',
    label: 'Access',
    zoneId: 2,
    interfaces: [{ ifIndex: 1, ifDesc: 'Gi1' }],
    parent: [{ deviceId: 1, ifIndex: 7 }],
  }),
  step('GET /plat/res/device'),
  step('GET /plat/topology'),
  step('GET /plat/topology?deviceId={device}'),
  step('GET /plat/res/device?label=c*&orderBy=ip'),
  step('GET /plat/res/device?ip=10.0.0.1'),
  step('GET /plat/res/device/{device}'),
  step('PUT /plat/res/device/{device}', { ip: '10.0.0.2', label: 'Access 2' }),
  step('GET /plat/res/device/1/interface'),
  step('GET /plat/res/device/1/interface/7'),
  step('GET /plat/data/device'),
  step('GET /plat/data/device?format=csv'),
  step('POST /plat/data/device', { device: [{ id: '50', ip: '10.0.0.50', label: 'Imported' }] }),
  step('POST /plat/res/view/custom', { name: 'Campus', member: ['1', '2'] }),
  step('POST /plat/res/view/custom', { name: 'All', allDevices: true, view: ['1'] }),
  step('GET /plat/res/view/custom'),
  step('GET /plat/res/view/custom/1'),
  step('PUT /plat/res/view/custom/{customView}', { name: 'Everything', allDevices: true }),
  step('GET /plat/data/customView'),
  step('POST /plat/data/customView', { customView: [{ symbolId: '60', name: 'Imported' }] }),
  step('POST /res/access/assignedIpScope', { startIp: '10.0.0.0', endIp: '10.0.0.9', name: 'Outer' }),
  step('POST /res/access/assignedIpScope/{assignedIpScope}', {
    startIp: '10.0.0.0',
    endIp: '10.0.0.3',
    name: 'Inner',
  }),
  step('GET /res/access/assignedIpScope'),
  step('GET /res/access/assignedIpScope/1'),
  step('PUT /res/access/assignedIpScope/2', { startIp: '10.0.0.0', endIp: '10.0.0.4', name: 'Inner' }),
  step('POST /res/access/assignedIpScope/ip?ipScopeId=1', { ip: '10.0.0.6', name: 'Wang' }),
  step('POST /res/access/assignedIpScope/ip?ipScopeId=2', { name: 'Next', description: 'the next free one' }),
  step('GET /res/access/assignedIpScope/ip?ipScopeId=1'),
  step('GET /res/access/assignedIpScope/ip/{assignedIpInfo}'),
  step('PUT /res/access/assignedIpScope/ip/{assignedIpInfo}', { ip: '10.0.0.2', name: 'Moved' }),
  step('GET /plat/data/assignedIpScope'),
  step('POST /plat/data/assignedIpScope', {
    assignedIpScope: [{ id: '70', startIp: '10.7.0.0', endIp: '10.7.0.255', name: 'Imported' }],
  }),
  step('GET /plat/data/assignedIpInfo'),
  step('POST /plat/data/assignedIpInfo', { assignedIpInfo: [{ id: '71', ip: '10.7.0.9', parentId: '70' }] }),
  step('POST /res/access/macAccessBind', {
    terminalMac: 'AA:00:00:00:00:01',
    terminalName: 'Printer',
    bindType: 2,
    ifInfo: [{ deviceId: 1, ifIndex: 8 }],
    vlan: 12,
  }),
  step('POST /res/access/macAccessBind', {
    terminalMac: 'aa:00:00:00:00:02',
    bindType: 2,
    ifInfo: [{ deviceId: 99, ifIndex: 1 }],
  }),
  step('GET /res/access/macAccessBind'),
  step('GET /res/access/macAccessBind?deviceId=1&ifIndex=8'),
  step('GET /res/access/macAccessBind/1'),
  step('PUT /res/access/macAccessBind/{macAccessBind}', {
    terminalMac: 'aa:00:00:00:00:02',
    bindType: 1,
    maintainer: 'Ömer',
  }),
  step('GET /plat/data/macAccessBind'),
  step('POST /plat/data/macAccessBind', {
    macAccessBind: [{ id: '80', terminalMac: 'aa:00:00:00:00:80', bindType: '1' }],
  }),
]

const definitions = [
  step('GET /fault/alarmCategory?size=3'),
  step('POST /fault/alarmCategory', { name: 'Power' }),
  step('GET /fault/alarmCategory/{alarmCategory}'),
  step('PUT /fault/alarmCategory/{alarmCategory}', { name: 'Power and cooling' }),
  step('GET /plat/data/alarmCategory'),
  step('POST /plat/data/alarmCategory', { alarmCategory: [{ id: '900', name: 'Imported' }] }),
  step('POST /fault/messageThreshold', { severity: 5, facility: [16, 23], zone: [1] }),
  step('GET /fault/messageThreshold'),
  step('GET /fault/messageThreshold/{messageThreshold}'),
  step('PUT /fault/messageThreshold/{messageThreshold}', { severity: 4, description: 'Plant' }),
  step('GET /plat/data/messageThreshold'),
  step('POST /plat/data/messageThreshold', { messageThreshold: [{ id: '900', severity: 6 }] }),
  step('POST /fault/messageDefinition', doors),
  step('POST /fault/messageDefinition/dryRun', doors),
  step('POST /fault/messageDefinition/proposal', { origin: 'doord', text: 'cabinet 7 door lost contact' }),
  step('GET /fault/messageDefinition'),
  step('GET /fault/messageDefinition/{messageDefinition}'),
  step('PUT /fault/messageDefinition/{messageDefinition}', {
    ...{ name: 'Doors', message: doors.message, alarmLevel: 4, network: ['10.10.0.0/16'] },
  }),
  step('GET /plat/data/messageDefinition'),
  step('POST /plat/data/messageDefinition', {
    messageDefinition: [
      { id: '900', name: 'Chatter', code: ['APP-HELLO'], message: [{ handling: 0 }] },
      { id: '901', name: 'Imported', code: ['APP-LOST'], message: [{ handling: 1 }], alarmLevel: 3 },
    ],
  }),
  step('POST /fault/mutedShape', { origin: 'app', shape: 'served request * in * ms' }),
  step('GET /fault/mutedShape'),
  step('GET /fault/mutedShape/{mutedShape}'),
  step('PUT /fault/mutedShape/{mutedShape}', { shape: 'served request *', description: 'A web server' }),
  step('GET /plat/data/mutedShape'),
  step('POST /plat/data/mutedShape', { mutedShape: [{ id: '900', shape: 'hello' }] }),
  step('GET /fault/trapEvent?name=link*'),
  step('GET /fault/trapEvent?eventOid=.1.3.6.1.6.3.1.1.5.1'),
  step('POST /fault/trapEvent', {
    eventOid: '1.3.6.1.4.1.32473.7.0.1',
    name: 'fanFailed',
    alarmLevel: 2,
    alarmCategory: 1,
    alarmDesc: 'Fan {fan} has failed',
    parameter: [{ oid: '1.3.6.1.4.1.32473.7.1.1', name: 'fan', isKey: true, labels: '1=left;2=right' }],
  }),
  step('GET /fault/trapEvent/{trapEvent}'),
  step('PUT /fault/trapEvent/{trapEvent}', {
    eventOid: '1.3.6.1.4.1.32473.7.0.1',
    name: 'fanFailed',
    alarmLevel: 1,
    alarmCategory: 1,
  }),
  step('GET /plat/data/trapEvent?format=csv'),
  step('POST /plat/data/trapEvent', {
    trapEvent: [
      {
        id: '9000',
        eventOid: '1.3.6.1.4.1.32473.7.0.9',
        name: 'Imported',
        alarmLevel: '3',
        alarmCategory: '1',
      },
    ],
  }),
  step(
    'POST /fault/mibModule?file=BELL-MIB.txt',
    `BELL-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises, NOTIFICATION-TYPE FROM SNMPv2-SMI;
bellFailed NOTIFICATION-TYPE STATUS current DESCRIPTION "The bell has failed." ::= { enterprises 32473 7 3 0 1 }
bellRestored NOTIFICATION-TYPE STATUS current DESCRIPTION "The bell works again." ::= { enterprises 32473 7 3 0 2 }
END`,
  ),
  step('GET /fault/mibModule'),
  step('GET /fault/mibModule/BELL-MIB'),
  step('GET /fault/mibProposal'),
  step('POST /fault/mibProposal/accept', { choice: ['bellFailed'] }),
  step('GET /fault/mibProposal?module=BELL-MIB&confidence=low'),
  step('GET /fault/trapRule'),
  step('POST /fault/trapRule', {
    trapRuleName: 'Quiet',
    trapOId: '.1.3.6.1.6.3.1.1.5.5',
    trapGroup: -1,
    startDay: '2026-03-01',
    endDay: '2026-03-31',
    trapDevice: [{ displayName: 'Core', devID: 1 }],
  }),
  step('GET /fault/trapRule/{trapRule}'),
  step('PUT /fault/trapRule/{trapRule}', {
    trapRuleName: 'Quieter',
    selectedWeekDay: '1,2',
    trapDevice: [{ displayName: 'any', devID: 0 }],
  }),
  step('GET /plat/data/trapRule'),
  step('POST /plat/data/trapRule', {
    trapRule: [
      {
        id: '90',
        trapRuleName: 'Imported',
        trapOId: '1.3.6.1.4.1.32473.99',
        trapGroup: '-1',
        trapDevice: [{ displayName: 'any', devID: '0' }],
      },
    ],
  }),
]

const alarms = [
  {
    traps: [trap(linkDown, '10.0.0.1', 7), trap(linkDown, '10.0.0.1', 8), trap(unknown, '10.0.0.2', 1, '1')],
  },
  { minutes: 1 },
  {
    traps: [
      trap(linkDown, '10.0.0.1', 7),
      trap(linkUp, '10.0.0.1', 8),
      trap(refusedLogin, '10.0.0.1', 1),
      malformed,
    ],
  },
  { minutes: 1 },
  step('POST /fault/alarm', {
    OID: '1.3.6.1.4.1.32473.9.1',
    alarmLevel: 1,
    deviceIp: '10.0.0.1',
    alarmDesc: 'Smoke in the "server" room',
  }),
  step('POST /fault/alarm', {
    OID: '1.3.6.1.4.1.32473.9.1',
    alarmLevel: 1,
    deviceIp: '10.0.0.1',
    alarmDesc: 'Smoke in the "server" room',
  }),
  step('POST /fault/alarm', { OID: '1.3.6.1.4.1.32473.9.2', alarmLevel: 3, deviceIp: '10.0.0.2' }),
  step('GET /fault/alarm'),
  step('GET /fault/alarm?alarmLevel=1,2&desc=true&orderBy=faultTime&size=2'),
  step('GET /fault/alarm?recStatus=1'),
  step('GET /fault/alarm?deviceIp=10.0.0.1&total=true'),
  step('GET /fault/alarm/1'),
  step('GET /fault/alarm/{alarm}'),
  step('PUT /fault/alarm/{alarm}', { remark: 'seen' }),
  step('PUT /fault/alarm/acknowledge/{alarm}', { note: 'on my way' }),
  step('PUT /fault/alarm/unacknowledge/{alarm}'),
  step('PUT /fault/alarm/assign/{alarm}', { owner: 'administrator', note: 'yours' }),
  step('POST /fault/alarm/{alarm}/note', { note: 'The door was open' }),
  step('PUT /fault/alarm/shelve/{alarm}', { minutes: 10 }),
  step('GET /fault/alarm/{alarm}'),
  step('PUT /fault/alarm/unshelve/{alarm}'),
  step('PUT /fault/alarm/acknowledge?alarmLevel=2', { note: 'all of them' }),
  step('PUT /fault/alarm/unacknowledge?id=1'),
  step('PUT /fault/alarm/assign?id=1', { owner: 'viewer' }),
  step('POST /fault/alarm/note?id=1', { note: 'All of them' }),
  step('PUT /fault/alarm/shelve?id=1', { untilWorse: true }),
  step('PUT /fault/alarm/unshelve?id=1'),
  { minutes: 1 },
  step('PUT /fault/alarm/recover?id={alarm}'),
  step('GET /fault/alarm/{alarm}/history'),
  step('GET /fault/alarmSpan'),
  step('GET /fault/alarmSpan?from=1773133200&until=1773219600&deviceId=1'),
  step('GET /fault/alarm/1/history'),
  step('GET /fault/alarm/1/impact'),
  step('GET /fault/alarm/1/check'),
  step('GET /fault/faultRealTime'),
  step('GET /fault/overview'),
  step('GET /fault/statistics'),
  step('GET /fault/statistics?by=device&from=2026-03-10&to=2026-03-10'),
  step('GET /fault/trap'),
  step('GET /fault/trap?bin=raised&desc=true'),
  step('GET /fault/trap/1'),
  step('GET /fault/syslogMessage?severity=3'),
  step('GET /fault/syslogShape'),
  step('GET /fault/trapLedger'),
  step('GET /fault/trapLedger?sourceIp=10.0.0.1'),
  step('POST /fault/trapRule/dryRun', {
    trapOId: linkDown,
    trapGroup: -1,
    trapDevice: [{ displayName: 'Core', devID: 1 }],
  }),
  step('POST /fault/trapEvent/dryRun', {
    eventOid: unknown,
    name: 'nowKnown',
    alarmLevel: 2,
    alarmCategory: 1,
  }),
  step('GET /fault/trap/1/event'),
  step('POST /fault/trapEvent/test', {
    trapEvent: [{ eventOid: unknown, name: 'nowKnown', alarmLevel: 2, alarmCategory: 1 }],
    trap: [{ OID: unknown, sourceIp: '10.0.0.9', variables: [{ oid: `${unknown}.1`, value: '7' }] }],
    trapId: ['1'],
  }),
  step('POST /fault/trapEvent/translate', {
    file: [
      {
        name: 'snmptt.conf',
        text: `EVENT nowKnown .${unknown} "Status" Major\nFORMAT Now known: $1\nEXEC page`,
      },
    ],
  }),
  step('PUT /fault/trapEvent/relabel/1'),
  step('POST /fault/maintenance/dryRun', { name: 'Trial', minutes: 30, device: ['1'] }),
  step('POST /fault/maintenance', { name: 'Now', reason: 'new fans', minutes: 30, device: ['1'] }),
  step('GET /fault/maintenance'),
  step('GET /fault/maintenance/{maintenance}'),
  step('PUT /fault/maintenance/{maintenance}', { name: 'Now', owner: 'Ömer', device: ['1'] }),
  step('PUT /fault/maintenance/end/{maintenance}'),
  step('GET /plat/data/maintenance'),
  step('POST /plat/data/maintenance', {
    maintenance: [
      { id: '95', name: 'Imported', startDay: '2026-04-01', endDay: '2026-04-02', device: ['2'] },
    ],
  }),
  step('PUT /fault/alarm/recover/1'),
]

const push = [
  step('GET /events?type=11&snapshot=true', undefined, { documents: 2 }),
  step('GET /events?type=11&snapshot=true&cursor=true', undefined, { documents: 3 }),
  step('GET /events?type=11&snapshot=true', undefined, {
    documents: 2,
    headers: { Accept: 'text/event-stream' },
  }),
  { listen: 'away' },
  { listen: 'desk/1' },
  step('GET /events/registrations'),
  step('POST /events/registrations/desk%2F1/test'),
  step('DELETE /events/registrations/desk%2F1'),
]

const reports = [
  step('GET /report/report'),
  step('GET /report/reportType'),
  step('POST /report/reportType', { name: 'New type' }),
  step('GET /report/reportType/{reportType}'),
  step('PUT /report/reportType/{reportType}', { name: 'Renamed type' }),
  step('GET /plat/data/reportType'),
  step('POST /plat/data/reportType', { reportType: [{ id: '900', name: 'Imported' }] }),
  step('GET /report/reportTemplate?reportDefinedType=-1&size=3'),
  step('POST /report/reportTemplate', { name: 'Mine', reportTypeName: 'Alarm Report' }),
  step('GET /report/reportTemplate/{reportTemplate}'),
  step('PUT /report/reportTemplate/{reportTemplate}', { name: 'Still mine', reportTypeName: 'Alarm Report' }),
  step('GET /plat/data/reportTemplate?format=csv'),
  step('POST /plat/data/reportTemplate', {
    reportTemplate: [{ id: '900', name: 'Imported', reportTypeName: 'Alarm Report' }],
  }),
  step('GET /report/reportTemplate/1/run'),
  step('POST /report/reportTemplate/1/run?format=json'),
  step('POST /report/reportTemplate/1/run?format=csv'),
  step('POST /report/reportTemplate/1/run?format=html'),
  step('GET /report/result'),
  step('GET /report/result/1?format=json'),
  step('GET /report/result/1?format=csv'),
  step('GET /report/result/1?format=html'),
  step('GET /report/result/1?format=pdf'),
  step('POST /report/reportSchedule', { templateId: 1, every: 'daily', time: '06:00', enabled: false }),
  step('GET /report/reportSchedule'),
  step('GET /report/reportSchedule/{reportSchedule}'),
  step('PUT /report/reportSchedule/{reportSchedule}', { templateId: 1, every: 'daily', enabled: false }),
]

const terminals = [
  step(
    'POST /res/access/authorize',
    { sourceIp: '10.0.0.1', userName: 'aa0000000001', callingStationId: 'aa-00-00-00-00-01', nasPort: '8' },
    { as: 'radius' },
  ),
  step(
    'POST /res/access/authorize?as=radius',
    { sourceIp: '10.0.0.1', userName: 'aa0000000077', callingStationId: 'aa-00-00-00-00-77', nasPort: '8' },
    { as: 'radius' },
  ),
  step(
    'POST /res/access/accounting',
    { sourceIp: '10.0.0.1', callingStationId: 'aa-00-00-00-00-01', nasPort: '8', acctStatusType: 'Start' },
    { as: 'radius' },
  ),
  step('GET /res/access/terminal'),
  step('GET /res/access/terminal/1'),
  step('GET /res/access/terminalStay'),
  step('DELETE /res/access/terminal/1'),
]

const people = [
  step('POST /plat/operator', { name: 'berta', role: 'viewer', password: 'a bell in the tower 9' }),
  step('GET /plat/operator'),
  step('GET /plat/operator/{operator}'),
  step('PUT /plat/operator/{operator}', { name: 'berta', role: 'operator', fullName: 'Berta B.' }),
  step('GET /plat/operator/name'),
  step('GET /plat/operator/self'),
  step('PUT /plat/operator/self', { fullName: 'The Administrator' }),
  step('GET /plat/operatorGroup'),
  step('POST /plat/operatorGroup', { operatorGroupName: 'Night shift' }),
  step('GET /plat/operatorGroup/{operatorGroup}'),
  step('PUT /plat/operatorGroup/{operatorGroup}', { operatorGroupName: 'Day shift' }),
  step('POST /plat/token', { description: 'for a program', scope: 'viewer' }),
  step('GET /plat/token?size=1'),
  step('GET /plat/token/{token}'),
  step('GET /console/session', undefined, { as: 'nobody' }),
  step('GET /console/session', undefined, { as: 'viewer' }),
  step(
    'POST /console/session',
    { name: 'viewer', password: 'reweiv-horse-staple-9' },
    { as: 'browser', headers: { 'User-Agent': 'Golden/1' } },
  ),
  step('GET /plat/session'),
  step('GET /plat/session/1'),
  step('DELETE /plat/session/1'),
  step('DELETE /console/session', undefined, { as: 'viewer' }),
]

const service = [
  step('GET /'),
  step('GET /health', undefined, { as: 'nobody' }),
  step('GET /health/traps', undefined, { as: 'nobody' }),
  step('GET /metrics'),
  step('GET /metrics/devices'),
  step('GET /metrics/devices?zoneId=x', undefined, { mayBeRefused: true }),
  step('GET /plat/check'),
  { sql: "insert into tally (table_name, column_name, value, n) values ('zone', 'none', '', 1)" },
  step('POST /plat/check/repair'),
  step('GET /plat/node'),
  step('GET /plat/clock'),
  { sql: 'insert into store_clock (one, jump, jumped_to, trusted) values (1, 7200000, 1000, 0)' },
  step('GET /plat/clock'),
  step('PUT /plat/clock/confirm'),
  step('GET /plat/setting'),
  step('POST /plat/key/rotation'),
  step('GET /plat/audit?resource=zone&size=4'),
  step('GET /plat/audit?resource=alarm&action=raise'),
  step('GET /plat/audit/1'),
  step('GET /plat/data/audit?format=csv'),
]

const mail = { kind: 'mail', host: 'mail.example.net', sender: 'alarms@example.net' }

const notify = [
  step('GET /notify/gateway/template'),
  step('POST /notify/gateway', { name: 'Mail', ...mail, userName: 'belfry', password: 'never shown' }),
  step('POST /notify/gateway', { name: 'Phones', kind: 'webhook', template: 'ntfy' }),
  step('GET /notify/gateway'),
  step('GET /notify/gateway?kind=mail&name=m*'),
  step('GET /notify/gateway/1'),
  step('PUT /notify/gateway/1', { name: 'Mail', kind: 'mail', description: 'Our relay' }),
  step('GET /notify/gateway/name', undefined, { as: 'viewer' }),
  step('POST /notify/contact', { name: 'Ann', operatorId: 1, timeZone: 'Europe/Berlin' }),
  step('POST /notify/contact', { name: 'Ümit', quietFrom: '22:00', quietTo: '06:30', quietLevel: 2 }),
  step('GET /notify/contact?orderBy=name', undefined, { as: 'viewer' }),
  step('GET /notify/contact/1'),
  step('PUT /notify/contact/{contact}', { name: 'Ümit', quietFrom: '', quietTo: '', quietLevel: '' }),
  step('POST /notify/team', { name: 'Night shift', contactId: ['1', '2'] }),
  step('POST /notify/team', { name: 'Nobody' }),
  step('GET /notify/team'),
  step('GET /notify/team/1'),
  step('PUT /notify/team/{team}', { name: 'Nobody', description: 'Not yet' }),
  step('POST /notify/channel', { contactId: 1, gatewayId: 1, address: 'ann@example.net' }),
  step('POST /notify/channel', { gatewayId: 2, address: 'noc', name: 'The screen in the NOC' }),
  step('GET /notify/channel'),
  step('GET /notify/channel', undefined, { as: 'viewer' }),
  step('GET /notify/channel/1'),
  step('PUT /notify/channel/{channel}', { gatewayId: 2, address: 'noc-2' }),
  step('POST /notify/route', {
    name: 'Core',
    filter: 'alarmLevel=1,2',
    delay: 60,
    step: [{ target: 'contact:1' }, { after: 600, target: 'team:1' }],
  }),
  step('POST /notify/route', {
    name: 'Nights',
    fromTime: '20:00',
    toTime: '06:00',
    step: [{ target: 'schedule:1' }],
  }),
  step('GET /notify/route', undefined, { as: 'viewer' }),
  step('GET /notify/route/1'),
  step('PUT /notify/route/{route}', { name: 'Nights', enabled: false, step: [{ target: 'schedule:1' }] }),
  step('POST /notify/route/dryRun?days=1', {
    name: 'Trial',
    filter: 'deviceIp=192.0.2.99',
    step: [{ target: 'contact:1' }],
  }),
  step('POST /notify/dryRun', {
    ...{ OID: '1.3.6.1.6.3.1.1.5.3', deviceIp: '192.0.2.99', alarmLevel: 1, time: 1773140000 },
  }),
  step('GET /notify/notification?size=1&routeId=1'),
  {
    sql: "insert into notification (id, route_id, incident_id, alarm_id, log_number, change, detail, step, contact_id, channel_id, outcome, attempts, message_id, attempt_open, created_time, attempt_time, end_time, give_up_at) values (1000, 1, 1000, 1, 1, 'raised', '', 1, 1, 1, 'delivered', 1, 'm-1000', 0, 1773140000000, 1773140001000, 1773140002000, 1773143600000)",
  },
  step('GET /notify/notification/1000'),
  step('GET /fault/alarm/1/notification'),
  step('DELETE /notify/route/{route}'),
  // Nothing is sent from here: the target is this machine, which is not allowed.
  step('POST /notify/gateway', { name: 'Here', kind: 'webhook', url: 'http://127.0.0.1:9/' }),
  step('POST /notify/gateway/{gateway}/test', { address: 'x' }),
  step('POST /notify/channel', { contactId: 1, gatewayId: 3, address: 'x' }),
  step('POST /notify/channel/{channel}/test'),
  step('POST /notify/channel/{channel}/code'),
  step('DELETE /notify/channel/{channel}'),
  step('DELETE /notify/gateway/{gateway}'),
  step('PUT /notify/channel/2/confirm'),
  step('DELETE /notify/channel/2'),
  step('DELETE /notify/team/{team}'),
  step('DELETE /notify/contact/{contact}'),
  step('DELETE /notify/gateway/2'),
]

const base = { name: 'base', rotation: 'weekly', handOver: '08:00', startDay: '2026-03-02', contact: ['1'] }
const nights = { name: 'nights', rotation: 'byHand', contact: ['1'], startTime: '18:00', endTime: '08:00' }

const onCall = [
  step('POST /notify/schedule', { name: 'Network', timeZone: 'Europe/Berlin', layer: [base, nights] }),
  step('POST /notify/schedule', { name: 'Nights', timeZone: 'UTC', layer: [nights] }),
  step('GET /notify/schedule', undefined, { as: 'viewer' }),
  step('GET /notify/schedule?name=net*&orderBy=name'),
  step('GET /notify/schedule/1'),
  step('PUT /notify/schedule/{schedule}', { name: 'Nights', timeZone: 'UTC', layer: [nights] }),
  step('PUT /notify/schedule/1/handOver', { layer: 'nights' }),
  step('POST /notify/override', { scheduleId: 1, contactId: 1, fromTime: 1773140000, toTime: 1773150000 }),
  step('POST /notify/override', { scheduleId: 1, contactId: 1, fromTime: 1773300000, toTime: 1773310000 }),
  step('GET /notify/override?scheduleId=1&endsAfter=1773150000'),
  step('GET /notify/override/1'),
  step('PUT /notify/override/{override}', {
    ...{ scheduleId: 1, contactId: 1, fromTime: 1773140000, toTime: 1773150000, reason: 'Wedding' },
  }),
  step('GET /notify/shift?toTime=1773400000', undefined, { as: 'viewer' }),
  step('GET /notify/shift?scheduleId=1&contactId=1&fromTime=1773140000&toTime=1773200000'),
  step('POST /notify/calendarFeed', { scheduleId: 1, description: 'Network' }),
  step('GET /notify/calendarFeed'),
  step('GET /notify/calendarFeed/{calendarFeed}'),
  step('DELETE /notify/calendarFeed/{calendarFeed}'),
  step('POST /notify/heartbeat', { name: 'Backup', everySeconds: 86400, graceSeconds: 3600 }),
  step('POST /notify/heartbeat', { name: 'Old', everySeconds: 60 }),
  step('POST /events/heartbeat/backup'),
  step('GET /notify/heartbeat'),
  step('GET /notify/heartbeat/{heartbeat}'),
  step('PUT /notify/heartbeat/{heartbeat}', { name: 'Old', everySeconds: 60, enabled: false }),
  step('POST /notify/heartbeat', { name: 'Third', everySeconds: 60 }),
  step('DELETE /notify/heartbeat/{heartbeat}'),
  step('POST /notify/outgoingHeartbeat', {
    ...{ name: 'Watchdog', everySeconds: 300, url: 'https://watch.example.net/ping/abc', enabled: false },
  }),
  step('POST /notify/outgoingHeartbeat', {
    ...{ name: 'By mail', everySeconds: 3600, gatewayId: 1, address: 'watch@example.net', enabled: false },
  }),
  step('GET /notify/outgoingHeartbeat'),
  step('GET /notify/outgoingHeartbeat/{outgoingHeartbeat}'),
  step('PUT /notify/outgoingHeartbeat/{outgoingHeartbeat}', { name: 'By mail', everySeconds: 7200 }),
  step('DELETE /notify/outgoingHeartbeat/{outgoingHeartbeat}'),
  step('DELETE /notify/override/{override}'),
  step('DELETE /notify/schedule/{schedule}'),
]

const asking = [
  step('POST /plat/askProfile', {
    ...{ name: 'Access', version: '3', userName: 'ops', authAlgorithm: 'sha256', privAlgorithm: 'aes256' },
    ...{ authPassword: 'authentication', privPassword: 'private words', addressRange: ['192.0.2.0/24'] },
  }),
  step('POST /plat/askProfile', {
    ...{ name: 'Nothing there', version: '2c', community: 'lab words', description: 'A port that is closed' },
    ...{ addressRange: ['127.0.0.9', '2001:db8::/48'], zone: [1], port: 9, timeoutSeconds: 1, tries: 1 },
  }),
  step('GET /plat/askProfile'),
  step('GET /plat/askProfile/{askProfile}'),
  step('PUT /plat/askProfile/{askProfile}', { name: 'Nobody there', version: '2c', device: [1] }),
  step('POST /plat/askProfile/{askProfile}/test', { ip: '127.0.0.9' }),
  step('POST /plat/discovery', {
    ...{ name: 'Site', addressRange: ['192.0.2.0/24'], neighbourRange: ['198.51.100.0/24', '2001:db8::/48'] },
    ...{ description: 'Access switches' },
  }),
  step('GET /plat/discovery'),
  step('GET /plat/discovery/{discovery}'),
  step('PUT /plat/discovery/{discovery}', { name: 'Site', description: 'All switches', zoneId: 1 }),
  step('POST /plat/discovery/{discovery}/accept', { found: [1] }),
  // It lasts for minutes, and asks loopback alone.
  step('POST /plat/discovery', { name: 'Under way', addressRange: ['127.1.0.0/16'] }),
  step('POST /plat/discovery/{discovery}/start'),
  step('POST /plat/discovery/{discovery}/stop'),
  step('GET /plat/discovered'),
  step('GET /plat/reachability'),
  step('GET /plat/reachHistory?deviceId=1'),
  step('GET /plat/deviceFacts'),
  step('GET /plat/port'),
  step('GET /plat/neighbour'),
  step('GET /plat/macEntry'),
  step('GET /plat/arpEntry'),
  step('GET /plat/macLocation?mac=001b.4411.3ab7'),
  step('GET /res/access/realtimeLocate?type=2&value=192.0.2.77'),
  step('GET /res/access/ipMacArp/1'),
  step('GET /plat/res/vendor'),
  step('GET /plat/res/category'),
  step('GET /plat/res/series'),
  step('GET /plat/res/model'),
  step('GET /plat/link'),
  step('GET /plat/deviceChange'),
  step('DELETE /plat/discovery/{discovery}'),
  step('DELETE /plat/askProfile/{askProfile}'),
]

const endings = [
  step('DELETE /report/result/1'),
  step('DELETE /report/reportSchedule/{reportSchedule}'),
  step('DELETE /report/reportTemplate/{reportTemplate}'),
  step('DELETE /report/reportType/{reportType}'),
  step('DELETE /fault/maintenance/{maintenance}'),
  step('DELETE /fault/alarm/{alarm}'),
  step('DELETE /fault/trapRule/{trapRule}'),
  step('DELETE /fault/trapEvent/9000'),
  step('DELETE /fault/mibModule/BELL-MIB'),
  step('DELETE /fault/messageThreshold/{messageThreshold}'),
  step('DELETE /fault/messageDefinition/{messageDefinition}'),
  step('DELETE /fault/mutedShape/{mutedShape}'),
  step('DELETE /fault/alarmCategory/{alarmCategory}'),
  step('DELETE /res/access/macAccessBind/{macAccessBind}'),
  step('DELETE /res/access/assignedIpScope/ip/{assignedIpInfo}'),
  step('DELETE /res/access/assignedIpScope/2'),
  step('DELETE /plat/res/view/custom/{customView}'),
  step('DELETE /plat/res/device/50'),
  step('DELETE /ram/zone/40'),
  step('DELETE /plat/operatorGroup/{operatorGroup}'),
  step('DELETE /plat/token/{token}'),
  step('DELETE /plat/operator/{operator}'),
  step('GET /plat/backup', undefined, { mayBeRefused: true }),
  step('POST /fault/alarm', {
    alarm: [
      { OID: '1.3.6.1.4.1.32473.9.7', alarmLevel: 2, resource: 'rack 1' },
      { OID: '1.3.6.1.4.1.32473.9.7', alarmLevel: 3, resource: 'rack 2' },
      { OID: '1.3.6.1.4.1.32473.9.7', alarmLevel: 1, resource: 'rack 1' },
    ],
  }),
  step('POST /fault/alarm', {
    alarm: [{ OID: '1.3.6.1.4.1.32473.9.7', alarmLevel: 3, resource: 'rack 2' }],
  }),
]

/** By the name of the file that they are recorded in. */
export const chapters: Readonly<Record<string, readonly (Step | Event)[]>> = {
  zones,
  inventory,
  definitions,
  alarms,
  push,
  reports,
  terminals,
  people,
  service,
  notify,
  onCall,
  asking,
  endings,
}
