// Handler for the service root: which service this is, and what can be requested. iMC-compatible clients use it as a
// login test.

import type { ServerResponse } from 'node:http'
import { empty, groups, required } from '../../schema/resource.ts'
import { bool, instant, text } from '../../schema/scalar.ts'
import { clockDoubt, confirmClock } from '../../upkeep/watches/clock-watch.ts'
import type { Handler } from '../call.ts'
import { sendEmpty, sendRecord, sendText } from '../responses.ts'
import { answerRows } from './list-handlers.ts'

export const serviceDocument = {
  name: 'service',
  fields: {
    name: required(text()),
    version: required(text()),
    collection: groups({ name: required(text()), path: required(text()) }),
    /** The clock of the service, and the zone in which it writes times. */
    time: required(instant),
    timeZone: required(text()),
  },
}

export interface Listed {
  readonly name: string
  readonly path: string
}

export const answerRoot =
  (lists: () => readonly Listed[]): Handler =>
  async ({ response, form, version, config, clock }) =>
    sendRecord(response, form, serviceDocument, {
      name: 'Belfry',
      version,
      time: clock(),
      timeZone: config['time-zone'],
      collection: lists(),
    })

// Handlers for monitoring: readiness and metrics.

export const answerHealth: Handler = async ({ response, health }) => {
  health.requireReady()
  sendReady(response)
}

/** For an address that moves between nodes: it should be at a node that receives and stores traps, leader or not. */
export const answerTrapHealth: Handler = async ({ response, health }) => {
  health.requireIntake()
  sendReady(response)
}

const sendReady = (response: ServerResponse) =>
  sendText(response, 200, 'text/plain; charset=UTF-8', 'ready\n')

export const answerMetrics: Handler = async ({ response, measurements }) =>
  sendText(response, 200, measurements.contentType, await measurements.metrics())

// Handler for the settings in effect, and the source of each.

const long = text({ maxLength: 10_000 })

export const settingDocument = {
  name: 'setting',
  fields: {
    name: required(text()),
    value: required(long, { absent: 'empty' }),
    /** `flag`, `environment`, `file` or `default`, and its name there. */
    source: required(text()),
    place: required(long, { absent: 'empty' }),
    byDefault: required(long, { absent: 'empty' }),
    description: required(long),
  },
}

export const listSettings: Handler = async (call) =>
  answerRows(
    call,
    settingDocument,
    call.config.shown.map((one) => ({ ...one })),
  )

// Handlers for the clock of the store: whether it is trusted for deleting old data, and an administrator's
// confirmation that it is right.

export const clockDocument = {
  name: 'clock',
  fields: {
    time: required(instant),
    /** Whether old data is deleted. */
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
