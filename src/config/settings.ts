// The one table of settings, in the order of the documents.

import { callers, streams } from './settings/caller-settings.ts'
import { notifications } from './settings/notify-settings.ts'
import { retention, service } from './settings/service-settings.ts'
import type { Setting } from './settings/setting.ts'
import { alarms, asking, syslog, traps } from './settings/trap-settings.ts'

export const settings = {
  ...service,
  ...traps,
  ...syslog,
  ...alarms,
  ...asking,
  ...retention,
  ...streams,
  ...callers,
  ...notifications,
} satisfies Record<string, Setting<unknown>>

/** The same by subject, as the documents show them. */
export const settingsBySubject: Readonly<Record<string, Readonly<Record<string, Setting<unknown>>>>> = {
  Service: service,
  Traps: traps,
  Syslog: syslog,
  Alarms: alarms,
  Asking: asking,
  Retention: retention,
  'Event streams': streams,
  Callers: callers,
  Notifications: notifications,
}
