// Waiting for conditions instead of times.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long a test waits for a condition, in milliseconds: what comes at all comes within it, also on a busy machine. */
export const patience = 240_000

/**
 * Waits for a condition. It is checked less and less often, at most ten times a second in the end: a check takes
 * processor time from the work that is waited for.
 */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
  milliseconds = patience,
): Promise<void> {
  const began = performance.now()
  while (!(await holds())) {
    const waited = performance.now() - began
    if (waited > milliseconds) assert.fail(`waited ${milliseconds / 1000} s in vain: ${what}`)
    await sleep(Math.min(10 + waited / 20, 100))
  }
}
