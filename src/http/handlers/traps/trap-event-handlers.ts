// Handler for a dry run of an event definition on recent traps.

import { dryRunEvent as runOnStoredTraps } from '../../../alarms/engine/event-dry-run.ts'
import { trapEvent, trapEvents } from '../../../resources/alarms/trap-event.ts'
import { unsaved } from '../../../resources/collection.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { groups, required } from '../../../schema/resource.ts'
import { instant, ip, long, text } from '../../../schema/scalar.ts'
import { type Handler, readDocument } from '../../call.ts'
import { sendRecord } from '../../responses.ts'

export const eventTrialDocument = {
  name: 'eventTrial',
  fields: {
    /** Kept traps of the event that were looked at, and what they would be. */
    examined: required(long),
    alarms: required(long),
    recoveries: required(long),
    filtered: required(long),
    stored: required(long),
    /** How many different resources the alarms would be about, and how many alarms the recoveries would have ended. */
    resources: required(long),
    ended: required(long),
    /** Alarms of it that are open now, and stay as they are. */
    open: required(long),
    /** What became of the traps when they came. */
    before: groups({ bin: required(text()), count: required(long) }),
    /** With the text that the alarm would have. */
    example: groups({
      id: required(long),
      receivedTime: required(instant),
      sourceIp: required(ip),
      bin: required(text()),
      alarmDesc: required(text({ maxLength: 10_000 }), { absent: 'empty' }),
    }),
  },
}

export const dryRunEvent: Handler = async (call) => {
  const { database, modules, response } = call
  const draft = readDraft(trapEvent, await readDocument(call, trapEvent.name), 'create')
  const { bins, examples, ...counts } = await runOnStoredTraps(
    database,
    modules,
    unsaved(trapEvents, draft),
    () => response.destroyed,
  )
  sendRecord(response, call.form, eventTrialDocument, {
    ...Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, BigInt(n)])),
    before: [...bins].map(([bin, n]) => ({ bin, count: BigInt(n) })),
    example: examples.map(({ trap, alarmDesc }) => ({ ...trap, alarmDesc })),
  })
}
