// Handlers for the clock of the store: whether it is trusted for deleting old data, and an administrator's
// confirmation that it is right.

import { empty, required } from '../../schema/resource.ts'
import { bool, instant, text } from '../../schema/scalar.ts'
import { clockDoubt, confirmClock } from '../../upkeep/watches/clock-watch.ts'
import type { Handler } from '../call.ts'
import { sendEmpty, sendRecord } from '../responses.ts'

export const clockDocument = {
  name: 'clock',
  fields: {
    time: required(instant),
    /** Whether what is old is deleted. */
    deletesByAge: required(bool),
    /** Why not. */
    reason: required(text({ maxLength: 1000 }), empty),
  },
}

export const showClock: Handler = async ({ database, clock, response, form }) => {
  const doubt = await clockDoubt(database)
  sendRecord(response, form, clockDocument, {
    time: clock(),
    deletesByAge: doubt === undefined,
    reason: doubt ?? '',
  })
}

export const confirm: Handler = async ({ database, response }) => {
  await confirmClock(database)
  sendEmpty(response, 204)
}
