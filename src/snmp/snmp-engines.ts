// The state of engines that have authenticated a message: keys, boots and time, and the digests seen. No other engines
// are recorded, so a sender who invents engine ids uses no memory here.

import type { LocalKeys, UsmUser } from './usm-user.ts'

/** RFC 3414 section 2.2.3, seconds. */
export const TIME_WINDOW = 150
/** An engine whose boots have reached this must be given new keys; nothing of it is timely. */
export const MAX_BOOTS = 2_147_483_647

/** The latest boots and time that an engine has authenticated, and when (milliseconds) they were received. */
export interface EngineTime {
  readonly boots: number
  readonly time: number
  readonly receivedAt: number
}

/** Engine times by engine id in hex. They must be stored to survive a restart; otherwise a Map is enough. */
export interface EngineTimes {
  get(engineId: string): EngineTime | undefined
  set(engineId: string, latest: EngineTime): unknown
}

export class SnmpEngine {
  readonly id: string
  readonly keys = new Map<UsmUser, LocalKeys>()
  // Up to these, inclusive, a late message cannot be distinguished from a replay.
  #forgottenBoots = -1
  #forgottenTime = -1

  constructor(id: string) {
    this.id = id
  }

  forget(boots: number, time: number): void {
    if (boots < this.#forgottenBoots || (boots === this.#forgottenBoots && time < this.#forgottenTime)) return
    this.#forgottenBoots = boots
    this.#forgottenTime = time
  }

  remembers(boots: number, time: number): boolean {
    return boots > this.#forgottenBoots || (boots === this.#forgottenBoots && time > this.#forgottenTime)
  }
}

export class SnmpEngines {
  readonly #times: EngineTimes
  readonly #clock: () => number
  readonly #limit: number
  readonly #known = new Map<string, SnmpEngine>()

  constructor(times: EngineTimes, clock: () => number, limit: number) {
    this.#times = times
    this.#clock = clock
    this.#limit = limit
  }

  get size(): number {
    return this.#known.size
  }

  get(id: string): SnmpEngine | undefined {
    return this.#known.get(id)
  }

  /** Records that an engine has authenticated a message; at the limit, the least recent engine is dropped. */
  authenticated(id: string): SnmpEngine {
    let engine = this.#known.get(id)
    if (engine === undefined) {
      engine = new SnmpEngine(id)
      // After a restart the digests are gone, so only messages newer than the last known one can be accepted.
      const latest = this.#times.get(id)
      if (latest !== undefined) engine.forget(latest.boots, latest.time)
    }
    this.#known.delete(id)
    this.#known.set(id, engine)
    if (this.#known.size > this.#limit) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest)
        break
      }
    }
    return engine
  }

  /** An engine whose latest messages are known, so that others with the same time can be told from replays. */
  recalled(id: string): SnmpEngine {
    const engine = this.#known.get(id) ?? new SnmpEngine(id)
    this.#known.set(id, engine)
    return engine
  }

  /** RFC 3414 section 3.2, step 7b: whether a message of an authoritative engine is timely. */
  timely(engine: SnmpEngine, boots: number, time: number): boolean {
    if (boots === MAX_BOOTS) return false
    const latest = this.#times.get(engine.id)
    if (latest === undefined || boots > latest.boots) return true
    if (boots < latest.boots) return false
    // The device's own progress is accepted without our clock, which may have been set in between.
    if (time > latest.time) return true
    const elapsed = Math.max(0, Math.floor((this.#clock() - latest.receivedAt) / 1000))
    return time >= latest.time + elapsed - TIME_WINDOW && engine.remembers(boots, time)
  }

  /** Moves the engine's time forward, never back. */
  advance(engine: SnmpEngine, boots: number, time: number): void {
    const latest = this.#times.get(engine.id)
    const newer =
      latest === undefined || boots > latest.boots || (boots === latest.boots && time > latest.time)
    if (newer) this.#times.set(engine.id, { boots, time, receivedAt: this.#clock() })
  }
}

/** One authenticated message. */
export interface Seen {
  readonly digest: string
  readonly engine: SnmpEngine
  readonly boots: number
  readonly time: number
  /** False once its sender has been answered. */
  pending: boolean
}

/**
 * The digests of the latest messages, in one ring for all engines. When a digest is overwritten, its engine accepts
 * only newer messages from then on: a storm costs late messages, never the certainty that none is accepted twice.
 */
export class SeenDigests {
  readonly #limit: number
  readonly #byDigest = new Map<string, Seen>()
  readonly #ring: Seen[] = []
  #next = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#byDigest.size
  }

  get(digest: string): Seen | undefined {
    return this.#byDigest.get(digest)
  }

  add(seen: Seen): void {
    const oldest = this.#ring[this.#next]
    if (oldest !== undefined) {
      oldest.engine.forget(oldest.boots, oldest.time)
      this.delete(oldest)
    }
    this.#ring[this.#next] = seen
    this.#next = (this.#next + 1) % this.#limit
    this.#byDigest.set(seen.digest, seen)
  }

  delete(seen: Seen): void {
    if (this.#byDigest.get(seen.digest) === seen) this.#byDigest.delete(seen.digest)
  }
}
