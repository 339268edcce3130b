// Handler for key rotation, `POST /plat/key/rotation`: encrypts the secrets in the store with the newest key of the
// key file.

import { nodesWithoutKey } from '../../cluster/nodes/node-profile.ts'
import { Fault } from '../../fault.ts'
import { audit } from '../../resources/access/audit-entry.ts'
import { empty, required } from '../../schema/resource.ts'
import { bool, int, text } from '../../schema/scalar.ts'
import type { Handler } from '../call.ts'
import { sendRecord } from '../responses.ts'

export const keyRotationDocument = {
  name: 'keyRotation',
  fields: {
    /** Which key is in use now: a digest of it. */
    keyId: required(text()),
    /** False where it was in use before. */
    changed: required(bool),
    secrets: required(int()),
    /** Secrets whose key is not in the file: they must be entered again. */
    unreadable: required(int()),
    /** Why keys that are no longer in use are still in the file. */
    remark: required(text({ maxLength: 1000 }), empty),
  },
}

export const rotateKey: Handler = async ({ keys, node, database, response, form }) => {
  const { keyId, isNew: isWanted } = await keys.prepareRotation()
  const without = node && isWanted ? await nodesWithoutKey(database, keyId, node.name) : []
  if (without.length > 0) {
    const message = `the newest key of the key file is not at every node: copy the file to ${without.join(', ')}, and try again ten seconds later`
    throw new Fault('conflict', message)
  }
  const { isNew, secrets, unreadable } = await database.transaction(async (tx) => {
    const rotation = await keys.rotate(tx)
    if (rotation.isNew) await audit(tx, { action: 'rotate', resource: 'key', id: keyId })
    return rotation
  })
  const remark = keys.tidyFile(keyId) ?? ''
  sendRecord(response, form, keyRotationDocument, { keyId, changed: isNew, secrets, unreadable, remark })
}
