// Which messages leave next: that an attempt begins is committed before it does, and rows that are not to be sent any
// more end here.

import type { Database, Transaction } from '../../store/database.ts'
import type { Message } from '../message.ts'
import { isGroup } from './group-changes.ts'
import { isAboutFault, isNotified, notifiedByAnother } from './incident.ts'
import { isUnsent } from './incident-changes.ts'
import { IncidentWork } from './incident-work.ts'
import { isLimitNotice, type LedgerRow, ledgerColumns, rowOf } from './ledger.ts'
import { type MaintenancePause, pauseCheck } from './maintenance-pause.ts'
import { messageOf } from './message-text.ts'
import type { RouteIndex } from './route-index.ts'
import { type Directory, lastResort } from './targets.ts'
import { useNext } from './undelivered.ts'

/** Messages of one channel that are claimed at a time. */
const perLane = 50
/** Milliseconds in which an attempt must have ended, from when it is its turn. */
export const attemptTime = 30_000

/** Changes that are told to those who know of the fault, and to nobody else. */
const followUps: ReadonlySet<string> = new Set(['worse', 'acknowledged', 'note', 'recovered'])

export interface Claimed {
  readonly row: LedgerRow
  /** Whether an earlier attempt has no answer. */
  readonly wasOpen: boolean
  readonly message: Message
  readonly contactId: bigint
  readonly alarmId: bigint
  /** The storm or summary that the message is about; 0 where it is about the alarm alone. */
  readonly groupId: bigint
}

export interface ClaimParts {
  /** Refuses changes while this service does not lead. */
  readonly leaderDatabase: Database
  readonly directory: Directory
  readonly pauses: MaintenancePause
  readRouteIndex(): Promise<RouteIndex>
}

export class Claims {
  readonly #parts: ClaimParts

  constructor(parts: ClaimParts) {
    this.#parts = parts
  }

  /** Commits that attempts begin; rows that are not to be sent any more end here. */
  async take(channelIds: readonly bigint[], store: string): Promise<Map<bigint, Claimed[]>> {
    const routeIndex = await this.#parts.readRouteIndex()
    await this.#parts.directory.people()
    return this.#parts.leaderDatabase.transaction(async (tx) => {
      const work = await IncidentWork.begin(tx)
      await this.#parts.pauses.refresh(tx)
      const claimed = new Map<bigint, Claimed[]>()
      for (const channelId of channelIds) {
        const rows = (await tx.all(dueSql, [channelId, tx.now, tx.now])).map((row) =>
          work.adoptRow(rowOf(row)),
        )
        await work.gather(rows.map(({ incidentId }) => incidentId))
        const lane: Claimed[] = []
        for (const row of rows) {
          if (lane.some((one) => one.row.incidentId === row.incidentId)) continue
          // Its twin of another route is being sent: what becomes of that one decides.
          if (lane.some((one) => isTwin(one.row, row))) continue
          if (await this.#mayBeSent(work, routeIndex, row))
            lane.push(await this.#begin(work, row, { routeIndex, store }))
        }
        if (lane.length > 0) claimed.set(channelId, lane)
      }
      await work.write()
      return claimed
    })
  }

  async #mayBeSent(work: IncidentWork, routeIndex: RouteIndex, row: LedgerRow): Promise<boolean> {
    // Whatever happened since: it may have arrived, and what comes after it refers to it.
    if (!isUnsent(row)) return true
    const incident = work.get(row.incidentId)
    const channels = (await this.#parts.directory.people(work.tx)).channels
    if (!channels.has(row.channelId)) {
      work.end(
        row,
        'suppressed',
        'the channel was deleted, disabled, or is no longer confirmed, or its contact is disabled',
      )
      if (!followUps.has(row.change) && !isLimitNotice(row)) await useNext(work, routeIndex, incident, row)
      return false
    }
    if (followUps.has(row.change) && !(await wasNotified(work.tx, row))) {
      work.end(row, 'suppressed', 'this channel was not told of the fault')
      return false
    }
    if (!isGroup(incident)) {
      const twin = await twinOf(work.tx, row)
      if (twin === 'told') work.end(row, 'merged', notifiedByAnother)
      if (twin !== undefined) return false
    }
    const isCall = !followUps.has(row.change) && !isLimitNotice(row)
    const windows = isCall ? await this.#parts.pauses.covering(work.tx, incident) : undefined
    if (windows !== undefined) {
      postpone(work, row, work.tx.now + pauseCheck, windows)
      return false
    }
    if (row.contactId === 0n) return true
    const until = await this.#parts.directory.quietUntil(
      row.contactId,
      incident.alarmLevel,
      work.tx.now,
      work.tx,
    )
    if (until === undefined) return true
    postpone(work, row, until, 'quiet hours')
    return false
  }

  async #begin(
    work: IncidentWork,
    row: LedgerRow,
    { routeIndex, store }: { readonly routeIndex: RouteIndex; readonly store: string },
  ): Promise<Claimed> {
    const { now } = work.tx
    const wasOpen = !isUnsent(row)
    // Why the attempt before it failed is shown until this one has an answer.
    const reason = row.attempts > 0 ? row.reason : null
    Object.assign(row, { attempts: row.attempts + 1, attemptOpen: 1, attemptTime: now, reason })
    // Should this service end here, the row is due again.
    row.dueAt = now + 2 * attemptTime * perLane
    work.touch(row)
    const incident = work.get(row.incidentId)
    const route = incident.routeId === lastResort.id ? lastResort : routeIndex.find(incident.routeId)
    const routeName = route?.name ?? String(incident.routeId)
    const message = messageOf({
      row,
      incident,
      routeName,
      store,
      earlier: await earlierReference(work.tx, row),
      links: [],
      acknowledged: isGroup(incident) ? await work.members.acknowledgedOf(incident) : 0,
    })
    const groupId = isGroup(incident) ? incident.id : 0n
    return { row, wasOpen, message, contactId: row.contactId, alarmId: incident.alarmId, groupId }
  }
}

function postpone(work: IncidentWork, row: LedgerRow, until: number, reason: string): void {
  row.giveUpAt += until - (row.dueAt ?? work.tx.now)
  Object.assign(row, { dueAt: until, reason: reason.slice(0, 500) })
  work.touch(row)
}

/** Repeats of two routes that are due at about the same time are one message, too. */
const aboutNow = 60_000

/** Whether two rows for a channel tell the same change of an alarm, for two routes. */
const isTwin = (a: LedgerRow, b: LedgerRow): boolean =>
  a.incidentId !== b.incidentId &&
  a.alarmId === b.alarmId &&
  a.logNumber === b.logNumber &&
  a.change === b.change &&
  !isLimitNotice(a) &&
  !isLimitNotice(b)

const twinSql = `select outcome, attempt_open from notification t where alarm_id = ? and channel_id = ? and change = ?
  and incident_id <> ? and log_number = ? and (log_number > 0 or created_time > ?) and ${isAboutFault}
  and (outcome = 'delivered' or (outcome = 'pending' and (attempt_open = 1 or exists (select 1 from notification e
    where e.incident_id = t.incident_id and e.channel_id = t.channel_id and e.outcome = 'delivered'))))`

/**
 * What another route does with the same change of an alarm for the same channel: it has told it, or will, in the thread
 * in which it told the fault; or it is not known yet. An incident that has a thread with the channel keeps to it.
 */
async function twinOf(tx: Transaction, row: LedgerRow): Promise<'told' | 'unknown' | undefined> {
  const { alarmId, channelId, change, incidentId, logNumber } = row
  if (isLimitNotice(row)) return undefined
  const twins = await tx.all(twinSql, [alarmId, channelId, change, incidentId, logNumber, tx.now - aboutNow])
  if (twins.length === 0) return undefined
  const [own] = await tx.all(
    `select 1 from notification where incident_id = ? and channel_id = ? and (outcome = 'delivered' or attempt_open = 1) and ${isAboutFault} limit 1`,
    [incidentId, channelId],
  )
  if (own) return undefined
  return twins.some((one) => one.outcome === 'delivered' || one.attempt_open === 0n) ? 'told' : 'unknown'
}

/** Those whose predecessors of the same incident have ended. One that is planned for later and was not tried yet is none. */
const dueSql = `select ${ledgerColumns} from notification n where channel_id = ? and due_at is not null and due_at <= ?
  and not exists (select 1 from notification e where e.incident_id = n.incident_id and e.channel_id = n.channel_id
    and e.outcome = 'pending' and e.id < n.id and (e.attempts > 0 or e.due_at <= ?)) order by due_at, id limit ${perLane}`

async function wasNotified(tx: Transaction, { incidentId, channelId, id }: LedgerRow): Promise<boolean> {
  const [row] = await tx.all(
    `select id from notification where incident_id = ? and channel_id = ? and id < ? and ${isNotified}
     and ${isAboutFault} limit 1`,
    [incidentId, channelId, id],
  )
  return row !== undefined
}

async function earlierReference(
  tx: Transaction,
  { incidentId, channelId, id }: LedgerRow,
): Promise<string | undefined> {
  const [row] = await tx.all(
    'select reference from notification where incident_id = ? and channel_id = ? and id < ? and reference is not null order by id limit 1',
    [incidentId, channelId, id],
  )
  return row ? String(row.reference) : undefined
}
