/** What an outlet reports to the stream that writes to it. */
export interface OutletWatcher {
  /** It was full, and has room again. */
  room(): void
  /** It accepts nothing any more. Called once. */
  gone(): void
}

/** Where a stream writes to. The body of an HTTP answer is one; so is anything that takes bytes in order. */
export interface Outlet {
  /** Accepts a chunk, whatever its length; returns whether there is room for more. */
  write(piece: Buffer | string): boolean
  /** Bytes it has accepted and not passed on yet. */
  readonly pending: number
  readonly isGone: boolean
  /** Whether the other end closed it in order, when everything had been passed on. */
  readonly closedCleanly: boolean
  watch(watcher: OutletWatcher): void
  /** Ends in order, behind what was written. */
  end(): void
  /** Ends at once: what is pending is lost. */
  cut(): void
}
