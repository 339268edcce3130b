// Detects storms of traps, by source and overall, and limits what passes during one. Levels have hysteresis: a storm
// begins above one rate and ends below another.

import type { Source, Sources } from './source.ts'

/** Traps per second. */
export interface Levels {
  /** Above it a storm begins; 0: never. */
  readonly engage: number
  /** Below it a storm ends. */
  readonly rearm: number
}

export interface StormSettings {
  readonly source: Levels
  readonly overall: Levels
  /** How long `engage` must be exceeded on average, and how long the rate must stay below `rearm`. */
  readonly seconds: number
}

/** The resource of the alarm about all sources together. */
const allSources = 'all sources'
/** The most storms at once that get their own alarm. */
const namedLimit = 20
/**
 * A limited source may send this many seconds' worth at once, and in any case a few, such as a fault and its recovery.
 */
const burstSeconds = 2
const burstLeast = 10

export class StormGuard {
  readonly #settings: StormSettings
  readonly #sources: Sources
  readonly #total = { arrived: 0, pressure: { amount: 0, at: 0 } }
  #overall: { calmSince: number | undefined } | undefined
  /** The rate at which each source's datagrams pass while all together exceed the limit. */
  #share = Number.POSITIVE_INFINITY
  #tickedAt: number
  #named = 0

  constructor(settings: StormSettings, sources: Sources, now: number) {
    this.#settings = settings
    this.#sources = sources
    this.#tickedAt = now
  }

  /** Whether a datagram passes; if not, it is part of a storm, and only counted. */
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

  /** The resource of the alarm in which a datagram that did not pass is counted. */
  about(source: Source): string {
    return source.storm?.about ?? allSources
  }

  /** The current storms, by the resources of their alarms. */
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
    const about = named ? `source=${source.ip.replace(/%[^@]*/, '')}` : allSources
    source.storm = { about, calmSince: undefined }
  }

  #end(source: Source): void {
    if (source.storm?.about !== allSources) this.#named -= 1
    source.storm = undefined
    source.pressure.amount = 0
  }

  /** Divides the overall rate: sources that send less than their share keep their rate, the others share the rest. */
  #divide(now: number): void {
    this.#share = Number.POSITIVE_INFINITY
    if (!this.#overall) return
    const { source: each, overall } = this.#settings
    // A storm may begin right after a tick, too soon to compute a rate.
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
    // All fit: none may exceed the highest rate by more than the rest.
    this.#share = (rates.at(-1) ?? 0) + left
  }
}

/** Adds one to a leaky bucket that drains at `level` per second; returns whether it holds more than `seconds` drain. */
function addPressure(pressure: Source['pressure'], level: number, seconds: number, now: number): boolean {
  if (level === 0) return false
  pressure.amount = Math.max(0, pressure.amount - ((now - pressure.at) * level) / 1000) + 1
  pressure.at = now
  return pressure.amount > level * seconds
}
