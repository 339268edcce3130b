// Every operation of the service: path and method, whom it is for, what answers it, what it takes and gives. Routing,
// permissions, the root document, the OpenAPI document and the XML schema follow from this table.

import { reportRun } from '../reports/request.ts'
import { alarms } from '../resources/alarm.ts'
import { assignedIps } from '../resources/assigned-ip-info.ts'
import { assignedIpScopes } from '../resources/assigned-ip-scope.ts'
import { auditLog } from '../resources/audit-log.ts'
import { catalog } from '../resources/catalog.ts'
import type { Collection } from '../resources/collection.ts'
import { customViews } from '../resources/custom-view.ts'
import { devices } from '../resources/device.ts'
import { macAccessBinds } from '../resources/mac-access-bind.ts'
import { maintenances } from '../resources/maintenance.ts'
import { mibModules } from '../resources/mib-module.ts'
import { operators } from '../resources/operator.ts'
import { operatorGroups } from '../resources/operator-group.ts'
import { reportResults } from '../resources/report-result.ts'
import { reportSchedules } from '../resources/report-schedule.ts'
import { reportTemplates } from '../resources/report-template.ts'
import { sessions } from '../resources/session.ts'
import { terminalStays, terminals } from '../resources/terminal.ts'
import { tokens } from '../resources/token.ts'
import { ledgerLine, trap, traps } from '../resources/trap.ts'
import { trapRules } from '../resources/trap-rule.ts'
import { zones } from '../resources/zone.ts'
import type { Shape } from '../schema/resource.ts'
import { bool, int, long } from '../schema/scalar.ts'
import type { Handler } from './call.ts'
import { alarmDetailDocument, alarmDocument, bookmarkDocument, gapDocument } from './documents.ts'
import { familyShape } from './family.ts'
import { openIdPath, sessionPath } from './gate.ts'
import * as radius from './handlers/access.ts'
import { alarmHistoryDocument, showHistory } from './handlers/alarm-history.ts'
import * as work from './handlers/alarm-work.ts'
import * as alarmHandlers from './handlers/alarms.ts'
import { bindingOptions } from './handlers/bindings.ts'
import { deviceOptions, removeDevice } from './handlers/devices.ts'
import {
  deleteRegistration,
  listRegistrations,
  openEvents,
  registrationDocument,
  testRegistration,
} from './handlers/events.ts'
import { exportData, fileForm } from './handlers/export.ts'
import { board, faultRealTime, showBoard } from './handlers/fault-real-time.ts'
import { impactDocument, showImpact } from './handlers/impact.ts'
import { importData } from './handlers/import.ts'
import { listLedger } from './handlers/ledger.ts'
import { answerList } from './handlers/lists.ts'
import * as windows from './handlers/maintenance.ts'
import * as mibs from './handlers/mibs.ts'
import { nodeDocument, showNodes } from './handlers/nodes.ts'
import * as openIdHandlers from './handlers/openid.ts'
import * as operatorHandlers from './handlers/operators.ts'
import { overviewDocument, showOverview } from './handlers/overview.ts'
import { listOwn, readOwn } from './handlers/own-records.ts'
import {
  createInside,
  createOne,
  createUnder,
  deleteOne,
  modifyOne,
  type RecordOptions,
  readOne,
} from './handlers/records.ts'
import * as schedules from './handlers/report-schedules.ts'
import * as reportHandlers from './handlers/reports.ts'
import { answerRoot, serviceDocument } from './handlers/root.ts'
import * as sessionHandlers from './handlers/sessions.ts'
import { listSettings, settingDocument } from './handlers/settings.ts'
import { dayText, showStatistics, statisticsDocument } from './handlers/statistics.ts'
import { backUp, check, storeCheckDocument } from './handlers/store.ts'
import * as tokenHandlers from './handlers/tokens.ts'
import { dryRunDocument, dryRunRule, explainTrap, ruleOptions } from './handlers/trap-rules.ts'
import { readView, viewDocument, viewOptions } from './handlers/views.ts'
import { answerHealth, answerMetrics } from './handlers/watch.ts'
import { removeZone } from './handlers/zones.ts'
import {
  administrator,
  anyone,
  at,
  done,
  file,
  located,
  type Operation,
  operator,
  type Parameter,
  page,
  plainText,
  record,
  rows,
  viewer,
} from './operation.ts'

/** Where a collection differs from others. */
interface Ways {
  readonly options?: RecordOptions
  /** Shows more of a single record than the list does. */
  readonly read?: Handler
  readonly list?: Handler
  readonly shape?: Shape
  /** A record lies in another, which is named by a query parameter, or by creating at the other's own path. */
  readonly parent?: { readonly parameter: string } | 'path'
  /** How a record is deleted, and what may be said with it. */
  readonly exported?: Handler
  readonly remove?: { readonly handle: Handler; readonly parameters?: Readonly<Record<string, Parameter>> }
}

const moveTo = { meaning: 'The zone that takes what it holds', scalar: long }

const ways = new Map<Collection, Ways>([
  [assignedIpScopes, { parent: 'path' }],
  [assignedIps, { parent: { parameter: 'ipScopeId' } }],
  [trapRules, { options: ruleOptions }],
  [devices, { options: deviceOptions, remove: { handle: removeDevice } }],
  [macAccessBinds, { options: bindingOptions }],
  [maintenances, { options: windows.windowOptions, read: windows.readWindow, list: windows.listWindows }],
  [
    reportTemplates,
    {
      read: reportHandlers.readTemplate,
      list: reportHandlers.listTemplates,
      exported: reportHandlers.exportTemplates,
    },
  ],
  [zones, { remove: { handle: removeZone, parameters: { moveTo } } }],
  [customViews, { options: viewOptions, read: readView, shape: viewDocument }],
])

/** What can be done with the records of a collection. Who may change them one by one may do it by the file. */
function recordOperations(collection: Collection): Operation[] {
  const { path, resource, list, noun } = collection
  const { name } = resource
  const {
    options,
    read = readOne(collection),
    shape = familyShape(resource),
    parent,
    remove,
    exported = exportData(collection),
  } = ways.get(collection) ?? {}
  const listed = ways.get(collection)?.list ?? ((call) => answerList(call, collection))
  const under = typeof parent === 'object' ? parent.parameter : undefined
  const create = under === undefined ? createOne(collection, options) : createUnder(collection, under)
  const made = { takes: shape, gives: located(collection.created) }
  return [
    ...at(path, name, {
      GET: viewer('List', noun, listed, { list, gives: page(shape) }),
      POST: operator('Create', noun, create, {
        ...made,
        ...(under !== undefined && { parameters: { [under]: parentParameter } }),
      }),
    }),
    ...at(`${path}/{id}`, name, {
      GET: viewer('Read', noun, read, { gives: record(shape) }),
      PUT: operator('Modify', noun, modifyOne(collection, options), { takes: shape, gives: done }),
      DELETE: operator('Delete', noun, remove?.handle ?? deleteOne(collection), {
        ...(remove?.parameters && { parameters: remove.parameters }),
        gives: done,
      }),
      ...(parent === 'path' && { POST: operator('CreateInside', noun, createInside(collection), made) }),
    }),
    ...at(`/plat/data/${name}`, name, {
      GET: viewer('Export', noun, exported, exporting(shape)),
      POST: operator('Import', noun, importData(collection), {
        parameters: {
          progress: { meaning: 'Answer with lines of JSON while records are read', scalar: bool },
          replace: { meaning: 'A record takes the place of the one that has its id', scalar: bool },
          dryRun: { meaning: 'Only tried: nothing is changed', scalar: bool },
          records: {
            meaning: 'With dryRun: so many records of each kind are told of, with what would change',
            scalar: int({ min: 0, max: 100 }),
          },
        },
        takes: { rows: shape },
        gives: { 200: { kind: 'imported' } },
      }),
    }),
  ]
}

const parentParameter = {
  meaning: 'The id of the record that will hold the new one',
  scalar: long,
  required: true,
} as const

const exporting = (shape: Shape) => ({
  parameters: { format: { meaning: 'Instead of Accept', scalar: fileForm } },
  gives: rows(shape),
})

const service = [
  ...at('/', 'service', {
    GET: viewer(
      'Read',
      'who answers here',
      answerRoot(() => lists),
      { gives: record(serviceDocument) },
    ),
  }),
  ...at('/health', 'health', {
    GET: anyone('Read', 'whether the service is ready', answerHealth, { gives: plainText, ownForm: true }),
  }),
  ...at('/metrics', 'metrics', {
    GET: viewer('Read', 'measurements in the text form of Prometheus', answerMetrics, {
      gives: plainText,
      ownForm: true,
    }),
  }),
]

/** The store as a whole, and who changed what in it. */
const store = [
  ...at('/plat/backup', 'service', {
    GET: administrator('BackUp', 'the whole store as it is at one moment, as a file; one at a time', backUp, {
      gives: file,
      ownForm: true,
      scope: 'backup',
    }),
  }),
  ...at('/plat/check', 'storeCheck', {
    GET: administrator('Check', 'what is wrong with the store, if anything; one at a time', check, {
      gives: record(storeCheckDocument),
    }),
  }),
  ...at('/plat/node', 'node', {
    GET: viewer('List', 'the services that run on the store, and which of them settles', showNodes, {
      gives: page(nodeDocument),
    }),
  }),
  ...at('/plat/setting', 'setting', {
    GET: administrator('List', 'settings, with where each comes from', listSettings, {
      gives: page(settingDocument),
    }),
  }),
  ...at(auditLog.path, 'audit', {
    GET: administrator('List', 'entries of the audit log', (call) => answerList(call, auditLog), {
      list: auditLog.list,
      gives: page(auditLog.resource),
    }),
  }),
  ...at(`${auditLog.path}/{id}`, 'audit', {
    GET: administrator('Read', 'an entry of the audit log', readOne(auditLog), {
      gives: record(auditLog.resource),
    }),
  }),
  ...at(`/plat/data/${auditLog.resource.name}`, 'audit', {
    GET: administrator('Export', 'the audit log', exportData(auditLog), exporting(auditLog.resource)),
  }),
]

const byFilter = {
  filters: alarms.list,
  parameters: {
    confirm: { meaning: `Must be true where more than ${work.unconfirmed} are meant`, scalar: bool },
  },
  gives: record(work.alarmBatch),
}

/** What is done with one alarm by its id, and with many by a filter. */
const withAlarms = (
  step: string,
  verb: string,
  words: string,
  { one, many }: typeof work.acknowledge,
  body: Pick<Operation, 'takes' | 'bodyOptional'> = {},
): Operation[] => [
  ...at(`${alarms.path}/${step}/{id}`, 'alarm', {
    PUT: operator(verb, `an alarm${words}`, one, { ...body, gives: done }),
  }),
  ...at(`${alarms.path}/${step}`, 'alarm', {
    PUT: operator(`${verb}Each`, `the alarms that a filter finds${words}`, many, { ...body, ...byFilter }),
  }),
]

const alarm = [
  ...at(alarms.path, 'alarm', {
    GET: viewer('List', 'alarms', alarmHandlers.listAlarms, {
      list: alarms.list,
      gives: page(alarmDocument),
    }),
    POST: operator('Raise', 'an alarm; 200 where it is open already', alarmHandlers.raiseAlarm, {
      takes: alarmDocument,
      gives: located(201, 200),
    }),
  }),
  ...at(`${alarms.path}/{id}`, 'alarm', {
    GET: viewer('Read', 'an alarm', alarmHandlers.readAlarm, { gives: record(alarmDetailDocument) }),
    PUT: operator('Remark', 'an alarm; only its remark is set', alarmHandlers.remarkAlarm, {
      takes: alarmDocument,
      gives: done,
    }),
    DELETE: operator('Delete', 'an alarm; an open one is recovered first', alarmHandlers.removeAlarm, {
      gives: done,
    }),
  }),
  ...withAlarms('acknowledge', 'Acknowledge', '', work.acknowledge, {
    takes: work.acknowledgement,
    bodyOptional: true,
  }),
  ...withAlarms('unacknowledge', 'Unacknowledge', ': withdraws it', work.unacknowledge),
  ...withAlarms('assign', 'Assign', ' to an operator, or to nobody', work.assign, {
    takes: work.assignment,
  }),
  ...withAlarms('shelve', 'Shelve', ' until a time, or until it gets worse', work.shelve, {
    takes: work.shelf,
  }),
  ...withAlarms('unshelve', 'Unshelve', '', work.unshelve),
  ...withAlarms('recover', 'Recover', '', work.recover),
  ...at(`${alarms.path}/{id}/note`, 'alarm', {
    POST: operator('Note', 'something about an alarm', work.note.one, {
      takes: work.alarmNote,
      gives: done,
    }),
  }),
  ...at(`${alarms.path}/note`, 'alarm', {
    POST: operator('NoteEach', 'something about the alarms that a filter finds', work.note.many, {
      ...byFilter,
      takes: work.alarmNote,
    }),
  }),
  ...at(`${alarms.path}/{id}/impact`, 'alarm', {
    GET: viewer(
      'Impact',
      'what an alarm means for others: terminals, devices, zones, as a tree',
      showImpact,
      {
        gives: record(impactDocument),
      },
    ),
  }),
  ...at(`${alarms.path}/{id}/history`, 'alarm', {
    GET: viewer('History', 'what has happened to an alarm, and which clients are past it', showHistory, {
      gives: record(alarmHistoryDocument),
    }),
  }),
  ...at(board.path, 'faultRealTime', {
    GET: viewer(
      'Show',
      'the newest alarms that are not over; JSON has them inside an object "faultRealTime"',
      showBoard,
      { list: board, gives: record(faultRealTime) },
    ),
  }),
]

const overview = at('/fault/overview', 'overview', {
  GET: viewer('Show', 'what is open, what was raised in the last day, and what comes in', showOverview, {
    gives: record(overviewDocument),
  }),
})

const figures = at('/fault/statistics', 'statistics', {
  GET: viewer('List', 'how many alarms there were, and how long they took', showStatistics, {
    parameters: {
      by: 'day (default), device, event or zone',
      deviceId: { meaning: 'Of this device alone', scalar: long },
      eventOid: 'Of this event alone',
      zoneId: { meaning: 'Of this zone alone', scalar: long },
      from: { meaning: 'The first day; 30 days without', scalar: dayText },
      to: { meaning: 'The last day; today without', scalar: dayText },
      start: { meaning: 'Rows to pass over', scalar: int() },
      size: { meaning: 'Rows in the answer at most, 100 without', scalar: int() },
      total: { meaning: 'Answers the header Total and no body', scalar: bool },
    },
    gives: page(statisticsDocument),
  }),
})

const maintenance = [
  ...at(`${maintenances.path}/end/{id}`, 'maintenance', {
    PUT: operator('End', 'a maintenance window early; one that recurs comes back', windows.endWindow, {
      gives: done,
    }),
  }),
  // It changes nothing.
  ...at(`${maintenances.path}/dryRun`, 'maintenance', {
    POST: viewer(
      'Try',
      'what a maintenance window would have held back; nothing is saved',
      windows.tryWindow,
      {
        takes: maintenances.resource,
        gives: record(windows.windowTrialDocument),
      },
    ),
  }),
]

const format = { meaning: 'Instead of Accept', scalar: reportHandlers.formName }
const reportFile = { gives: { 200: { kind: 'report' } }, ownForm: true } as const

const reports = [
  ...at('/report/report', 'report', {
    GET: viewer('List', 'what can be reported, with the parameters of each', reportHandlers.listReports, {
      gives: page(reportHandlers.reportDocument),
    }),
  }),
  ...at(`${reportTemplates.path}/{id}/run`, 'reportTemplate', {
    GET: viewer('DescribeRun', 'what a report template runs, and what it takes', reportHandlers.describeRun, {
      gives: record(reportHandlers.templateRunDocument),
    }),
    // It changes nothing; what it finds is kept as a result.
    POST: viewer('Run', 'a report template: a page, CSV, JSON or PDF', reportHandlers.runTemplate, {
      parameters: { format },
      takes: reportRun,
      bodyOptional: true,
      ...reportFile,
    }),
  }),
  ...at(reportResults.path, 'reportResult', {
    GET: viewer('List', 'results of report runs', reportHandlers.listResults, {
      list: reportResults.list,
      gives: page(reportResults.resource),
    }),
  }),
  ...at(`${reportResults.path}/{id}`, 'reportResult', {
    GET: viewer('Read', 'a result as a page, CSV, JSON or PDF', reportHandlers.showResult, {
      parameters: { format },
      ...reportFile,
    }),
    DELETE: operator('Delete', 'a result', reportHandlers.deleteResult, { gives: done }),
  }),
  ...at(reportSchedules.path, 'reportSchedule', {
    GET: viewer('List', 'report schedules', schedules.listSchedules, {
      list: reportSchedules.list,
      gives: page(reportSchedules.resource),
    }),
    POST: operator('Create', 'a report schedule', schedules.createSchedule, {
      takes: reportSchedules.resource,
      gives: located(201),
    }),
  }),
  ...at(`${reportSchedules.path}/{id}`, 'reportSchedule', {
    GET: viewer('Read', 'a report schedule', schedules.readSchedule, {
      gives: record(reportSchedules.resource),
    }),
    PUT: operator('Modify', 'a report schedule', schedules.modifySchedule, {
      takes: reportSchedules.resource,
      gives: done,
    }),
    DELETE: operator('Delete', 'a report schedule; its results stay', schedules.deleteSchedule, {
      gives: done,
    }),
  }),
]

const trapsAndRules = [
  ...at(traps.path, 'trap', {
    GET: viewer('List', 'recent traps', (call) => answerList(call, traps), {
      list: traps.list,
      gives: page(trap),
    }),
  }),
  ...at(`${traps.path}/{id}`, 'trap', {
    GET: viewer('Read', 'a trap and what settled it', explainTrap, { gives: record(trap) }),
  }),
  ...at('/fault/trapLedger', 'trapLedger', {
    GET: viewer('List', 'how many datagrams ended in which bin, and why', listLedger, {
      parameters: { sourceIp: 'Of this sender alone' },
      gives: page(ledgerLine),
    }),
  }),
  // It changes nothing.
  ...at(`${trapRules.path}/dryRun`, 'trapRule', {
    POST: viewer('Try', 'what a trap rule would have filtered; nothing is saved', dryRunRule, {
      takes: trapRules.resource,
      gives: record(dryRunDocument),
    }),
  }),
]

const modules = [
  ...at(mibModules.path, 'mibModule', {
    GET: viewer('List', 'loaded modules (MIBs), with what could not be read of each', mibs.listModules, {
      list: mibModules.list,
      gives: page(mibs.mibModuleDocument),
    }),
    POST: operator('Load', 'the modules of a file, whose text is the body', mibs.loadModuleFile, {
      parameters: {
        file: 'What the file is called',
        unknown: 'false: no remarks on names that are not known, for which all modules are looked through',
      },
      takes: 'text',
      gives: record(mibs.mibLoadDocument),
    }),
  }),
  ...at(`${mibModules.path}/{name}`, 'mibModule', {
    GET: viewer('Read', 'a module with its objects and notifications', mibs.readModule, {
      gives: record(mibs.mibModuleDocument),
    }),
    DELETE: operator('Delete', 'a module; definitions that were accepted stay', mibs.deleteModule, {
      gives: done,
    }),
  }),
  ...at('/fault/mibProposal', 'mibProposal', {
    GET: viewer('List', 'event definitions proposed from loaded modules', mibs.listModuleProposals, {
      parameters: { module: 'The name of a module', confidence: 'The least: high, medium or low' },
      gives: page(mibs.mibProposalDocument),
    }),
  }),
  ...at('/fault/mibProposal/accept', 'mibProposal', {
    POST: operator('Accept', 'proposals, which become event definitions', mibs.acceptModuleProposals, {
      takes: mibs.mibAccept,
      gives: page(mibs.mibAcceptedDocument),
    }),
  }),
]

const stream = { kind: 'stream', shapes: [alarmDocument, gapDocument, bookmarkDocument] } as const

const events = [
  ...at('/events', 'events', {
    GET: viewer(
      'Register',
      'for alarms, pushed as they come; server-sent events have status 200',
      openEvents,
      {
        parameters: {
          type: { meaning: 'Must be 11', scalar: int(), required: true },
          uuid: 'Identifies a client that wants to resume: 1 to 256 characters, none of them a control character',
          alarmLevel: 'Levels, repeated or separated by commas',
          customView: 'The symbolId of a custom view',
          deviceIp: 'Addresses of devices',
          ipSegment: 'Ranges of addresses, first-last',
          eventOid: 'Event OIDs; .* behind one stands for all below it',
          zoneId: 'Zones of devices',
          changes: { meaning: 'What people do with alarms is pushed, too', scalar: bool },
          causes: { meaning: 'What follows from another alarm is not pushed', scalar: bool },
          sendRecovered: { meaning: 'A recovery carries lstRecovered', scalar: bool },
          cursor: { meaning: 'Documents carry their position', scalar: bool },
          since: 'A position to go on from',
          snapshot: { meaning: 'All open alarms first', scalar: bool },
        },
        gives: { 202: stream, 200: stream },
        ownForm: true,
        endless: true,
        scope: 'events',
      },
    ),
  }),
  ...at('/events/registrations', 'registration', {
    GET: viewer('List', 'clients that are registered for alarms', listRegistrations, {
      gives: page(registrationDocument),
    }),
  }),
  // One's own; an administrator, everyone's.
  ...at('/events/registrations/{name}', 'registration', {
    DELETE: viewer('Delete', 'the registration of a client, by its uuid', deleteRegistration, {
      gives: done,
    }),
  }),
  ...at('/events/registrations/{name}/test', 'registration', {
    POST: viewer(
      'Test',
      'the way to a client that is connected, by an alarm that is in no list',
      testRegistration,
      {
        gives: done,
      },
    ),
  }),
]

const groups = operatorGroups
const held = tokens.resource
const person = familyShape(operators.resource)
const keepTokens = { meaning: 'With a new password: tokens that were made before stay good', scalar: bool }

/** Everyone sees and changes what is their own; the rest is for administrators. */
const access = [
  ...at(operators.path, 'operator', {
    GET: administrator('List', 'operators', (call) => answerList(call, operators), {
      list: operators.list,
      gives: page(person),
    }),
    POST: administrator('Create', 'an operator', operatorHandlers.createOperator, {
      takes: person,
      gives: located(201),
      scope: 'operators',
    }),
  }),
  ...at(`${operators.path}/{id}`, 'operator', {
    GET: administrator('Read', 'an operator', readOne(operators), { gives: record(person) }),
    PUT: administrator('Modify', 'an operator', operatorHandlers.modifyOperator, {
      parameters: { keepTokens },
      takes: person,
      gives: done,
      scope: 'operators',
    }),
    DELETE: administrator('Delete', 'an operator', operatorHandlers.deleteOperator, {
      gives: done,
      scope: 'operators',
    }),
  }),
  ...at(operatorHandlers.namesPath, 'operatorName', {
    GET: operator('List', 'operators by their names', operatorHandlers.listNames, {
      gives: page(operatorHandlers.operatorNameDocument),
    }),
  }),
  ...at(operatorHandlers.ownPath, 'operator', {
    GET: viewer('ReadSelf', 'the operator who asks', operatorHandlers.readSelf, { gives: record(person) }),
    PUT: viewer('ModifySelf', 'the operator who asks', operatorHandlers.modifySelf, {
      parameters: { keepTokens },
      takes: person,
      gives: done,
      scope: 'operators',
    }),
  }),
  ...at(operatorGroups.path, 'operatorGroup', {
    GET: viewer('List', 'operator groups', (call) => answerList(call, groups), {
      list: groups.list,
      gives: page(groups.resource),
    }),
    POST: administrator('Create', 'an operator group', createOne(groups), {
      takes: groups.resource,
      gives: located(201),
    }),
  }),
  ...at(`${operatorGroups.path}/{id}`, 'operatorGroup', {
    GET: viewer('Read', 'an operator group', readOne(groups), { gives: record(groups.resource) }),
    PUT: administrator('Modify', 'an operator group', modifyOne(groups), {
      takes: groups.resource,
      gives: done,
    }),
    DELETE: administrator('Delete', 'an operator group', deleteOne(groups), { gives: done }),
  }),
  ...at(tokens.path, 'token', {
    GET: viewer('List', 'tokens', listOwn(tokens), { list: tokens.list, gives: page(held) }),
    POST: viewer('Create', 'a token', tokenHandlers.createToken, {
      takes: held,
      gives: { 201: { kind: 'record', shape: held, located: true } },
      scope: 'tokens',
    }),
  }),
  ...at(`${tokens.path}/{id}`, 'token', {
    GET: viewer('Read', 'a token', readOwn(tokens), { gives: record(held) }),
    DELETE: viewer('Delete', 'a token', tokenHandlers.deleteToken, { gives: done }),
  }),
]

/** What a RADIUS server asks and tells, with a token that is good for nothing else. */
const terminalAccess = [
  ...at('/res/access/authorize', 'accessRequest', {
    POST: operator('Authorize', 'whether a terminal is admitted at a port of a device', radius.authorize, {
      parameters: {
        as: { meaning: 'radius: attributes by name, as FreeRADIUS reads them', scalar: radius.asForm },
      },
      takes: radius.accessRequest,
      gives: record(radius.accessDecision),
      scope: 'access',
    }),
  }),
  ...at('/res/access/accounting', 'accountingRequest', {
    POST: operator('Account', 'a terminal: it is there, is still there, or has left', radius.account, {
      takes: radius.accountingRequest,
      gives: done,
      scope: 'access',
    }),
  }),
]

const seen = [
  ...at(terminals.path, 'terminal', {
    GET: viewer(
      'List',
      'terminals that were seen, each with where it is',
      (call) => answerList(call, terminals),
      {
        list: terminals.list,
        gives: page(terminals.resource),
      },
    ),
  }),
  ...at(`${terminals.path}/{id}`, 'terminal', {
    GET: viewer('Read', 'a terminal', readOne(terminals), { gives: record(terminals.resource) }),
    DELETE: operator('Erase', 'a terminal, with all that is kept of where it was', radius.eraseTerminal, {
      gives: done,
    }),
  }),
  ...at(terminalStays.path, 'terminalStay', {
    GET: viewer('List', 'where terminals have been', (call) => answerList(call, terminalStays), {
      list: terminalStays.list,
      gives: page(terminalStays.resource),
    }),
  }),
]

const sitting = sessions.resource
const { callerDocument, signInDocument } = sessionHandlers

/** Signing in from a browser, and those who have. */
const signIn = [
  ...at(sessionPath, 'caller', {
    GET: anyone(
      'Read',
      'who asks, by which way, and what that one may do',
      sessionHandlers.showCaller(() => operations),
      { gives: record(callerDocument) },
    ),
    POST: anyone(
      'SignIn',
      'with a name and a password; the cookie of the answer is the session',
      sessionHandlers.signIn(() => operations),
      { takes: signInDocument, gives: { 201: { kind: 'record', shape: callerDocument } } },
    ),
    DELETE: anyone('SignOut', 'the one who asks', sessionHandlers.signOut, { gives: done }),
  }),
  ...at(openIdPath, 'openId', {
    POST: anyone(
      'BeginSignIn',
      'at the provider of identities; the answer says where to go',
      openIdHandlers.beginOpenId,
      { gives: record(openIdHandlers.departureDocument) },
    ),
    PUT: anyone(
      'FinishSignIn',
      'with what the provider said; the cookie of the answer is the session',
      openIdHandlers.finishOpenId(() => operations),
      {
        takes: openIdHandlers.returnDocument,
        gives: { 201: { kind: 'record', shape: callerDocument } },
      },
    ),
  }),
  ...at(sessions.path, 'session', {
    GET: viewer('List', 'sessions', listOwn(sessions), {
      list: sessions.list,
      gives: page(sitting),
    }),
  }),
  ...at(`${sessions.path}/{id}`, 'session', {
    GET: viewer('Read', 'a session', readOwn(sessions), { gives: record(sitting) }),
    DELETE: viewer('Delete', 'a session, which ends it', sessionHandlers.deleteSession, { gives: done }),
  }),
]

export const operations: readonly Operation[] = [
  ...service,
  ...catalog.flatMap(recordOperations),
  ...alarm,
  ...overview,
  ...figures,
  ...maintenance,
  ...reports,
  ...trapsAndRules,
  ...modules,
  ...events,
  ...access,
  ...terminalAccess,
  ...seen,
  ...signIn,
  ...store,
]

/** What the root document names: all that can be listed. */
const lists = operations.flatMap(({ method, path, gives: { 200: answer } }) =>
  method === 'GET' && answer?.kind === 'page' ? [{ name: answer.shape.name, path }] : [],
)
