// Long work yields: everything else that is due in this thread runs in between.

import { setImmediate as nextRound } from 'node:timers/promises'

/** A round of the event loop that took less, in milliseconds, had nothing to do. */
const quiet = 0.2
/** What one round reads is begun in the next, and answered in a third. */
const quietRounds = 4

/**
 * Lets others work for as long as the work before took, or until they have nothing more to do: where traps come faster
 * than they are processed, answers and streams have half of the thread, and all of it is used where there are none.
 */
export async function yieldThread(
  took: number,
  clock: () => number = () => performance.now(),
  round: () => Promise<unknown> = nextRound,
): Promise<void> {
  const end = clock() + took
  let quietFor = 0
  for (let before = clock(); quietFor < quietRounds; ) {
    await round()
    const now = clock()
    quietFor = now - before < quiet ? quietFor + 1 : 0
    if (now >= end) return
    before = now
  }
}
