// The store's promises, each held on both engines. One file, because PostgreSQL takes seconds to start.

import { describe } from 'node:test'
import { engines, openMigrated } from '../support.ts'
import { columns } from './columns.ts'
import { migrations } from './migrations.ts'
import { storeCheck } from './store-check.ts'
import { tables } from './tables.ts'
import { transactions } from './transactions.ts'

for (const engine of engines) {
  const clock = { now: 1_700_000_000_000 }
  const database = await openMigrated(engine, () => clock.now)
  describe(engine.name, () => {
    transactions(database, clock)
    columns(database)
    tables(database)
    // Last: they open stores of their own, which on PostgreSQL share the session.
    migrations(engine)
    storeCheck(engine)
  })
}
