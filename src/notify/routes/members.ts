// The open alarms of open incidents, inside one transaction: they are read before they are changed, and written when
// the store is asked about them, or at the end.

import type { Alarm } from '../../resources/alarms/alarm.ts'
import { bulk, type SqlValue, type Transaction } from '../../store/database.ts'
import type { Incident } from './incident.ts'

/** Whether people are to be called for an alarm: somebody has acknowledged it, or it is suppressed. */
export type MemberState = 'open' | 'acknowledged' | 'held'

/** An alarm that is open and counted into an open incident. */
export interface Member {
  readonly routeId: bigint
  readonly alarmId: bigint
  readonly incidentId: bigint
  readonly state: MemberState
  readonly alarmLevel: number
}

export const memberStateOf = ({ suppressed, ackStatus }: Alarm): MemberState =>
  suppressed ? 'held' : ackStatus === 1 ? 'acknowledged' : 'open'

const insertMember = bulk(
  `insert into notify_member (route_id, alarm_id, incident_id, state, alarm_level) values (?, ?, ?, ?, ?)
   on conflict (route_id, alarm_id) do update set incident_id = excluded.incident_id, state = excluded.state,
     alarm_level = excluded.alarm_level`,
  ['bigint', 'bigint', 'bigint', 'text', 'integer'],
)
const deleteMember = bulk('delete from notify_member where route_id = ? and alarm_id = ?', [
  'bigint',
  'bigint',
])
const membersOfAlarm = bulk(
  'select route_id, alarm_id, incident_id, state, alarm_level from notify_member where alarm_id = ?',
  ['bigint'],
)

export class Members {
  readonly #tx: Transaction
  /** By alarm and route. */
  readonly #known = new Map<bigint, Map<bigint, Member>>()
  /** As route and alarm. */
  readonly #changed = new Map<string, readonly [routeId: bigint, alarmId: bigint]>()

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  /** Reads what alarms are counted into; returns the incidents. */
  async gather(alarmIds: Iterable<bigint>): Promise<bigint[]> {
    const wanted = [...new Set(alarmIds)].filter((id) => !this.#known.has(id))
    if (wanted.length === 0) return []
    for (const id of wanted) this.#known.set(id, new Map())
    const rows = await this.#tx.allEach(
      membersOfAlarm,
      wanted.map((id) => [id]),
    )
    const found: Member[] = rows.map((row) => ({
      routeId: row.route_id as bigint,
      alarmId: row.alarm_id as bigint,
      incidentId: row.incident_id as bigint,
      state: row.state as MemberState,
      alarmLevel: Number(row.alarm_level),
    }))
    for (const member of found) this.#known.get(member.alarmId)?.set(member.routeId, member)
    return found.map(({ incidentId }) => incidentId)
  }

  /** The memberships of an alarm, which were gathered. */
  of(alarmId: bigint): Member[] {
    const found = this.#known.get(alarmId)
    if (!found) throw new Error(`the members of alarm ${alarmId} were not gathered`)
    return [...found.values()]
  }

  join({ routeId, id: incidentId }: Incident, alarm: Alarm): void {
    const { id: alarmId, alarmLevel } = alarm
    this.#set({ routeId, alarmId, incidentId, state: memberStateOf(alarm), alarmLevel })
  }

  /** The alarm as it is now. */
  update(member: Member, alarm: Alarm): void {
    const state = memberStateOf(alarm)
    const { alarmLevel } = alarm
    if (state !== member.state || alarmLevel !== member.alarmLevel)
      this.#set({ ...member, state, alarmLevel })
  }

  #set(member: Member): void {
    const { routeId, alarmId } = member
    const known = this.#known.get(alarmId) ?? new Map<bigint, Member>()
    this.#known.set(alarmId, known.set(routeId, member))
    this.#changed.set(`${routeId} ${alarmId}`, [routeId, alarmId])
  }

  leave({ routeId, alarmId }: Member): void {
    this.#known.get(alarmId)?.delete(routeId)
    this.#changed.set(`${routeId} ${alarmId}`, [routeId, alarmId])
  }

  /** The alarms of an incident, the most severe first, at most so many of them. */
  async mostSevere(incident: Incident, limit: number): Promise<bigint[]> {
    await this.write()
    const rows = await this.#tx.all(
      'select alarm_id from notify_member where incident_id = ? order by alarm_level, alarm_id limit ?',
      [incident.id, limit],
    )
    return rows.map((row) => row.alarm_id as bigint)
  }

  async has(incident: Incident): Promise<boolean> {
    return (await this.mostSevere(incident, 1)).length > 0
  }

  /** How an incident of several alarms stands: open while one of them is; undefined where none is left. */
  async stateOf(incident: Incident): Promise<MemberState | undefined> {
    await this.write()
    for (const state of ['open', 'acknowledged', 'held'] as const) {
      const [row] = await this.#tx.all(
        'select 1 from notify_member where incident_id = ? and state = ? limit 1',
        [incident.id, state],
      )
      if (row) return state
    }
    return undefined
  }

  async acknowledgedOf({ id }: Incident): Promise<number> {
    const [row] = await this.#tx.all(
      "select count(*) as n from notify_member where incident_id = ? and state = 'acknowledged'",
      [id],
    )
    return Number(row?.n ?? 0n)
  }

  /** Somebody takes all of them at once. */
  async acknowledgeAll(incident: Incident): Promise<void> {
    await this.write()
    await this.#tx.run(
      "update notify_member set state = 'acknowledged' where incident_id = ? and state = 'open'",
      [incident.id],
    )
    this.#changeKnown(incident, (member) =>
      member.state === 'open' ? { ...member, state: 'acknowledged' } : member,
    )
  }

  /** Counts all alarms of an incident into another, or into none. */
  async move(from: Incident, to: Incident | undefined): Promise<void> {
    await this.write()
    await (to
      ? this.#tx.run('update notify_member set incident_id = ? where incident_id = ?', [to.id, from.id])
      : this.#tx.run('delete from notify_member where incident_id = ?', [from.id]))
    this.#changeKnown(from, (member) => to && { ...member, incidentId: to.id })
  }

  #changeKnown({ id, routeId }: Incident, change: (member: Member) => Member | undefined): void {
    for (const known of this.#known.values()) {
      const member = known.get(routeId)
      if (member?.incidentId !== id) continue
      const changed = change(member)
      if (changed) known.set(routeId, changed)
      else known.delete(routeId)
    }
  }

  async write(): Promise<void> {
    if (this.#changed.size === 0) return
    const joined: SqlValue[][] = []
    const left: SqlValue[][] = []
    for (const [routeId, alarmId] of this.#changed.values()) {
      const member = this.#known.get(alarmId)?.get(routeId)
      if (member) joined.push([routeId, alarmId, member.incidentId, member.state, member.alarmLevel])
      else left.push([routeId, alarmId])
    }
    this.#changed.clear()
    await this.#tx.runEach(deleteMember, left)
    await this.#tx.runEach(insertMember, joined)
  }
}
