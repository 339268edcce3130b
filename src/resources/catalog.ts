// Every collection of the service. Routes, published schemas, import and export follow from this list.

import { alarmCategories } from './alarm-category.ts'
import { assignedIps } from './assigned-ip-info.ts'
import { assignedIpScopes } from './assigned-ip-scope.ts'
import type { Collection } from './collection.ts'
import { customViews } from './custom-view.ts'
import { devices } from './device.ts'
import { macAccessBinds } from './mac-access-bind.ts'
import { maintenances } from './maintenance.ts'
import { reportTemplates } from './report-template.ts'
import { reportTypes } from './report-type.ts'
import { trapEvents } from './trap-event.ts'
import { trapRules } from './trap-rule.ts'
import { zones } from './zone.ts'

/** What one refers to comes before what refers to it, so that a whole export loads in this order. */
export const catalog: readonly Collection[] = [
  zones,
  devices,
  assignedIpScopes,
  assignedIps,
  macAccessBinds,
  trapRules,
  reportTypes,
  reportTemplates,
  alarmCategories,
  trapEvents,
  customViews,
  maintenances,
]
