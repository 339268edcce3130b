// How often rules filter: stored with the batch that they filtered from.

import { bulk, type Reader, type Transaction } from '../../store/database.ts'

export class RuleHits {
  readonly #hits = new Map<bigint, { n: number; last: number }>()

  add(rule: bigint, at: number): void {
    const known = this.#hits.get(rule)
    if (known) {
      known.n += 1
      known.last = at
    } else this.#hits.set(rule, { n: 1, last: at })
  }

  async write(tx: Transaction): Promise<void> {
    await tx.runEach(
      added,
      Array.from(this.#hits, ([rule, { n, last }]) => [rule, n, last]),
    )
  }
}

const added = bulk(
  'insert into trap_rule_hit (rule_id, hits, last_hit) values (?, ?, ?) on conflict (rule_id) do update set hits = trap_rule_hit.hits + excluded.hits, last_hit = excluded.last_hit',
  ['bigint', 'bigint', 'bigint'],
)

interface Hits {
  readonly hits: bigint
  readonly lastHit: number
}

/** By rule; those that have filtered nothing are missing. */
export async function readHits(reader: Reader): Promise<Map<bigint, Hits>> {
  const rows = await reader.all('select rule_id, hits, last_hit from trap_rule_hit')
  return new Map(
    rows.map((row) => [row.rule_id as bigint, { hits: row.hits as bigint, lastHit: Number(row.last_hit) }]),
  )
}
