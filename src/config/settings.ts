// The one table of settings, in the order of the documents.

import { alarms } from './settings/alarm-settings.ts'
import { callers } from './settings/caller-settings.ts'
import { events } from './settings/event-settings.ts'
import { limits } from './settings/limit-settings.ts'
import { keeping } from './settings/retention-settings.ts'
import { service } from './settings/service-settings.ts'
import type { Setting } from './settings/setting.ts'
import { traps } from './settings/trap-settings.ts'

export const settings = {
  ...service,
  ...traps,
  ...alarms,
  ...keeping,
  ...events,
  ...callers,
  ...limits,
} satisfies Record<string, Setting<unknown>>
