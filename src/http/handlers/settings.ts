// The settings the service runs with, and where each comes from.

import { settingsOf } from '../../config.ts'
import { need } from '../../schema/resource.ts'
import { text } from '../../schema/scalar.ts'
import { contentType, sendText } from '../answers.ts'
import type { Handler } from '../call.ts'
import { frameOf } from './lists.ts'

const long = text({ maxLength: 10_000 })

export const settingDocument = {
  name: 'setting',
  fields: {
    name: need(text()),
    value: need(long, { absent: 'empty' }),
    /** `flag`, `environment`, `file` or `default`, and what it is called there. */
    source: need(text()),
    place: need(long, { absent: 'empty' }),
    byDefault: need(long, { absent: 'empty' }),
    description: need(long),
  },
}

export const listSettings: Handler = async ({ config, response, form }) => {
  const frame = frameOf(form, settingDocument)
  const rows = settingsOf(config).map((one) => frame.row({ ...one }))
  const body = frame.open + rows.join(frame.between) + frame.close
  sendText(response, 200, contentType[form], body, { Total: rows.length })
}
