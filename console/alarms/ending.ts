// Until when an alarm is acknowledged or quarantined: until a morning, or for some minutes.

/** `today` and `tomorrow` are mornings; else a number of minutes, or none: without an end. */
export type Ending = 'today' | 'tomorrow' | '' | `${number}`

/** When people are back at work: the hour. */
const morning = 8

/** Mornings to come, the next one first; `now` in milliseconds. */
export const mornings = (now: number): readonly ('today' | 'tomorrow')[] =>
  new Date(now).getHours() < morning ? ['today', 'tomorrow'] : ['tomorrow']

/** Unix seconds, on the minute; 0 without an end. */
export function endOf(ending: Ending, now: number): number {
  if (ending === '') return 0
  const at = new Date(now)
  if (ending === 'tomorrow') at.setDate(at.getDate() + 1)
  if (ending === 'today' || ending === 'tomorrow') at.setHours(morning, 0)
  else at.setMinutes(at.getMinutes() + Number(ending))
  return at.setSeconds(0, 0) / 1000
}
