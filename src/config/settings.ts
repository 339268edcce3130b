// The one table of settings, in the order of the documents.

import { alarms } from './settings/alarms.ts'
import { callers } from './settings/callers.ts'
import { events } from './settings/events.ts'
import { keeping } from './settings/keeping.ts'
import { limits } from './settings/limits.ts'
import { service } from './settings/service.ts'
import type { Setting } from './settings/setting.ts'
import { traps } from './settings/traps.ts'

export const settings = {
  ...service,
  ...traps,
  ...alarms,
  ...keeping,
  ...events,
  ...callers,
  ...limits,
} satisfies Record<string, Setting<unknown>>
