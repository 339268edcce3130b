// Ids are given to clients: where a store has lost some, none may be given again, of whatever kind.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { numberedTables } from '../../src/upkeep/checks/id-tables.ts'
import { temporaryFolder } from '../support.ts'

/** Their ids are those of devices and alarms. */
const ofOtherRecords = ['reachability', 'device_facts', 'device_port_names', 'alarm_check', 'seen_state']

test('every table whose records have a number as their id is among those whose last id is remembered', async () => {
  const database = await openSqlite(join(temporaryFolder(), 'belfry.db'))
  after(() => database.close())
  await migrate(database)
  const rows = await database.all(
    "select t.name from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table' and c.name = 'id' and c.pk = 1 and lower(c.type) in ('bigint', 'integer') order by t.name",
  )
  assert.deepEqual(
    rows.map(({ name }) => name).filter((name) => !ofOtherRecords.includes(String(name))),
    numberedTables.toSorted(),
  )
})
