// Which path answers what. Most of it follows from the catalog of collections.

import { alarms } from '../resources/alarm.ts'
import { assignedIps } from '../resources/assigned-ip-info.ts'
import { assignedIpScopes } from '../resources/assigned-ip-scope.ts'
import { auditLog } from '../resources/audit-log.ts'
import { catalog } from '../resources/catalog.ts'
import { customViews } from '../resources/custom-view.ts'
import { devices } from '../resources/device.ts'
import { mibModules } from '../resources/mib-module.ts'
import { operators } from '../resources/operator.ts'
import { tokens } from '../resources/token.ts'
import { traps } from '../resources/trap.ts'
import { trapRules } from '../resources/trap-rule.ts'
import { zones } from '../resources/zone.ts'
import type { Handler } from './call.ts'
import type { Needs } from './gate.ts'
import {
  acknowledgeAlarm,
  listAlarms,
  raiseAlarm,
  readAlarm,
  recoverAlarm,
  remarkAlarm,
  removeAlarm,
} from './handlers/alarms.ts'
import { exportData, importData } from './handlers/data.ts'
import { createDevice, modifyDevice } from './handlers/devices.ts'
import { deleteRegistration, listRegistrations, openEvents } from './handlers/events.ts'
import { board, showBoard } from './handlers/fault-real-time.ts'
import { listLedger } from './handlers/ledger.ts'
import { answerList } from './handlers/lists.ts'
import {
  acceptModuleProposals,
  deleteModule,
  listModuleProposals,
  listModules,
  loadModuleFile,
  readModule,
} from './handlers/mibs.ts'
import {
  createOperator,
  deleteOperator,
  modifyOperator,
  modifySelf,
  ownPath,
  readSelf,
} from './handlers/operators.ts'
import { createInside, createOne, createUnder, deleteOne, modifyOne, readOne } from './handlers/records.ts'
import { answerRoot } from './handlers/root.ts'
import { backUp, check } from './handlers/store.ts'
import { createToken, deleteToken, listTokens, readToken } from './handlers/tokens.ts'
import { createRule, dryRunRule, explainTrap, modifyRule } from './handlers/trap-rules.ts'
import { createView, modifyView, readView } from './handlers/views.ts'
import { removeZone } from './handlers/zones.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What answers a method, and whom: every operation says so, here and nowhere else. */
export interface Operation {
  readonly needs: Needs
  readonly handle: Handler
}

const forRole = (needs: Needs) => (handle: Handler) => ({ needs, handle }) satisfies Operation
const viewer = forRole('viewer')
const operator = forRole('operator')
const administrator = forRole('administrator')

/** What machines ask that watch over the service; the server itself answers it. */
export const watchNeeds = { '/health': 'anyone', '/metrics': 'viewer' } as const satisfies Record<
  string,
  Needs
>

export type Operations = Partial<Record<Method, Operation>>

export interface Route {
  /** With `{id}` where the path carries one. */
  readonly template: string
  readonly handlers: Operations
  /** Answers in a form of its own, whatever the caller accepts. */
  readonly ownForm?: true
  /** Never ends, so that there is nothing HEAD could tell. */
  readonly endless?: true
}

export function buildRoutes(): Map<string, Route> {
  const routes = new Map<string, Route>()
  const add = (template: string, handlers: Operations) => {
    routes.set(template, { template, handlers: { ...routes.get(template)?.handlers, ...handlers } })
  }
  add('/', { GET: viewer(answerRoot) })
  // Who may change records one by one may do it by the file.
  for (const collection of catalog) {
    const { path } = collection
    add(path, {
      GET: viewer((call) => answerList(call, collection)),
      POST: operator(createOne(collection)),
    })
    add(`${path}/{id}`, {
      GET: viewer(readOne(collection)),
      PUT: operator(modifyOne(collection)),
      DELETE: operator(deleteOne(collection)),
    })
    add(`/plat/data/${collection.resource.name}`, {
      GET: viewer(exportData(collection)),
      POST: operator(importData(collection)),
    })
  }
  add(`${assignedIpScopes.path}/{id}`, { POST: operator(createInside(assignedIpScopes)) })
  add(devices.path, { POST: operator(createDevice) })
  add(`${devices.path}/{id}`, { PUT: operator(modifyDevice) })
  add(`${zones.path}/{id}`, { DELETE: operator(removeZone) })
  add(assignedIps.path, { POST: operator(createUnder(assignedIps, 'ipScopeId')) })
  add(alarms.path, { GET: viewer(listAlarms), POST: operator(raiseAlarm) })
  add(`${alarms.path}/{id}`, {
    GET: viewer(readAlarm),
    PUT: operator(remarkAlarm),
    DELETE: operator(removeAlarm),
  })
  add(`${alarms.path}/acknowledge/{id}`, { PUT: operator(acknowledgeAlarm) })
  add(`${alarms.path}/recover/{id}`, { PUT: operator(recoverAlarm) })
  add(board.path, { GET: viewer(showBoard) })
  add(customViews.path, { POST: operator(createView) })
  add(`${customViews.path}/{id}`, { GET: viewer(readView), PUT: operator(modifyView) })
  add(traps.path, { GET: viewer((call) => answerList(call, traps)) })
  add(`${traps.path}/{id}`, { GET: viewer(explainTrap) })
  add(trapRules.path, { POST: operator(createRule) })
  add(`${trapRules.path}/{id}`, { PUT: operator(modifyRule) })
  // It changes nothing.
  add(`${trapRules.path}/dryRun`, { POST: viewer(dryRunRule) })
  add('/fault/trapLedger', { GET: viewer(listLedger) })
  add(mibModules.path, { GET: viewer(listModules), POST: operator(loadModuleFile) })
  add(`${mibModules.path}/{name}`, { GET: viewer(readModule), DELETE: operator(deleteModule) })
  add('/fault/mibProposal', { GET: viewer(listModuleProposals) })
  add('/fault/mibProposal/accept', { POST: operator(acceptModuleProposals) })
  add(auditLog.path, { GET: administrator((call) => answerList(call, auditLog)) })
  add(`${auditLog.path}/{id}`, { GET: administrator(readOne(auditLog)) })
  add(`/plat/data/${auditLog.resource.name}`, { GET: administrator(exportData(auditLog)) })
  const backup = {
    template: '/plat/backup',
    handlers: { GET: administrator(backUp) },
    ownForm: true,
  } as const
  routes.set(backup.template, backup)
  add('/plat/check', { GET: administrator(check) })
  const events = {
    template: '/events',
    handlers: { GET: viewer(openEvents) },
    ownForm: true,
    endless: true,
  } as const
  routes.set(events.template, events)
  add('/events/registrations', { GET: viewer(listRegistrations) })
  // One's own; an administrator, everyone's.
  add('/events/registrations/{name}', { DELETE: viewer(deleteRegistration) })
  addOperators(add)
  return routes
}

/** Everyone sees and changes what is their own; the rest is for administrators. */
function addOperators(add: (template: string, handlers: Operations) => void): void {
  add(operators.path, {
    GET: administrator((call) => answerList(call, operators)),
    POST: administrator(createOperator),
  })
  add(`${operators.path}/{id}`, {
    GET: administrator(readOne(operators)),
    PUT: administrator(modifyOperator),
    DELETE: administrator(deleteOperator),
  })
  add(ownPath, { GET: viewer(readSelf), PUT: viewer(modifySelf) })
  add(tokens.path, { GET: viewer(listTokens), POST: viewer(createToken) })
  add(`${tokens.path}/{id}`, { GET: viewer(readToken), DELETE: viewer(deleteToken) })
}

interface Match {
  readonly route: Route
  /** The text in the place of `{id}` or `{name}`. */
  readonly text: string
}

export function matchRoute(routes: ReadonlyMap<string, Route>, path: string): Match | undefined {
  const exact = routes.get(path)
  if (exact) return { route: exact, text: '' }
  const cut = path.lastIndexOf('/')
  const parent = path.slice(0, cut)
  const route = routes.get(`${parent}/{id}`) ?? routes.get(`${parent}/{name}`)
  return route && { route, text: path.slice(cut + 1) }
}

/** What `Allow` says: HEAD goes with GET, OPTIONS with everything. */
export function allowedMethods({ handlers, endless }: Route): string {
  const methods = Object.keys(handlers).flatMap((method) =>
    method === 'GET' && !endless ? ['GET', 'HEAD'] : [method],
  )
  return [...methods, 'OPTIONS'].join(', ')
}
