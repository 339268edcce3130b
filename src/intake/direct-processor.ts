// Processes blocks of a single service at once, one after the other.

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
  /** Tallies of datagrams that arrived too late to be read before the stop. */
  readonly #unread: Incoming[] = []

  constructor(engine: AlarmEngine, reading: TrapReader, log: Logger) {
    this.#engine = engine
    this.#reading = reading
    this.#log = log
  }

  async accept({ block, tallies }: ReceivedBlock, handling: Handling): Promise<readonly Reply[]> {
    if (handling.isAborted()) {
      this.#countUnread(block, tallies)
      return []
    }
    await this.#reading.refresh()
    const batch = new Batch()
    batch.incoming.push(...tallies.map(tallied))
    for (const datagram of unpack(block)) {
      const yielded = handling.timeSlice.step()
      if (yielded) await yielded
      this.#reading.read(datagram, batch)
    }
    handling.count(batch.count())
    handling.send(batch.reports)
    const outcomes = await this.#store(batch.incoming, handling.isAborted)
    // Informs are answered only when they are on disk.
    return batch.answers(outcomes)
  }

  /** A stop does not wait until a storm is processed: the datagrams that are left are only counted. */
  #countUnread(block: ArrayBuffer, tallies: ReceivedBlock['tallies']): void {
    for (const tally of tallies) this.#unread.push(tallied(tally))
    const bySource = new Map<string, { times: number; receivedAt: number }>()
    for (const { sourceIp, receivedAt } of unpack(block)) {
      const known = bySource.get(sourceIp)
      bySource.set(sourceIp, { times: (known?.times ?? 0) + 1, receivedAt })
    }
    for (const [sourceIp, { times, receivedAt }] of bySource) {
      const from = { sourceIp: withoutZone(sourceIp), receivedAt }
      this.#unread.push({ kind: 'rejected', ...from, outcome: 'refused', reason: 'stopping', times })
    }
  }

  async close(): Promise<void> {
    if (this.#unread.length > 0) await this.#store(this.#unread, () => true)
  }

  /** Tries until the traps are on disk: a full disk is freed some day, and the traps are kept until then. */
  async #store(batch: readonly Incoming[], isAborted: () => boolean): Promise<Outcome[] | undefined> {
    for (let wait = 100; ; wait = Math.min(wait * 2, 2000)) {
      try {
        return await this.#engine.handle(batch, (tx) => this.#reading.write(tx))
      } catch (error) {
        const next = isAborted() ? 'stopping without them' : 'trying again'
        this.#log.error({ err: error, traps: batch.length }, `traps could not be stored: ${next}`)
        if (isAborted()) return undefined
        const isStoreFault = error instanceof Fault && error.code === 'unavailable'
        if (!isStoreFault && canBeSplit(batch)) return this.#storeHalves(batch, isAborted)
        await sleep(wait)
      }
    }
  }

  /**
   * An error that is not the store's is a bug of ours, and occurs every time. The trap that causes it is found by
   * halving the batch, and counted as malformed, so that it does not block all others for ever.
   */
  async #storeHalves(batch: readonly Incoming[], isAborted: () => boolean): Promise<Outcome[] | undefined> {
    const [first] = batch
    if (batch.length === 1 && first) {
      const { receivedAt, sourceIp } = first
      const [outcome, reason] = ['malformed', 'unexpected'] as const
      return this.#store([{ kind: 'rejected', receivedAt, sourceIp, outcome, reason, times: 1 }], isAborted)
    }
    const half = Math.ceil(batch.length / 2)
    const before = await this.#store(batch.slice(0, half), isAborted)
    const after = await this.#store(batch.slice(half), isAborted)
    return before && after && [...before, ...after]
  }
}

const canBeSplit = (batch: readonly Incoming[]) => batch.length > 1 || batch[0]?.kind === 'trap'
