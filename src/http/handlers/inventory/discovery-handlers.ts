// Handlers for discoveries: runs are started and stopped, and what was found is accepted into the inventory.

import { Fault } from '../../../fault.ts'
import { acceptFound } from '../../../resources/inventory/discovered.ts'
import { stopDiscovery } from '../../../resources/inventory/discovery.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { assigned, assignedSet, resource, set } from '../../../schema/resource.ts'
import { long } from '../../../schema/scalar.ts'
import { type Handler, readDocument } from '../../call.ts'
import { contentType, documentOf, sendEmpty, sendText, warningHeaders } from '../../responses.ts'

export const startRun: Handler = async ({ discoverer, database, id, response }) => {
  await discoverer.start(database, id)
  sendEmpty(response, 204)
}

export const stopRun: Handler = async ({ database, id, response }) => {
  await database.transaction((tx) => stopDiscovery(tx, id))
  sendEmpty(response, 204)
}

export const acceptance = resource('discoveryAccept', { found: set(long) }, { table: '', key: 'found' })

export const acceptedDocument = {
  name: 'discoveryAccepted',
  fields: {
    /** How many devices are new, and which. */
    added: assigned(long),
    deviceId: assignedSet(long),
  },
}

const maxAccepted = 500

export const accept: Handler = async (call) => {
  const { found } = readDraft(acceptance, await readDocument(call, acceptance.name), 'create')
  const ids = [...new Set(found ?? [])]
  if (ids.length === 0 || ids.length > maxAccepted) {
    const message = `${ids.length} are chosen: expected 1 to ${maxAccepted} ids of what was found`
    throw new Fault('invalid', message, { field: 'found' })
  }
  const { added, remarks } = await call.database.transaction((tx) => acceptFound(tx, call.id, ids))
  const record = { added: BigInt(added.length), deviceId: added }
  const text = documentOf(call.form, acceptedDocument, record)
  sendText(call.response, 200, contentType[call.form], text, warningHeaders(remarks))
}
