// Handlers for the store as a whole: `GET /plat/backup` returns a copy, `GET /plat/check` checks it, `POST
// /plat/check/repair` corrects its totals.

import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { audit } from '../../resources/access/audit-entry.ts'
import { groups, required, set } from '../../schema/resource.ts'
import { bool, text } from '../../schema/scalar.ts'
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
  // Large chunks: each waits for its turn among everything else that the service does.
  await pipeline(handle.createReadStream({ highWaterMark: 2 ** 21 }), response)
}

export const storeCheckDocument = {
  name: 'storeCheck',
  fields: {
    sound: required(bool),
    /** What a repair has corrected. */
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
