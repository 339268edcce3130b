// A message that is not delivered. The contact's next channel is used at once; where nobody else was told, the next step; and
// after the last step, alarms of the service go to the last resort.

import type { Incident } from './incident.ts'
import type { IncidentWork } from './incident-work.ts'
import { isLimitNotice, type LedgerRow } from './ledger.ts'
import type { RouteIndex } from './route-index.ts'
import { isOwn, lastResort, lastResortDetail } from './targets.ts'

export async function useNext(
  work: IncidentWork,
  routeIndex: RouteIndex,
  incident: Incident,
  row: LedgerRow,
): Promise<void> {
  const { now } = work.tx
  const pending = (await work.pending(incident)).filter((one) => !isLimitNotice(one))
  const next = pending
    .filter(
      ({ contactId, channelId }) =>
        contactId === row.contactId && contactId !== 0n && channelId !== row.channelId,
    )
    .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))[0]
  if (next) {
    if (next.attempts === 0 && (next.dueAt ?? 0) > now && next.reason === null) next.dueAt = now
    work.touch(next)
    return
  }
  if (incident.state !== 'open' || pending.length > 0) return
  if ((await work.told(incident, row.id)).length > 0) return
  const steps = routeIndex.find(incident.routeId)?.steps.length ?? 0
  const hasLaterStep = incident.step > row.step && incident.step < steps
  // Not the first step of a chain that begins again, nor a repeat: these come at their time.
  if (hasLaterStep && incident.dueAt !== null) work.change(incident, { dueAt: now })
  else if (steps > 0) askLastResort(work, incident, row, steps)
}

/** The row that waits says it to step-run.ts. */
function askLastResort(work: IncidentWork, incident: Incident, row: LedgerRow, steps: number): void {
  const wasAsked = row.detail === lastResortDetail || incident.head !== 0n
  if (wasAsked || incident.routeId === lastResort.id || !isOwn(incident)) return
  const { alarmId } = incident
  const head = work.addRow(incident, {
    ...{ alarmId, logNumber: 0n, change: 'escalated', detail: lastResortDetail, step: steps },
  })
  work.change(incident, { head: head.id, step: steps, dueAt: work.tx.now })
}
