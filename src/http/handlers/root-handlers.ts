// Handler for the service root: which service this is, and what can be requested. iMC-compatible clients use it as a
// login test.

import { groups, required } from '../../schema/resource.ts'
import { instant, text } from '../../schema/scalar.ts'
import type { Handler } from '../call.ts'
import { sendRecord } from '../responses.ts'

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
