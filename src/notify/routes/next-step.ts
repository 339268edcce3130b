// What people who were called answer. "I cannot, next step": the next step of escalation is due at once, and the other
// channels of that contact are left in peace. "Acknowledge", where the message was about many alarms: all of them.

import type { Reader, Transaction } from '../../store/database.ts'
import { type Incident, incidentColumns, incidentOf, isNotified } from './incident.ts'
import { isUnsent, stopIncident } from './incident-changes.ts'
import { IncidentWork } from './incident-work.ts'
import { isLimitNotice } from './ledger.ts'
import type { RouteCache, RouteIndex } from './route-index.ts'

/** Who cannot take it. */
export interface Declining {
  readonly contactId: bigint
  readonly name: string
}

/** Those of which the contact was told: what another route tells others is not for this contact to hurry. */
const escalating = `select ${incidentColumns} from notify_incident i where state = 'open' and due_at is not null
  and id in (select incident_id from notify_member where alarm_id = ?)
  and exists (select 1 from notification n where n.incident_id = i.id and n.contact_id = ? and n.channel_id > 0
    and ${isNotified}) order by id`

const callingGroup = `select ${incidentColumns} from notify_incident where id = ? and root_id = 0 and state in ('waiting', 'open')`

export class NextSteps {
  readonly #routeCache: RouteCache

  constructor(routeCache: RouteCache) {
    this.#routeCache = routeCache
  }

  /** Whether any route that told the contact of an alarm has another step. */
  async has(reader: Reader, alarmId: bigint, contactId: bigint): Promise<boolean> {
    return (await this.#escalating(reader, alarmId, contactId)).length > 0
  }

  /** Inside the transaction that records who asked for it. Returns whether there is another step. */
  async ask(tx: Transaction, alarmId: bigint, declining: Declining): Promise<boolean> {
    const found = await this.#escalating(tx, alarmId, declining.contactId)
    if (found.length === 0) return false
    const work = await IncidentWork.begin(tx)
    for (const incident of found) await hurry(work, work.adopt(incident), declining)
    await work.write()
    return true
  }

  /** Whether people are being called for a storm or a summary. */
  async isCalling(reader: Reader, groupId: bigint): Promise<boolean> {
    return (await reader.all(callingGroup, [groupId])).length > 0
  }

  /** Inside the transaction that records who acknowledges. */
  async acknowledge(tx: Transaction, groupId: bigint, name: string): Promise<void> {
    const [found] = await tx.all(callingGroup, [groupId])
    if (!found) return
    const work = await IncidentWork.begin(tx)
    const incident = work.adopt(incidentOf(found))
    await work.members.acknowledgeAll(incident)
    await stopIncident(work, incident, 'acknowledged', `it was acknowledged by ${name}`)
    const { alarmId, step } = incident
    for (const { channelId, contactId } of await work.told(incident)) {
      work.addRow(incident, {
        ...{ alarmId, logNumber: 0n, change: 'acknowledged', detail: name, channelId, contactId, step },
        dueAt: tx.now,
      })
    }
    await work.write()
  }

  async #escalating(reader: Reader, alarmId: bigint, contactId: bigint): Promise<Incident[]> {
    const rows = await reader.all(escalating, [alarmId, contactId])
    if (rows.length === 0) return []
    const routeIndex = await this.#routeCache.read(reader)
    return rows.map(incidentOf).filter((incident) => hasOther(routeIndex, incident))
  }
}

/** A repeat, or the only step again, would call the same people. The last resort has one step. */
function hasOther(routeIndex: RouteIndex, { routeId, step }: Incident): boolean {
  const steps = routeIndex.find(routeId)?.steps.length ?? 0
  return steps > 1 && step < steps
}

async function hurry(work: IncidentWork, incident: Incident, { contactId, name }: Declining): Promise<void> {
  const reason = `${name} cannot take it`
  for (const row of await work.pending(incident)) {
    if (row.contactId === contactId && isUnsent(row) && !isLimitNotice(row))
      work.end(row, 'suppressed', reason)
  }
  const { alarmId, step } = incident
  // Somebody else may have asked for the same step a moment ago.
  if (incident.head !== 0n) return
  // Waits for the step, and says why it comes early.
  const row = work.addRow(incident, { alarmId, logNumber: 0n, change: 'escalated', detail: reason, step })
  work.change(incident, { head: row.id, dueAt: work.tx.now })
}
