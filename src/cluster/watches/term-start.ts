// What a new leader does first: it opens an epoch of the log, and more if the store is on another server or was put
// back to an older state.

import type { AlarmChanger } from '../../alarms/engine/engine.ts'
import { lastJump, openEpochAhead, openEpochIn } from '../../alarms/log/epochs.ts'
import { raiseServiceAlarm } from '../../alarms/service/service-alarms.ts'
import { skipSenderBoots } from '../../notify/channels/engine-clock.ts'
import { countBoot, skipBoots } from '../../snmp/engine-clocks.ts'
import { readCounter, removeCounter, setCounter } from '../../store/counter.ts'
import type { Database, Reader, Transaction } from '../../store/database.ts'
import { idsAhead } from '../../upkeep/checks/id-tables.ts'
import { startsMissed } from '../../upkeep/checks/store-loss.ts'
import { dropWaiting } from '../blocks/block-table.ts'
import type { FenceRaise } from '../nodes/fence.ts'
import { readHighWaterMarks } from '../nodes/membership.ts'
import { isSameServer } from '../nodes/server-identity.ts'
import type { ComparedMarks, HighWaterCheck } from './high-water-check.ts'

/**
 * A counter that is set until the move of the store has been reported: the number of datagrams that were dropped, or -1
 * if a standby was promoted and nothing was dropped.
 */
const movedMark = 'store moved'
const promoted = -1
/** A counter that is 1 until it has been reported that the store was put back to an older state. */
const backMark = 'store put back'

/** Called inside the transaction that begins a term, before any numbers are issued. */
export async function beginTerm(tx: Transaction, raised: FenceRaise, seen: HighWaterCheck): Promise<void> {
  const { before, now, waited } = raised
  const compared = await seen.compare(tx, [seen.mark, ...(await readHighWaterMarks(tx))])
  const isMoved = before.system !== '' && !isSameServer(before, now)
  if (!isMoved && !compared.isBehind) return void (await openEpochIn(tx))
  const isPromoted = isMoved && before.system === now.system
  const { marks, held, isBehind } = compared
  const dropped = isPromoted ? promoted : await dropWaiting(tx, isMoved ? held.at : lastSeen(compared))
  // A standby that every commit waited for lacks no commits.
  const isReported = isBehind || !isPromoted || !waited
  const highest = (of: 'epoch' | 'number') => marks.reduce((a, mark) => (mark[of] > a ? mark[of] : a), 0n)
  await openEpochAhead(tx, {
    ids: idsAhead([held.ids, ...marks.map(({ ids }) => ids)]),
    isReported,
    seen: { epoch: highest('epoch'), number: highest('number') },
  })
  if (isBehind) {
    await skipBoots(tx, startsMissed)
    await skipSenderBoots(tx, startsMissed)
  }
  await countBoot(tx)
  await setCounter(tx, movedMark, dropped)
  if (isBehind) await setCounter(tx, backMark, 1)
}

/** Datagrams that were received later than this belong to the current store. */
const lastSeen = ({ marks }: ComparedMarks) => Math.max(0, ...marks.map(({ at }) => at))

/** Called on the leader; `leaderDatabase` writes only while it is. Returns the reported text. */
export async function reportMoved(
  leaderDatabase: Database,
  alarms: AlarmChanger,
): Promise<string | undefined> {
  const mark = await readCounter(leaderDatabase, movedMark)
  if (mark === undefined) return undefined
  const isBack = (await readCounter(leaderDatabase, backMark)) !== undefined
  const dropped =
    mark > 0n
      ? `${mark.toLocaleString('en')} datagrams that waited in it were dropped: they had been processed, or are processed elsewhere`
      : undefined
  const text = [isBack ? await backText(leaderDatabase) : movedText(Number(mark)), dropped]
    .filter((sentence) => sentence !== undefined)
    .join('. ')
  await raiseServiceAlarm(alarms, isBack ? 'storeOlder' : 'storeMoved', 'store', text)
  // Last, so that it is reported again after a crash.
  await leaderDatabase.transaction(async (tx) => {
    await removeCounter(tx, movedMark)
    await removeCounter(tx, backMark)
  })
  return text
}

const movedText = (dropped: number) =>
  dropped === promoted
    ? 'Another PostgreSQL serves the store than before: a standby was promoted. If it lacked commits, what they held is gone, and clients are notified'
    : 'The store was copied from another server. What was written there after the copy was made is not in it, and clients are notified'

async function backText(reader: Reader): Promise<string> {
  const { lastBefore = 0n, lostTo } = (await lastJump(reader)) ?? {}
  const lacking =
    lostTo === undefined
      ? 'what was written last is gone'
      : `entries ${lastBefore + 1n} to ${lostTo} of the alarm log are gone`
  return `The store is older than nodes have seen it: ${lacking}, and clients are notified. A copy was restored, or a standby was promoted that lacked commits`
}
