// Whether the service is ready: it finds that out by itself, every two seconds, and answers from memory. Whoever asks
// gets an answer at once, also while the store gives none.

import { setTimeout as sleep } from 'node:timers/promises'
import { probeIntake } from '../cluster/blocks/block-table.ts'
import type { Node } from '../cluster/nodes/node.ts'
import { ProcessingWatch } from '../cluster/watches/processing-watch.ts'
import type { Config } from '../config/config.ts'
import { Fault } from '../fault.ts'
import type { TrapReceiver } from '../intake/receiver.ts'
import type { Database } from '../store/database.ts'

export interface HealthParts {
  /** Throws why traps are not received. */
  requireReceiving(): void
  /** Finds out whether what is received can be kept. */
  probeIntake(): Promise<void>
  /** Finds out whether what was kept is processed; absent where that is one and the same. */
  probeProcessing?: (() => Promise<void>) | undefined
  /** What else fails in the store, as far as is known. */
  storeTrouble(): Fault | undefined
}

/** Milliseconds. */
const every = 2000
const goodFor = 5000

export class Health {
  readonly #parts: HealthParts
  readonly #intake: Probe
  readonly #processing: Probe | undefined
  readonly #probes: readonly Probe[]

  /** `clock` is a steady one. */
  constructor(parts: HealthParts, clock = () => performance.now()) {
    this.#parts = parts
    this.#intake = new Probe(parts.probeIntake, clock)
    this.#processing = parts.probeProcessing && new Probe(parts.probeProcessing, clock)
    this.#probes = [this.#intake, ...(this.#processing ? [this.#processing] : [])]
  }

  /** Looks once; each probe for itself, because what holds up one need not hold up the other. */
  async look(): Promise<void> {
    await Promise.all(this.#probes.map((probe) => probe.look()))
  }

  /** Looks again and again; returns a function that ends it. */
  watch(): () => Promise<void> {
    const stopping = new AbortController()
    const watching = this.#probes.map((probe) => probe.watch(stopping.signal))
    return async () => {
      stopping.abort()
      await Promise.all(watching)
    }
  }

  /** Throws why this service cannot receive traps and keep them. */
  requireIntake(): void {
    this.#parts.requireReceiving()
    const { trouble } = this.#intake
    if (trouble) throw trouble
  }

  /** Throws why it is not ready. */
  requireReady(): void {
    this.#parts.requireReceiving()
    const { trouble } = this
    if (trouble) throw trouble
  }

  /** Why the store does not do what it should; undefined where it does. */
  get storeTrouble(): Fault | undefined {
    return this.#parts.storeTrouble() ?? this.#intake.trouble
  }

  /** Why traps are kept, but not processed. */
  get processingTrouble(): Fault | undefined {
    return this.storeTrouble ? undefined : this.#processing?.trouble
  }

  get trouble(): Fault | undefined {
    return this.storeTrouble ?? this.processingTrouble
  }
}

/** What was found last, and when. */
class Probe {
  readonly #probe: () => Promise<void>
  readonly #clock: () => number
  #foundAt = Number.NEGATIVE_INFINITY
  #found: Fault | undefined

  constructor(probe: () => Promise<void>, clock: () => number) {
    this.#probe = probe
    this.#clock = clock
  }

  get trouble(): Fault | undefined {
    return this.#clock() - this.#foundAt > goodFor ? silent : this.#found
  }

  async look(): Promise<void> {
    const found = await this.#probe().then(
      () => undefined,
      (error) =>
        error instanceof Fault ? error : new Fault('unavailable', (error as Error).message, { cause: error }),
    )
    this.#found = found
    this.#foundAt = this.#clock()
  }

  /** One that takes long is followed by the next at once: what is slow still counts as an answer. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const began = this.#clock()
      await this.look()
      const rest = Math.max(0, began + every - this.#clock())
      await sleep(rest, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
}

const silent = new Fault('unavailable', `the store has not answered for ${goodFor / 1000} seconds`)

interface Watched {
  readonly config: Config
  readonly receiver: TrapReceiver
  readonly database: Database
  /** Absent where this service has the store for itself. */
  readonly node: Node | undefined
}

/** Looks once, and goes on; `started` gets what ends it. */
export async function watchHealth(
  { config, receiver, database, node }: Watched,
  started: (() => Promise<void> | void)[],
): Promise<Health> {
  const processing = node && new ProcessingWatch(database, node, config['lease-seconds'])
  const health = new Health({
    requireReceiving: () => receiver.requireReceiving(),
    probeIntake: async () => {
      await database.probe()
      if (node) await probeIntake(database)
    },
    probeProcessing: processing && (() => processing.check()),
    storeTrouble: () => database.trouble,
  })
  await health.look()
  started.push(health.watch())
  return health
}
