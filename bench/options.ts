// What every benchmark is run with.

export interface BenchOptions {
  readonly quick: boolean
  /** A folder for CPU profiles of the measured service. */
  readonly profile: string | undefined
  /** The one part of a benchmark that is run; absent: all. */
  readonly only: string | undefined
}
