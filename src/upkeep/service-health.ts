// Monitors whether the service is healthy: probes the store every two seconds and answers from memory, so that health
// checks are answered at once even while the store does not respond.

import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../fault.ts'
import type { TrapReceiver } from '../intake/receiver.ts'
import type { Store } from '../store/database.ts'

export interface HealthParts {
  /** Throws if traps are not received, with the reason. */
  requireReceiving(): void
  /** Checks whether received traps can be stored. */
  probeIntake(): Promise<void>
  /** Checks whether stored traps are processed; absent where storing and processing are one step. */
  probeProcessing?: (() => Promise<void>) | undefined
  /** Any other known failure of the store. */
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

  /** `clock` is a monotonic one. */
  constructor(parts: HealthParts, clock = () => performance.now()) {
    this.#parts = parts
    this.#intake = new Probe(parts.probeIntake, clock)
    this.#processing = parts.probeProcessing && new Probe(parts.probeProcessing, clock)
    this.#probes = [this.#intake, ...(this.#processing ? [this.#processing] : [])]
  }

  /** Runs each probe once, independently, because what delays one need not delay the other. */
  async probeOnce(): Promise<void> {
    await Promise.all(this.#probes.map((probe) => probe.look()))
  }

  /** Probes periodically; returns a function that ends it. */
  watch(): () => Promise<void> {
    const stopping = new AbortController()
    const watching = this.#probes.map((probe) => probe.watch(stopping.signal))
    return async () => {
      stopping.abort()
      await Promise.all(watching)
    }
  }

  /** Throws if this service cannot receive and store traps, with the reason. */
  requireIntake(): void {
    this.#parts.requireReceiving()
    const { trouble } = this.#intake
    if (trouble) throw trouble
  }

  /** Throws if the service is not ready, with the reason. */
  requireReady(): void {
    this.#parts.requireReceiving()
    const { trouble } = this
    if (trouble) throw trouble
  }

  get isReady(): boolean {
    try {
      this.requireReady()
      return true
    } catch {
      return false
    }
  }

  /** Why the store fails; undefined if it does not. */
  get storeTrouble(): Fault | undefined {
    return this.#parts.storeTrouble() ?? this.#intake.trouble
  }

  /** Why traps are stored but not processed. */
  get processingTrouble(): Fault | undefined {
    return this.storeTrouble ? undefined : this.#processing?.trouble
  }

  get trouble(): Fault | undefined {
    return this.storeTrouble ?? this.processingTrouble
  }
}

/** A probe with its last result and the time of that. */
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

  /** After a probe that took long, the next one follows at once: a slow answer is still an answer. */
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

interface WatchedParts {
  readonly receiver: TrapReceiver
  readonly database: Store
  /** Instead of the usual check, where received traps are stored before they are processed. */
  readonly probes?: Pick<HealthParts, 'probeIntake' | 'probeProcessing'> | undefined
}

/** Checks once, and then periodically until what is added to `started` is called. */
export async function watchHealth(
  { receiver, database, probes }: WatchedParts,
  started: (() => Promise<void> | void)[],
): Promise<Health> {
  const health = new Health({
    requireReceiving: () => receiver.requireReceiving(),
    probeIntake: () => database.probe(),
    storeTrouble: () => database.trouble,
    ...probes,
  })
  await health.probeOnce()
  started.push(health.watch())
  return health
}
