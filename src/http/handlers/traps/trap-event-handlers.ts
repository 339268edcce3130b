// Event definitions: a dry run of what one would have made of the traps that are kept.

import { tryEvent } from '../../../alarms/work/event-trial.ts'
import { trapEvent, trapEvents } from '../../../resources/alarms/trap-event.ts'
import { unsaved } from '../../../resources/collection.ts'
import { readDraft } from '../../../schema/read-document.ts'
import { many, need } from '../../../schema/resource.ts'
import { instant, ip, long, text } from '../../../schema/scalar.ts'
import { sendRecord } from '../../responses.ts'
import { type Handler, readDocument } from '../../call.ts'

export const eventTrialDocument = {
  name: 'eventTrial',
  fields: {
    /** Kept traps of the event that were looked at, and what they would be. */
    examined: need(long),
    alarms: need(long),
    recoveries: need(long),
    filtered: need(long),
    stored: need(long),
    /** How many different resources the alarms would be about, and how many alarms the recoveries would have ended. */
    resources: need(long),
    ended: need(long),
    /** Alarms of it that are open now, and stay as they are. */
    open: need(long),
    /** What became of the traps when they came. */
    before: many({ bin: need(text()), count: need(long) }),
    /** With the text that the alarm would have. */
    example: many({
      id: need(long),
      receivedTime: need(instant),
      sourceIp: need(ip),
      bin: need(text()),
      alarmDesc: need(text({ maxLength: 10_000 }), { absent: 'empty' }),
    }),
  },
}

export const dryRunEvent: Handler = async (call) => {
  const { database, modules, response } = call
  const draft = readDraft(trapEvent, await readDocument(call, trapEvent.name), 'create')
  const { bins, examples, ...counts } = await tryEvent(
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
