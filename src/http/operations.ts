// The table of all operations of the service. Routing, permissions, the root document, the OpenAPI document and the
// XML schema are derived from it. Its rows are in operations/, by subject.

import { catalog } from '../resources/catalog.ts'
import type { Listed } from './handlers/service-handlers.ts'
import type { Operation } from './operation.ts'
import {
  alarmOperations,
  eventOperations,
  maintenanceOperations,
  overviewOperations,
  statisticsOperations,
} from './operations/alarm-operations.ts'
import { askOperations } from './operations/ask-operations.ts'
import { recordOperations } from './operations/collection-operations.ts'
import { discoveryOperations } from './operations/discovery-operations.ts'
import { deviceOperations, radiusOperations, terminalOperations } from './operations/inventory-operations.ts'
import { notifyOperations } from './operations/notify-operations.ts'
import { actionOperations, heartbeatOperations, scheduleOperations } from './operations/oncall-operations.ts'
import { operatorOperations, signInOperations } from './operations/operator-operations.ts'
import { reportOperations } from './operations/report-operations.ts'
import { routeOperations } from './operations/route-operations.ts'
import { serviceOperations, storeOperations } from './operations/service-operations.ts'
import { messageOperations, mibOperations, trapOperations } from './operations/trap-operations.ts'

export const operations: readonly Operation[] = [
  ...serviceOperations(() => lists),
  ...catalog.flatMap(recordOperations),
  ...deviceOperations,
  ...askOperations,
  ...discoveryOperations,
  ...alarmOperations,
  ...overviewOperations,
  ...statisticsOperations,
  ...maintenanceOperations,
  ...reportOperations,
  ...routeOperations,
  ...trapOperations,
  ...messageOperations,
  ...mibOperations,
  ...eventOperations,
  ...operatorOperations,
  ...notifyOperations,
  ...scheduleOperations,
  ...heartbeatOperations,
  ...actionOperations,
  ...radiusOperations,
  ...terminalOperations,
  ...signInOperations(() => operations),
  ...storeOperations,
]

/** What the root document names: all that can be listed. */
const lists: readonly Listed[] = operations.flatMap(({ method, path, gives: { 200: answer } }) =>
  method === 'GET' && answer?.kind === 'page' ? [{ name: answer.shape.name, path }] : [],
)
