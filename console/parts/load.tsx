// Data that is requested while a page is open: under way, here, or refused with a button to retry.

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isAway, returns } from '../core/away.ts'
import { isSignedOut } from '../core/refused.ts'
import { isIn } from '../core/session.ts'
import { texts } from '../texts/shared-texts.ts'
import { Problem } from './problem.tsx'

export interface Loaded<T> {
  /** What came last; it stays while it is requested again. */
  readonly data: T | undefined
  readonly error: unknown
  readonly busy: boolean
  again(): void
}

/**
 * Requests when the page opens and when one of `on` changes; an answer that comes too late is dropped. While the page
 * waits for one to sign in again, or the service is away, what came last stays.
 */
export function useLoad<T>(load: (over: AbortSignal) => Promise<T>, on: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: unknown; busy: boolean }>({ busy: true })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (!isIn.value) return
    const over = new AbortController()
    setState((before) => ({ ...before, busy: true }))
    load(over.signal).then(
      (data) => !over.signal.aborted && setState({ data, busy: false }),
      (error) => {
        if (over.signal.aborted || isSignedOut(error)) return
        // The banner says that the service is away, and since when: what came last is better than nothing.
        setState(({ data }) =>
          isAway(error) && data !== undefined ? { data, busy: false } : { error, busy: false },
        )
      },
    )
    return () => over.abort()
  }, [...on, turn, isIn.value])
  useEffect(() => {
    if (isAway(state.error)) setTurn((n) => n + 1)
  }, [returns.value])
  return { data: state.data, error: state.error, busy: state.busy, again: () => setTurn((n) => n + 1) }
}

/** Requests again at intervals, while the page is visible; 0: never. */
export function useEvery(seconds: number, { again }: Pick<Loaded<unknown>, 'again'>): void {
  useEffect(() => {
    if (seconds === 0) return
    const timer = setInterval(() => !document.hidden && again(), seconds * 1000)
    return () => clearInterval(timer)
  }, [])
}

interface WhenProps<T> {
  readonly loaded: Loaded<T>
  readonly show: (data: T) => ComponentChildren
}

export function When<T>({ loaded: { data, error, again }, show }: WhenProps<T>) {
  if (error !== undefined) return <Problem error={error} retry={again} />
  if (data === undefined)
    return (
      <p class="waiting" aria-busy="true">
        {texts.stream.loading}
      </p>
    )
  return <>{show(data)}</>
}
