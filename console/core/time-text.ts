// Times for people: in the zone of the browser, with the service's own on hover.

import { signal } from '@preact/signals'
import { locales } from '../texts/language.ts'
import { texts } from '../texts/shared-texts.ts'

/** Milliseconds; updated while the page is visible. */
export const now = signal(Date.now())

/** How far this browser's clock is from the service's: ages are counted by the service's clock. */
export const clockOffset = signal(0)
/** The zone in which the service writes times, once it is known. */
export const serverZone = signal<string | undefined>(undefined)

export function startClock(): void {
  const tick = () => {
    now.value = Date.now() - clockOffset.value
  }
  tick()
  setInterval(tick, 5000)
  addEventListener('focus', tick)
}

const day = 86_400
const steps: readonly (readonly [number, string])[] = [
  [day, texts.time.day],
  [3600, texts.time.hour],
  [60, texts.time.minute],
]

/** `3 min`, `2 h 5 min`, `4 d 3 h`: the two largest parts that matter. */
export function ageText(seconds: number): string {
  if (seconds < 10) return texts.time.now
  if (seconds < 60) return `${Math.floor(seconds / 10) * 10} ${texts.time.second}`
  const index = steps.findIndex(([size]) => seconds >= size)
  const [size, word] = steps[index] ?? [60, texts.time.minute]
  const whole = Math.floor(seconds / size)
  const [next, nextWord] = steps[index + 1] ?? [0, '']
  const rest = next > 0 && whole < 10 ? Math.floor((seconds % size) / next) : 0
  return rest > 0 ? `${whole} ${word} ${rest} ${nextWord}` : `${whole} ${word}`
}

/** How long something lasted, which may be no time at all; it changes no more, and short times are exact. */
export function lastedText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return whole < 60 ? `${whole} ${texts.time.second}` : ageText(whole)
}

/** How long ago something was. */
export const agoText = (seconds: number) => (seconds < 10 ? texts.time.now : texts.time.ago(ageText(seconds)))

const form = (zone?: string) =>
  new Intl.DateTimeFormat(locales.times, {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    ...(zone !== undefined && { timeZone: zone }),
  })

/** By zone; that of the browser has no name here. Browsers take long to make one. */
const forms = new Map<string | undefined, Intl.DateTimeFormat>()

function formIn(zone?: string): Intl.DateTimeFormat {
  const known = forms.get(zone) ?? form(zone)
  forms.set(zone, known)
  return known
}

/** Day and time are as long in each language. */
const textOf = (seconds: number, zone?: string) =>
  seconds === 0
    ? ''
    : formIn(zone)
        .format(seconds * 1000)
        .replace(', ', ' ')

/** `2031-04-05 16:03:12`, or `05.04.2031 16:03:12`, in the browser's zone. */
export const timeText = (seconds: number) => textOf(seconds)

/** The same in another zone. */
export const timeTextIn = (seconds: number, zone: string) => textOf(seconds, zone)

/** When a day such as `2031-04-05` begins, or is over, in the browser's zone: Unix seconds. */
export const dayBegins = (date: string) => String(new Date(`${date}T00:00:00`).getTime() / 1000)
export const dayEnds = (date: string) => String(new Date(`${date}T23:59:59`).getTime() / 1000)

export const clockText = (seconds: number) => timeText(seconds).slice(11)

/** The service's own zone, by name. */
export function serverTimeText(seconds: number): string {
  const zone = serverZone.value
  if (seconds === 0 || zone === undefined) return ''
  return `${timeTextIn(seconds, zone)} ${zone}`
}
