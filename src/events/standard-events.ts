// What a new store knows of the standard notifications: name, level, category, text, which variables identify the
// resource, and what ends what. OIDs are as the modules define them: the other spelling that RFC 3584 gives some of
// them in a trap of version 1 (33.2.0.1 for 33.2.1) is handled by the look-up. Checked against the modules themselves;
// the texts are our own.

import { accessEvents } from './standard-events/access.ts'
import type { StandardEvent } from './standard-events/definition.ts'
import { isisEvents } from './standard-events/isis.ts'
import { linkEvents } from './standard-events/links.ts'
import { monitoringEvents } from './standard-events/monitoring.ts'
import { mplsEvents } from './standard-events/mpls.ts'
import { ospfEvents } from './standard-events/ospf.ts'
import { powerEvents } from './standard-events/power.ts'
import { routingEvents } from './standard-events/routing.ts'
import { systemEvents } from './standard-events/system.ts'

export { alarmCategories, type EventParameter, type StandardEvent } from './standard-events/definition.ts'

export const standardEvents: readonly StandardEvent[] = [
  ...systemEvents,
  ...linkEvents,
  ...powerEvents,
  ...routingEvents,
  ...ospfEvents,
  ...isisEvents,
  ...mplsEvents,
  ...monitoringEvents,
  ...accessEvents,
]
