// What follows when another node begins to settle: a new epoch of the log; and more, where another server serves the
// store.

import type { Raising } from '../alarms/engine.ts'
import { openEpochAhead, openEpochIn } from '../alarms/log.ts'
import { raiseOwn } from '../alarms/own-alarms.ts'
import { dropWaiting } from '../intake/blocks.ts'
import type { Raised } from '../nodes/fence.ts'
import { isSamePlace } from '../nodes/server.ts'
import { countBoot } from '../snmp/engine-clocks.ts'
import { readCounter, removeCounter, setCounter } from '../store/counter.ts'
import type { Database, Transaction } from '../store/database.ts'

/**
 * How many datagrams were dropped, until it has been reported that the store has moved; -1 where it is another server's copy of the same.
 */
const movedMark = 'store moved'
const promoted = -1

/** Inside the transaction that begins a term, before anything gets a number. */
export async function beginTerm(tx: Transaction, { before, now }: Raised): Promise<void> {
  const isKnown = before.system !== ''
  if (isKnown && !isSamePlace(before, now)) {
    // What waits in a copy was received elsewhere, and is settled there.
    const dropped = before.system === now.system ? promoted : await dropWaiting(tx)
    await countBoot(tx)
    await openEpochAhead(tx)
    await setCounter(tx, movedMark, dropped)
    return
  }
  await openEpochIn(tx)
}

/** Called by the settling node; `settling` is the store as it alone changes it. Returns what was reported. */
export async function reportMoved(settling: Database, settler: Raising): Promise<string | undefined> {
  const mark = await readCounter(settling, movedMark)
  if (mark === undefined) return undefined
  const dropped = Number(mark)
  const text =
    dropped === promoted
      ? 'Another PostgreSQL serves the store than before: a standby was promoted. If it lacked commits, what they held is gone, and clients are notified'
      : `The store was copied from another server: ${dropped.toLocaleString('en')} datagrams that waited there to be settled were dropped`
  await raiseOwn(settler, 'storeMoved', 'store', text)
  // Last: after a crash it is reported again.
  await settling.transaction((tx) => removeCounter(tx, movedMark))
  return text
}
