// The leader's part: ends the alarms that devices, asked twice, say are over.

import { endByAsking } from '../../alarms/actions/asked-ends.ts'
import type { AlarmChanger, AlarmEngine } from '../../alarms/engine/engine.ts'
import type { Database } from '../../store/database.ts'
import { forgetEnded, giveUpRequests, hasFoundOver, readFoundOver, settleChecks } from './alarm-checks.ts'
import { raiseFaults } from './raise-faults.ts'
import { forgetSeen, hasFaults } from './seen-states.ts'

/** Alarms of one transaction. */
const batch = 100
const forgottenAtOnce = 1000
const requestPatience = 5 * 60_000
/** A device that was not looked at for so long may have changed without anything being wrong. */
const seenFor = 7 * 86_400_000

export interface VerifyWatchParts {
  readonly database: Database
  /** Refused unless this service is the leader. */
  readonly leaderDatabase: Database
  readonly alarms: AlarmChanger
  readonly engine: Pick<AlarmEngine, 'raiseFound'>
}

export class VerifyWatch {
  readonly #parts: VerifyWatchParts

  constructor(parts: VerifyWatchParts) {
    this.#parts = parts
  }

  /** Called every second. */
  async check(): Promise<void> {
    while (await hasFoundOver(this.#parts.database))
      await this.#parts.alarms.change(async (changes, tx) => {
        const found = await readFoundOver(tx, batch)
        await endByAsking(changes, found, tx.now)
        await settleChecks(
          tx,
          found.map(({ alarmId }) => alarmId),
        )
      })
    while (await hasFaults(this.#parts.database)) await raiseFaults(this.#parts.engine, batch)
  }

  /** Forgets what is no longer of use. Called every minute. */
  async tidy(): Promise<void> {
    const { leaderDatabase } = this.#parts
    await leaderDatabase.transaction((tx) => giveUpRequests(tx, tx.now - requestPatience))
    await leaderDatabase.transaction((tx) => forgetSeen(tx, tx.now - seenFor, forgottenAtOnce))
    let after: bigint | undefined = 0n
    while (after !== undefined) {
      const last: bigint = after
      after = await leaderDatabase.transaction((tx) => forgetEnded(tx, last, forgottenAtOnce))
    }
  }
}
