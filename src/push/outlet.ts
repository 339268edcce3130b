/** Called by an outlet, implemented by the stream that writes to it. */
export interface OutletWatcher {
  /** The outlet was full, and has room again. */
  room(): void
  /** The outlet accepts nothing any more. Called once. */
  gone(): void
}

/** Where a stream writes: the body of an HTTP response, or anything else that accepts bytes in order. */
export interface Outlet {
  /** Accepts a chunk of any length; returns whether there is room for more. */
  write(piece: Buffer | string): boolean
  /** Bytes it has accepted but not passed on yet. */
  readonly pending: number
  readonly isGone: boolean
  /** Whether the other end closed it in order, after everything had been passed on. */
  readonly closedCleanly: boolean
  watch(watcher: OutletWatcher): void
  /** Ends in order, after everything that was written. */
  end(): void
  /** Ends at once; pending bytes are lost. */
  cut(): void
}
