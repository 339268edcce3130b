// Handler for deleting a zone: its content moves to another zone if the caller names one.

import { deleteZone } from '../../../resources/inventory/zone.ts'
import { references } from '../../../resources/references.ts'
import { oneScalar } from '../../../schema/list.ts'
import { long } from '../../../schema/scalar.ts'
import type { Handler } from '../../call.ts'
import { sendEmpty, warningHeaders } from '../../responses.ts'

export const removeZone: Handler = async (call) => {
  await deleteZone(call.database, call.id, oneScalar(call.parameters, 'moveTo', long))
  sendEmpty(call.response, 204, warningHeaders(await references(call.database, 'zone', call.id)))
}
