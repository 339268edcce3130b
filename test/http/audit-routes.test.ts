// Every route that changes something leaves an entry in the audit log: the walk is made from the table of routes, so
// that a new route must be added here.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { emptyFound } from '../../src/ask/discover/candidate.ts'
import { operations } from '../../src/http/operations.ts'
import { catalog } from '../../src/resources/catalog.ts'
import { writeFound } from '../../src/resources/inventory/discovered.ts'
import { terminals } from '../../src/resources/inventory/terminal.ts'
import type { Store } from '../../src/store/database.ts'
import { insertAll } from '../../src/store/table.ts'
import { type Ask, stores, type TestService } from '../support.ts'
import { bearer, passwordOf, startGuarded, tokenOf } from './credentials.ts'
import { listeningTo } from './listening.ts'
import { idOf, load } from './reading.ts'

type Body = Record<string, unknown>

interface Example {
  readonly path: string
  readonly body?: Body | string
  /** What the entry must say. */
  readonly recorded: { readonly action: string; readonly resource: string; readonly resourceId?: string }
}

/** A record to create, and what a modification gives. */
const records: Record<string, { readonly create: Body; readonly modify: Body; readonly query?: string }> = {
  zone: { create: { name: 'New' }, modify: { name: 'Renamed' } },
  device: { create: { ip: '10.0.0.9', label: 'New' }, modify: { ip: '10.0.0.9', label: 'Renamed' } },
  assignedIpScope: {
    create: { startIp: '10.7.0.0', endIp: '10.7.0.255', name: 'New' },
    modify: { startIp: '10.7.0.0', endIp: '10.7.0.255', name: 'Renamed' },
  },
  assignedIpInfo: {
    create: { name: 'New' },
    modify: { ip: '10.6.0.1', name: 'Renamed' },
    query: '?ipScopeId=600',
  },
  macAccessBind: {
    create: { terminalMac: '00:00:00:00:00:09', bindType: 1 },
    modify: { terminalMac: '00:00:00:00:00:09', bindType: 1, terminalName: 'Desk' },
  },
  trapRule: {
    create: { trapRuleName: 'New', trapDevice: [{ displayName: 'any', devID: 0 }] },
    modify: { trapRuleName: 'Renamed', trapDevice: [{ displayName: 'any', devID: 0 }] },
  },
  reportTemplate: {
    create: { name: 'New', reportTypeName: 'Alarm Report' },
    modify: { name: 'Renamed', reportTypeName: 'Alarm Report' },
  },
  reportType: { create: { name: 'New' }, modify: { name: 'Renamed' } },
  messageThreshold: { create: { severity: 4 }, modify: { severity: 5, facility: [16] } },
  messageDefinition: {
    create: { name: 'New', code: ['APP-LOST'], message: [{ handling: 1 }], alarmLevel: 3 },
    modify: { name: 'Renamed', message: [{ handling: 1 }] },
  },
  mutedShape: { create: { origin: 'app', shape: 'served * in * ms' }, modify: { shape: 'served *' } },
  alarmCategory: { create: { name: 'New' }, modify: { name: 'Renamed' } },
  trapEvent: {
    create: { eventOid: '1.3.6.1.4.1.32473.7.1', name: 'New', alarmLevel: 3, alarmCategory: 1 },
    modify: { eventOid: '1.3.6.1.4.1.32473.7.1', name: 'Renamed', alarmLevel: 3, alarmCategory: 1 },
  },
  customView: { create: { name: 'New' }, modify: { name: 'Renamed' } },
  maintenance: {
    create: { name: 'New', minutes: 5, device: ['9'] },
    modify: { name: 'Renamed' },
  },
}

/** The administrator is the first operator, and has a token. */
const berta = { name: 'berta', role: 'viewer', password: passwordOf('berta') }
const ofOperators: Record<string, Example> = {
  'POST /plat/operator': {
    path: '/plat/operator',
    body: berta,
    recorded: { action: 'create', resource: 'operator', resourceId: '2' },
  },
  'PUT /plat/operator/{id}': {
    path: '/plat/operator/2',
    body: { ...berta, role: 'operator' },
    recorded: { action: 'modify', resource: 'operator', resourceId: '2' },
  },
  'DELETE /plat/operator/{id}': {
    path: '/plat/operator/2',
    recorded: { action: 'delete', resource: 'operator', resourceId: '2' },
  },
  'PUT /plat/operator/self': {
    path: '/plat/operator/self',
    body: { fullName: 'The Administrator' },
    recorded: { action: 'modify', resource: 'operator', resourceId: '1' },
  },
  'POST /plat/token': {
    path: '/plat/token',
    body: { description: 'New' },
    recorded: { action: 'create', resource: 'token', resourceId: '2' },
  },
  'DELETE /plat/token/{id}': {
    path: '/plat/token/2',
    recorded: { action: 'delete', resource: 'token', resourceId: '2' },
  },
  'POST /console/session': {
    path: '/console/session',
    body: { name: 'administrator', password: passwordOf('administrator') },
    recorded: { action: 'create', resource: 'session', resourceId: '1' },
  },
  'DELETE /plat/session/{id}': {
    path: '/plat/session/1',
    recorded: { action: 'delete', resource: 'session', resourceId: '1' },
  },
}

const ofReports: Record<string, Example> = {
  'POST /plat/operatorGroup': {
    path: '/plat/operatorGroup',
    body: { operatorGroupName: 'New' },
    recorded: { action: 'create', resource: 'operatorGroup', resourceId: '4' },
  },
  'PUT /plat/operatorGroup/{id}': {
    path: '/plat/operatorGroup/4',
    body: { operatorGroupName: 'Renamed' },
    recorded: { action: 'modify', resource: 'operatorGroup', resourceId: '4' },
  },
  'DELETE /plat/operatorGroup/{id}': {
    path: '/plat/operatorGroup/4',
    recorded: { action: 'delete', resource: 'operatorGroup', resourceId: '4' },
  },
  'POST /report/reportSchedule': {
    path: '/report/reportSchedule',
    body: { templateId: 1, every: 'daily' },
    recorded: { action: 'create', resource: 'reportSchedule', resourceId: '1' },
  },
  'PUT /report/reportSchedule/{id}': {
    path: '/report/reportSchedule/1',
    body: { templateId: 1, every: 'weekly' },
    recorded: { action: 'modify', resource: 'reportSchedule', resourceId: '1' },
  },
  'DELETE /report/reportSchedule/{id}': {
    path: '/report/reportSchedule/1',
    recorded: { action: 'delete', resource: 'reportSchedule', resourceId: '1' },
  },
  'DELETE /report/result/{id}': {
    path: '/report/result/1',
    recorded: { action: 'delete', resource: 'reportResult', resourceId: '1' },
  },
}

const logSignal = `BELL-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises, NOTIFICATION-TYPE FROM SNMPv2-SMI;
bellRang NOTIFICATION-TYPE STATUS current DESCRIPTION "It rang." ::= { enterprises 32473 7 3 0 1 }
END`
const ofModules: Record<string, Example> = {
  'POST /fault/mibModule': {
    path: '/fault/mibModule',
    body: logSignal,
    recorded: { action: 'create', resource: 'mibModule', resourceId: 'BELL-MIB' },
  },
  'POST /fault/mibProposal/accept': {
    path: '/fault/mibProposal/accept',
    body: { choice: ['bellRang'] },
    recorded: { action: 'create', resource: 'trapEvent' },
  },
  'DELETE /fault/mibModule/{name}': {
    path: '/fault/mibModule/BELL-MIB',
    recorded: { action: 'delete', resource: 'mibModule', resourceId: 'BELL-MIB' },
  },
}

const mail = { name: 'Mail', kind: 'mail', host: 'mail.example.net', sender: 'alarms@example.net' }
const ofNotify = Object.fromEntries(
  Object.entries({
    gateway: { create: mail, modify: { ...mail, description: 'Renamed' } },
    contact: { create: { name: 'New' }, modify: { name: 'Renamed' } },
    team: { create: { name: 'New' }, modify: { name: 'Renamed' } },
    channel: {
      create: { gatewayId: 1, address: 'ann@example.net' },
      modify: { gatewayId: 1, address: 'bob@example.net' },
    },
    route: {
      create: { name: 'New', step: [{ target: 'contact:1' }] },
      modify: { name: 'Renamed', step: [{ target: 'team:1' }] },
    },
  }).flatMap(([resource, { create, modify }]): [string, Example][] => {
    const path = `/notify/${resource}`
    // The channel is on the first gateway.
    const resourceId = resource === 'gateway' ? '2' : '1'
    const recorded = (action: string) => ({ action, resource, resourceId })
    return [
      [`POST ${path}`, { path, body: create, recorded: recorded('create') }],
      [`PUT ${path}/{id}`, { path: `${path}/${resourceId}`, body: modify, recorded: recorded('modify') }],
      [`DELETE ${path}/{id}`, { path: `${path}/${resourceId}`, recorded: recorded('delete') }],
    ]
  }),
)

const acting = (path: string, action: string, body?: Body): [string, Example] => {
  const [, , resource = ''] = path.split('/')
  const method = path.endsWith('confirm') ? 'PUT' : 'POST'
  return [
    `${method} ${path.replace('/1/', '/{id}/')}`,
    { path, ...(body && { body }), recorded: { action, resource, resourceId: '1' } },
  ]
}
/** Of the first gateway, and of a channel of nobody on it. */
const ofSending = Object.fromEntries([
  acting('/notify/gateway/1/test', 'test', { address: 'ann@example.net' }),
  acting('/notify/channel/1/test', 'test'),
  acting('/notify/channel/1/confirm', 'confirm'),
])
/** By a contact that is there before, since those of the examples come and go. */
const layer = { name: 'by hand', rotation: 'byHand', contact: ['500', '501'] }
const schedule = { name: 'New', timeZone: 'UTC', layer: [layer] }
const override = { scheduleId: 1, contactId: 500, fromTime: 1000, toTime: 2000 }
const ofDuty: Record<string, Example> = {
  'POST /notify/schedule': {
    path: '/notify/schedule',
    body: schedule,
    recorded: { action: 'create', resource: 'schedule', resourceId: '1' },
  },
  'PUT /notify/schedule/{id}': {
    path: '/notify/schedule/1',
    body: { ...schedule, name: 'Renamed' },
    recorded: { action: 'modify', resource: 'schedule', resourceId: '1' },
  },
  'PUT /notify/schedule/{id}/handOver': {
    path: '/notify/schedule/1/handOver',
    body: { layer: 'by hand' },
    recorded: { action: 'handOver', resource: 'schedule', resourceId: '1' },
  },
  'POST /notify/override': {
    path: '/notify/override',
    body: override,
    recorded: { action: 'create', resource: 'override', resourceId: '1' },
  },
  'PUT /notify/override/{id}': {
    path: '/notify/override/1',
    body: { ...override, reason: 'swapped' },
    recorded: { action: 'modify', resource: 'override', resourceId: '1' },
  },
  'POST /notify/calendarFeed': {
    path: '/notify/calendarFeed',
    body: {},
    recorded: { action: 'create', resource: 'calendarFeed', resourceId: '1' },
  },
  'DELETE /notify/calendarFeed/{id}': {
    path: '/notify/calendarFeed/1',
    recorded: { action: 'delete', resource: 'calendarFeed', resourceId: '1' },
  },
  'POST /notify/heartbeat': {
    path: '/notify/heartbeat',
    body: { name: 'New', everySeconds: 60 },
    recorded: { action: 'create', resource: 'heartbeat', resourceId: '1' },
  },
  'PUT /notify/heartbeat/{id}': {
    path: '/notify/heartbeat/1',
    body: { name: 'Renamed', everySeconds: 60 },
    recorded: { action: 'modify', resource: 'heartbeat', resourceId: '1' },
  },
  'DELETE /notify/heartbeat/{id}': {
    path: '/notify/heartbeat/1',
    recorded: { action: 'delete', resource: 'heartbeat', resourceId: '1' },
  },
  'POST /plat/askProfile': {
    path: '/plat/askProfile',
    body: {
      ...{ name: 'New', version: '2c', community: 'lab words', addressRange: ['127.0.0.9'] },
      ...{ port: 9, timeoutSeconds: 1, tries: 1 },
    },
    recorded: { action: 'create', resource: 'askProfile', resourceId: '1' },
  },
  'PUT /plat/askProfile/{id}': {
    path: '/plat/askProfile/1',
    body: { name: 'Renamed', version: '2c' },
    recorded: { action: 'modify', resource: 'askProfile', resourceId: '1' },
  },
  'POST /plat/askProfile/{id}/test': {
    path: '/plat/askProfile/1/test',
    body: { ip: '127.0.0.9' },
    recorded: { action: 'test', resource: 'askProfile', resourceId: '1' },
  },
  'POST /plat/discovery': {
    path: '/plat/discovery',
    // It lasts for minutes, and asks loopback alone.
    body: { name: 'New', addressRange: ['127.1.0.0/16'] },
    recorded: { action: 'create', resource: 'discovery', resourceId: '1' },
  },
  'PUT /plat/discovery/{id}': {
    path: '/plat/discovery/1',
    body: { name: 'Renamed' },
    recorded: { action: 'modify', resource: 'discovery', resourceId: '1' },
  },
  'POST /plat/discovery/{id}/start': {
    path: '/plat/discovery/1/start',
    recorded: { action: 'start', resource: 'discovery', resourceId: '1' },
  },
  'POST /plat/discovery/{id}/stop': {
    path: '/plat/discovery/1/stop',
    recorded: { action: 'stop', resource: 'discovery', resourceId: '1' },
  },
  'POST /plat/discovery/{id}/accept': {
    path: '/plat/discovery/1/accept',
    body: { found: [1] },
    recorded: { action: 'create', resource: 'device' },
  },
  'DELETE /plat/discovery/{id}': {
    path: '/plat/discovery/1',
    recorded: { action: 'delete', resource: 'discovery', resourceId: '1' },
  },
  'DELETE /plat/askProfile/{id}': {
    path: '/plat/askProfile/1',
    recorded: { action: 'delete', resource: 'askProfile', resourceId: '1' },
  },
  'POST /notify/outgoingHeartbeat': {
    path: '/notify/outgoingHeartbeat',
    body: { name: 'New', everySeconds: 60, url: 'http://127.0.0.1:9/', enabled: false },
    recorded: { action: 'create', resource: 'outgoingHeartbeat', resourceId: '1' },
  },
  'PUT /notify/outgoingHeartbeat/{id}': {
    path: '/notify/outgoingHeartbeat/1',
    body: { name: 'Renamed', everySeconds: 60 },
    recorded: { action: 'modify', resource: 'outgoingHeartbeat', resourceId: '1' },
  },
  'DELETE /notify/outgoingHeartbeat/{id}': {
    path: '/notify/outgoingHeartbeat/1',
    recorded: { action: 'delete', resource: 'outgoingHeartbeat', resourceId: '1' },
  },
  'DELETE /notify/override/{id}': {
    path: '/notify/override/2',
    recorded: { action: 'delete', resource: 'override', resourceId: '2' },
  },
  'DELETE /notify/schedule/{id}': {
    path: '/notify/schedule/1',
    recorded: { action: 'delete', resource: 'schedule', resourceId: '1' },
  },
}

/** A terminal as it is noted by the service: just now, or retention may remove it on a slow machine. */
const seen = {
  ...{
    id: 1n,
    terminalMac: '00:00:00:00:00:07',
    deviceId: 0n,
    deviceIp: '10.0.0.9',
    ifIndex: 7n,
    port: 'Gi7',
  },
  ...{ ip: null, vlan: null, since: Date.now(), lastTime: Date.now(), source: 'trap', reason: null },
  ...{ present: true, bound: false, violation: false },
}

/** They accept what they can read, and report what they cannot; or they report that they find nothing. */
const lenient = new Set([
  'POST /plat/check/repair',
  'POST /fault/mibModule',
  'PUT /fault/alarm/unacknowledge',
  'PUT /fault/alarm/unshelve',
  'PUT /fault/alarm/recover',
])

/** They answer, and change nothing. */
const harmless = new Set([
  // It needs a device that is asked: test/ask/verify.test.ts.
  'PUT /fault/alarm/verify/{id}',
  // It needs a contact: test/notify/senders.test.ts.
  'POST /notify/channel/{id}/code',
  'POST /events/registrations/{name}/test',
  'POST /fault/trapRule/dryRun',
  'POST /fault/messageDefinition/dryRun',
  'POST /fault/messageDefinition/proposal',
  'POST /fault/trapEvent/dryRun',
  'POST /fault/trapEvent/test',
  'POST /fault/trapEvent/translate',
  'POST /fault/maintenance/dryRun',
  'POST /notify/route/dryRun',
  'POST /notify/dryRun',
  // What follows from it the service does by itself.
  'POST /res/access/authorize',
  'POST /res/access/accounting',
  'POST /report/reportTemplate/{id}/run',
  // Each call of it makes and takes a new key: test/http/key-rotation.test.ts.
  'POST /plat/key/rotation',
  // That a program is alive is no change that somebody made: test/notify/heartbeats.test.ts.
  'POST /events/heartbeat/{name}',
  // They need a link: test/notify/links.test.ts.
  'POST /notify/action',
  'POST /notify/action/show',
  // By a caller without a session.
  'DELETE /console/session',
  // Where there is no provider; test/http/openid.test.ts has one.
  'POST /console/session/openid',
  'PUT /console/session/openid',
])

/** Written by the service every few seconds, of whatever came in until then. */
const gathered = new Set(['login', 'login-refused', 'forbidden'])

/** All of it as the administrator. */
async function startWalked(open: (() => Promise<Store>) | undefined): Promise<Walked> {
  const guarded = await startGuarded({}, open ? { open } : {}, [])
  const ask = (method: string, path: string, sent?: Ask) => guarded.as('administrator', method, path, sent)
  const sendJson = (method: string, path: string, body: unknown) =>
    guarded.asJson('administrator', method, path, body)
  const get = (path: string, headers = {}) => ask('GET', path, { headers })
  return { ...guarded, ask, sendJson, get, token: await tokenOf(guarded, 'administrator') }
}

interface Walked extends TestService {
  readonly token: string
}

async function examplesFor(service: Walked): Promise<Map<string, Example>> {
  const examples = new Map<string, Example>(
    Object.entries({ ...ofOperators, ...ofModules, ...ofReports, ...ofNotify, ...ofSending, ...ofDuty }),
  )
  await service.ask('POST', '/report/reportTemplate/1/run')
  await service.sendJson('POST', '/notify/gateway', { ...mail, name: 'First' })
  const window = await service.sendJson('POST', '/fault/maintenance', {
    name: 'Now',
    minutes: 5,
    device: ['9'],
  })
  examples.set('PUT /fault/maintenance/end/{id}', {
    path: `/fault/maintenance/end/${idOf(window)}`,
    recorded: { action: 'end', resource: 'maintenance', resourceId: idOf(window) },
  })
  // Without taking ids, which those of the examples have.
  await service.database.transaction(async (tx) => {
    for (const id of [500n, 501n])
      await tx.run('insert into contact (id, name, name_key) values (?, ?, ?)', [id, `C${id}`, `c${id}`])
    await tx.run(
      "insert into schedule_override (id, schedule_id, contact_id, from_time, to_time, created_by) values (2, 9, 500, 1, 2, '')",
    )
  })
  // As if it had jumped.
  await service.database.transaction((tx) =>
    tx.run('insert into store_clock (one, jump, jumped_to, trusted) values (1, 7200000, 1000, 0)'),
  )
  // As an older version may have left it.
  await service.database.transaction((tx) =>
    tx.run("insert into tally (table_name, column_name, value, n) values ('zone', 'none', '', 1)"),
  )
  examples.set('POST /plat/check/repair', {
    path: '/plat/check/repair',
    recorded: { action: 'repair', resource: 'total', resourceId: 'zone' },
  })
  examples.set('PUT /plat/clock/confirm', {
    path: '/plat/clock/confirm',
    recorded: { action: 'confirm', resource: 'clock' },
  })
  const unknown = '1.3.6.1.4.1.32473.99.0.1'
  await service.engine.handle([
    {
      ...{ kind: 'trap', receivedAt: Date.now(), sourceIp: '10.6.0.1', agentIp: undefined, version: '2c' },
      ...{ oid: unknown, variables: [] },
    },
  ])
  const known = await service.sendJson('POST', '/fault/trapEvent', {
    ...{ eventOid: unknown, name: 'known', alarmLevel: 3, alarmCategory: 15 },
  })
  examples.set('PUT /fault/trapEvent/relabel/{id}', {
    path: `/fault/trapEvent/relabel/${idOf(known)}`,
    recorded: { action: 'relabel', resource: 'alarm' },
  })
  await load(service, 'assignedIpScope', ['id,startIp,endIp,name,parentId', '600,10.6.0.0,10.6.255.255,S,-1'])
  for (const { resource, path } of catalog) {
    const { name, key } = resource
    const {
      create,
      modify,
      query = '',
    } = records[name] ?? assert.fail(`add an example of ${name} to records, above`)
    const made = await service.sendJson('POST', path + query, create)
    const id = idOf(made)
    await service.ask('DELETE', `${path}/${id}`)
    const next = String(Number(id) + 1)
    const spare = { ...create, [key]: String(Number(id) + 100) }
    examples.set(`POST ${path}`, {
      path: path + query,
      body: create,
      recorded: { action: 'create', resource: name, resourceId: next },
    })
    examples.set(`PUT ${path}/{id}`, {
      path: `${path}/${next}`,
      body: modify,
      recorded: { action: 'modify', resource: name, resourceId: next },
    })
    examples.set(`DELETE ${path}/{id}`, {
      path: `${path}/${next}`,
      recorded: { action: 'delete', resource: name, resourceId: next },
    })
    examples.set(`POST /plat/data/${name}`, {
      path: `/plat/data/${name}`,
      body: { [name]: [name === 'assignedIpInfo' ? { ...spare, ip: '10.6.0.9', parentId: '600' } : spare] },
      recorded: { action: 'import', resource: name },
    })
  }
  examples.set('POST /res/access/assignedIpScope/{id}', {
    path: '/res/access/assignedIpScope/600',
    body: { startIp: '10.6.9.0', endIp: '10.6.9.255', name: 'Inner' },
    recorded: { action: 'create', resource: 'assignedIpScope' },
  })
  await service.database.transaction((tx) => insertAll(tx, terminals.table, [seen]))
  await service.database.transaction((tx) => writeFound(tx, 1n, [emptyFound('10.66.0.1', 'answering')]))
  examples.set('DELETE /res/access/terminal/{id}', {
    path: '/res/access/terminal/1',
    recorded: { action: 'erase', resource: 'terminal', resourceId: '1' },
  })
  const { raise, listen } = listeningTo(service)
  const alarm = await raise()
  const of = (action: string) => ({ action, resource: 'alarm', resourceId: alarm })
  examples.set('POST /fault/alarm', {
    path: '/fault/alarm',
    body: { OID: '1.3.6.1.4.1.32473.7.2', alarmLevel: 2 },
    recorded: { action: 'raise', resource: 'alarm' },
  })
  examples.set('PUT /fault/alarm/acknowledge/{id}', {
    path: `/fault/alarm/acknowledge/${alarm}`,
    recorded: of('acknowledge'),
  })
  examples.set('PUT /fault/alarm/unacknowledge/{id}', {
    path: `/fault/alarm/unacknowledge/${alarm}`,
    recorded: of('unacknowledge'),
  })
  examples.set('PUT /fault/alarm/assign/{id}', {
    path: `/fault/alarm/assign/${alarm}`,
    body: { owner: 'administrator' },
    recorded: of('assign'),
  })
  examples.set('POST /fault/alarm/{id}/note', {
    path: `/fault/alarm/${alarm}/note`,
    body: { note: 'The door was open' },
    recorded: of('note'),
  })
  examples.set('PUT /fault/alarm/shelve/{id}', {
    path: `/fault/alarm/shelve/${alarm}`,
    body: { minutes: 10 },
    recorded: of('shelve'),
  })
  examples.set('PUT /fault/alarm/unshelve/{id}', {
    path: `/fault/alarm/unshelve/${alarm}`,
    recorded: of('unshelve'),
  })
  examples.set('PUT /fault/alarm/{id}', {
    path: `/fault/alarm/${alarm}`,
    body: { remark: 'seen' },
    recorded: of('remark'),
  })
  examples.set('PUT /fault/alarm/recover/{id}', {
    path: `/fault/alarm/recover/${alarm}`,
    recorded: of('recover'),
  })
  const several: Record<string, object | undefined> = {
    acknowledge: undefined,
    unacknowledge: undefined,
    assign: { owner: 'administrator' },
    note: { note: 'All of them' },
    shelve: { minutes: 10 },
    unshelve: undefined,
    recover: undefined,
  }
  for (const [action, body] of Object.entries(several)) {
    const method = action === 'note' ? 'POST' : 'PUT'
    examples.set(`${method} /fault/alarm/${action}`, {
      path: `/fault/alarm/${action}?id=${alarm}`,
      ...(body && { body: body as Body }),
      recorded: { action, resource: 'alarm', resourceId: '' },
    })
  }
  examples.set('DELETE /fault/alarm/{id}', { path: `/fault/alarm/${alarm}`, recorded: of('delete') })
  const client = await listen('uuid=desk/1', bearer(service.token))
  client.close()
  examples.set('DELETE /events/registrations/{name}', {
    path: '/events/registrations/desk%2F1',
    recorded: { action: 'delete', resource: 'registration', resourceId: 'desk/1' },
  })
  return examples
}

/** What is created is modified, then deleted, and only then imported: names are unique. */
const turn = (method: string, name: string) =>
  name.startsWith('POST /plat/data/') ? 3 : ['POST', 'PUT', 'DELETE'].indexOf(method)

for (const engine of stores) {
  describe(`the audit log on ${engine.name}`, async () => {
    const service = await startWalked(engine.name === 'SQLite' ? undefined : () => engine.open())
    const examples = await examplesFor(service)
    const entries = async (): Promise<Record<string, string>[]> => {
      const { text } = await service.get('/plat/audit?desc=true&size=20', { Accept: 'application/json' })
      const found: Record<string, string>[] = JSON.parse(text).audit
      return found.filter(({ action = '' }) => !gathered.has(action))
    }
    const newest = async () => (await entries())[0] ?? { id: '0' }
    const routes = operations.map(({ method, path }) => ({ method, name: `${method} ${path}` }))
    const changing = routes.filter(({ method, name }) => method !== 'GET' && !harmless.has(name))
    changing.sort((a, b) => turn(a.method, a.name) - turn(b.method, b.name))

    test('every route that changes something has an example here', () => {
      assert.deepEqual(
        changing.filter(({ name }) => !examples.has(name)).map(({ name }) => name),
        [],
      )
    })

    const send = (method: string, path: string, body: Example['body']) => {
      if (body === undefined) return service.ask(method, path)
      return typeof body === 'string'
        ? service.ask(method, path, { body })
        : service.sendJson(method, path, body)
    }

    for (const { method, name } of changing) {
      test(`${name} is recorded`, async () => {
        const { path, body, recorded } = examples.get(name) ?? assert.fail('no example')
        const before = await newest()
        const answer = await send(method, path, body)
        assert.ok(answer.status >= 200 && answer.status < 300, `${answer.status} ${answer.text}`)
        const [entry = { id: '' }, ...more] = (await entries()).filter(
          ({ id }) => Number(id) > Number(before.id),
        )
        assert.deepEqual(more, [], 'one entry')
        const { name: who, role, address, action, resource, resourceId } = entry
        assert.deepEqual(
          { who, role, address, action, resource, resourceId },
          { who: 'administrator', role: 'administrator', address: '127.0.0.1', resourceId, ...recorded },
        )
        assert.ok(Math.abs(Number(entry.time) * 1000 - Date.now()) < 600_000)
      })
    }

    test('of a password it is recorded that it was set, not what it is', async () => {
      const { text } = await service.get('/plat/audit?resource=operator&size=100', {
        Accept: 'application/json',
      })
      const recorded: Record<string, string>[] = JSON.parse(text).audit
      const [created, modified] = recorded.filter(({ resourceId }) => resourceId === '2')
      assert.equal(JSON.parse(created?.after ?? '').password, '(not shown)')
      assert.deepEqual(JSON.parse(modified?.after ?? ''), { role: 'operator', password: '(not shown)' })
      assert.equal(text.includes(passwordOf('berta')), false)
    })

    test('what was refused is not recorded', async () => {
      const { id } = await newest()
      for (const { method, name } of changing) {
        const { path } = examples.get(name) ?? assert.fail('no example')
        const answer = await service.sendJson(method, path.replace(/\d+$/, '999999'), { nonsense: true })
        assert.ok(answer.status >= 400 || lenient.has(name), `${name} ${answer.status}`)
      }
      assert.equal((await newest()).id, id)
    })

    test('what changes nothing is not recorded', async () => {
      const { raise } = listeningTo(service)
      const alarm = await raise()
      await service.ask('PUT', `/fault/alarm/acknowledge/${alarm}`)
      await service.ask('PUT', `/fault/alarm/recover/${alarm}`)
      const { id } = await newest()
      for (const path of [`/fault/alarm/acknowledge/${alarm}`, `/fault/alarm/recover/${alarm}`])
        assert.equal((await service.ask('PUT', path)).status, 204)
      assert.equal((await newest()).id, id)
    })
  })
}
