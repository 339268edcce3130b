// Boots and time of the engine that SNMP traps of version 3 come from. RFC 3414 has receivers refuse what is older than
// what they have seen: both are in the store, so that they never go back, whatever the clock, a restart or another node does.

import { lockCounter, readCounter, setCounter } from '../../store/counter.ts'
import type { Database, Transaction } from '../../store/database.ts'

export interface EngineMoment {
  readonly boots: number
  /** Seconds; it need not begin anew with each start. */
  readonly time: number
}

const bootsCounter = 'notify engine boots'
/** No message has had a later time than this one. */
const timeCounter = 'notify engine time'
const epoch = Date.UTC(2020, 0, 1)
/** Seconds that the stored time is ahead, so that it is written once a minute at most. */
const ahead = 60
/** Receivers accept what is up to 150 seconds late. */
const tolerated = 60

/** In a store that was put back: receivers have seen messages that it does not know of. */
export async function skipSenderBoots(tx: Transaction, by: number): Promise<void> {
  await setCounter(tx, bootsCounter, (await lockCounter(tx, bootsCounter)) + BigInt(by))
}

export class EngineClock {
  readonly #database: Database
  readonly #clock: () => number

  constructor(database: Database, clock: () => number) {
    this.#database = database
    this.#clock = clock
  }

  async now(): Promise<EngineMoment> {
    const time = Math.max(0, Math.floor((this.#clock() - epoch) / 1000))
    const isBefore = (reached: number) => time < reached - ahead - tolerated
    const boots = Number((await readCounter(this.#database, bootsCounter)) ?? 0n)
    const reached = Number((await readCounter(this.#database, timeCounter)) ?? 0n)
    if (boots > 0 && time <= reached && !isBefore(reached)) return { boots, time }
    return this.#database.transaction(async (tx) => {
      const stored = Number(await lockCounter(tx, bootsCounter))
      const last = Number(await lockCounter(tx, timeCounter))
      const isNew = stored === 0 || isBefore(last)
      const next = isNew ? stored + 1 : stored
      await setCounter(tx, bootsCounter, next)
      await setCounter(tx, timeCounter, isNew ? time + ahead : Math.max(last, time + ahead))
      return { boots: next, time }
    })
  }
}
