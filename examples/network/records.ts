// What the sample network holds beside its devices and addresses: zones, trap rules, report templates. Ids begin behind
// those of a new store.

import type { maintenance } from '../../src/resources/alarms/maintenance.ts'
import type { trapRule } from '../../src/resources/alarms/trap-rule.ts'
import type { reportTemplate } from '../../src/resources/reports/report-template.ts'
import type { DraftOf } from '../../src/schema/resource.ts'

export const zones = [
  ['Hamburg Headquarters', 'Offices, development, server room'],
  ['Lyon Plant', 'Production halls 1 and 2'],
  ['Boston Office', 'Sales and service, Americas'],
  ['Singapore Warehouse', 'Distribution, Asia-Pacific'],
  ['Core', 'Routers, firewalls and core switches of all sites'],
  ['Access', 'Access switches of all sites'],
  ['Wireless', 'Access points of all sites'],
  ['Power', 'UPSs of all sites'],
  ['Production', 'Controllers and test benches; changes only in the maintenance window'],
  ['Public', 'Reachable from the Internet'],
  ['Guests', 'Guest Wi-Fi; no way into the company network'],
  ['Laboratory', ''],
].map(([name = '', description = ''], index) => ({
  zoneId: BigInt(index + 2),
  name,
  description: description === '' ? null : description,
}))

type TrapRule = DraftOf<typeof trapRule.fields>
type Target = { readonly displayName: string; readonly devID: number }

const on = (...targets: Target[]) => targets.map((target) => ({ ...target, trapFilterEventParasInfo: [] }))
const anyDevice = { displayName: 'any device', devID: 0 }

const upsTestCompleted = '1.3.6.1.2.1.33.2.0.2'
const topologyChange = '1.3.6.1.2.1.17.0.2'
const authenticationFailure = '1.3.6.1.6.3.1.1.5.5'
const configurationChange = '1.3.6.1.2.1.47.2.0.1'
const linkDown = '1.3.6.1.6.3.1.1.5.3'
const ifIndexColumn = '1.3.6.1.2.1.2.2.1.1'

export function trapRules(device: (label: string) => Target): TrapRule[] {
  const rules: TrapRule[] = [
    {
      trapRuleName: 'Desk ports going up and down',
      trapGroup: 0,
      exectimeType: 0,
      trapDevice: on(device('ham-acc-a1-1'), device('ham-acc-a1-2'), device('ham-acc-a2-1')),
      trapInterfaces: [{ ifDesc: 'GigabitEthernet1/0/*', deviceId: null }],
    },
    {
      trapRuleName: 'Office switches on weekday nights',
      trapGroup: 0,
      exectimeType: 1,
      startTime: '20:00',
      endTime: '06:00',
      selectedWeekDay: '1,2,3,4,5',
      trapDevice: on(device('bos-acc-main1-1'), device('bos-acc-main2-1')),
    },
    {
      trapRuleName: 'Lyon summer shutdown',
      trapGroup: 0,
      exectimeType: 2,
      startDay: '2026-08-03',
      startTime: '06:00',
      endDay: '2026-08-21',
      endTime: '22:00',
      trapDevice: on(device('lyo-dist-h1'), device('lyo-dist-h2')),
    },
    {
      trapRuleName: 'UPS self tests',
      trapOId: upsTestCompleted,
      trapGroup: -1,
      exectimeType: 0,
      trapDevice: on(
        device('ham-ups-a-1'),
        device('ham-ups-b-1'),
        device('ham-ups-c-1'),
        device('lyo-ups-h1-1'),
      ),
    },
    {
      trapRuleName: 'Spanning tree changes',
      trapOId: topologyChange,
      trapGroup: -1,
      trapDevice: on(anyDevice),
    },
    {
      trapRuleName: 'Scanner with an old community, warehouse',
      trapOId: authenticationFailure,
      trapGroup: -1,
      exectimeType: 1,
      selectedWeekDay: '0,6',
      startTime: '8',
      endTime: '18',
      trapDevice: on(device('sin-acc-wh1-1'), device('sin-acc-wh1-2')),
    },
    {
      trapRuleName: 'Nightly configuration backup',
      trapOId: configurationChange,
      trapGroup: -1,
      startTime: '01:00',
      endTime: '01:30',
      trapDevice: on(anyDevice),
    },
    {
      trapRuleName: 'Test bench port, Hamburg',
      trapGroup: -1,
      exectimeType: 0,
      trapDevice: [
        {
          ...device('ham-acc-c1-2'),
          trapFilterEventParasInfo: [{ faultOid: linkDown, position: 1, value: '9', name: ifIndexColumn }],
        },
      ],
    },
  ]
  return rules.map((rule, index) => ({ id: BigInt(index + 2), ...rule }))
}

type Window = DraftOf<typeof maintenance.fields>

/** Work that comes again and again, at an hour when the warehouse sleeps. */
export const windows: Window[] = [
  {
    id: 1n,
    name: 'Singapore, patch night',
    owner: 'Network Operations',
    reason: 'Switches and firewalls get their updates on the night to Sunday',
    exectimeType: 1,
    startTime: '01:00',
    endTime: '03:00',
    selectedWeekDay: '0',
    zone: [5n],
    fromTime: 0,
    untilTime: 0,
    endedFrom: 0,
    endedUntil: 0,
  },
]

type ReportTemplate = DraftOf<typeof reportTemplate.fields>

const types = {
  alarm: { reportTypeId: 1n, reportTypeName: 'Alarm Report' },
  availability: { reportTypeId: 2n, reportTypeName: 'Availability Report' },
  access: { reportTypeId: 3n, reportTypeName: 'Access Report' },
}
const custom = 1
/** Behind those that every store has. */
const firstId = 10

const template = (
  name: string,
  type: keyof typeof types,
  location: string,
  group: [bigint, string],
  ...parameters: string[]
): ReportTemplate => ({
  name,
  location,
  ...types[type],
  customeDef: custom,
  parameter: ['beginTime', 'endTime', ...parameters].map((parameterName) => ({
    parameterName,
    dataType: parameterName.endsWith('Time') ? 'dateTime' : 'string',
  })),
  operatorGroup: [{ operatorGroupId: group[0], operatorGroupName: group[1] }],
})

const administrators: [bigint, string] = [1n, 'Administrator Group']
const operations: [bigint, string] = [2n, 'Maintainer Group']
const plant: [bigint, string] = [3n, 'Viewer Group']

export const reportTemplates: ReportTemplate[] = [
  template('Hamburg Alarms per Week', 'alarm', 'custom/ham-weekly', operations),
  template('Lyon Alarms per Week', 'alarm', 'custom/lyo-weekly', operations),
  template('Boston Alarms per Week', 'alarm', 'custom/bos-weekly', operations),
  template('Singapore Alarms per Week', 'alarm', 'custom/sin-weekly', operations),
  {
    ...template('Critical Alarms per Device', 'alarm', 'custom/critical', administrators),
    data: 'alarm',
    filter: 'alarmLevel=1',
    groupBy: 'deviceName',
    chart: 'bars',
  },
  template('Uplink Availability', 'availability', 'custom/uplinks', operations, 'site'),
  template('Access Point Availability', 'availability', 'custom/aps', operations, 'site'),
  template('UPS Events', 'alarm', 'custom/ups', operations),
  template('Production Network Availability', 'availability', 'custom/production', plant),
  template('Free Addresses per Segment', 'access', 'custom/free-addresses', administrators, 'segment'),
  {
    ...template('Bindings per Maintainer', 'access', 'custom/bindings', administrators),
    data: 'macAccessBind',
    groupBy: 'maintainer',
    chart: 'bars',
  },
].map((draft, index) => ({ id: BigInt(firstId + index), ...draft }))
