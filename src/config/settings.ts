// The one table of settings, in the order of the documents.

import { alarms } from './settings/alarm-settings.ts'
import { callers } from './settings/caller-settings.ts'
import { retention } from './settings/retention-settings.ts'
import { service } from './settings/service-settings.ts'
import type { Setting } from './settings/setting.ts'
import { streams } from './settings/stream-settings.ts'
import { traps } from './settings/trap-settings.ts'

export const settings = {
  ...service,
  ...traps,
  ...alarms,
  ...retention,
  ...streams,
  ...callers,
} satisfies Record<string, Setting<unknown>>

/** The same by subject, as the documents show them. */
export const settingsBySubject: Readonly<Record<string, Readonly<Record<string, Setting<unknown>>>>> = {
  Service: service,
  Traps: traps,
  Alarms: alarms,
  Retention: retention,
  'Event streams': streams,
  Callers: callers,
}
