// Is it one device that is silent, or the way to many? Looked up once per group and transaction.

import type { Reader } from '../../store/database.ts'
import { countGroup, type GroupColumn, type GroupCount, type Undecided } from './reachability.ts'

/** Fewer devices are told one by one. */
const minDevices = 4

/** No range is called that. */
export const waiting = 'wait'

export class SilentGroups {
  readonly #reader: Reader
  readonly #roundTime: number
  readonly #counts = new Map<string, GroupCount>()

  /** `roundTime`: after this time, all devices of a group have been asked since one of them fell silent. */
  constructor(reader: Reader, roundTime: number) {
    this.#reader = reader
    this.#roundTime = roundTime
  }

  /** The silent group that a silent device is in; `waiting` while others of it may follow, undefined if it is alone. */
  async judge(
    { range, network, failingSince, heldUntil }: Undecided,
    now: number,
  ): Promise<string | undefined> {
    const mayWait = now < failingSince + this.#roundTime
    let waits = now < heldUntil
    for (const [column, name] of [
      ['address_range', range],
      ['network', network],
    ] as const) {
      const { known, silent, newlySilent } = await this.#count(column, name)
      if (newlySilent < minDevices || newlySilent * 2 < known) continue
      if (silent === known) return name
      waits ||= mayWait
    }
    return waits ? waiting : undefined
  }

  async #count(column: GroupColumn, name: string): Promise<GroupCount> {
    const key = `${column} ${name}`
    const known = this.#counts.get(key) ?? (await countGroup(this.#reader, column, name))
    this.#counts.set(key, known)
    return known
  }
}
