// A whole page, chunk by chunk.

import type { ListQuery } from '../../src/schema/list.ts'
import type { AnyRecord } from '../../src/schema/resource.ts'
import type { Database } from '../../src/store/database.ts'
import { Page } from '../../src/store/page.ts'
import type { Table } from '../../src/store/table.ts'

export async function* pages(
  database: Database,
  target: Table,
  query: ListQuery,
): AsyncGenerator<AnyRecord[], void> {
  const page = new Page(database, target, query)
  while (!page.ended) {
    const records = await page.next()
    if (records.length > 0) yield records
  }
}
