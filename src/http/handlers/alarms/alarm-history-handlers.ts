// The history of one alarm over HTTP: what has happened to it, and which registered clients are past it.

import { storyOf } from '../../../alarms/history/alarm-history.ts'
import { readTrail } from '../../../alarms/history/repeat-times.ts'
import { Fault } from '../../../fault.ts'
import { type Alarm, alarms } from '../../../resources/alarms/alarm.ts'
import { derived, many, need, type Shape } from '../../../schema/resource.ts'
import { bool, instant, long, text } from '../../../schema/scalar.ts'
import { find } from '../../../store/table.ts'
import { sendRecord } from '../../responses.ts'
import type { Handler } from '../../call.ts'

const empty = { absent: 'empty' } as const

export const alarmHistoryDocument: Shape = {
  name: 'alarmHistory',
  fields: {
    alarmId: need(long),
    trapId: need(long),
    reason: need(text(), empty),
    recoveredBy: need(long),
    complete: need(bool),
    happening: many({
      time: need(instant),
      action: need(text()),
      userName: need(text(), empty),
      detail: need(text({ maxLength: 10_000 }), empty),
      pushed: need(bool),
    }),
    repeat: many({ from: need(instant), until: need(instant), times: need(long) }),
    client: many({ uuid: need(text()), connected: need(bool), past: derived(bool) }),
  },
}

export const showHistory: Handler = async (call) => {
  const { database, push, id } = call
  // With the fields that are shown to nobody.
  const alarm = (await find(database, alarms.table, id)) as Alarm | undefined
  if (!alarm) throw new Fault('not-found', `alarm ${id} does not exist`)
  const { happenings, complete } = await storyOf(database, alarm)
  // Entries of older versions have no known number.
  const last = happenings.findLast(({ pushed, entry }) => pushed && entry > 0n)
  const clients = (await push.clients()).filter(({ uuid }) => uuid !== '')
  sendRecord(call.response, call.form, alarmHistoryDocument, {
    alarmId: id,
    trapId: alarm.trapId,
    reason: alarm.reason,
    recoveredBy: alarm.recoveredBy,
    complete,
    happening: happenings,
    repeat: readTrail(alarm.repeatTrail).map(({ times, ...span }) => ({ ...span, times: BigInt(times) })),
    client: clients.map(({ uuid, connected, position }) => ({
      uuid,
      connected,
      past: last ? position >= last.entry : null,
    })),
  })
}
