// Writes what a node receives to the store as it came, block after block: the leader reads it there.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { unpack } from '../../intake/datagram-block.ts'
import type { BlockConsumer, Handling, ReceivedBlock } from '../../intake/receiver.ts'
import type { Reply } from '../../intake/trap-reader.ts'
import type { Store } from '../../store/database.ts'
import type { Membership } from '../nodes/membership.ts'
import { firstWaiting, putBlock } from './block-table.ts'

interface BlockWriterParts {
  readonly database: Store
  readonly membership: Membership
  readonly log: Logger
  /** Called when a block is there to be processed. */
  onWritten(): void
  /** Whether this node is the leader: then a stop waits for what it received. */
  isLeader(): boolean
}

/** How long a stop waits until what was received is processed too. */
const patience = 3000

export class BlockWriter implements BlockConsumer {
  readonly processesDirectly = false
  readonly #parts: BlockWriterParts
  #sequence = 0
  /** The last that is in the store. */
  #kept = 0
  #processed = 0

  constructor(parts: BlockWriterParts) {
    this.#parts = parts
  }

  /** The answers come from the leader. */
  async accept(received: ReceivedBlock, handling: Handling): Promise<readonly Reply[]> {
    const { membership, onWritten } = this.#parts
    const { tallies } = received
    const datagrams = [...unpack(received.block)].length
    handling.count(tallies.reduce((sum, { times }) => sum + times, datagrams))
    this.#sequence += 1
    const key = { node: membership.name, start: membership.start, sequence: this.#sequence }
    const counted = { tallies, storms: received.storms }
    await this.#put(handling, () =>
      putBlock(this.#parts.database, key, Buffer.from(received.block), datagrams, counted),
    )
    this.#kept = key.sequence
    onWritten()
    return []
  }

  /** How many of its blocks are processed, by their order. */
  async processed(): Promise<number> {
    const { database, membership } = this.#parts
    // First: the next block may be stored, and not be seen yet.
    const kept = this.#kept
    if (this.#processed < kept) {
      const oldest = await firstWaiting(database, membership.name, membership.start)
      this.#processed = oldest === undefined ? kept : oldest - 1
    }
    return this.#processed
  }

  /** Tries until it is stored; what is received meanwhile waits in the thread, within its limit. */
  async #put(handling: Handling, put: () => Promise<void>): Promise<void> {
    for (let wait = 100; ; wait = Math.min(wait * 2, 2000)) {
      try {
        return await put()
      } catch (error) {
        const next = handling.isAborted() ? 'stopping without them' : 'trying again'
        this.#parts.log.error({ err: error }, `traps could not be kept: ${next}`)
        if (handling.isAborted()) return
        await sleep(wait)
      }
    }
  }

  async close(): Promise<void> {
    const { database, membership, isLeader } = this.#parts
    const end = performance.now() + patience
    while (isLeader() && performance.now() < end) {
      const { name, start } = membership
      const oldest = await firstWaiting(database, name, start).catch(() => undefined)
      if (oldest === undefined) return
      await sleep(20)
    }
  }
}
