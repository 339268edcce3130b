// Handler for when alarms were open in a period: of a day that is played on the map, or of one device.

import { type AlarmSpan, readSpans } from '../../../alarms/history/alarm-spans.ts'
import { Fault } from '../../../fault.ts'
import { oneScalar } from '../../../schema/list.ts'
import { empty, optional, required } from '../../../schema/resource.ts'
import { instant, int, long, text } from '../../../schema/scalar.ts'
import type { Handler } from '../../call.ts'
import { answerMadeRows } from '../list-handlers.ts'

export const alarmSpanDocument = {
  name: 'alarmSpan',
  fields: {
    id: required(long),
    deviceId: required(long),
    ifIndex: optional(long),
    alarmLevel: required(int()),
    alarmDesc: required(text({ maxLength: 10_000 }), empty),
    faultTime: required(instant),
    recTime: required(instant),
  },
}

const day = 24 * 3600 * 1000
/** The longest period, and the most alarms: the oldest of more are left out. */
const maxPeriod = 31 * day
export const maxSpans = 20_000

export const listSpans: Handler = async (call) => {
  const { database, parameters, clock } = call
  const until = oneScalar(parameters, 'until', instant) ?? clock()
  const from = oneScalar(parameters, 'from', instant) ?? until - day
  if (from > until) throw new Fault('invalid', 'from is later than until', { field: 'from' })
  if (until - from > maxPeriod)
    throw new Fault('invalid', 'from and until are more than 31 days apart', { field: 'from' })
  const deviceId = oneScalar(parameters, 'deviceId', long)
  const spans = await readSpans(database, { from, until, deviceId, limit: maxSpans })
  await answerMadeRows(call, alarmSpanDocument, spans, (span: AlarmSpan) => ({
    ...span,
    ifIndex: span.ifIndex ?? undefined,
  }))
}
