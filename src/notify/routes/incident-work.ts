// Incidents inside one transaction: they are read before they are changed, changed in memory, and written at the end,
// with the rows of the ledger that follow.

import { bulk, type SqlValue, type Transaction } from '../../store/database.ts'
import { openIds } from '../../store/ids.ts'
import { allWithValues } from '../../store/where.ts'
import {
  type Incident,
  type IncidentKind,
  incidentColumns,
  incidentFields,
  incidentOf,
  isAboutFault,
  isNotified,
  type NotifiedChannel,
} from './incident.ts'
import {
  addToTotal,
  type Ending,
  end,
  insertRows,
  type LedgerRow,
  ledgerColumns,
  type NewRow,
  newRow,
  rowOf,
  updateRows,
  writtenTotal,
} from './ledger.ts'
import { Members } from './members.ts'

const names = incidentFields.map(([, column]) => column)
const types = incidentFields.map(([, , type]) => type)
const insertIncident = bulk(
  `insert into notify_incident (${names.join(', ')}, id) values (${names.map(() => '?').join(', ')}, ?)`,
  [...types, 'bigint'],
)
const updateIncident = bulk(
  `update notify_incident set ${names.map((column) => `${column} = ?`).join(', ')} where id = ?`,
  [...types, 'bigint'],
)
const incidentById = bulk(`select ${incidentColumns} from notify_incident where id = ?`, ['bigint'])
const incidentByRoot = bulk(
  `select ${incidentColumns} from notify_incident where closed_at is null and root_id > 0 and route_id = ? and root_id = ?`,
  ['bigint', 'bigint'],
)
const groupIncident = `select ${incidentColumns} from notify_incident
  where closed_at is null and root_id = 0 and route_id = ? and kind = ? order by id desc limit 1`

const keyOf = (routeId: bigint, other: bigint | string) => `${routeId} ${other}`

export class IncidentWork {
  readonly tx: Transaction
  readonly members: Members
  readonly #next: (name: 'notification' | 'notify_incident') => bigint
  readonly #incidents = new Map<bigint, Incident>()
  readonly #new = new Set<bigint>()
  readonly #changed = new Set<bigint>()
  /** By route and root, and by route and kind; null where there is none. */
  readonly #open = new Map<string, Incident | null>()
  readonly #rows = new Map<bigint, LedgerRow>()
  readonly #newRows = new Set<bigint>()
  readonly #changedRows = new Set<bigint>()
  /** The routes that have rows about an alarm. */
  readonly #routes = new Map<bigint, Set<bigint>>()
  /** What is added to the totals. */
  readonly #counts = new Map<string, number>()
  #added = 0

  private constructor(tx: Transaction, next: (name: 'notification' | 'notify_incident') => bigint) {
    this.tx = tx
    this.members = new Members(tx)
    this.#next = next
  }

  static async begin(tx: Transaction): Promise<IncidentWork> {
    return new IncidentWork(tx, await openIds(tx, 'notification', 'notify_incident'))
  }

  /** How many rows of the ledger were added. */
  get added(): number {
    return this.#added
  }

  /** Reads the incidents that alarms are counted into, and the routes that took their changes. */
  async gatherAlarms(alarmIds: readonly bigint[]): Promise<void> {
    await this.gather(await this.members.gather(alarmIds))
    const rows = await allWithValues(
      this.tx,
      [...new Set(alarmIds)],
      (marks) => `select distinct alarm_id, route_id from notification where alarm_id in (${marks})`,
    )
    for (const row of rows) this.#noteRoute(row.alarm_id as bigint, row.route_id as bigint)
  }

  #noteRoute(alarmId: bigint, routeId: bigint): void {
    const known = this.#routes.get(alarmId)
    if (known) known.add(routeId)
    else this.#routes.set(alarmId, new Set([routeId]))
  }

  async gather(ids: Iterable<bigint>): Promise<void> {
    const wanted = [...new Set(ids)].filter((id) => !this.#incidents.has(id))
    if (wanted.length === 0) return
    const rows = await this.tx.allEach(
      incidentById,
      wanted.map((id) => [id]),
    )
    for (const row of rows) this.adopt(incidentOf(row))
  }

  /** An incident that the caller has read inside this transaction. */
  adopt(incident: Incident): Incident {
    const known = this.#incidents.get(incident.id)
    if (known) return known
    this.#incidents.set(incident.id, incident)
    return incident
  }

  get(id: bigint): Incident {
    const incident = this.#incidents.get(id)
    if (!incident) throw new Error(`incident ${id} was not gathered`)
    return incident
  }

  /** The open incident of a route with a root. */
  async withRoot(routeId: bigint, rootId: bigint): Promise<Incident | undefined> {
    const key = keyOf(routeId, rootId)
    if (!this.#open.has(key)) {
      const [row] = await this.tx.allEach(incidentByRoot, [[routeId, rootId]])
      this.#open.set(key, row ? this.adopt(incidentOf(row)) : null)
    }
    const found = this.#open.get(key)
    return found && found.closedAt === null && found.rootId === rootId ? found : undefined
  }

  /** The open storm of a route, or its open summary. */
  async ofKind(routeId: bigint, kind: IncidentKind): Promise<Incident | undefined> {
    const key = keyOf(routeId, kind)
    if (!this.#open.has(key)) {
      const [row] = await this.tx.all(groupIncident, [routeId, kind])
      this.#open.set(key, row ? this.adopt(incidentOf(row)) : null)
    }
    const found = this.#open.get(key)
    return found && found.closedAt === null ? found : undefined
  }

  open(fields: Omit<Incident, 'id' | 'openedAt' | 'changedAt' | 'closedAt' | 'ended'>): Incident {
    const id = this.#next('notify_incident')
    const { now } = this.tx
    const incident: Incident = { ...fields, id, ended: 0, openedAt: now, changedAt: now, closedAt: null }
    this.#incidents.set(id, incident)
    this.#new.add(id)
    this.#open.set(
      keyOf(incident.routeId, incident.rootId === 0n ? incident.kind : incident.rootId),
      incident,
    )
    return incident
  }

  change(incident: Incident, fields: Partial<Incident>): void {
    Object.assign(incident, fields, { changedAt: this.tx.now })
    if (fields.rootId !== undefined) this.#open.set(keyOf(incident.routeId, fields.rootId), incident)
    if (!this.#new.has(incident.id)) this.#changed.add(incident.id)
  }

  close(incident: Incident): void {
    this.change(incident, { state: 'closed', dueAt: null, head: 0n, closedAt: this.tx.now })
  }

  addRow(
    incident: Incident | undefined,
    row: Omit<NewRow, 'id' | 'routeId' | 'incidentId'> & { routeId?: bigint },
  ): LedgerRow {
    const added = newRow(
      {
        ...row,
        id: this.#next('notification'),
        routeId: row.routeId ?? incident?.routeId ?? 0n,
        incidentId: incident?.id ?? 0n,
      },
      this.tx.now,
    )
    this.#rows.set(added.id, added)
    this.#newRows.add(added.id)
    this.#noteRoute(added.alarmId, added.routeId)
    this.#added += 1
    this.#count(writtenTotal)
    return added
  }

  touch(row: LedgerRow): void {
    if (!this.#newRows.has(row.id)) this.#changedRows.add(row.id)
  }

  /** Ends a row that is pending. */
  end(row: LedgerRow, outcome: Ending, reason: string): void {
    end(row, outcome, reason, this.tx.now)
    this.touch(row)
    this.#count(outcome)
  }

  #count(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  /** Ends the row that waits for a step of the incident, where there is one. */
  async endHead(incident: Incident, outcome: Ending, reason: string): Promise<void> {
    const head = await this.head(incident)
    if (head) this.end(head, outcome, reason)
    if (incident.head !== 0n) this.change(incident, { head: 0n })
  }

  async head(incident: Incident): Promise<LedgerRow | undefined> {
    if (incident.head === 0n) return undefined
    const known = this.#rows.get(incident.head)
    if (known) return known
    const [row] = await this.tx.all(`select ${ledgerColumns} from notification where id = ?`, [incident.head])
    return row && this.adoptRow(rowOf(row))
  }

  adoptRow(row: LedgerRow): LedgerRow {
    const known = this.#rows.get(row.id)
    if (known) return known
    this.#rows.set(row.id, row)
    return row
  }

  /** The rows of an incident that wait to be sent. */
  async pending(incident: Incident): Promise<LedgerRow[]> {
    const rows = await this.tx.all(
      `select ${ledgerColumns} from notification where incident_id = ? and channel_id > 0 and outcome = 'pending' order by channel_id, id`,
      [incident.id],
    )
    const stored = rows.map((row) => this.adoptRow(rowOf(row)))
    const added = [...this.#newRows].flatMap((id) => {
      const row = this.#rows.get(id)
      return row && row.incidentId === incident.id && row.channelId > 0n ? [row] : []
    })
    return [...new Set([...stored, ...added])].filter(({ outcome }) => outcome === 'pending')
  }

  /** The channels that were told of an incident, and those with an attempt under way, but for one row. */
  async told(incident: Incident, except = 0n): Promise<NotifiedChannel[]> {
    await this.#writeRows()
    const rows = await this.tx.all(
      `select channel_id, max(contact_id) as contact_id from notification
       where incident_id = ? and channel_id > 0 and ${isNotified} and ${isAboutFault} and id <> ? group by channel_id order by channel_id`,
      [incident.id, except],
    )
    return rows.map((row) => ({ channelId: row.channel_id as bigint, contactId: row.contact_id as bigint }))
  }

  /** The routes that took changes of an alarm, which was gathered. */
  routesOf(alarmId: bigint): Iterable<bigint> {
    return this.#routes.get(alarmId) ?? []
  }

  async write(): Promise<void> {
    await this.#writeIncidents()
    await this.members.write()
    await this.#writeRows()
    await this.tx.runEach(
      addToTotal,
      [...this.#counts].sort().map(([name, count]) => [name, count]),
    )
    this.#counts.clear()
  }

  async #writeRows(): Promise<void> {
    const rowsOf = (ids: ReadonlySet<bigint>) => [...ids].flatMap((id) => this.#rows.get(id) ?? [])
    if (this.#newRows.size > 0) await insertRows(this.tx, rowsOf(this.#newRows))
    if (this.#changedRows.size > 0) await updateRows(this.tx, rowsOf(this.#changedRows))
    this.#newRows.clear()
    this.#changedRows.clear()
  }

  /** Changed ones first: at most one open incident of a route has a root. */
  async #writeIncidents(): Promise<void> {
    for (const [ids, statement] of [
      [this.#changed, updateIncident],
      [this.#new, insertIncident],
    ] as const) {
      if (ids.size === 0) continue
      const rows = [...ids].map((id) => {
        const incident = this.get(id)
        return [...incidentFields.map(([name]) => incident[name] as SqlValue), id]
      })
      ids.clear()
      await this.tx.runEach(statement, rows)
    }
  }
}
