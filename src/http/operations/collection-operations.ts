// The operations that every collection of the catalog has, and the exceptions.

import type { FaultCode } from '../../fault.ts'
import { maintenances } from '../../resources/alarms/maintenance.ts'
import { trapEvents } from '../../resources/alarms/trap-event.ts'
import { trapRules } from '../../resources/alarms/trap-rule.ts'
import type { Collection } from '../../resources/collection.ts'
import { assignedIps } from '../../resources/inventory/assigned-ip-info.ts'
import { assignedIpScopes } from '../../resources/inventory/assigned-ip-scope.ts'
import { customViews } from '../../resources/inventory/custom-view.ts'
import { devices } from '../../resources/inventory/device.ts'
import { macAccessBinds } from '../../resources/inventory/mac-access-bind.ts'
import { zones } from '../../resources/inventory/zone.ts'
import { reportTemplates } from '../../resources/reports/report-template.ts'
import type { Shape } from '../../schema/resource.ts'
import { bool, int, long } from '../../schema/scalar.ts'
import type { Handler } from '../call.ts'
import * as windows from '../handlers/alarms/maintenance-handlers.ts'
import { exportData, fileForm } from '../handlers/files/export-handlers.ts'
import { importData } from '../handlers/files/import-handlers.ts'
import {
  bindingOptions,
  deviceOptions,
  listDevices,
  removeDevice,
  removeZone,
} from '../handlers/inventory/inventory-handlers.ts'
import { readView, removeView, viewDocument, viewOptions } from '../handlers/inventory/view-handlers.ts'
import { answerList } from '../handlers/list-handlers.ts'
import {
  createInside,
  createOne,
  createUnder,
  deleteOne,
  modifyOne,
  type RecordOptions,
  readOne,
} from '../handlers/record-handlers.ts'
import * as reportHandlers from '../handlers/reports/report-handlers.ts'
import { eventParameters, listEvents } from '../handlers/traps/event-handlers.ts'
import { ruleOptions } from '../handlers/traps/trap-handlers.ts'
import { imcShape } from '../imc/imc-records.ts'
import {
  at,
  done,
  located,
  type Operation,
  operator,
  type Parameter,
  page,
  record,
  rows,
  viewer,
} from '../operation.ts'

interface Removal {
  readonly handle: Handler
  readonly parameters?: Readonly<Record<string, Parameter>>
  readonly alsoAnswers?: readonly FaultCode[]
}

/** Where a collection differs from others. */
interface Ways {
  readonly options?: RecordOptions
  /** Shows more of a single record than the list does. */
  readonly read?: Handler
  readonly list?: Handler
  /** Query parameters of the list that are no filters of its table. */
  readonly listParameters?: Readonly<Record<string, Parameter>>
  readonly shape?: Shape
  /** A record lies in another, which is named by a query parameter, or by creating at the other's own path. */
  readonly parent?: { readonly parameter: string } | 'path'
  readonly exported?: Handler
  /** How a record is deleted, where that differs. */
  readonly remove?: Removal
}

const moveTo = { meaning: 'The zone that takes what it holds', scalar: long }

const ways = new Map<Collection, Ways>([
  [assignedIpScopes, { parent: 'path' }],
  [assignedIps, { parent: { parameter: 'ipScopeId' } }],
  [trapRules, { options: ruleOptions }],
  [trapEvents, { list: listEvents, listParameters: eventParameters }],
  [devices, { options: deviceOptions, list: listDevices, remove: { handle: removeDevice } }],
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
  [zones, { remove: { handle: removeZone, parameters: { moveTo }, alsoAnswers: ['conflict'] } }],
  [
    customViews,
    { options: viewOptions, read: readView, shape: viewDocument, remove: { handle: removeView } },
  ],
])

/** What can be done with the records of a collection. Callers that may change them one by one may import a file. */
export function recordOperations(collection: Collection): Operation[] {
  const { path, resource, list, noun } = collection
  const { name } = resource
  const {
    options,
    read = readOne(collection),
    shape = imcShape(resource),
    parent,
    remove,
    listParameters,
    exported = exportData(collection),
  } = ways.get(collection) ?? {}
  const listed = ways.get(collection)?.list ?? ((call) => answerList(call, collection))
  const under = typeof parent === 'object' ? parent.parameter : undefined
  const create = under === undefined ? createOne(collection, options) : createUnder(collection, under)
  const made = { takes: shape, gives: located(collection.created) }
  return [
    ...at(path, name, {
      GET: viewer('List', noun, listed, {
        list,
        ...(listParameters && { parameters: listParameters }),
        gives: page(shape),
      }),
      POST: operator('Create', noun, create, {
        ...made,
        ...(under !== undefined && {
          parameters: { [under]: parentParameter },
          alsoAnswers: ['not-found'] as const,
        }),
      }),
    }),
    ...at(`${path}/{id}`, name, {
      GET: viewer('Read', noun, read, { gives: record(shape) }),
      PUT: operator('Modify', noun, modifyOne(collection, options), { takes: shape, gives: done }),
      DELETE: operator('Delete', noun, remove?.handle ?? deleteOne(collection), {
        ...(remove?.parameters && { parameters: remove.parameters }),
        ...(remove?.alsoAnswers && { alsoAnswers: remove.alsoAnswers }),
        gives: done,
      }),
      ...(parent === 'path' && { POST: operator('CreateInside', noun, createInside(collection), made) }),
    }),
    ...at(`/plat/data/${name}`, name, {
      GET: viewer('Export', noun, exported, exporting(shape)),
      POST: operator('Import', noun, importData(collection, options), {
        parameters: {
          progress: { meaning: 'Answer with lines of JSON while records are read', scalar: bool },
          replace: { meaning: 'A record takes the place of the one that has its id', scalar: bool },
          dryRun: { meaning: 'Only tried: nothing is changed', scalar: bool },
          records: {
            meaning: 'With dryRun: so many records of each kind are listed, with what would change',
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

/** What an export takes and returns. */
export const exporting = (shape: Shape) => ({
  parameters: { format: { meaning: 'Instead of Accept', scalar: fileForm } },
  gives: rows(shape),
})
