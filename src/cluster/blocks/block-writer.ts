// Writes the datagrams that this node receives to the store, block by block; the leader reads them there.

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
  /** Called when a block has been stored. */
  onWritten(): void
  /** Whether this node is the leader; a stop then waits until its blocks are processed. */
  isLeader(): boolean
}

/** Milliseconds that a stop waits until received blocks are processed. */
const stopLimit = 3000

export class BlockWriter implements BlockConsumer {
  readonly processesDirectly = false
  readonly #parts: BlockWriterParts
  #sequence = 0
  /** The last block that is in the store. */
  #stored = 0
  #processed = 0

  constructor(parts: BlockWriterParts) {
    this.#parts = parts
  }

  /** Returns no answers; they come from the leader. */
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
    this.#stored = key.sequence
    onWritten()
    return []
  }

  /** The number of its blocks that are processed, which are the first ones. */
  async processed(): Promise<number> {
    const { database, membership } = this.#parts
    // Read before the query, which may not see a block that is stored meanwhile.
    const stored = this.#stored
    if (this.#processed < stored) {
      const oldest = await firstWaiting(database, membership.name, membership.start)
      this.#processed = oldest === undefined ? stored : oldest - 1
    }
    return this.#processed
  }

  /** Tries until the block is stored; later datagrams wait in the receiving thread, within its limit. */
  async #put(handling: Handling, put: () => Promise<void>): Promise<void> {
    for (let wait = 100; ; wait = Math.min(wait * 2, 2000)) {
      try {
        return await put()
      } catch (error) {
        const next = handling.isAborted() ? 'stopping without them' : 'trying again'
        this.#parts.log.error({ err: error }, `traps could not be stored: ${next}`)
        if (handling.isAborted()) return
        await sleep(wait)
      }
    }
  }

  async close(): Promise<void> {
    const { database, membership, isLeader } = this.#parts
    const end = performance.now() + stopLimit
    while (isLeader() && performance.now() < end) {
      const { name, start } = membership
      const oldest = await firstWaiting(database, name, start).catch(() => undefined)
      if (oldest === undefined) return
      await sleep(20)
    }
  }
}
