// What every operation refuses, and how: each documented error is asked for, by what the table says of the operation, or
// by an example below.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../src/fault.ts'
import type { Operation } from '../../src/http/operation.ts'
import { operations } from '../../src/http/operations.ts'
import { digestHeader } from '../http/credentials.ts'
import { patience } from '../patience.ts'
import type { Answer, Ask } from '../support.ts'
import type { Blocks } from './recorded.ts'
import { chapters, type Step } from './steps.ts'
import { transcript } from './transcript.ts'
import { bodyIn, nameOf, operationAt, type Walk } from './walk.ts'

/** What is asked, in words, and the answer. */
type Found = Map<string, string>

interface Probe {
  readonly why: string
  readonly path?: string
  readonly headers?: Record<string, string | undefined>
  readonly body?: string
  readonly method?: string
}

const missing = (path: string) => path.replaceAll('{id}', '999999').replaceAll('{name}', 'nobody')
const existing = (path: string) => path.replaceAll('{id}', '1').replaceAll('{name}', 'BELL-MIB')
const large = 'x'.repeat(5000)

/** What an operation needs in its query. */
const queries: Readonly<Record<string, string>> = {
  '/events': '?type=11',
  '/res/access/assignedIpScope/ip': '?ipScopeId=1',
}

/** Refused by what the table says of an operation. */
function probesOf(operation: Operation, walk: Walk): Probe[] {
  const { path, needs, scope, takes, list, pages, filters, parameters = {}, ownForm, method } = operation
  const required = filters ? '?id=2' : (queries[path] ?? '')
  const at = `${existing(path)}${required}`
  const other = scope === 'access' ? walk.tokens.viewer : walk.tokens.radius
  const withRole = needs === 'operator' || needs === 'administrator'
  const bodies: Probe[] =
    takes === undefined
      ? []
      : [
          { why: 'a body that is too large', path: at, body: large },
          { why: 'a body of another type', path: at, body: 'x', headers: { 'Content-Type': 'image/png' } },
          { why: 'a body that is none', path: at, body: walk.form === 'xml' ? '<a' : '{' },
          { why: 'a field that is not known', path: at, body: bodyIn(walk.form, operation, { nonsense: 1 }) },
        ]
  return [
    ...(needs === 'anyone'
      ? []
      : [
          { why: 'no credentials', path: at, headers: { Authorization: undefined } },
          { why: 'a token of another scope', path: at, headers: { Authorization: `Bearer ${other}` } },
        ]),
    ...(withRole && scope !== 'access'
      ? [
          {
            why: 'a role that is not enough',
            path: at,
            headers: { Authorization: `Bearer ${walk.tokens.viewer}` },
          },
        ]
      : []),
    ...(ownForm ? [] : [{ why: 'a form that there is not', path: at, headers: { Accept: 'text/turtle' } }]),
    ...(path.includes('{id}')
      ? [{ why: 'an id that is no number', path: path.replace('{id}', 'abc').replace('{name}', '1') }]
      : []),
    ...(path.includes('{')
      ? [{ why: 'one that there is not', path: missing(path), ...bodyOf(operation, walk) }]
      : []),
    ...(list || pages
      ? [{ why: 'a size that is no number', path: `${at}${required === '' ? '?' : '&'}size=abc` }]
      : []),
    ...(filters ? [{ why: 'no filter', path }] : []),
    ...('format' in parameters ? [{ why: 'a format that there is not', path: `${at}?format=doc` }] : []),
    ...bodies,
    ...(method === 'GET' ? [{ why: 'another method', path: at, method: 'PATCH' }] : []),
  ]
}

/** A body that has nothing wrong with it. */
function bodyOf(operation: Operation, walk: Walk): { body?: string } {
  const body = requests.get(nameOf(operation))?.body
  return body === undefined ? {} : { body: bodyIn(walk.form, operation, body) }
}

interface Example {
  readonly line: string
  readonly why: string
  readonly body?: object | string
  readonly as?: 'radius'
  readonly headers?: Record<string, string>
}

/** Refused by rules of the data. */
const byHand = { name: 'x', rotation: 'byHand', contact: ['1'] }

const examples: readonly Example[] = [
  { line: 'GET /events', why: 'no type' },
  { line: 'GET /events?type=12', why: 'a type that there is not' },
  { line: 'GET /events?type=11', why: 'a form that there is not', headers: { Accept: 'text/turtle' } },
  { line: 'GET /events?type=11&snapshot=perhaps', why: 'a flag that is none' },
  { line: 'GET /report/result/1', why: 'a form that there is not', headers: { Accept: 'text/turtle' } },
  {
    line: 'POST /report/reportTemplate/1/run',
    why: 'a form that there is not',
    headers: { Accept: 'text/turtle' },
  },
  { line: 'POST /events/registrations/away/test', why: 'a client that is not connected' },
  { line: 'GET /plat/res/device/1/interface/99', why: 'an interface that there is not' },
  { line: 'PUT /fault/alarm/assign/999999', why: 'an alarm that there is not', body: { owner: 'viewer' } },
  {
    line: 'PUT /report/reportSchedule/1',
    why: 'a template that there is not',
    body: { templateId: 999, every: 'daily' },
  },
  { line: 'PUT /fault/maintenance/95', why: 'a name that is taken', body: { name: 'now', device: ['1'] } },
  { line: 'POST /ram/zone', why: 'a name that is taken', body: { name: 'größe' } },
  { line: 'POST /ram/zone', why: 'no name', body: {} },
  { line: 'PUT /ram/zone/3', why: 'a name that is taken', body: { name: 'GRÖßE' } },
  { line: 'PUT /ram/zone/3', why: 'another id', body: { zoneId: 4, name: 'x' } },
  { line: 'DELETE /ram/zone/2', why: 'a zone that holds something' },
  { line: 'DELETE /ram/zone/1', why: 'the default zone' },
  { line: 'POST /plat/data/zone', why: 'a name that is taken', body: { zone: [{ name: 'Größe' }] } },
  { line: 'POST /plat/res/device', why: 'an address that is taken', body: { ip: '10.0.0.1', label: 'x' } },
  { line: 'POST /plat/res/device', why: 'an address that is none', body: { ip: '10.0.0', label: 'x' } },
  {
    line: 'POST /plat/res/device',
    why: 'a zone that there is not',
    body: { ip: '10.0.0.77', label: 'x', zoneId: 99 },
  },
  { line: 'PUT /plat/res/device/2', why: 'an address that is taken', body: { ip: '10.0.0.1', label: 'x' } },
  {
    line: 'POST /plat/data/device',
    why: 'an address that is taken',
    body: { device: [{ ip: '10.0.0.1', label: 'x' }] },
  },
  { line: 'GET /plat/res/device?status=1', why: 'a filter of another service' },
  {
    line: 'POST /res/access/assignedIpScope',
    why: 'a range that overlaps',
    body: { startIp: '10.0.0.5', endIp: '10.0.0.20', name: 'x' },
  },
  {
    line: 'POST /res/access/assignedIpScope/999999',
    why: 'a segment that there is not',
    body: { startIp: '10.0.0.5', endIp: '10.0.0.6', name: 'x' },
  },
  {
    line: 'POST /res/access/assignedIpScope/1',
    why: 'a range outside',
    body: { startIp: '10.1.0.5', endIp: '10.1.0.6', name: 'x' },
  },
  {
    line: 'PUT /res/access/assignedIpScope/1',
    why: 'a range that its addresses are not in',
    body: { startIp: '10.0.0.8', endIp: '10.0.0.9', name: 'x' },
  },
  {
    line: 'POST /plat/data/assignedIpScope',
    why: 'a range that overlaps',
    body: { assignedIpScope: [{ startIp: '10.0.0.5', endIp: '10.0.0.20', name: 'x' }] },
  },
  {
    line: 'POST /res/access/assignedIpScope/ip?ipScopeId=999999',
    why: 'a segment that there is not',
    body: { ip: '10.0.0.7' },
  },
  {
    line: 'POST /res/access/assignedIpScope/ip?ipScopeId=1',
    why: 'an address that is taken',
    body: { ip: '10.0.0.6' },
  },
  { line: 'POST /res/access/assignedIpScope/ip', why: 'no segment', body: {} },
  { line: 'GET /res/access/assignedIpScope/ip', why: 'no segment' },
  { line: 'PUT /res/access/assignedIpScope/ip/1', why: 'an address outside', body: { ip: '10.9.0.1' } },
  {
    line: 'POST /plat/data/assignedIpInfo',
    why: 'an address that is taken',
    body: { assignedIpInfo: [{ ip: '10.0.0.6', parentId: '1' }] },
  },
  {
    line: 'POST /res/access/macAccessBind',
    why: 'a terminal that is bound',
    body: { terminalMac: 'aa:00:00:00:00:01', bindType: 1 },
  },
  {
    line: 'POST /res/access/macAccessBind',
    why: 'a port without a binding to ports',
    body: { terminalMac: 'aa:00:00:00:00:09', bindType: 2 },
  },
  {
    line: 'PUT /res/access/macAccessBind/80',
    why: 'a terminal that is bound',
    body: { terminalMac: 'aa:00:00:00:00:01', bindType: 1 },
  },
  {
    line: 'POST /plat/data/macAccessBind',
    why: 'a terminal that is bound',
    body: { macAccessBind: [{ terminalMac: 'aa:00:00:00:00:01', bindType: '1' }] },
  },
  { line: 'POST /fault/trapRule', why: 'no device', body: { trapRuleName: 'x' } },
  { line: 'POST /fault/alarmCategory', why: 'a name that is taken', body: { name: 'imported' } },
  { line: 'PUT /fault/alarmCategory/1', why: 'a name that is taken', body: { name: 'imported' } },
  {
    line: 'POST /plat/data/alarmCategory',
    why: 'a name that is taken',
    body: { alarmCategory: [{ name: 'Imported' }] },
  },
  {
    line: 'POST /fault/trapEvent',
    why: 'an OID that is taken',
    body: { eventOid: '1.3.6.1.6.3.1.1.5.3', name: 'x', alarmLevel: 1, alarmCategory: 1 },
  },
  {
    line: 'PUT /fault/trapEvent/1',
    why: 'an OID that is taken',
    body: { eventOid: '1.3.6.1.6.3.1.1.5.3', name: 'x', alarmLevel: 1, alarmCategory: 1 },
  },
  {
    line: 'POST /plat/data/trapEvent',
    why: 'an OID that is taken',
    body: {
      trapEvent: [{ eventOid: '1.3.6.1.6.3.1.1.5.3', name: 'x', alarmLevel: '1', alarmCategory: '1' }],
    },
  },
  { line: 'POST /fault/mibProposal/accept', why: 'nothing chosen', body: {} },
  { line: 'GET /fault/mibProposal?confidence=perhaps', why: 'a confidence that there is not' },
  { line: 'POST /plat/res/view/custom', why: 'a name that is taken', body: { name: 'campus' } },
  {
    line: 'POST /plat/res/view/custom',
    why: 'a device that there is not',
    body: { name: 'x', member: ['999'] },
  },
  {
    line: 'POST /fault/alarm',
    why: 'a list of which one has no level',
    body: { alarm: [{ OID: '1.3.6.1.4.1.32473.9.3', alarmLevel: 1 }, { OID: '1.3.6.1.4.1.32473.9.3' }] },
  },
  {
    line: 'POST /fault/alarm',
    why: 'a list beside fields of an alarm',
    body: { alarm: [{ OID: '1.3.6.1.4.1.32473.9.3', alarmLevel: 1 }], alarmLevel: 1 },
  },
  {
    line: 'PUT /plat/res/view/custom/1',
    why: 'a view that contains itself',
    body: { name: 'Campus', view: ['1'] },
  },
  { line: 'PUT /plat/res/view/custom/60', why: 'a name that is taken', body: { name: 'campus' } },
  {
    line: 'POST /plat/data/customView',
    why: 'a name that is taken',
    body: { customView: [{ name: 'campus' }] },
  },
  {
    line: 'POST /fault/maintenance',
    why: 'a name that is taken',
    body: { name: 'imported', minutes: 5, device: ['1'] },
  },
  { line: 'POST /fault/maintenance', why: 'nothing that it covers', body: { name: 'x', minutes: 5 } },
  { line: 'PUT /fault/maintenance/95', why: 'a time that is none', body: { name: 'x', startTime: '25:00' } },
  { line: 'POST /fault/maintenance/dryRun', why: 'nothing that it covers', body: { name: 'x', minutes: 5 } },
  { line: 'PUT /fault/maintenance/end/95', why: 'a window that is not in force' },
  {
    line: 'POST /plat/data/maintenance',
    why: 'a name that is taken',
    body: { maintenance: [{ name: 'imported', minutes: '5', device: ['1'] }] },
  },
  { line: 'POST /fault/alarm', why: 'no level', body: { OID: '1.3.6.1.4.1.32473.9.3' } },
  {
    line: 'POST /fault/alarm',
    why: 'a device that there is not',
    body: { OID: '1.3.6.1.4.1.32473.9.3', alarmLevel: 1, deviceId: 999 },
  },
  { line: 'PUT /fault/alarm/assign/3', why: 'an operator that there is not', body: { owner: 'nobody' } },
  { line: 'PUT /fault/alarm/assign/3', why: 'no operator', body: {} },
  { line: 'PUT /fault/alarm/shelve/3', why: 'no end', body: {} },
  { line: 'PUT /fault/alarm/shelve/1', why: 'an alarm that is over', body: { minutes: 5 } },
  { line: 'PUT /fault/alarm/verify/1', why: 'an alarm that cannot be verified' },
  { line: 'PUT /fault/alarm/acknowledge?id=abc', why: 'a filter that is none' },
  { line: 'PUT /fault/alarm/acknowledge?id=3&confirm=perhaps', why: 'a flag that is none' },
  { line: 'GET /fault/alarm?alarmLevel=9', why: 'a level that there is not' },
  { line: 'GET /fault/alarm?orderBy=nothing', why: 'an order that there is not' },
  { line: 'GET /fault/statistics?by=moon', why: 'a measure that there is not' },
  { line: 'GET /fault/trapLedger?sourceIp=nowhere', why: 'an address that is none' },
  { line: 'GET /fault/syslogMessage?does=alarm', why: 'an effect that there is not' },
  { line: 'GET /plat/topology?deviceId=nowhere', why: 'an id that is none' },
  { line: 'GET /fault/trap?startTime=now', why: 'a time that is none' },
  {
    line: 'POST /fault/messageDefinition',
    why: 'a name that is taken',
    body: { name: 'imported', code: ['X-Y'], message: [{ handling: 0 }] },
  },
  {
    line: 'POST /fault/messageDefinition',
    why: 'a pattern that is none',
    body: { name: 'x', word: ['x'], message: [{ pattern: '(x', handling: 1 }] },
  },
  {
    line: 'PUT /fault/messageDefinition/900',
    why: 'a name that is taken',
    body: { name: 'imported', message: [{ handling: 0 }] },
  },
  {
    line: 'POST /plat/data/messageDefinition',
    why: 'a name that is taken',
    body: { messageDefinition: [{ name: 'imported', code: ['X-Y'], message: [{ handling: 0 }] }] },
  },
  {
    line: 'POST /fault/messageDefinition/dryRun',
    why: 'no key in a pattern',
    body: { name: 'x', word: ['x'], message: [{ pattern: 'x', handling: 1 }], key: ['y'], alarmLevel: 3 },
  },
  { line: 'POST /fault/messageDefinition/proposal', why: 'no text', body: { origin: 'app' } },
  { line: 'POST /fault/trapRule/dryRun', why: 'no device', body: { trapRuleName: 'x' } },
  { line: 'POST /fault/trapEvent/test', why: 'a trap that is not kept', body: { trapId: ['99999'] } },
  {
    line: 'POST /fault/trapEvent/translate',
    why: 'a file of no known form',
    body: { file: [{ name: 'notes.txt', text: 'hello' }] },
  },
  { line: 'POST /fault/trapEvent/dryRun', why: 'no name', body: { eventOid: '1.3.6.1.4.1.32473.8.0.1' } },
  {
    line: 'POST /report/reportTemplate',
    why: 'a kind that there is not',
    body: { name: 'x', reportTypeName: 'No kind' },
  },
  {
    line: 'PUT /report/reportTemplate/1',
    why: 'a name that is taken',
    body: { name: 'Imported', reportTypeName: 'Alarm Report' },
  },
  {
    line: 'POST /report/reportTemplate',
    why: 'a name that is taken',
    body: { name: 'imported', reportTypeName: 'Alarm Report' },
  },
  {
    line: 'POST /plat/data/reportTemplate',
    why: 'a name that is taken',
    body: { reportTemplate: [{ name: 'imported', reportTypeName: 'Alarm Report' }] },
  },
  { line: 'POST /report/reportType', why: 'a name that is taken', body: { name: 'imported' } },
  { line: 'PUT /report/reportType/1', why: 'a name that is taken', body: { name: 'imported' } },
  {
    line: 'POST /plat/data/reportType',
    why: 'a name that is taken',
    body: { reportType: [{ name: 'imported' }] },
  },
  {
    line: 'POST /report/reportTemplate/1/run',
    why: 'a parameter that there is not',
    body: { parameter: [{ parameterName: 'moon', value: '1' }] },
  },
  {
    line: 'POST /report/reportSchedule',
    why: 'a template that there is not',
    body: { templateId: 999, every: 'daily' },
  },
  {
    line: 'POST /report/reportSchedule',
    why: 'a rhythm that there is not',
    body: { templateId: 1, every: 'hourly' },
  },
  {
    line: 'POST /plat/operator',
    why: 'a name that is taken',
    body: { name: 'viewer', role: 'viewer', password: 'a bell in the tower 9' },
  },
  {
    line: 'POST /plat/operator',
    why: 'a weak password',
    body: { name: 'carl', role: 'viewer', password: 'password1234' },
  },
  {
    line: 'PUT /plat/operator/2',
    why: 'a name that is taken',
    body: { name: 'administrator', role: 'viewer' },
  },
  {
    line: 'PUT /plat/operator/1',
    why: 'the last administrator',
    body: { name: 'administrator', role: 'viewer' },
  },
  { line: 'DELETE /plat/operator/1', why: 'the last administrator' },
  {
    line: 'POST /notify/gateway',
    why: 'a name that is taken',
    body: { name: 'MAIL', kind: 'mail', host: 'a', sender: 'a@b' },
  },
  {
    line: 'POST /notify/gateway',
    why: 'a field of another kind',
    body: { name: 'x', kind: 'mail', host: 'a', sender: 'a@b', body: 'x' },
  },
  {
    line: 'POST /notify/gateway',
    why: 'a template that does not work',
    body: { name: 'x', kind: 'webhook', url: 'https://a/', body: '{{ title | raw }}' },
  },
  {
    line: 'PUT /notify/gateway/1',
    why: 'another place for a stored secret',
    body: { name: 'Mail', kind: 'mail', host: 'elsewhere.example.net' },
  },
  { line: 'DELETE /notify/gateway/1', why: 'a gateway that a channel is on' },
  { line: 'POST /notify/contact', why: 'a name that is taken', body: { name: 'ANN' } },
  { line: 'POST /notify/contact', why: 'half of quiet hours', body: { name: 'x', quietFrom: '22:00' } },
  {
    line: 'PUT /notify/contact/1',
    why: 'an operator that there is not',
    body: { name: 'Ann', operatorId: 999 },
  },
  { line: 'POST /notify/team', why: 'a name that is taken', body: { name: 'NIGHT shift' } },
  { line: 'PUT /notify/team/1', why: 'a contact that there is not', body: { name: 'x', contactId: ['999'] } },
  {
    line: 'POST /notify/route',
    why: 'a name that is taken',
    body: { name: 'CORE', step: [{ target: 'contact:1' }] },
  },
  {
    line: 'POST /notify/route',
    why: 'a target that is none',
    body: { name: 'x', step: [{ target: 'ann' }] },
  },
  {
    line: 'POST /notify/route',
    why: 'a filter that is none',
    body: { name: 'x', filter: 'level=1', step: [{ target: 'contact:1' }] },
  },
  { line: 'POST /notify/dryRun', why: 'no alarm', body: { alarmLevel: 1 } },
  {
    line: 'POST /notify/dryRun',
    why: 'an alarm that exists, with a level that is made up',
    body: { alarmId: 1, alarmLevel: 1 },
  },
  { line: 'POST /notify/channel', why: 'a gateway that there is not', body: { gatewayId: 999 } },
  { line: 'POST /notify/channel', why: 'an address that is none', body: { gatewayId: 1, address: 'ann' } },
  { line: 'PUT /notify/channel/1/confirm', why: 'a code that was not sent', body: { code: '12345678' } },
  { line: 'PUT /notify/channel/1', why: 'a gateway that there is not', body: { gatewayId: 999 } },
  {
    line: 'POST /notify/schedule',
    why: 'a name that is taken',
    body: { name: 'NETWORK', timeZone: 'UTC', layer: [byHand] },
  },
  {
    line: 'POST /notify/schedule',
    why: 'a rotation without a hand-over',
    body: { name: 'x', timeZone: 'UTC', layer: [{ ...byHand, rotation: 'daily' }] },
  },
  {
    line: 'POST /notify/schedule',
    why: 'a zone that there is not',
    body: { name: 'x', timeZone: 'Mars/Base', layer: [byHand] },
  },
  {
    line: 'PUT /notify/schedule/1',
    why: 'a contact that there is not',
    body: { name: 'Network', timeZone: 'UTC', layer: [{ ...byHand, contact: ['999'] }] },
  },
  { line: 'PUT /notify/schedule/1/handOver', why: 'a layer that is not by hand', body: { layer: 'base' } },
  { line: 'DELETE /notify/contact/1', why: 'a contact that is on call' },
  {
    line: 'POST /notify/override',
    why: 'a schedule that there is not',
    body: { scheduleId: 999, contactId: 1, fromTime: 1, toTime: 2 },
  },
  {
    line: 'PUT /notify/override/1',
    why: 'a contact that there is not',
    body: { scheduleId: 1, contactId: 999, fromTime: 1, toTime: 2 },
  },
  {
    line: 'PUT /notify/override/1',
    why: 'an end before the beginning',
    body: { scheduleId: 1, contactId: 1, fromTime: 2, toTime: 1 },
  },
  { line: 'POST /notify/calendarFeed', why: 'a schedule that there is not', body: { scheduleId: 999 } },
  { line: 'GET /notify/shift?toTime=1', why: 'a time that is over' },
  { line: 'POST /notify/action/show', why: 'a link that is none', body: { link: 'x' } },
  { line: 'POST /notify/action', why: 'a link that is none', body: { link: 'x', action: 'acknowledge' } },
  {
    line: 'POST /notify/heartbeat',
    why: 'a name that is taken',
    body: { name: 'BACKUP', everySeconds: 60 },
  },
  {
    line: 'PUT /notify/heartbeat/1',
    why: 'a name that is taken',
    body: { name: 'Old', everySeconds: 60 },
  },
  {
    line: 'POST /notify/outgoingHeartbeat',
    why: 'a name that is taken',
    body: { name: 'WATCHDOG', everySeconds: 60, url: 'https://watch.example.net/' },
  },
  {
    line: 'PUT /notify/outgoingHeartbeat/1',
    why: 'a gateway that there is not',
    body: { name: 'Watchdog', everySeconds: 60, url: '', gatewayId: 999, address: 'watch@example.net' },
  },
  {
    line: 'POST /plat/askProfile',
    why: 'a name that is taken',
    body: { name: 'ACCESS', version: '2c', community: 'lab words', addressRange: ['192.0.2.0/24'] },
  },
  {
    line: 'POST /plat/askProfile',
    why: 'nowhere to send it to',
    body: { name: 'Nowhere', version: '2c', community: 'lab words' },
  },
  {
    line: 'POST /plat/askProfile',
    why: 'half of a range',
    body: { name: 'Half', version: '2c', community: 'lab words', addressRange: ['192.0.2.7/24'] },
  },
  {
    line: 'PUT /plat/askProfile/1',
    why: 'another place for a stored secret',
    body: { name: 'Access', version: '3', addressRange: ['198.51.100.0/24'] },
  },
  {
    line: 'POST /plat/askProfile/1/test',
    why: 'an address in no range',
    body: { ip: '198.51.100.1' },
  },
  {
    line: 'POST /plat/discovery',
    why: 'a name that is taken',
    body: { name: 'SITE', addressRange: ['192.0.2.0/24'] },
  },
  {
    line: 'POST /plat/discovery',
    why: 'too many addresses',
    body: { name: 'World', addressRange: ['10.0.0.0/8'] },
  },
  {
    line: 'POST /plat/discovery',
    why: 'nowhere to search',
    body: { name: 'Nowhere' },
  },
  {
    line: 'PUT /plat/discovery/1',
    why: 'a zone that does not exist',
    body: { name: 'Site', zoneId: 999 },
  },
  { line: 'POST /plat/discovery/1/stop', why: 'no run is under way' },
  { line: 'POST /plat/discovery/1/accept', why: 'nothing chosen', body: {} },
  {
    line: 'POST /plat/operatorGroup',
    why: 'a name that is taken',
    body: { operatorGroupName: 'viewer group' },
  },
  {
    line: 'PUT /plat/operatorGroup/2',
    why: 'a name that is taken',
    body: { operatorGroupName: 'viewer group' },
  },
  { line: 'POST /plat/token', why: 'a scope that there is not', body: { scope: 'moon' } },
  { line: 'POST /plat/token', why: 'an operator that there is not', body: { operatorId: 999 } },
  { line: 'POST /res/access/authorize', why: 'no address', body: { userName: 'x' }, as: 'radius' },
  {
    line: 'POST /res/access/authorize?as=moon',
    why: 'a form that there is not',
    body: { sourceIp: '10.0.0.1' },
    as: 'radius',
  },
  { line: 'POST /res/access/accounting', why: 'no status', body: { sourceIp: '10.0.0.1' }, as: 'radius' },
  { line: 'POST /console/session', why: 'a wrong password', body: { name: 'viewer', password: 'wrong' } },
  { line: 'POST /console/session/openid', why: 'no provider' },
  { line: 'PUT /console/session/openid', why: 'no provider', body: { query: 'code=x' } },
]

/** Asks all; `GET /ram/zone: no credentials` → the answer. */
export async function probe(walk: Walk): Promise<Found> {
  const found: Found = new Map()
  const ask = async (title: string, method: string, path: string, { headers = {}, body }: Ask = {}) => {
    const answer = walk.ask(method, path, { headers, ...(body !== undefined && { body }) })
    const late = sleep(patience, undefined, { ref: false }).then(() => assert.fail(`no answer to ${title}`))
    // A long answer has begun when the store fails: it breaks off.
    const text = answer.then(textOf, () => '(the answer breaks off)')
    found.set(title, await Promise.race([text, late]))
  }
  const usually = (operation: Operation, hasBody: boolean) =>
    walk.headersFor(operation.scope === 'access' ? 'radius' : 'administrator', hasBody)
  for (const operation of operations) {
    for (const { why, path = operation.path, headers = {}, body, method = operation.method } of probesOf(
      operation,
      walk,
    )) {
      const all = Object.entries({ ...usually(operation, body !== undefined), ...headers })
      const sent = Object.fromEntries(all.filter((one): one is [string, string] => one[1] !== undefined))
      await ask(`${nameOf(operation)}: ${why}`, method, path, {
        headers: sent,
        ...(body !== undefined && { body }),
      })
    }
  }
  for (const { line, why, body, as, headers = {} } of examples) {
    const [method = '', path = ''] = line.split(' ')
    const operation = operationAt(method, path)
    const sent = { ...walk.headersFor(as ?? 'administrator', body !== undefined), ...headers }
    const title = `${nameOf(operation)}: ${why}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`
    await ask(title, method, path, {
      headers: sent,
      ...(body !== undefined && { body: bodyIn(walk.form, operation, body) }),
    })
  }
  await probeLocked(walk, ask)
  await probeFailing(walk, ask)
  return found
}

type Asking = (title: string, method: string, path: string, ask?: Ask) => Promise<void>

/** After too many wrong passwords: of somebody who never was here, since others wait for their turn instead. */
async function probeLocked(walk: Walk, ask: Asking): Promise<void> {
  const wrong = async (method: string, path: string) => {
    const uri = `${walk.root}${path}`
    const given = { name: 'stranger', password: 'wrong', method, uri }
    return { ...walk.headersFor('nobody', false), Authorization: digestHeader(await walk.challenge(), given) }
  }
  for (let time = 0; time < 10; time += 1) await walk.ask('GET', '/', { headers: await wrong('GET', '/') })
  for (const { method, path, needs, ...rest } of operations) {
    if (needs === 'anyone') continue
    const at = existing(path)
    await ask(`${nameOf({ method, path, needs, ...rest })}: too many wrong passwords`, method, at, {
      headers: await wrong(method, at),
    })
  }
}

/** By operation: a request of the walk, which has nothing wrong with it. */
const requests: ReadonlyMap<string, Step> = new Map(
  Object.values(chapters)
    .flat()
    .filter((one): one is Step => 'line' in one)
    .map((one): [string, Step] => {
      const [method = '', path = ''] = one.line.split(' ')
      return [nameOf(operationAt(method, path.replaceAll(/\{\w+\}/g, '1'))), one]
    }),
)

/** With a store that cannot be reached, and with one that behaves as a bug would make it. */
async function probeFailing(walk: Walk, ask: Asking): Promise<void> {
  const failures = {
    'the store cannot be reached': new Fault('unavailable', 'the store cannot be reached'),
    'a bug': new Error('a bug'),
  }
  for (const [why, error] of Object.entries(failures)) {
    for (const operation of operations) {
      const { scope } = operation
      // It is looked at every two seconds, whoever asks.
      if (operation.path.startsWith('/health')) continue
      const {
        line,
        body,
        as,
        headers: own,
      } = requests.get(nameOf(operation)) ?? {
        line: `${operation.method} ${existing(operation.path)}`,
      }
      const [method = '', path = ''] = walk.filled(line).split(' ')
      const usual = walk.headersFor(
        as ?? (scope === 'access' ? 'radius' : 'administrator'),
        body !== undefined,
      )
      const sent = body === undefined ? {} : { body: bodyIn(walk.form, operation, body) }
      // Not what is remembered of an answer.
      const fresh = operation.list ? `${path}${path.includes('?') ? '&' : '?'}start=${why.length}` : path
      walk.failing.with = error
      await ask(`${nameOf(operation)}: ${why}`, method, fresh, { headers: { ...usual, ...own }, ...sent })
      walk.failing.with = undefined
    }
  }
}

const textOf = (answer: Answer) => (answer.status < 400 ? `${answer.status}` : transcript(answer))

/** What is asked for → the answer in both forms; the same answers are named by the first that got it. */
export function byAnswer([xml, json]: readonly Found[]): Blocks {
  const blocks: Blocks = new Map()
  const firsts = new Map<string, string>()
  for (const [title, text] of xml ?? []) {
    const both = [text, json?.get(title) ?? '']
    const first = firsts.get(both.join('\n'))
    firsts.set(both.join('\n'), first ?? title)
    const forms: [string, string][] = [
      ['xml', both[0] ?? ''],
      ['json', both[1] ?? ''],
    ]
    blocks.set(
      title,
      new Map(
        first === undefined
          ? forms
          : [
              ['xml', `as ${first}`],
              ['json', `as ${first}`],
            ],
      ),
    )
  }
  return blocks
}
