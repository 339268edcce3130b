// That German has all that each file has: nothing of this is part of the console, the compiler alone reads it.

import type * as act from './act-texts.ts'
import type * as alarm from './alarm-texts.ts'
import type * as around from './around-texts.ts'
import type * as calendar from './calendar-texts.ts'
import type * as actGerman from './de/act-texts.ts'
import type * as alarmGerman from './de/alarm-texts.ts'
import type * as aroundGerman from './de/around-texts.ts'
import type * as calendarGerman from './de/calendar-texts.ts'
import type * as discoveryGerman from './de/discovery-texts.ts'
import type * as inventoryGerman from './de/inventory-texts.ts'
import type * as languageGerman from './de/language.ts'
import type * as maintenanceGerman from './de/maintenance-texts.ts'
import type * as messageGerman from './de/message-texts.ts'
import type * as notifyGerman from './de/notify-texts.ts'
import type * as onCallGerman from './de/on-call-texts.ts'
import type * as overviewGerman from './de/overview-texts.ts'
import type * as phoneGerman from './de/phone-texts.ts'
import type * as reachGerman from './de/reach-texts.ts'
import type * as reportGerman from './de/report-texts.ts'
import type * as searchGerman from './de/search-texts.ts'
import type * as serviceGerman from './de/service-texts.ts'
import type * as sharedGerman from './de/shared-texts.ts'
import type * as terminalGerman from './de/terminal-texts.ts'
import type * as trapGerman from './de/trap-texts.ts'
import type * as wallGerman from './de/wall-texts.ts'
import type * as discovery from './discovery-texts.ts'
import type * as inventory from './inventory-texts.ts'
import type * as language from './language.ts'
import type * as maintenance from './maintenance-texts.ts'
import type * as message from './message-texts.ts'
import type * as notify from './notify-texts.ts'
import type * as onCall from './on-call-texts.ts'
import type * as overview from './overview-texts.ts'
import type * as phone from './phone-texts.ts'
import type * as reach from './reach-texts.ts'
import type * as report from './report-texts.ts'
import type * as search from './search-texts.ts'
import type * as service from './service-texts.ts'
import type { ShapeOf } from './shape.ts'
import type * as shared from './shared-texts.ts'
import type * as terminal from './terminal-texts.ts'
import type * as trap from './trap-texts.ts'
import type * as wall from './wall-texts.ts'

type Complete<English, German extends ShapeOf<English>> = [English, German]

/** What is missing is named in the error: translate it in the file below `de`. */
export type German = [
  Complete<typeof act, typeof actGerman>,
  Complete<typeof alarm, typeof alarmGerman>,
  Complete<typeof around, typeof aroundGerman>,
  Complete<typeof calendar, typeof calendarGerman>,
  Complete<typeof discovery, typeof discoveryGerman>,
  Complete<typeof inventory, typeof inventoryGerman>,
  Complete<typeof language, typeof languageGerman>,
  Complete<typeof maintenance, typeof maintenanceGerman>,
  Complete<typeof message, typeof messageGerman>,
  Complete<typeof notify, typeof notifyGerman>,
  Complete<typeof onCall, typeof onCallGerman>,
  Complete<typeof overview, typeof overviewGerman>,
  Complete<typeof phone, typeof phoneGerman>,
  Complete<typeof reach, typeof reachGerman>,
  Complete<typeof report, typeof reportGerman>,
  Complete<typeof search, typeof searchGerman>,
  Complete<typeof service, typeof serviceGerman>,
  Complete<typeof shared, typeof sharedGerman>,
  Complete<typeof terminal, typeof terminalGerman>,
  Complete<typeof trap, typeof trapGerman>,
  Complete<typeof wall, typeof wallGerman>,
]
