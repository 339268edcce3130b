// Handler for how a device answered over time: round trips, and for how long it did not answer.

import { Fault } from '../../../fault.ts'
import {
  halfHour,
  halfHourDays,
  keptDays,
  type MeasuredStep,
  readDays,
  readHalfHours,
} from '../../../resources/inventory/reach-days.ts'
import { oneScalar, oneValue } from '../../../schema/list.ts'
import { required } from '../../../schema/resource.ts'
import { instant, int, long } from '../../../schema/scalar.ts'
import type { Handler } from '../../call.ts'
import { answerMadeRows } from '../list-handlers.ts'

export const reachHistoryDocument = {
  name: 'reachHistory',
  fields: {
    /** When the step begins. */
    time: required(instant),
    /** Questions that were answered, and those that were not. */
    answers: required(int()),
    losses: required(int()),
    /** For how many seconds the device answered, and for how many it did not. */
    answeringSeconds: required(long),
    silentSeconds: required(long),
    /** The mean and the longest, in microseconds; 0: none was measured. */
    roundTrip: required(long),
    longestRoundTrip: required(long),
  },
}

const day = 48 * halfHour
const steps = {
  halfHour: { default: day, longest: halfHourDays * day, read: readHalfHours },
  day: { default: 30 * day, longest: keptDays * day, read: readDays },
} as const

export const stepNames = Object.keys(steps).join(' or ')

export const listReachHistory: Handler = async (call) => {
  const { database, parameters, clock } = call
  const deviceId = oneScalar(parameters, 'deviceId', long)
  if (deviceId === undefined) throw new Fault('invalid', 'deviceId is required', { field: 'deviceId' })
  const by = oneValue(parameters, 'by') ?? 'halfHour'
  if (by !== 'halfHour' && by !== 'day')
    throw new Fault('invalid', `by is ${JSON.stringify(by)}: expected ${stepNames}`, { field: 'by' })
  const { default: span, longest, read } = steps[by]
  const until = oneScalar(parameters, 'until', instant) ?? clock()
  const from = oneScalar(parameters, 'from', instant) ?? until - span
  if (from > until) throw new Fault('invalid', 'from is later than until', { field: 'from' })
  if (until - from > longest) {
    const message = `from and until are more than ${longest / day} days apart, which is the most with by=${by}`
    throw new Fault('invalid', message, { field: 'from' })
  }
  const measured = await read(database, deviceId, from, until)
  await answerMadeRows(call, reachHistoryDocument, measured, rowOf)
}

const rowOf = (one: MeasuredStep) => ({
  time: one.time,
  answers: one.answers,
  losses: one.losses,
  answeringSeconds: BigInt(one.answering),
  silentSeconds: BigInt(one.silent),
  roundTrip: BigInt(one.trips === 0 ? 0 : Math.round(one.tripSum / one.trips)),
  longestRoundTrip: BigInt(one.tripMax),
})
