// A single service: what it receives is processed at once, one block after the other.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AlarmEngine } from '../alarms/engine/engine.ts'
import type { Incoming, Outcome } from '../alarms/engine/incoming-trap.ts'
import { Fault } from '../fault.ts'
import { unpack } from './datagram-block.ts'
import type { BlockConsumer, Handling, ReceivedBlock } from './receiver.ts'
import { Batch, type Reply, type TrapReader, tallied, withoutZone } from './trap-reader.ts'

export class DirectProcessor implements BlockConsumer {
  readonly processesDirectly = true
  readonly #engine: AlarmEngine
  readonly #reading: TrapReader
  readonly #log: Logger
  /** Received datagrams that are not read any more. */
  readonly #left: Incoming[] = []

  constructor(engine: AlarmEngine, reading: TrapReader, log: Logger) {
    this.#engine = engine
    this.#reading = reading
    this.#log = log
  }

  async accept({ block, tallies }: ReceivedBlock, handling: Handling): Promise<readonly Reply[]> {
    if (handling.isAborted()) {
      this.#leave(block, tallies)
      return []
    }
    const batch = new Batch()
    batch.incoming.push(...tallies.map(tallied))
    for (const datagram of unpack(block)) {
      const others = handling.pace.step()
      if (others) await others
      this.#reading.read(datagram, batch)
    }
    handling.count(batch.count())
    handling.send(batch.reports)
    const bins = await this.#store(batch.incoming, handling.isAborted)
    // Only what is on disk is answered.
    return batch.answers(bins)
  }

  /** A stop does not wait for everything that came in a storm: what is not read any more is counted. */
  #leave(block: ArrayBuffer, tallies: ReceivedBlock['tallies']): void {
    for (const tally of tallies) this.#left.push(tallied(tally))
    const bySource = new Map<string, { times: number; receivedAt: number }>()
    for (const { sourceIp, receivedAt } of unpack(block)) {
      const known = bySource.get(sourceIp)
      bySource.set(sourceIp, { times: (known?.times ?? 0) + 1, receivedAt })
    }
    for (const [sourceIp, { times, receivedAt }] of bySource) {
      const from = { sourceIp: withoutZone(sourceIp), receivedAt }
      this.#left.push({ kind: 'rejected', ...from, outcome: 'refused', reason: 'stopping', times })
    }
  }

  async close(): Promise<void> {
    if (this.#left.length > 0) await this.#store(this.#left, () => true)
  }

  /** Tries until it is on disk: a full disk is freed one day, and the traps are still here then. */
  async #store(batch: readonly Incoming[], isGivenUp: () => boolean): Promise<Outcome[] | undefined> {
    for (let wait = 100; ; wait = Math.min(wait * 2, 2000)) {
      try {
        return await this.#engine.handle(batch, (tx) => this.#reading.write(tx))
      } catch (error) {
        const next = isGivenUp() ? 'stopping without them' : 'trying again'
        this.#log.error({ err: error, traps: batch.length }, `traps could not be stored: ${next}`)
        if (isGivenUp()) return undefined
        const isOfStore = error instanceof Fault && error.code === 'unavailable'
        if (!isOfStore && canBeLess(batch)) return this.#storeLess(batch, isGivenUp)
        await sleep(wait)
      }
    }
  }

  /**
   * A failure that is not the store's is a bug of ours, and happens each time. The trap that causes it is found by
   * halving, and counted; it must not hold up all others for ever.
   */
  async #storeLess(batch: readonly Incoming[], isGivenUp: () => boolean): Promise<Outcome[] | undefined> {
    const [first] = batch
    if (batch.length === 1 && first) {
      const { receivedAt, sourceIp } = first
      const [outcome, reason] = ['malformed', 'unexpected'] as const
      return this.#store([{ kind: 'rejected', receivedAt, sourceIp, outcome, reason, times: 1 }], isGivenUp)
    }
    const half = Math.ceil(batch.length / 2)
    const before = await this.#store(batch.slice(0, half), isGivenUp)
    const after = await this.#store(batch.slice(half), isGivenUp)
    return before && after && [...before, ...after]
  }
}

const canBeLess = (batch: readonly Incoming[]) => batch.length > 1 || batch[0]?.kind === 'trap'
