// Counts how often trap rules filter and maintenance windows suppress; stored together with the block of traps.

import { bulk, type Reader, type Transaction } from '../../store/database.ts'

const kinds = {
  rule: { table: 'trap_rule_hit', key: 'rule_id' },
  window: { table: 'maintenance_hit', key: 'maintenance_id' },
} as const
type Kind = keyof typeof kinds

const addedTo = ({ table, key }: (typeof kinds)[Kind]) =>
  bulk(
    `insert into ${table} (${key}, hits, last_hit) values (?, ?, ?) on conflict (${key}) do update set hits = ${table}.hits + excluded.hits, last_hit = excluded.last_hit`,
    ['bigint', 'bigint', 'bigint'],
  )
const added = { rule: addedTo(kinds.rule), window: addedTo(kinds.window) }

export class Hits {
  readonly #kind: Kind
  #hits = new Map<bigint, { n: number; last: number }>()

  constructor(kind: Kind) {
    this.#kind = kind
  }

  add(id: bigint, at: number): void {
    const known = this.#hits.get(id)
    if (known) {
      known.n += 1
      known.last = at
    } else this.#hits.set(id, { n: 1, last: at })
  }

  /** Writes those since the last time. */
  async write(tx: Transaction): Promise<void> {
    if (this.#hits.size === 0) return
    const rows = Array.from(this.#hits, ([id, { n, last }]) => [id, n, last])
    this.#hits = new Map()
    await tx.runEach(added[this.#kind], rows)
  }
}

interface HitCount {
  readonly hits: bigint
  readonly lastHit: number
}

/** By rule or window; those that have met nothing are missing. */
export async function readHits(reader: Reader, kind: Kind): Promise<Map<bigint, HitCount>> {
  const { table, key } = kinds[kind]
  const rows = await reader.all(`select ${key} as id, hits, last_hit from ${table}`)
  return new Map(
    rows.map((row) => [row.id as bigint, { hits: row.hits as bigint, lastHit: Number(row.last_hit) }]),
  )
}

/** Fills in the hits of records. */
export async function showHits(
  reader: Reader,
  kind: Kind,
  records: readonly { readonly id: bigint; hits: bigint; lastHit: number }[],
): Promise<void> {
  const { table, key } = kinds[kind]
  for (const record of records) {
    const [row] = await reader.all(`select hits, last_hit from ${table} where ${key} = ?`, [record.id])
    record.hits = (row?.hits as bigint | undefined) ?? 0n
    record.lastHit = Number(row?.last_hit ?? 0n)
  }
}

export async function forgetHits(tx: Transaction, kind: Kind, id: bigint): Promise<void> {
  const { table, key } = kinds[kind]
  await tx.run(`delete from ${table} where ${key} = ?`, [id])
}
