// Which path answers what. Most of it follows from the catalog of collections.

import { alarms } from '../resources/alarm.ts'
import { assignedIps } from '../resources/assigned-ip-info.ts'
import { assignedIpScopes } from '../resources/assigned-ip-scope.ts'
import { catalog } from '../resources/catalog.ts'
import { customViews } from '../resources/custom-view.ts'
import { traps } from '../resources/trap.ts'
import { trapRules } from '../resources/trap-rule.ts'
import {
  acknowledgeAlarm,
  listAlarms,
  raiseAlarm,
  readAlarm,
  recoverAlarm,
  remarkAlarm,
  removeAlarm,
} from './alarms.ts'
import type { Handler } from './call.ts'
import { exportData, importData } from './data.ts'
import { deleteRegistration, listRegistrations, openEvents } from './events.ts'
import { board, showBoard } from './fault-real-time.ts'
import { listLedger } from './ledger.ts'
import { answerList } from './lists.ts'
import { createInside, createOne, createUnder, deleteOne, modifyOne, readOne } from './records.ts'
import { answerRoot } from './root.ts'
import { createRule, dryRunRule, explainTrap, modifyRule } from './trap-rules.ts'
import { createView, modifyView, readView } from './views.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Route {
  /** With `{id}` where the path carries one. */
  readonly template: string
  readonly handlers: Partial<Record<Method, Handler>>
  /** Answers in a form of its own, whatever the caller accepts. */
  readonly ownForm?: true
  /** Never ends, so that there is nothing HEAD could tell. */
  readonly endless?: true
}

export function buildRoutes(): Map<string, Route> {
  const routes = new Map<string, Route>()
  const add = (template: string, handlers: Partial<Record<Method, Handler>>) => {
    routes.set(template, { template, handlers: { ...routes.get(template)?.handlers, ...handlers } })
  }
  add('/', { GET: answerRoot })
  for (const collection of catalog) {
    const { path } = collection
    add(path, { GET: (call) => answerList(call, collection), POST: createOne(collection) })
    add(`${path}/{id}`, {
      GET: readOne(collection),
      PUT: modifyOne(collection),
      DELETE: deleteOne(collection),
    })
    add(`/plat/data/${collection.resource.name}`, {
      GET: exportData(collection),
      POST: importData(collection),
    })
  }
  add(`${assignedIpScopes.path}/{id}`, { POST: createInside(assignedIpScopes) })
  add(assignedIps.path, { POST: createUnder(assignedIps, 'ipScopeId') })
  add(alarms.path, { GET: listAlarms, POST: raiseAlarm })
  add(`${alarms.path}/{id}`, { GET: readAlarm, PUT: remarkAlarm, DELETE: removeAlarm })
  add(`${alarms.path}/acknowledge/{id}`, { PUT: acknowledgeAlarm })
  add(`${alarms.path}/recover/{id}`, { PUT: recoverAlarm })
  add(board.path, { GET: showBoard })
  add(customViews.path, { POST: createView })
  add(`${customViews.path}/{id}`, { GET: readView, PUT: modifyView })
  add(traps.path, { GET: (call) => answerList(call, traps) })
  add(`${traps.path}/{id}`, { GET: explainTrap })
  add(trapRules.path, { POST: createRule })
  add(`${trapRules.path}/{id}`, { PUT: modifyRule })
  add(`${trapRules.path}/dryRun`, { POST: dryRunRule })
  add('/fault/trapLedger', { GET: listLedger })
  const events = { template: '/events', handlers: { GET: openEvents }, ownForm: true, endless: true } as const
  routes.set(events.template, events)
  add('/events/registrations', { GET: listRegistrations })
  add('/events/registrations/{name}', { DELETE: deleteRegistration })
  return routes
}

export interface Match {
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
