// The settings the service runs with, and where each comes from.

import { need } from '../../schema/resource.ts'
import { text } from '../../schema/scalar.ts'
import type { Handler } from '../call.ts'
import { answerRows } from './list-handlers.ts'

const long = text({ maxLength: 10_000 })

export const settingDocument = {
  name: 'setting',
  fields: {
    name: need(text()),
    value: need(long, { absent: 'empty' }),
    /** `flag`, `environment`, `file` or `default`, and its name there. */
    source: need(text()),
    place: need(long, { absent: 'empty' }),
    byDefault: need(long, { absent: 'empty' }),
    description: need(long),
  },
}

export const listSettings: Handler = async (call) =>
  answerRows(
    call,
    settingDocument,
    call.config.shown.map((one) => ({ ...one })),
  )
