// Filters that are seldom needed are folded away, and opened by a button. One that is set is never hidden.

import { useEffect, useState } from 'preact/hooks'

export interface Fold {
  readonly isOpen: boolean
  isHidden(name: string): boolean
  turn(): void
}

/** `rare` are the names of those that can be folded away. */
export function useFold(rare: readonly string[], isSet: (name: string) => boolean): Fold {
  const set = rare.filter(isSet)
  const [hidden, setHidden] = useState<readonly string[]>(set.length > 0 ? [] : rare)
  const isOpen = hidden.length === 0
  // It may also be set by a link. It stays when it is cleared: somebody may be typing there.
  useEffect(() => {
    if (set.some((name) => hidden.includes(name))) setHidden([])
  }, [set.join()])
  return {
    isOpen,
    isHidden: (name) => hidden.includes(name) && !isSet(name),
    turn: () => setHidden(isOpen ? rare.filter((name) => !isSet(name)) : []),
  }
}
