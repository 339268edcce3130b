// What cases with faults came to, counted case by case: `npm run soak` prints it as a table for docs/benchmarks.md.
//
// How a case (`*.faults.ts`) uses it: repeat the fault `rounds` times, and call `record` whenever something is known,
// before it is asserted, so that a case that fails is in the table with what it counted. Counts are added up, of times
// the longest counts; what a case does not look at, it leaves out, and the table shows a dash. `record` knows by itself
// which test is running.
//
//     import { record, rounds } from '../outcome.ts'
//
//     for (let round = 1; round <= rounds; round += 1) {
//       …break something…
//       record({ rounds: 1, pause: await load.untilAnswered(100) })
//     }
//     record({ gapsOwed: 5, gapsTold: 5, idsUsedTwice: 0, wrongHealth: 0 })
//     await load.requireKept()
//
// `requireKept` of UnderLoad records `lost`, `doubled`, `unordered` and the documents whose ids mean another alarm in
// the store; `requireWithin` records the pause.

import { appendFileSync } from 'node:fs'
import { beforeEach } from 'node:test'

/** How often each fault is caused. */
export const rounds = Number(process.env.ROUNDS ?? 3)

export interface Outcome {
  /** How often the fault was caused. */
  readonly rounds?: number
  /** Answered and not in the store, or in the store and not delivered to a client without telling it. */
  readonly lost?: number
  /** Processed twice. */
  readonly doubled?: number
  /** Delivered after something later. */
  readonly unordered?: number
  /** Clients that had to be told of a gap, known by uuid or by position. */
  readonly gapsOwed?: number
  /** Those of them that were told. */
  readonly gapsTold?: number
  /** Ids, of alarms or entries, under which a client knows something else than the store. */
  readonly idsUsedTwice?: number
  /** Answers of /health that were not true: 200 while nothing could be stored, 503 while everything could, or none. */
  readonly wrongHealth?: number
  /** Milliseconds until something was answered again. */
  readonly pause?: number
}

const file = process.env.OUTCOME_FILE
let test = ''

beforeEach((context) => {
  // Inside a test with parts it stays the name of the whole.
  if ('fullName' in context && context.fullName === context.name) test = context.name
})

export function record(outcome: Outcome): void {
  // Line by line: a test that is killed has recorded what it saw.
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ test, ...outcome })}\n`)
}
