// Raises the alarms of faults that devices were found to have. The alarm of a part that has another place since its device
// restarted goes there: it ends together with the raising of the other one, or not at all.

import { type Alarm, foundByAsking } from '../../resources/alarms/alarm.ts'
import type { Transaction } from '../../store/database.ts'
import { endMoved } from '../actions/asked-ends.ts'
import { hasEndedSince } from '../open/reported-alarms.ts'
import { type Identity, identityOfAlarm } from './alarm-draft.ts'
import type { Incoming, IncomingTrap } from './incoming-trap.ts'
import { type BlockContext, processTrap } from './process-trap.ts'
import { draftOf, type TrapMeaning } from './trap-meaning.ts'

/** A report that a device did not send: it was asked. */
export interface FoundReport {
  readonly report: IncomingTrap
  /** When the device was asked. */
  readonly asked: number
  /** The open alarm of the same part at another place. */
  readonly moved: bigint | undefined
  /** Beside that, the alarm that it has at this place already. */
  readonly own: bigint | undefined
  /** Whether an alarm of this identity would be about the part. */
  isAbout(identity: Identity): boolean
}

export interface FoundContext extends BlockContext {
  readonly meanings: ReadonlyMap<Incoming, TrapMeaning>
}

interface Claim {
  readonly one: FoundReport
  readonly meaning: TrapMeaning
  /** The alarm that ends with it. */
  readonly moved: Alarm | undefined
}

/** What a device said is worth so long: after that it may have restarted without the alarm telling so. */
const worthMs = 60_000

/** Returns those that are to be asked about again: their place is taken, or something has changed since the device answered. */
export async function raiseFoundFaults(
  tx: Transaction,
  found: readonly FoundReport[],
  context: FoundContext,
): Promise<readonly FoundReport[]> {
  const { changes, meanings } = context
  const moved = new Map(
    (await changes.load(found.flatMap((one) => one.moved ?? []))).map((alarm) => [alarm.id, alarm]),
  )
  const refused: FoundReport[] = []
  const claims: Claim[] = []
  for (const one of found) {
    const meaning = meanings.get(one.report)
    if (meaning?.effect !== 'alarm' || !one.isAbout(meaning.ownIdentity ?? meaning.identity)) continue
    const claim = { one, meaning, moved: one.moved === undefined ? undefined : moved.get(one.moved) }
    if (await isCurrent(tx, claim)) claims.push(claim)
    else refused.push(one)
  }
  await changes.gather(
    claims.flatMap((claim) => (claim.moved ? [{ identity: identityOfAlarm(claim.moved) }] : [])),
  )
  const accepted = acceptable(claims, context)
  refused.push(...claims.filter((claim) => !accepted.has(claim)).map(({ one }) => one))
  // Where alarms change places, all leave theirs first.
  for (const claim of accepted) if (claim.moved) endMoved(changes, claim.moved, tx.now)
  for (const { meaning, moved: alarm } of accepted) {
    if (changes.openAlarm(meaning.identity)) continue
    // What goes on is no new report: no rule or limit may keep it from being alarmed.
    if (alarm) changes.raise({ ...draftOf(meaning), reason: foundByAsking })
    else processTrap(meaning, context)
  }
  return refused
}

/** Whether nothing was reported or ended since the device answered. */
async function isCurrent(tx: Transaction, { one, meaning, moved }: Claim): Promise<boolean> {
  if (Math.abs(tx.now - one.asked) > worthMs) return false
  if (one.moved !== undefined && (moved?.recStatus !== 0 || moved.lastTime >= one.asked)) return false
  return !(await hasEndedSince(tx, meaning.ownIdentity ?? meaning.identity, one.asked))
}

/** Those whose place is free, or left by others of these. */
function acceptable(claims: readonly Claim[], { changes }: FoundContext): ReadonlySet<Claim> {
  const accepted = new Set<Claim>()
  const taken = new Set<unknown>()
  for (const claim of claims) {
    const { moved, meaning } = claim
    const wanted = [meaning.identity.key, ...(moved ? [moved.id] : [])]
    if (wanted.some((one) => taken.has(one))) continue
    for (const one of wanted) taken.add(one)
    accepted.add(claim)
  }
  const leaving = new Map(Array.from(accepted, (claim) => [claim.moved?.id, claim]))
  /** Who waits for the place that another leaves. */
  const followers = new Map<Claim, Claim>()
  const blocked: Claim[] = []
  for (const claim of accepted) {
    const open = changes.openAlarm(claim.meaning.identity)
    if (!open || (claim.moved && open.id === claim.one.own)) continue
    const before = leaving.get(open.id)
    if (before) followers.set(before, claim)
    else blocked.push(claim)
  }
  for (const first of blocked)
    for (let claim: Claim | undefined = first; claim; claim = followers.get(claim)) accepted.delete(claim)
  return accepted
}
