// What holds an alarm back, by its name: the service names maintenance windows by number.

import { texts } from '../texts/shared-texts.ts'

const words = texts.alarms

/** Names of windows by id; empty where a window is no longer there. */
export const windowNames = new Map<string, string>()

export const windowIn = (mark: string): string | undefined => /^maintenance (\d+)$/.exec(mark)?.[1]

/** `Maintenance: core swap`. */
export function suppressorText(mark: string): string {
  const id = windowIn(mark)
  if (id === undefined) return mark === 'shelf' ? words.onShelf : mark
  const name = windowNames.get(id) ?? ''
  return name === '' ? words.inWindow(id) : words.inWindow(name)
}
