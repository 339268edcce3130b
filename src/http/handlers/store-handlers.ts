// Handlers for the store as a whole: `GET /plat/backup` returns a copy, `GET /plat/check` checks it, `POST
// /plat/check/repair` corrects its totals.

import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { nodesWithoutKey } from '../../cluster/nodes/node-profile.ts'
import { Fault } from '../../fault.ts'
import { audit } from '../../resources/access/audit-entry.ts'
import { empty, groups, required, set } from '../../schema/resource.ts'
import { bool, int, text } from '../../schema/scalar.ts'
import { setCounter } from '../../store/counter.ts'
import { timestamp, withWorkFolder } from '../../store/data-folder.ts'
import { checkStore } from '../../upkeep/checks/store-check.ts'
import { repairTotals } from '../../upkeep/checks/total-check.ts'
import type { Call, Handler } from '../call.ts'
import { sendRecord, startStream } from '../responses.ts'
import { requireReauthentication } from './access/reauthentication.ts'

const fileType = 'application/vnd.sqlite3'
const nameOf = (at: Date) => `belfry-${timestamp(at)}.db`

/** The counter with the time, in milliseconds, of the newest copy that was read to its end. */
export const lastBackup = 'last_backup'

export const backUp: Handler = async (call) => {
  const { database, memory, config, response } = call
  const headers = { 'Content-Disposition': `attachment; filename="${nameOf(new Date(call.clock()))}"` }
  if (call.request.method === 'HEAD') {
    startStream(response, 200, fileType, headers)
    response.end()
    return
  }
  // What leaves the service here is as good as many passwords: who took it is recorded before it is taken.
  await requireReauthentication(call)
  await database.transaction((tx) => audit(tx, { action: 'read', resource: 'backup' }))
  await memory.alone(() =>
    withWorkFolder(config.data, 'backup', async (folder) => {
      const file = join(folder, 'store')
      const at = call.clock()
      await database.copyTo(file)
      await sendFile(call, file, headers)
      await database.transaction((tx) => setCounter(tx, lastBackup, at))
    }),
  )
}

async function sendFile({ response, config }: Call, file: string, headers: Record<string, string>) {
  const handle = await open(file, 'r')
  const { size } = await handle.stat()
  startStream(response, 200, fileType, { ...headers, 'Content-Length': size })
  // A caller that reads nothing must not keep the copy, and keep others from making theirs.
  response.setTimeout(config['stall-seconds'] * 1000, () => response.destroy())
  // Large chunks, because each waits for other work of the service.
  await pipeline(handle.createReadStream({ highWaterMark: 2 ** 21 }), response)
}

export const storeCheckDocument = {
  name: 'storeCheck',
  fields: {
    sound: required(bool),
    /** The corrections of a repair. */
    corrected: set(text({ maxLength: 1000 })),
    part: groups({ name: required(text()), looked: required(text()), found: set(text({ maxLength: 1000 })) }),
  },
}

export const check: Handler = ({ database, memory, response, form }) =>
  memory.alone(() => sendChecked({ database, response, form }, []))

/** Only totals can be repaired: they follow from the rows. */
export const repair: Handler = ({ database, memory, response, form }) =>
  memory.alone(async () => sendChecked({ database, response, form }, await repairTotals(database)))

async function sendChecked(
  { database, response, form }: Pick<Call, 'database' | 'response' | 'form'>,
  corrected: readonly string[],
): Promise<void> {
  const part = await database.readSnapshot((reader) => checkStore(reader, database.kind))
  const sound = part.every(({ found }) => found.length === 0)
  const checked = part.map((one) => ({ ...one }))
  sendRecord(response, form, storeCheckDocument, { sound, corrected: [...corrected], part: checked })
}

// Handler for key rotation, `POST /plat/key/rotation`: encrypts the secrets in the store with the newest key of the
// key file.

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
