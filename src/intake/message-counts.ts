// Counts how many messages each device has sent, so that one that falls silent, or floods, is noticed.

export interface SenderCount {
  readonly deviceIp: string
  readonly count: number
  /** When the first and the last came. */
  readonly firstAt: number
  readonly lastAt: number
}

/** Source addresses can be forged in any number: more are not told apart until the counts have been taken. */
const defaultLimit = 10_000

export class MessageCounts {
  #devices = new Map<string, { -readonly [Field in keyof SenderCount]: SenderCount[Field] }>()
  readonly #limit: number

  constructor(limit = defaultLimit) {
    this.#limit = limit
  }

  note(deviceIp: string, at: number): void {
    const heard = this.#devices.get(deviceIp)
    if (heard) {
      heard.count += 1
      heard.lastAt = at
    } else if (this.#devices.size < this.#limit)
      this.#devices.set(deviceIp, { deviceIp, count: 1, firstAt: at, lastAt: at })
  }

  /** What was counted since the last time. */
  take(): readonly SenderCount[] {
    const devices = this.#devices
    this.#devices = new Map()
    return [...devices.values()]
  }
}
