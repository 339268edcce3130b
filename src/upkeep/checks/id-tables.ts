// Tables whose records are numbered. After a loss, numbering continues far enough ahead that no number is issued twice.

import { notifications } from '../../notify/routes/ledger.ts'
import { routes } from '../../notify/routes/route.ts'
import { auditLog } from '../../resources/access/audit-log.ts'
import { operators } from '../../resources/access/operator.ts'
import { operatorGroups } from '../../resources/access/operator-group.ts'
import { sessions } from '../../resources/access/session.ts'
import { tokens } from '../../resources/access/token.ts'
import { alarms } from '../../resources/alarms/alarm.ts'
import { mibModules } from '../../resources/alarms/mib-module.ts'
import { traps } from '../../resources/alarms/trap.ts'
import { catalog } from '../../resources/catalog.ts'
import { arpEntries } from '../../resources/inventory/arp-entry.ts'
import { askProfiles } from '../../resources/inventory/ask-profile.ts'
import { deviceChanges } from '../../resources/inventory/device-change.ts'
import { discoveredList } from '../../resources/inventory/discovered.ts'
import { discoveries } from '../../resources/inventory/discovery.ts'
import { links } from '../../resources/inventory/link.ts'
import { macEntries } from '../../resources/inventory/mac-entry.ts'
import { neighbours } from '../../resources/inventory/neighbour.ts'
import { ports } from '../../resources/inventory/port.ts'
import { terminalStays, terminals } from '../../resources/inventory/terminal.ts'
import { calendarFeeds } from '../../resources/notify/calendar-feed.ts'
import { channels } from '../../resources/notify/channel.ts'
import { contacts, teams } from '../../resources/notify/contact.ts'
import { gateways } from '../../resources/notify/gateway.ts'
import { heartbeats } from '../../resources/notify/heartbeat.ts'
import { outgoingHeartbeats } from '../../resources/notify/outgoing-heartbeat.ts'
import { schedules } from '../../resources/notify/schedule.ts'
import { scheduleOverrides } from '../../resources/notify/schedule-override.ts'
import { reportResult } from '../../resources/reports/report-result.ts'
import { reportSchedule } from '../../resources/reports/report-schedule.ts'

/** Tables whose ids are issued by the thousand, because devices cause them. */
export const fastTables = [alarms, traps, terminals, terminalStays, macEntries, arpEntries].map(
  ({ table }) => table.name,
)
const people = [operators, operatorGroups, sessions, tokens, contacts, teams, channels]
const duty = [schedules, scheduleOverrides, calendarFeeds, heartbeats, outgoingHeartbeats]
const collections = [
  ...[...catalog, ...people, gateways, routes, notifications, ...duty],
  ...[
    auditLog,
    mibModules,
    askProfiles,
    ports,
    neighbours,
    links,
    deviceChanges,
    discoveries,
    discoveredList,
  ],
]
/** The id of a batch names a change of many alarms; nodes learn of failed logins by id. */
const others = [reportResult.table, reportSchedule.table, 'alarm_batch', 'login_failure', 'notify_incident']
export const slowTables = [...new Set([...collections.map(({ table }) => table.name), ...others])]
export const numberedTables = [...fastTables, ...slowTables]

/** More ids than can have been issued unnoticed. */
export const unseen = { fast: 100_000n, slow: 1000n }

/** Ids above all of these, at which numbering continues. */
export function idsAhead(seen: readonly ReadonlyMap<string, bigint>[]): Map<string, bigint> {
  const ahead = new Map<string, bigint>()
  for (const name of numberedTables) {
    const last = seen.reduce((a, ids) => ((ids.get(name) ?? 0n) > a ? (ids.get(name) ?? 0n) : a), 0n)
    if (fastTables.includes(name)) ahead.set(name, last + unseen.fast)
    else if (last > 0n) ahead.set(name, last + unseen.slow)
  }
  return ahead
}
