// Monitors whether the service is healthy: probes the store every two seconds and answers from memory, so that health
// checks are answered at once even while the store does not respond.

import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../fault.ts'
import type { TrapReceiver } from '../intake/receiver.ts'
import type { Store } from '../store/database.ts'

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
  await health.look()
  started.push(health.watch())
  return health
}
