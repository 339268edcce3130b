// Starts and stops the runs of discoveries at this node.

import { randomUUID } from 'node:crypto'
import {
  abandonedDiscoveries,
  beginDiscovery,
  type Discovery,
  resumeDiscovery,
} from '../../resources/inventory/discovery.ts'
import type { Database } from '../../store/database.ts'
import { DiscoveryRun, type RunParts } from './discovery-run.ts'

/** Of all questions, so many may belong to a discovery: each address is asked up to three times. */
const share = 8

const lookEvery = 5000

export class Discoverer {
  readonly #parts: RunParts
  readonly #runs = new Map<DiscoveryRun, Promise<void>>()
  #isStopped = false
  #timer: NodeJS.Timeout | undefined

  constructor({ perSecond, ...parts }: RunParts) {
    this.#parts = { ...parts, perSecond: Math.max(1, perSecond / share) }
  }

  /** On behalf of whoever the database acts for. Returns when it has begun. */
  async start(database: Database, id: bigint): Promise<void> {
    const run = randomUUID()
    const discovery = await database.transaction((tx) => beginDiscovery(tx, id, run))
    this.#run(discovery, run)
  }

  /** From now on, runs whose service has gone are taken over. */
  takeOver(): void {
    this.#timer = setInterval(() => void this.#resumeAbandoned(), lookEvery)
    void this.#resumeAbandoned()
  }

  async #resumeAbandoned(): Promise<void> {
    const { database, log } = this.#parts
    try {
      for (const id of await abandonedDiscoveries(database, database.now())) {
        const run = randomUUID()
        const discovery = await database.transaction((tx) => resumeDiscovery(tx, id, run))
        if (discovery) {
          log.info({ discovery: id }, 'a discovery whose service has gone is taken over')
          this.#run(discovery, run)
        }
      }
    } catch (error) {
      log.warn({ err: error }, 'discoveries could not be taken over: trying again')
    }
  }

  #run(discovery: Discovery, run: string): void {
    if (this.#isStopped) return
    const running = new DiscoveryRun(this.#parts, discovery, run)
    this.#runs.set(
      running,
      running.work().finally(() => this.#runs.delete(running)),
    )
  }

  /** Runs under way are left to another node, or to the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    for (const run of this.#runs.keys()) run.stop('left')
    await Promise.all(this.#runs.values())
  }
}
