// Tables whose records are numbered. After numbers were lost they go on far enough ahead that none is issued twice.

import { auditLog } from '../../resources/access/audit-log.ts'
import { operators } from '../../resources/access/operator.ts'
import { operatorGroups } from '../../resources/access/operator-group.ts'
import { sessions } from '../../resources/access/session.ts'
import { tokens } from '../../resources/access/token.ts'
import { alarms } from '../../resources/alarms/alarm.ts'
import { mibModules } from '../../resources/alarms/mib-module.ts'
import { traps } from '../../resources/alarms/trap.ts'
import { catalog } from '../../resources/catalog.ts'
import { terminalStays, terminals } from '../../resources/inventory/terminal.ts'
import { reportResult } from '../../resources/reports/report-result.ts'
import { reportSchedule } from '../../resources/reports/report-schedule.ts'

/** Ids that are issued by the thousand, by what devices send. */
export const fastTables = [alarms, traps, terminals, terminalStays].map(({ table }) => table.name)
const collections = [...catalog, operators, operatorGroups, sessions, tokens, auditLog, mibModules]
/** A change of many alarms is named by its id; nodes learn of failed logins by theirs. */
const others = [reportResult.table, reportSchedule.table, 'alarm_batch', 'login_failure']
export const slowTables = [...new Set([...collections.map(({ table }) => table.name), ...others])]
export const numberedTables = [...fastTables, ...slowTables]

/** More than are issued without anybody having noted it. */
export const unseen = { fast: 100_000n, slow: 1000n }

/** The ids from which to go on above all of these. */
export function idsAhead(seen: readonly ReadonlyMap<string, bigint>[]): Map<string, bigint> {
  const ahead = new Map<string, bigint>()
  for (const name of numberedTables) {
    const last = seen.reduce((a, ids) => ((ids.get(name) ?? 0n) > a ? (ids.get(name) ?? 0n) : a), 0n)
    if (fastTables.includes(name)) ahead.set(name, last + unseen.fast)
    else if (last > 0n) ahead.set(name, last + unseen.slow)
  }
  return ahead
}
