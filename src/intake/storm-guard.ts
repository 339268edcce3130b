// Which sources send too much, and what of it still passes. Levels have hysteresis: a storm begins above one level and
// is over below another.

import type { Source, Sources } from './source.ts'

/** Traps a second. */
export interface Levels {
  /** 0: never. */
  readonly engage: number
  readonly rearm: number
}

export interface StormSettings {
  readonly source: Levels
  readonly overall: Levels
  /** How long the upper level must be exceeded on average, and how long the rate must stay below the lower one. */
  readonly seconds: number
}

/** The resource of the alarm that stands for all sources together. */
const allSources = 'all sources'
/** More storms than these at once are not kept apart. */
const namedLimit = 20
/** A source that is held back may send this many seconds' worth at once, and a few in any case: a fault and its end. */
const burstSeconds = 2
const burstLeast = 10

export class StormGuard {
  readonly #settings: StormSettings
  readonly #sources: Sources
  readonly #total = { arrived: 0, pressure: { amount: 0, at: 0 } }
  #overall: { calmSince: number | undefined } | undefined
  /** The rate that every source may have handed over while all together exceed the limit. */
  #share = Number.POSITIVE_INFINITY
  #tickedAt: number
  #named = 0

  constructor(settings: StormSettings, sources: Sources, now: number) {
    this.#settings = settings
    this.#sources = sources
    this.#tickedAt = now
  }

  /** Whether a datagram passes; `false`: it is part of a storm, and only counted. */
  admits(source: Source, now: number): boolean {
    source.arrived += 1
    this.#total.arrived += 1
    const { source: each, overall, seconds } = this.#settings
    if (addPressure(source.pressure, each.engage, seconds, now) && !source.storm) this.#begin(source)
    if (addPressure(this.#total.pressure, overall.engage, seconds, now) && !this.#overall) {
      this.#overall = { calmSince: undefined }
      this.#divide(now)
    }
    const allowed = Math.min(source.storm ? each.rearm : Number.POSITIVE_INFINITY, this.#share)
    if (allowed === Number.POSITIVE_INFINITY) return true
    return source.spend(allowed, Math.max(burstLeast, allowed * burstSeconds), now)
  }

  /** The resource of the alarm that stands for a datagram which did not pass. */
  about(source: Source): string {
    return source.storm?.about ?? allSources
  }

  /** What storms now, as alarms name it. */
  storms(): string[] {
    const about = new Set<string>()
    if (this.#overall) about.add(allSources)
    for (const { storm } of this.#sources) if (storm) about.add(storm.about)
    return [...about]
  }

  /** About once a second. */
  tick(now: number): void {
    const { source: each, overall, seconds } = this.#settings
    const since = this.#tickedAt
    const perSecond = (arrived: number) => (arrived * 1000) / Math.max(1, now - since)
    const isOver = (storm: { calmSince: number | undefined }, arrived: number, { rearm }: Levels) => {
      if (perSecond(arrived) > rearm) storm.calmSince = undefined
      else storm.calmSince ??= since
      return storm.calmSince !== undefined && now - storm.calmSince >= seconds * 1000
    }
    for (const source of this.#sources) {
      if (source.storm && isOver(source.storm, source.arrived, each)) this.#end(source)
    }
    if (this.#overall && isOver(this.#overall, this.#total.arrived, overall)) {
      this.#overall = undefined
      this.#total.pressure.amount = 0
    }
    this.#divide(now)
    for (const source of this.#sources) source.arrived = 0
    this.#total.arrived = 0
    this.#tickedAt = now
  }

  #begin(source: Source): void {
    const named = source !== this.#sources.others && this.#named < namedLimit
    if (named) this.#named += 1
    // The zone of a link-local address means nothing to people.
    const about = named ? `source=${source.ip.split('%', 1)[0]}` : allSources
    source.storm = { about, calmSince: undefined }
  }

  #end(source: Source): void {
    if (source.storm?.about !== allSources) this.#named -= 1
    source.storm = undefined
    source.pressure.amount = 0
  }

  /** A source that sends less than its share keeps all of it, and the rest is shared by the louder ones. */
  #divide(now: number): void {
    this.#share = Number.POSITIVE_INFINITY
    if (!this.#overall) return
    const { source: each, overall } = this.#settings
    // A storm may begin right after a tick: a moment is too short to compute a rate.
    const elapsed = Math.max(100, now - this.#tickedAt) / 1000
    const rates = Array.from(this.#sources, ({ arrived, storm }) =>
      Math.min(arrived / elapsed, storm ? each.rearm : Number.POSITIVE_INFINITY),
    ).sort((a, b) => a - b)
    let left = overall.rearm
    for (const [index, rate] of rates.entries()) {
      const share = left / (rates.length - index)
      if (rate > share) {
        this.#share = share
        return
      }
      left -= rate
    }
    // All fit: none may grow by more than what is left.
    this.#share = (rates.at(-1) ?? 0) + left
  }
}

/** Counts one more, less what has drained at `level` a second; whether it is more than `seconds` of that. */
function addPressure(pressure: Source['pressure'], level: number, seconds: number, now: number): boolean {
  if (level === 0) return false
  pressure.amount = Math.max(0, pressure.amount - ((now - pressure.at) * level) / 1000) + 1
  pressure.at = now
  return pressure.amount > level * seconds
}
