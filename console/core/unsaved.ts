// What somebody has typed and not saved. Nobody loses it unasked: links and closing ask first, and on the way back it
// stays until one returns. In memory, as it may be confidential; only while one signs in elsewhere, in the storage of the tab.

import { signal } from '@preact/signals'

/** By what is edited. */
const drafts = new Map<string, unknown>()

/** Those that would be lost with the page as it is now. */
const open = new Set<string>()

interface Question {
  /** What is done once somebody has decided to lose them. */
  readonly leave: () => void
}

/** Shown as long as there is one. */
export const question = signal<Question | undefined>(undefined)

export const draftOf = (key: string): unknown => drafts.get(key)

/** `value` is kept until it is saved or discarded. */
export function keepDraft(key: string, value: unknown): void {
  drafts.set(key, value)
}

export function forgetDraft(key: string): void {
  drafts.delete(key)
  open.delete(key)
}

/** Of what one operator has typed, another who signs in afterwards sees nothing. */
export function forgetDrafts(): void {
  drafts.clear()
}

const stashKey = 'belfry-drafts'

/** Before the page leaves for the pages of a provider, to sign in again: what is kept is there when it comes back. */
export function stashDrafts(operatorId: string): void {
  if (drafts.size === 0) return
  sessionStorage.setItem(stashKey, JSON.stringify({ operatorId, kept: [...drafts] }))
  for (const key of drafts.keys()) open.delete(key)
}

/** After that, for the same operator; for another one they are gone. */
export function takeDrafts(operatorId: string): void {
  const stashed = sessionStorage.getItem(stashKey)
  if (stashed === null) return
  sessionStorage.removeItem(stashKey)
  const { operatorId: owner, kept } = JSON.parse(stashed) as {
    operatorId: string
    kept: [string, unknown][]
  }
  if (owner === operatorId) for (const [key, value] of kept) drafts.set(key, value)
}

/** Marks something on the page as not saved; returns how to take that back. */
export function markUnsaved(key: string): () => void {
  open.add(key)
  return () => open.delete(key)
}

/** Leaves at once, or asks where something of these would be lost; all of the page, unless some are named. */
export function leaveSafely(leave: () => void, keys: Iterable<string> = open): void {
  const lost = [...keys].filter((key) => open.has(key))
  if (lost.length === 0) {
    leave()
    return
  }
  question.value = {
    leave: () => {
      for (const key of lost) forgetDraft(key)
      leave()
    },
  }
}

/** A tab that is closed or loaded anew takes everything along: the browser asks by itself. */
export function startAsking(): void {
  addEventListener('beforeunload', (event) => {
    if (open.size > 0) event.preventDefault()
  })
}
