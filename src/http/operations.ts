// The table of all operations of the service. Routing, permissions, the root document, the OpenAPI document and the
// XML schema are derived from it. Its rows are in operations/, by subject.

import { catalog } from '../resources/catalog.ts'
import type { Listed } from './handlers/root-handlers.ts'
import type { Operation } from './operation.ts'
import {
  alarmOperations,
  maintenanceOperations,
  overviewOperations,
  statisticsOperations,
} from './operations/alarm-operations.ts'
import { recordOperations } from './operations/collection-operations.ts'
import { deviceOperations } from './operations/device-operations.ts'
import { eventOperations } from './operations/event-operations.ts'
import { operatorOperations, signInOperations } from './operations/operator-operations.ts'
import { reportOperations } from './operations/report-operations.ts'
import { serviceOperations, storeOperations } from './operations/service-operations.ts'
import { radiusOperations, terminalOperations } from './operations/terminal-operations.ts'
import { mibOperations, trapOperations } from './operations/trap-operations.ts'

export const operations: readonly Operation[] = [
  ...serviceOperations(() => lists),
  ...catalog.flatMap(recordOperations),
  ...deviceOperations,
  ...alarmOperations,
  ...overviewOperations,
  ...statisticsOperations,
  ...maintenanceOperations,
  ...reportOperations,
  ...trapOperations,
  ...mibOperations,
  ...eventOperations,
  ...operatorOperations,
  ...radiusOperations,
  ...terminalOperations,
  ...signInOperations(() => operations),
  ...storeOperations,
]

/** What the root document names: all that can be listed. */
const lists: readonly Listed[] = operations.flatMap(({ method, path, gives: { 200: answer } }) =>
  method === 'GET' && answer?.kind === 'page' ? [{ name: answer.shape.name, path }] : [],
)
