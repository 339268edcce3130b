// Handler for the settings in effect, and the source of each.

import { required } from '../../schema/resource.ts'
import { text } from '../../schema/scalar.ts'
import type { Handler } from '../call.ts'
import { answerRows } from './list-handlers.ts'

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
