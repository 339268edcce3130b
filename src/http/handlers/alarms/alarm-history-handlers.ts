// Handlers for the history of an alarm: what has happened to it, and which registered clients have received it.

import { historyOf } from '../../../alarms/history/alarm-history.ts'
import { readRepeatTimes } from '../../../alarms/history/repeat-times.ts'
import { Fault } from '../../../fault.ts'
import { type Alarm, alarms } from '../../../resources/alarms/alarm.ts'
import { derived, groups, required, type Shape } from '../../../schema/resource.ts'
import { bool, instant, long, text } from '../../../schema/scalar.ts'
import { find } from '../../../store/table.ts'
import type { Handler } from '../../call.ts'
import { sendRecord } from '../../responses.ts'

const empty = { absent: 'empty' } as const

export const alarmHistoryDocument: Shape = {
  name: 'alarmHistory',
  fields: {
    alarmId: required(long),
    trapId: required(long),
    reason: required(text(), empty),
    recoveredBy: required(long),
    complete: required(bool),
    happening: groups({
      time: required(instant),
      action: required(text()),
      userName: required(text(), empty),
      detail: required(text({ maxLength: 10_000 }), empty),
      pushed: required(bool),
    }),
    repeat: groups({ from: required(instant), until: required(instant), times: required(long) }),
    client: groups({ uuid: required(text()), connected: required(bool), past: derived(bool) }),
  },
}

export const showHistory: Handler = async (call) => {
  const { database, push, id } = call
  // With the fields that are shown to nobody.
  const alarm = (await find(database, alarms.table, id)) as Alarm | undefined
  if (!alarm) throw new Fault('not-found', `alarm ${id} does not exist`)
  const { entries, complete } = await historyOf(database, alarm)
  // Entries of older versions have no known number.
  const last = entries.findLast(({ pushed, entry }) => pushed && entry > 0n)
  const clients = (await push.clients()).filter(({ uuid }) => uuid !== '')
  sendRecord(call.response, call.form, alarmHistoryDocument, {
    alarmId: id,
    trapId: alarm.trapId,
    reason: alarm.reason,
    recoveredBy: alarm.recoveredBy,
    complete,
    happening: entries,
    repeat: readRepeatTimes(alarm.repeatTrail).map(({ times, ...span }) => ({
      ...span,
      times: BigInt(times),
    })),
    client: clients.map(({ uuid, connected, position }) => ({
      uuid,
      connected,
      past: last ? position >= last.entry : null,
    })),
  })
}
