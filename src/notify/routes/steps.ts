// Executes the steps of incidents that are due: the first message after the delay, escalation, repeats. What it decides
// are rows of the ledger; they are sent elsewhere.

import type { Database } from '../../store/database.ts'
import { type Incident, incidentColumns, incidentOf } from './incident.ts'
import { IncidentWork } from './incident-work.ts'
import type { MaintenancePause } from './maintenance-pause.ts'
import { Quotas } from './quotas.ts'
import type { RouteIndex } from './route-index.ts'
import { StepRun, type StepTargets } from './step-run.ts'
import { type Directory, lastResort, type Resolved } from './targets.ts'

export interface StepParts {
  /** Refuses changes while this service does not lead. */
  readonly leaderDatabase: Database
  readonly directory: Directory
  readonly pauses: MaintenancePause
  readRouteIndex(): Promise<RouteIndex>
  /** The channel that an alarm of the service is about: it is not told through that one. */
  channelOf(incident: Incident): bigint | undefined
}

/** Incidents per transaction. */
const batch = 50

const dueSql = `select ${incidentColumns} from notify_incident where due_at is not null and due_at <= ? order by due_at, id limit ${batch}`

export class Steps {
  readonly #parts: StepParts

  constructor(parts: StepParts) {
    this.#parts = parts
  }

  /** Executes what is due; returns whether there may be more. */
  async run(): Promise<boolean> {
    const { leaderDatabase, readRouteIndex } = this.#parts
    const rows = await leaderDatabase.all(dueSql, [leaderDatabase.now()])
    if (rows.length === 0) return false
    const routeIndex = await readRouteIndex()
    const resolved = await this.#resolveAll(rows.map(incidentOf), routeIndex)
    await leaderDatabase.transaction(async (tx) => {
      const work = await IncidentWork.begin(tx)
      const quotas = new Quotas(tx)
      await this.#parts.pauses.refresh(tx)
      const due = (await tx.all(dueSql, [tx.now])).map(incidentOf)
      for (const found of due) {
        const incident = work.adopt(found)
        // It may have been merged into a storm meanwhile, or became due after the targets were resolved.
        const targets = resolved.get(incident.id)
        if (incident.dueAt === null || !targets || targets.step !== incident.step) continue
        await new StepRun({ ...this.#parts, tx, work, quotas, targets }, incident).run()
      }
      await quotas.write()
      await work.write()
    })
    return rows.length === batch
  }

  /** Before the transaction: schedules are read beside it. */
  async #resolveAll(
    incidents: readonly Incident[],
    routeIndex: RouteIndex,
  ): Promise<Map<bigint, StepTargets>> {
    const now = this.#parts.leaderDatabase.now()
    const resolved = new Map<bigint, StepTargets>()
    const bySteps = new Map<string, Resolved>()
    const resort = lastResort.steps[0]
    const last = resort ? (await this.#parts.directory.resolve(resort, now)).recipients : []
    for (const { id, routeId, step } of incidents) {
      const route = routeId === lastResort.id ? lastResort : routeIndex.find(routeId)
      const at = route?.steps[step]
      const key = `${routeId} ${step}`
      const known = bySteps.get(key) ?? (at ? await this.#parts.directory.resolve(at, now) : nobody)
      bySteps.set(key, known)
      resolved.set(id, { ...known, route, step, last })
    }
    return resolved
  }
}

const nobody: Resolved = { recipients: [], remarks: [] }
