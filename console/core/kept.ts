// What the person at this browser has chosen, kept in the browser for each operator. Other tabs follow.

import { type Signal, signal } from '@preact/signals'
import { session } from './session.ts'

const kept = new Map<string, Signal<string | null>>()

/** What the storage has under a name for this operator. */
export function keptFor(name: string): { readonly key: string; readonly state: Signal<string | null> } {
  const key = `belfry ${name} ${session.value.operatorId}`
  const state = kept.get(key) ?? signal(localStorage.getItem(key))
  kept.set(key, state)
  return { key, state }
}

export function keep(name: string, value: string): void {
  const { key, state } = keptFor(name)
  state.value = value
  localStorage.setItem(key, value)
}

/** It was changed in another tab. */
export function followKept(): void {
  addEventListener('storage', ({ key, newValue }) => {
    const state = kept.get(key ?? '')
    if (state) state.value = newValue
  })
}
