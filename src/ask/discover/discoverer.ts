// Starts and stops the runs of discoveries at this node.

import { randomUUID } from 'node:crypto'
import { beginDiscovery } from '../../resources/inventory/discovery.ts'
import type { Database } from '../../store/database.ts'
import { DiscoveryRun, type RunParts } from './discovery-run.ts'

/** Of all questions, so many may belong to a discovery: each address is asked up to three times. */
const share = 8

export class Discoverer {
  readonly #parts: RunParts
  readonly #runs = new Map<DiscoveryRun, Promise<void>>()
  #isStopped = false

  constructor({ perSecond, ...parts }: RunParts) {
    this.#parts = { ...parts, perSecond: Math.max(1, perSecond / share) }
  }

  /** On behalf of whoever the database acts for. Returns when it has begun. */
  async start(database: Database, id: bigint): Promise<void> {
    const run = randomUUID()
    const discovery = await database.transaction((tx) => beginDiscovery(tx, id, run))
    if (this.#isStopped) return
    const running = new DiscoveryRun(this.#parts, discovery, run)
    this.#runs.set(
      running,
      running.work().finally(() => this.#runs.delete(running)),
    )
  }

  /** Runs under way are written as interrupted. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const run of this.#runs.keys()) run.stop('interrupted')
    await Promise.all(this.#runs.values())
  }
}
