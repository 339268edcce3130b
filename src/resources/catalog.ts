// The catalog of all collections. Routes, published schemas, import and export are derived from it.

import { alarmCategories } from './alarms/alarm-category.ts'
import { maintenances } from './alarms/maintenance.ts'
import { messageDefinitions } from './alarms/message-definition.ts'
import { messageThresholds } from './alarms/message-threshold.ts'
import { mutedShapes } from './alarms/muted-shape.ts'
import { trapEvents } from './alarms/trap-event.ts'
import { trapRules } from './alarms/trap-rule.ts'
import type { Collection } from './collection.ts'
import { assignedIps } from './inventory/assigned-ip-info.ts'
import { assignedIpScopes } from './inventory/assigned-ip-scope.ts'
import { customViews } from './inventory/custom-view.ts'
import { devices } from './inventory/device.ts'
import { macAccessBinds } from './inventory/mac-access-bind.ts'
import { zones } from './inventory/zone.ts'
import { reportTemplates } from './reports/report-template.ts'
import { reportTypes } from './reports/report-type.ts'

/** A collection comes after those that it refers to, so that a whole export can be loaded in this order. */
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
  messageDefinitions,
  mutedShapes,
  messageThresholds,
  customViews,
  maintenances,
]
