// Writes what a node receives to the store as it came, block after block: the settling node reads it there.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Membership } from '../nodes/membership.ts'
import type { Database } from '../../store/database.ts'
import { firstWaiting, putBlock } from './block-table.ts'
import { unpack } from '../../intake/datagram-block.ts'
import type { Reply } from '../../intake/trap-reader.ts'
import type { Handling, Keeper, ReceivedBlock } from '../../intake/receiver.ts'

interface BlockKeeperParts {
  readonly database: Database
  readonly membership: Membership
  readonly log: Logger
  /** Called when a block is there to be settled. */
  onKept(): void
  /** Whether this node settles: then a stop waits for what it received. */
  settles(): boolean
}

/** How long a stop waits until what was received is settled too. */
const patience = 3000

export class BlockKeeper implements Keeper {
  readonly settlesAtOnce = false
  readonly #parts: BlockKeeperParts
  #sequence = 0
  /** The last that is in the store. */
  #kept = 0
  #settled = 0

  constructor(parts: BlockKeeperParts) {
    this.#parts = parts
  }

  /** The answers come from the node that settles. */
  async keep(received: ReceivedBlock, handling: Handling): Promise<readonly Reply[]> {
    const { membership, onKept } = this.#parts
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
    onKept()
    return []
  }

  /** How many of its blocks are settled, by their order. */
  async settled(): Promise<number> {
    const { database, membership } = this.#parts
    // First: the next block may be stored, and not be seen yet.
    const kept = this.#kept
    if (this.#settled < kept) {
      const oldest = await firstWaiting(database, membership.name, membership.start)
      this.#settled = oldest === undefined ? kept : oldest - 1
    }
    return this.#settled
  }

  /** Tries until it is stored; what is received meanwhile waits in the thread, within its limit. */
  async #put(handling: Handling, put: () => Promise<void>): Promise<void> {
    for (let wait = 100; ; wait = Math.min(wait * 2, 2000)) {
      try {
        return await put()
      } catch (error) {
        const next = handling.isGivenUp() ? 'stopping without them' : 'trying again'
        this.#parts.log.error({ err: error }, `traps could not be kept: ${next}`)
        if (handling.isGivenUp()) return
        await sleep(wait)
      }
    }
  }

  async close(): Promise<void> {
    const { database, membership, settles } = this.#parts
    const end = performance.now() + patience
    while (settles() && performance.now() < end) {
      const { name, start } = membership
      const oldest = await firstWaiting(database, name, start).catch(() => undefined)
      if (oldest === undefined) return
      await sleep(20)
    }
  }
}
