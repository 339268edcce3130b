// What the other side said: committed for many attempts at once. A failure delays all messages of its channel; one that
// cannot be delivered is given up, and the next channel of the contact is used at once.

import { bulk, type Database } from '../../store/database.ts'
import type { SendResult } from '../message.ts'
import { IncidentWork } from './incident-work.ts'
import { type LedgerRow, ledgerColumns, rowOf } from './ledger.ts'
import { endPause, pauseChannel } from './quotas.ts'
import type { RouteIndex } from './route-index.ts'
import { useNext } from './undelivered.ts'

interface Attempt {
  readonly row: LedgerRow
  /** Whether an earlier attempt had no answer: whatever this one came to, that one may have arrived. */
  readonly wasOpen: boolean
}

export interface Answer extends Attempt {
  readonly result: SendResult
  /** Claimed after it, and not begun. */
  readonly rest: readonly Attempt[]
}

/** A message that was given up. */
interface Failure {
  readonly channelId: bigint
  readonly reason: string
}

export interface AnswerParts {
  readonly leaderDatabase: Database
  readRouteIndex(): Promise<RouteIndex>
  /** Called when messages were given up: `notify_failure` has the channels. */
  onFailure(): Promise<void>
  random?(): number
}

const second = 1000
/** The wait after the first failure; it doubles up to the longest. */
const wait = { first: 5 * second, longest: 300 * second, asked: 3600 * second }
const answerLength = 250

/** Milliseconds until the next attempt: between half of it and all of it, so that not everything is tried at once. */
export function backOff(attempts: number, retryAfter: number | undefined, random: () => number): number {
  const full = Math.min(wait.longest, wait.first * 2 ** Math.min(20, attempts - 1))
  const asked = Math.min(wait.asked, (retryAfter ?? 0) * second)
  return Math.max(asked, Math.round(full * (0.5 + random() / 2)))
}

/** In the transaction that gives the message up: should the service end here, the alarm is raised at the next start. */
const noteFailure = bulk(
  `insert into notify_failure (channel_id, reason, failed_at) values (?, ?, ?)
   on conflict (channel_id) do update set reason = excluded.reason, failed_at = excluded.failed_at`,
  ['bigint', 'text', 'bigint'],
)

interface Waiting extends Answer {
  readonly resolve: () => void
  readonly failed: (error: unknown) => void
}

export class AnswerLog {
  readonly #parts: AnswerParts
  readonly #random: () => number
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined

  constructor(parts: AnswerParts) {
    this.#parts = parts
    this.#random = parts.random ?? Math.random
  }

  /** Resolves when it is committed, or when it cannot be: the attempt has no answer then. */
  record(answer: Answer): Promise<void> {
    return new Promise((resolve, failed) => {
      this.#waiting.push({ ...answer, resolve, failed })
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined
      })
    })
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const answers = this.#waiting
      this.#waiting = []
      try {
        const failures = await this.#commit(answers)
        for (const { resolve } of answers) resolve()
        if (failures.length > 0) await this.#parts.onFailure()
      } catch (error) {
        for (const { failed } of answers) failed(error)
      }
    }
  }

  async #commit(answers: readonly Answer[]): Promise<Failure[]> {
    const routeIndex = await this.#parts.readRouteIndex()
    return this.#parts.leaderDatabase.transaction(async (tx) => {
      const work = await IncidentWork.begin(tx)
      const failures: Failure[] = []
      /** Until when channels that failed are left alone; null for those that deliver. */
      const pauses = new Map<bigint, number | null>()
      for (const { row: sent, wasOpen, result, rest } of answers) {
        const row = await readRow(work, sent.id)
        // Another service has sent it meanwhile.
        if (row?.outcome !== 'pending' || row.attempts !== sent.attempts) continue
        await work.gather([row.incidentId])
        row.answer = result.answer?.slice(0, answerLength) ?? null
        if (result.outcome === 'delivered') {
          this.#delivered(work, row, result.reference)
          pauses.set(row.channelId, null)
        } else {
          const mayHaveArrived = wasOpen || result.mayHaveArrived === true
          failures.push(...(await this.#failed(work, routeIndex, row, { ...result, mayHaveArrived }, pauses)))
        }
        for (const attempt of rest) await release(work, attempt)
      }
      await work.write()
      await tx.runEach(
        noteFailure,
        failures.map(({ channelId, reason }) => [channelId, reason.slice(0, 500), tx.now]),
      )
      for (const [channelId, until] of pauses) {
        if (until === null) await endPause(tx, channelId)
        else await pauseChannel(tx, channelId, until)
      }
      return failures
    })
  }

  #delivered(work: IncidentWork, row: LedgerRow, reference: string | undefined): void {
    row.reference = reference?.slice(0, 500) ?? null
    work.end(row, 'delivered', '')
    row.reason = null
  }

  async #failed(
    work: IncidentWork,
    routeIndex: RouteIndex,
    row: LedgerRow,
    { retry, retryAfter, reason, mayHaveArrived }: Extract<SendResult, { outcome: 'failed' }>,
    pauses: Map<bigint, number | null>,
  ): Promise<Failure[]> {
    const { now } = work.tx
    const { channelId, attempts } = row
    const attemptOpen = mayHaveArrived ? 1 : 0
    const incident = work.get(row.incidentId)
    if (incident.state === 'closed' && row.change !== 'recovered' && row.change !== 'summary') {
      work.end(row, 'suppressed', `it was over before it could be delivered: ${reason}`.slice(0, 500))
      row.attemptOpen = attemptOpen
      return []
    }
    const until = now + backOff(attempts, retryAfter, this.#random)
    if (retry) pauses.set(channelId, Math.max(until, pauses.get(channelId) ?? 0))
    if (retry && now < row.giveUpAt) {
      // Once more before it is given up, however long the other side wants to be left alone.
      Object.assign(row, { dueAt: Math.min(until, row.giveUpAt), reason, attemptOpen })
      work.touch(row)
      return []
    }
    work.end(row, 'givenUp', reason.slice(0, 500))
    row.attemptOpen = attemptOpen
    await useNext(work, routeIndex, incident, row)
    return [{ channelId, reason }]
  }
}

async function readRow(work: IncidentWork, id: bigint): Promise<LedgerRow | undefined> {
  const [row] = await work.tx.all(`select ${ledgerColumns} from notification where id = ?`, [id])
  return row && work.adoptRow(rowOf(row))
}

/** An attempt that was committed and did not begin. */
async function release(work: IncidentWork, { row: claimed, wasOpen }: Attempt): Promise<void> {
  const row = await readRow(work, claimed.id)
  if (row?.outcome !== 'pending' || row.attempts !== claimed.attempts) return
  Object.assign(row, { attemptOpen: wasOpen ? 1 : 0, attempts: row.attempts - 1, dueAt: work.tx.now })
  work.touch(row)
}
