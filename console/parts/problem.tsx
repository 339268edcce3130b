// The message in the place of something that cannot be shown.

import type { ComponentChildren } from 'preact'
import { Refused } from '../core/refused.ts'
import { texts } from '../texts/shared-texts.ts'

interface ProblemProps {
  readonly error: unknown
  readonly retry?: (() => void) | undefined
}

/** What happened, and what to do. */
export function Problem({ error, retry }: ProblemProps) {
  const message = error instanceof Error ? error.message : String(error)
  const place = error instanceof Refused && error.field !== '' ? ` (${error.field})` : ''
  return (
    <div class="problem" role="alert">
      <h2>{texts.errors.title}</h2>
      <p>
        {message}
        {place}
      </p>
      {retry && (
        <button type="button" onClick={retry}>
          {texts.again}
        </button>
      )}
    </div>
  )
}

interface EmptyProps {
  readonly title: string
  readonly children?: ComponentChildren
}

/** Nothing is there, and what to do next. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)
