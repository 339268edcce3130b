// Whether the service answers. While it does not, pages keep what they show, and go on when it is back.

import { signal } from '@preact/signals'
import { Refused } from './refused.ts'

/** Grows each time the service is back. */
export const returns = signal(0)

export const isAway = (error: unknown) => error instanceof Refused && error.status === 0
