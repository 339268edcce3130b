// The service root: which service this is, and what can be requested. The interface family's programs use it as a login
// test.

import { many, need } from '../../schema/resource.ts'
import { instant, text } from '../../schema/scalar.ts'
import { sendRecord } from '../responses.ts'
import type { Handler } from '../call.ts'

export const serviceDocument = {
  name: 'service',
  fields: {
    name: need(text()),
    version: need(text()),
    collection: many({ name: need(text()), path: need(text()) }),
    /** The clock of the service, and the zone in which it writes times. */
    time: need(instant),
    timeZone: need(text()),
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
