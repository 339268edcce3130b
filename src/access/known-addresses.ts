// Addresses from which operators have logged in recently. From there, a lock-out caused by others does not apply to
// them, even after a restart.

import { placeOf } from '../config/networks.ts'
import { operators } from '../resources/access/operator.ts'
import type { Database, Transaction } from '../store/database.ts'
import { find } from '../store/table.ts'
import { TableCache } from '../store/table-cache.ts'

const day = 24 * 3_600_000
const remembered = 30 * day
/** The precision of the stored times. */
const precision = day / 2
/** Addresses per operator. */
const addressLimit = 1000

interface KnownAddressParts {
  readonly database: Database
  readonly clock: () => number
  readonly onError?: (error: unknown) => void
}

export class KnownAddresses {
  readonly #parts: KnownAddressParts
  /** When an operator last logged in with a password from an address. */
  readonly #times = new Map<string, number>()
  readonly #cache: TableCache<void>

  constructor(parts: KnownAddressParts) {
    this.#parts = parts
    this.#cache = new TableCache(parts.database, 'login_place')
  }

  /** Also looked up for names that do not exist, so that both take the same time. */
  async has(operatorId: bigint | undefined, address: string): Promise<boolean> {
    await this.#ready()
    const last = this.#times.get(keyOf(operatorId, address))
    return last !== undefined && this.#parts.clock() - last < remembered
  }

  /** Saves it in the background; the answer does not wait for it. */
  note(operatorId: bigint, address: string): void {
    const { clock, database, onError } = this.#parts
    const key = keyOf(operatorId, address)
    const now = clock()
    const last = this.#times.get(key)
    if (last !== undefined && Math.abs(now - last) < precision) return
    this.#times.set(key, now)
    database
      .transaction((tx) => save(tx, operatorId, placeOf(address)))
      .catch((error) => {
        this.#times.delete(key)
        onError?.(error)
      })
  }

  /** Other nodes on the same store record addresses, too. */
  #ready(): Promise<void> {
    return this.#cache.get(this.#parts.database, () => this.#load())
  }

  async #load(): Promise<void> {
    const rows = await this.#parts.database.all('select operator_id, place, last_time from login_place')
    for (const { operator_id, place, last_time } of rows) {
      const key = `${operator_id} ${place}`
      this.#times.set(key, Math.max(Number(last_time), this.#times.get(key) ?? 0))
    }
  }
}

const keyOf = (operatorId: bigint | undefined, address: string) => `${operatorId} ${placeOf(address)}`

async function save(tx: Transaction, operatorId: bigint, place: string): Promise<void> {
  if (!(await find(tx, operators.table, operatorId))) return
  await tx.run(
    'insert into login_place (operator_id, place, last_time) values (?, ?, ?) on conflict (operator_id, place) do update set last_time = excluded.last_time',
    [operatorId, place, tx.now],
  )
  const [oldest] = await tx.all(
    `select last_time from login_place where operator_id = ? order by last_time desc limit 1 offset ${addressLimit}`,
    [operatorId],
  )
  const border = Math.max(tx.now - remembered, Number(oldest?.last_time ?? 0))
  await tx.run('delete from login_place where operator_id = ? and last_time <= ?', [operatorId, border])
}
