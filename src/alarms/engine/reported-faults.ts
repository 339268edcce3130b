// Keeps, in the store, what traps and syslog messages have reported of faults that both can report. A fault of which it is
// not clear whether it has ended is held back until the sense that reported it has had time to report its end.

import type { ShippedEvent } from '../../events/catalogue-file.ts'
import { bulk, type Row, type SqlValue, type Transaction } from '../../store/database.ts'
import type { FlapChanges } from '../limits/flapping.ts'
import type { AlarmChanges } from './alarm-changes.ts'
import { type AlarmDraft, draftFromText, draftToText, type Identity, identityOfRow } from './alarm-draft.ts'
import { type FaultReport, FaultTurns, matchWindow, type Sense } from './fault-turns.ts'
import type { IncomingTrap } from './incoming-trap.ts'
import type { TrapMeaning } from './trap-meaning.ts'

export interface ReportedByMessages {
  /** Events that no trap reports; definitions of the store come first. */
  readonly events: ReadonlyMap<string, ShippedEvent>
  /** Events that traps report as well. */
  readonly shared: ReadonlySet<string>
  /** Whether messages are received; otherwise traps are matched with them from the first message on. */
  readonly areExpected: boolean
}

interface HeldFault {
  readonly sense: Sense
  readonly draft: AlarmDraft
}

interface ReportedFault {
  readonly identity: Identity
  readonly turns: FaultTurns
  held: HeldFault | undefined
}

const columns = 'device_id, resource, alarm_type, turns, held'
const selectTurns = bulk(
  `select ${columns} from fault_turn where device_id = ? and resource = ? and alarm_type = ?`,
  ['bigint', 'text', 'text'],
)
const upsertTurns = bulk(
  'insert into fault_turn (device_id, resource, alarm_type, turns, changed_at, held_at, held) values (?, ?, ?, ?, ?, ?, ?) on conflict (device_id, resource, alarm_type) do update set turns = excluded.turns, changed_at = excluded.changed_at, held_at = excluded.held_at, held = excluded.held',
  ['bigint', 'text', 'text', 'text', 'bigint', 'bigint', 'text'],
)

export const senseOf = ({ message }: IncomingTrap): Sense => (message ? 'message' : 'trap')

/** The reports inside one transaction. */
export class ReportedFaults {
  /** The events that traps and messages report; empty if no messages are received. */
  readonly #shared: ReadonlySet<string>
  /** The alarms of other events that both report, by key of the identity. */
  readonly #named: ReadonlySet<string>
  readonly #known: Map<string, ReportedFault>
  readonly #changed = new Set<ReportedFault>()

  private constructor(
    shared: ReadonlySet<string>,
    known: Map<string, ReportedFault>,
    named: ReadonlySet<string> = new Set(),
  ) {
    this.#shared = shared
    this.#named = named
    this.#known = known
  }

  static async gather(
    tx: Transaction,
    shared: ReadonlySet<string>,
    meanings: Iterable<TrapMeaning>,
    named: ReadonlySet<string>,
  ): Promise<ReportedFaults> {
    const keys = new Map<string, SqlValue[]>()
    if (shared.size > 0) {
      for (const { identity, ends } of meanings) {
        for (const one of [identity, ...ends])
          if (shared.has(one.alarmType) || named.has(one.key))
            keys.set(one.key, [one.deviceId, one.resource, one.alarmType])
      }
    }
    const rows = keys.size === 0 ? [] : await tx.allEach(selectTurns, [...keys.values()])
    return new ReportedFaults(
      shared,
      new Map(rows.map((row) => [identityOfRow(row).key, reportedOf(row)])),
      shared.size > 0 ? named : new Set(),
    )
  }

  /** Faults that have been held back for long enough. */
  static async gatherHeld(tx: Transaction, limit: number): Promise<ReportedFaults> {
    const rows = await tx.all(
      `select ${columns} from fault_turn where held_at <= ? or held_at > ? order by held_at limit ?`,
      [...heldBounds(tx.now), limit],
    )
    return new ReportedFaults(
      new Set(),
      new Map(rows.map((row) => [identityOfRow(row).key, reportedOf(row)])),
    )
  }

  get held(): readonly AlarmDraft[] {
    return this.#known
      .values()
      .flatMap(({ held }) => (held ? [held.draft] : []))
      .toArray()
  }

  fault(identity: Identity, trap: IncomingTrap, isOpen: boolean): FaultReport {
    if (!this.#isShared(identity)) return 'counts'
    const reported = this.#find(identity)
    const { count } = reported.turns.state
    const report = reported.turns.fault(senseOf(trap), trap.receivedAt, isOpen)
    // From now on there is an alarm.
    if (reported.turns.state.count > count) reported.held = undefined
    return report
  }

  /** Whether it may end the open alarm. */
  end(identity: Identity, trap: IncomingTrap, isOpen: boolean): boolean {
    if (!this.#isShared(identity)) return true
    const reported = this.#find(identity)
    if (reported.held?.sense === senseOf(trap)) reported.held = undefined
    return reported.turns.end(senseOf(trap), trap.receivedAt, isOpen)
  }

  hold(draft: AlarmDraft, trap: IncomingTrap): void {
    const reported = this.#find(draft.identity)
    reported.held ??= { sense: senseOf(trap), draft }
  }

  /** It is no longer held back, and its alarm is open. */
  settle({ identity, at }: AlarmDraft): void {
    const reported = this.#find(identity)
    if (reported.held) reported.turns.settle(reported.held.sense, at)
    reported.held = undefined
  }

  #isShared = ({ alarmType, key }: Identity) => this.#shared.has(alarmType) || this.#named.has(key)

  #find(identity: Identity): ReportedFault {
    let reported = this.#known.get(identity.key)
    if (!reported) {
      reported = { identity, turns: new FaultTurns(), held: undefined }
      this.#known.set(identity.key, reported)
    }
    this.#changed.add(reported)
    return reported
  }

  async write(tx: Transaction): Promise<void> {
    if (this.#changed.size === 0) return
    await tx.runEach(
      upsertTurns,
      Array.from(this.#changed, (reported) => rowOf(reported, tx.now)),
    )
    this.#changed.clear()
  }
}

/** Whether a fault has been held back for long enough. */
export async function hasDueFaults(reader: Pick<Transaction, 'all'>, now: number): Promise<boolean> {
  const rows = await reader.all(
    'select device_id from fault_turn where held_at <= ? or held_at > ? limit 1',
    heldBounds(now),
  )
  return rows.length > 0
}

/** Faults that were held back and are raised in one transaction. */
const heldPerRound = 200

/** Raises faults that have been held back for long enough, each with the time at which it was received. */
export async function raiseHeld(
  tx: Transaction,
  changes: AlarmChanges,
  flapping: FlapChanges,
): Promise<void> {
  const reported = await ReportedFaults.gatherHeld(tx, heldPerRound)
  const drafts = reported.held
  await changes.gather(drafts.flatMap((draft) => [draft, ...flapping.alarmsToGather(draft, false)]))
  for (const draft of drafts) {
    if (flapping.find(draft.identity)) flapping.fault(draft)
    else if (!changes.openAlarm(draft.identity)) changes.raise(draft)
    reported.settle(draft)
  }
  await flapping.write()
  await reported.write(tx)
}

/** A time in the future means that the clock has been set back since. */
const heldBounds = (now: number) => [now - matchWindow, now + matchWindow]

function rowOf({ identity, turns, held }: ReportedFault, now: number): SqlValue[] {
  const { deviceId, resource, alarmType } = identity
  const text = held && JSON.stringify({ sense: held.sense, draft: draftToText(held.draft) })
  const heldAt = held ? Math.round(held.draft.at) : null
  return [deviceId, resource, alarmType, JSON.stringify(turns.state), now, heldAt, text ?? null]
}

function reportedOf(row: Row): ReportedFault {
  const identity = identityOfRow(row)
  const turns = new FaultTurns(JSON.parse(String(row.turns)))
  if (row.held === null) return { identity, turns, held: undefined }
  const { sense, draft } = JSON.parse(String(row.held))
  return { identity, turns, held: { sense, draft: draftFromText(draft, identity) } }
}

/** As long as a block may wait to be processed. */
const retentionMs = 3_600_000

/** Deletes what is too old to be matched. */
export async function deleteOldTurns(tx: Transaction, now: number, limit: number): Promise<number> {
  return tx.run(
    'delete from fault_turn where held_at is null and changed_at < ? and changed_at <= (select max(changed_at) from (select changed_at from fault_turn order by changed_at limit ?) oldest)',
    [now - retentionMs, limit],
  )
}
