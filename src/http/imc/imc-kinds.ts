// Short lists of the kinds of devices, as iMC-compatible clients read them.

import {
  deviceCategories,
  deviceModels,
  deviceSeries,
  deviceVendors,
} from '../../resources/inventory/device-kinds.ts'
import { empty, required, type Shape } from '../../schema/resource.ts'
import { long, text } from '../../schema/scalar.ts'
import type { Database } from '../../store/database.ts'
import type { Handler } from '../call.ts'
import { answerMadeRows } from '../handlers/list-handlers.ts'

const kind = { id: required(long), name: required(text()) }

export const vendorDocument = { name: 'deviceVendor', fields: kind }
export const categoryDocument = { name: 'deviceCategory', fields: kind }
export const seriesDocument = { name: 'deviceSeries', fields: kind }
export const modelDocument = { name: 'deviceModel', fields: { ...kind, sysOid: required(text(), empty) } }

const listOf =
  <T extends object>(
    shape: Shape,
    read: (database: Database) => Promise<readonly T[]> | readonly T[],
  ): Handler =>
  async (call) =>
    answerMadeRows(call, shape, await read(call.database), (one) => Object.fromEntries(Object.entries(one)))

export const listVendors = listOf(vendorDocument, deviceVendors)
export const listCategories = listOf(categoryDocument, deviceCategories)
export const listSeries = listOf(seriesDocument, deviceSeries)
export const listModels = listOf(modelDocument, deviceModels)
