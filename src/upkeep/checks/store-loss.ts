// Detects a store that is not as the service left it: restored, copied from elsewhere, an older copy, or damaged at the
// end of its journal. This happens before any number is issued. Numbers then continue far enough ahead that none is
// issued twice, in an epoch of the log by which every client learns that something is missing.

import { randomInt } from 'node:crypto'
import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import { lastEpochAt, logCounter, openEpochAhead } from '../../alarms/log/epochs.ts'
import {
  openServiceAlarms,
  raiseServiceAlarm,
  recoverServiceAlarm,
} from '../../alarms/service/service-alarms.ts'
import { skipSenderBoots } from '../../notify/channels/engine-clock.ts'
import { skipBoots } from '../../snmp/engine-clocks.ts'
import { readCounter, readCounters, removeCounter, setCounter, storeCounter } from '../../store/counter.ts'
import type { Database, Transaction } from '../../store/database.ts'
import type { Counters, HighWaterMark } from '../../store/sqlite/high-water-mark.ts'
import { backupMark } from '../../store/sqlite/sqlite-connection.ts'
import { fastTables, numberedTables, slowTables, unseen } from './id-tables.ts'

const identity = storeCounter
const starts = 'starts'
/** Counters that only grow: a store in which one is lower than in its high-water mark is an older one. */
const growing = [logCounter, starts, ...numberedTables]
/** A counter that is set until the loss has been reported: the number of missing entries, or -1 if it is unknown. */
const lossMark = 'entries lost'
const unknown = -1n

/** Without a high-water mark: more numbers than any machine issues per second. */
const perSecond = 20_000n
const byHand = 10_000n
/** More starts than a service has between a copy and its return. */
export const startsMissed = 10_000

/**
 * Called at the start, before anything is numbered, with the high-water mark beside the store. Returns whether an epoch
 * was opened because something is missing.
 */
export async function noticeLoss(database: Database, mark: RecordedCounters | undefined): Promise<boolean> {
  const seen = mark?.seen
  const isLost = await database.transaction(async (tx) => {
    const held: Counters = await readCounters(tx)
    const kind = kindOfLoss(held, seen)
    // A folder that was copied as a whole is consistent, but what happened to the original since is unknown.
    const isCopy = mark?.isCopy === true && held.has(identity)
    const isLost = kind !== undefined || isCopy
    if (isLost) {
      await skipAhead(tx, held, seen, isCopy ? 'unmarked' : kind)
      if (!held.has(backupMark)) await keepLoss(tx, held, kind === 'marked' ? seen : undefined)
    }
    if (!held.has(identity)) await setCounter(tx, identity, BigInt(1 + randomInt(2 ** 47)))
    await setCounter(tx, starts, higher(starts, held, isLost ? seen : undefined) + 1n)
    return isLost
  })
  // Everything that it recorded lies before the new epoch; from here on it must agree with this store.
  if (isLost) mark?.forget()
  return isLost
}

type RecordedCounters = Pick<HighWaterMark, 'seen' | 'isCopy' | 'forget'>

/** `unmarked`: there is no high-water mark to compare with. */
type Kind = 'marked' | 'unmarked'

/** Undefined if the store is as it was left. */
function kindOfLoss(held: Counters, seen: Counters | undefined): Kind | undefined {
  const isKnown = seen?.get(identity) !== undefined && seen.get(identity) === held.get(identity)
  if (!isKnown) {
    // A store from before there were high-water marks, or of a kind that needs none, is not a copy.
    const isCopy = held.has(backupMark) || (seen !== undefined && held.has(identity))
    const isReplaced = seen?.has(identity) === true
    return isCopy || isReplaced ? 'unmarked' : undefined
  }
  const isOlder = growing.some((name) => (seen.get(name) ?? 0n) > (held.get(name) ?? 0n))
  return held.has(backupMark) || isOlder ? 'marked' : undefined
}

/** The counter in the store or in the high-water mark, whichever is higher. */
function higher(name: string, held: Counters, seen: Counters | undefined): bigint {
  const [here, there] = [held.get(name) ?? 0n, seen?.get(name) ?? 0n]
  return here > there ? here : there
}

async function skipAhead(
  tx: Transaction,
  held: Counters,
  seen: Counters | undefined,
  kind: Kind | undefined,
): Promise<void> {
  const from = (name: string) => higher(name, held, seen)
  const isMarked = kind === 'marked'
  const fast = isMarked ? unseen.fast : perSecond * (await secondsSince(tx, held))
  const slow = isMarked ? unseen.slow : byHand
  const ids = new Map(fastTables.map((name) => [name, from(name) + fast]))
  for (const name of slowTables) if (from(name) > 0n) ids.set(name, from(name) + slow)
  const number = seen?.get(logCounter) ?? 0n
  await openEpochAhead(tx, { ids, isReported: true, ...(isMarked && { seen: { epoch: 0n, number } }) })
  // Senders of version 3 informs, and receivers of what we send, know our engine boots, and do not accept a lower number.
  await skipBoots(tx, startsMissed)
  await skipSenderBoots(tx, startsMissed)
}

/** Since the store was last known to be in use. */
async function secondsSince(tx: Transaction, held: Counters): Promise<bigint> {
  const at = Math.max(Number(held.get(backupMark) ?? 0n), await lastEpochAt(tx))
  const elapsed = at > 0 ? Math.ceil((tx.now - at) / 1000) : 0
  // At least an hour, because clocks may have been set.
  return BigInt(Math.max(3600, elapsed))
}

async function keepLoss(tx: Transaction, held: Counters, seen: Counters | undefined): Promise<void> {
  const missing = (seen?.get(logCounter) ?? 0n) - (held.get(logCounter) ?? 0n)
  await setCounter(tx, lossMark, seen === undefined ? unknown : missing > 0n ? missing : 0n)
}

/** A store that was moved on purpose, with all of its content, gets a new high-water mark, and nothing is reported. */
export async function startWithoutMark(database: Database): Promise<void> {
  await database.transaction((tx) => removeCounter(tx, identity))
}

/** Called once alarms can be raised. Returns the reported text. */
export async function reportLoss(database: Database, engine: AlarmChanger): Promise<string | undefined> {
  const mark = await readCounter(database, lossMark)
  if (mark === undefined) return undefined
  const text = lossText(mark)
  await raiseServiceAlarm(engine, 'storeOlder', 'store', text)
  // Last, so that it is reported again after a crash.
  await database.transaction((tx) => removeCounter(tx, lossMark))
  return text
}

function lossText(missing: bigint): string {
  if (missing === unknown)
    return 'The store came from elsewhere, or has taken the place of another: what it lacks is not known'
  const lacking =
    missing > 0n
      ? `${missing.toLocaleString('en')} entries of the alarm log that had been written are missing`
      : 'what had been written last is missing'
  return `The store is older than it was left: ${lacking}. Its journal was damaged, or an older copy was put in its place`
}

const day = 24 * 3600 * 1000

/**
 * Raises an alarm if the store was restored from a backup: it lacks what happened since, and not all clients know.
 * Called at the start, once the new epoch is open. Returns when the backup was made.
 */
export async function reportRestore(database: Database, engine: AlarmChanger): Promise<string | undefined> {
  const mark = await readCounter(database, backupMark)
  if (mark === undefined) return undefined
  const madeAt = new Date(Number(mark)).toISOString()
  const text = `The store was restored from a backup of ${madeAt}: what happened from then until this start is missing`
  await raiseServiceAlarm(engine, 'storeRestored', `backup=${madeAt}`, text)
  // Last, so that it is reported again after a crash.
  await database.transaction((tx) => removeCounter(tx, backupMark))
  return madeAt
}

/** When the log no longer reaches back that far, no client can be affected any more. */
export async function endRestoreAlarm(
  database: Database,
  engine: AlarmChanger,
  now: number,
  days: number,
): Promise<void> {
  for (const event of ['storeRestored', 'storeOlder', 'storeMoved'] as const) {
    for (const resource of await openServiceAlarms(database, event, now - days * day)) {
      const text = `That was ${days} days ago or earlier: no client comes back that would have to be informed`
      await recoverServiceAlarm(engine, event, resource, text)
    }
  }
}
