// Formats times as yyyy-MM-dd HH:mm:ss. Formatting each by the system would take longer than writing the rest of an
// alarm, so it is done once per quarter of an hour, and minutes and seconds are computed.

/** Milliseconds. */
const quarter = 900_000
/** Quarters that are remembered. */
const limit = 100

export class LocalTime {
  readonly #format: Intl.DateTimeFormat
  /** How each begins; undefined where the clock does not go on evenly in it. */
  readonly #begins = new Map<number, string | undefined>()

  constructor(timeZone: string) {
    // The one locale whose plain form is this one.
    this.#format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  }

  text(at: number): string {
    const number = Math.floor(at / quarter)
    if (!this.#begins.has(number)) this.#learn(number)
    const begin = this.#begins.get(number)
    return begin === undefined ? this.#format.format(at) : later(begin, at - number * quarter)
  }

  #learn(number: number): void {
    if (this.#begins.size >= limit) this.#begins.clear()
    const begin = this.#format.format(number * quarter)
    const end = this.#format.format((number + 1) * quarter - 1000)
    // Some zones have changed their clocks a minute after midnight, or were off by odd seconds.
    this.#begins.set(number, later(begin, quarter - 1000) === end ? begin : undefined)
  }
}

/** This many milliseconds later in the same hour. */
function later(begin: string, milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const minute = Number(begin.slice(-5, -3)) + Math.floor(seconds / 60)
  return `${begin.slice(0, -5)}${twoDigits(minute)}:${twoDigits(seconds % 60)}`
}

const twoDigits = (number: number) => (number < 10 ? `0${number}` : String(number))
