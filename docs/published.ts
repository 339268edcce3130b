// The operations and collections of the OpenAPI document: what the code does not say by itself.

import { alarmDocument } from '../src/http/documents.ts'
import { registrationDocument } from '../src/http/handlers/events.ts'
import { board, faultRealTime } from '../src/http/handlers/fault-real-time.ts'
import {
  mibAccept,
  mibAcceptedDocument,
  mibLoadDocument,
  mibModuleDocument,
  mibProposalDocument,
} from '../src/http/handlers/mibs.ts'
import { ownPath } from '../src/http/handlers/operators.ts'
import { serviceDocument } from '../src/http/handlers/root.ts'
import { storeCheckDocument } from '../src/http/handlers/store.ts'
import { dryRunDocument } from '../src/http/handlers/trap-rules.ts'
import { viewDocument } from '../src/http/handlers/views.ts'
import { alarmDetail, alarms } from '../src/resources/alarm.ts'
import { assignedIps } from '../src/resources/assigned-ip-info.ts'
import { assignedIpScopes } from '../src/resources/assigned-ip-scope.ts'
import { auditEntry } from '../src/resources/audit-entry.ts'
import { auditLog } from '../src/resources/audit-log.ts'
import { catalog } from '../src/resources/catalog.ts'
import { customView } from '../src/resources/custom-view.ts'
import { mibModules } from '../src/resources/mib-module.ts'
import { operators } from '../src/resources/operator.ts'
import { tokens } from '../src/resources/token.ts'
import { ledgerLine, trap, traps } from '../src/resources/trap.ts'
import { trapRules } from '../src/resources/trap-rule.ts'
import type { PublishedCollection, PublishedOperation } from '../src/schema/openapi.ts'

/** What lies below another record says where its parent is given. */
export function collections(): PublishedCollection[] {
  return catalog.map((collection) => {
    if (collection === assignedIpScopes) return { ...collection, parent: 'path' }
    if (collection.resource === customView) {
      return { ...collection, resource: { ...customView, ...viewDocument } }
    }
    return collection === assignedIps ? { ...collection, parent: { parameter: 'ipScopeId' } } : collection
  })
}

const one = `${alarms.path}/{id}`
const reported = { 201: 'location', 200: 'location' } as const
const done = { 204: 'nothing' } as const

/** Alarms, traps and their ledger: what can be done with them is not what can be done with records. */
export const operations: readonly PublishedOperation[] = [
  {
    ...get(alarms.path),
    shape: alarmDocument,
    verb: 'List',
    noun: 'alarms',
    list: alarms.list,
    gives: { 200: 'page' },
  },
  {
    method: 'post',
    path: alarms.path,
    shape: alarmDocument,
    verb: 'Raise',
    noun: 'an alarm; 200 where it is open already',
    body: alarmDocument,
    gives: reported,
  },
  { ...get(one), shape: alarmDetail, verb: 'Read', noun: 'an alarm', gives: { 200: 'record' } },
  {
    ...put(one),
    shape: alarmDocument,
    verb: 'Remark',
    noun: 'an alarm; only its remark is set',
    body: alarmDocument,
    gives: done,
  },
  {
    method: 'delete',
    path: one,
    shape: alarmDocument,
    verb: 'Delete',
    noun: 'an alarm; an open one is recovered first',
    gives: done,
  },
  {
    ...put(`${alarms.path}/acknowledge/{id}`),
    shape: alarmDocument,
    verb: 'Acknowledge',
    noun: 'an alarm',
    gives: done,
  },
  {
    ...put(`${alarms.path}/recover/{id}`),
    shape: alarmDocument,
    verb: 'Recover',
    noun: 'an alarm',
    gives: done,
  },
  {
    ...get(board.path),
    shape: faultRealTime,
    verb: 'Show',
    noun: 'the newest alarms that are not over; JSON has them inside an object "faultRealTime"',
    list: board,
    gives: { 200: 'record' },
  },
  {
    ...get(traps.path),
    shape: trap,
    verb: 'List',
    noun: 'recent traps',
    list: traps.list,
    gives: { 200: 'page' },
  },
  {
    ...get(`${traps.path}/{id}`),
    shape: trap,
    verb: 'Read',
    noun: 'a trap and what settled it',
    gives: { 200: 'record' },
  },
  {
    ...get('/fault/trapLedger'),
    shape: ledgerLine,
    verb: 'List',
    noun: 'how many datagrams ended in which bin, and why',
    parameters: { sourceIp: 'Of this sender alone' },
    gives: { 200: 'page' },
  },
  {
    method: 'post',
    path: `${trapRules.path}/dryRun`,
    shape: dryRunDocument,
    verb: 'Try',
    noun: 'what a trap rule would have filtered; nothing is saved',
    body: trapRules.resource,
    gives: { 200: 'record' },
  },
  {
    ...get(mibModules.path),
    shape: mibModuleDocument,
    verb: 'List',
    noun: 'loaded modules (MIBs), with what could not be read of each',
    list: mibModules.list,
    gives: { 200: 'page' },
  },
  {
    method: 'post',
    path: mibModules.path,
    shape: mibLoadDocument,
    verb: 'Load',
    noun: 'the modules of a file, whose text is the body',
    parameters: {
      file: 'What the file is called',
      unknown: 'false: no remarks on names that are not known, for which all modules are looked through',
    },
    text: true,
    gives: { 200: 'record' },
  },
  {
    ...get(`${mibModules.path}/{name}`),
    shape: mibModuleDocument,
    verb: 'Read',
    noun: 'a module with its objects and notifications',
    gives: { 200: 'record' },
  },
  {
    method: 'delete',
    path: `${mibModules.path}/{name}`,
    shape: mibModuleDocument,
    verb: 'Delete',
    noun: 'a module; definitions that were accepted stay',
    gives: done,
  },
  {
    ...get('/fault/mibProposal'),
    shape: mibProposalDocument,
    verb: 'List',
    noun: 'event definitions proposed from loaded modules',
    parameters: { module: 'The name of a module', confidence: 'The least: high, medium or low' },
    gives: { 200: 'page' },
  },
  {
    method: 'post',
    path: '/fault/mibProposal/accept',
    shape: mibAcceptedDocument,
    verb: 'Accept',
    noun: 'proposals, which become event definitions',
    body: mibAccept,
    gives: { 200: 'page' },
  },
  {
    ...get(auditLog.path),
    shape: auditEntry,
    verb: 'List',
    noun: 'entries of the audit log',
    list: auditLog.list,
    gives: { 200: 'page' },
  },
  {
    ...get(`${auditLog.path}/{id}`),
    shape: auditEntry,
    verb: 'Read',
    noun: 'an entry of the audit log',
    gives: { 200: 'record' },
  },
  {
    ...get(`/plat/data/${auditEntry.name}`),
    shape: auditEntry,
    verb: 'Export',
    noun: 'the audit log',
    parameters: { format: 'xml, json or csv, instead of Accept' },
    gives: { 200: 'page' },
  },
  {
    ...get('/events'),
    shape: alarmDocument,
    verb: 'Register',
    noun: 'for alarms, pushed as they come; an event stream has status 200',
    parameters: {
      type: 'Must be 11',
      uuid: 'Identifies a client that wants to resume: 1 to 128 visible ASCII characters',
      alarmLevel: 'Levels, repeated or separated by commas',
      customView: 'The symbolId of a custom view',
      deviceIp: 'Addresses of devices',
      ipSegment: 'Ranges of addresses, first-last',
      eventOid: 'Event OIDs; .* behind one stands for all below it',
      sendRecovered: 'true: a recovery carries lstRecovered',
      cursor: 'true: documents carry their position',
      since: 'A position to go on from',
      snapshot: 'true: all open alarms first',
    },
    gives: { 202: 'stream', 200: 'stream' },
  },
  {
    ...get('/plat/backup'),
    shape: serviceDocument,
    verb: 'BackUp',
    noun: 'the whole store as it is at one moment, as a file; one at a time',
    gives: { 200: 'file' },
  },
  {
    ...get('/plat/check'),
    shape: storeCheckDocument,
    verb: 'Check',
    noun: 'what is wrong with the store, if anything; one at a time',
    gives: { 200: 'record' },
  },
  {
    ...get('/events/registrations'),
    shape: registrationDocument,
    verb: 'List',
    noun: 'clients that are registered for alarms',
    gives: { 200: 'page' },
  },
  {
    method: 'delete',
    path: '/events/registrations/{name}',
    shape: registrationDocument,
    verb: 'Delete',
    noun: 'the registration of a client, by its uuid',
    gives: done,
  },
  ...operatorOperations(),
]

/** Those who may call, and their tokens. */
function operatorOperations(): PublishedOperation[] {
  const shape = operators.resource
  const noun = 'an operator'
  const { path } = operators
  const self = { shape, noun: 'the operator who asks' }
  const held = { shape: tokens.resource, noun: 'a token' }
  return [
    { ...get(path), shape, verb: 'List', noun: 'operators', list: operators.list, gives: { 200: 'page' } },
    { method: 'post', path, shape, verb: 'Create', noun, body: shape, gives: { 201: 'location' } },
    { ...get(`${path}/{id}`), shape, verb: 'Read', noun, gives: { 200: 'record' } },
    { ...put(`${path}/{id}`), shape, verb: 'Modify', noun, body: shape, gives: done },
    { method: 'delete', path: `${path}/{id}`, shape, verb: 'Delete', noun, gives: done },
    { ...get(ownPath), ...self, verb: 'ReadSelf', gives: { 200: 'record' } },
    { ...put(ownPath), ...self, verb: 'ModifySelf', body: shape, gives: done },
    { ...get(tokens.path), ...held, verb: 'List', list: tokens.list, gives: { 200: 'page' } },
    {
      method: 'post',
      path: tokens.path,
      ...held,
      verb: 'Create',
      body: tokens.resource,
      gives: { 201: 'record' },
    },
    { ...get(`${tokens.path}/{id}`), ...held, verb: 'Read', gives: { 200: 'record' } },
    { method: 'delete', path: `${tokens.path}/{id}`, ...held, verb: 'Delete', gives: done },
  ]
}

function get(path: string) {
  return { method: 'get', path } as const
}

function put(path: string) {
  return { method: 'put', path } as const
}
