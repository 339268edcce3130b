// Where processors are scarce, long reads come after traps and the work on the journal.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { until } from '../intake/sending.ts'
import { temporaryFolder } from '../support.ts'

const skip = process.platform === 'linux' ? false : 'threads have no priority of their own here'

/** How much lower than that of the process the priority of each of its threads is. */
function lowerBy(): number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    // The name of the thread, in brackets, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[16]) - getPriority(process.pid)
  })
}

test('the thread of long reads has a lower priority, and no other', { skip }, async () => {
  const file = join(temporaryFolder(), 'store.db')
  const database = openSqlite(file)
  try {
    await migrate(database)
    const before = statSync(file).size
    // Enough for the journal to be worked off, which takes a thread as well.
    await database.transaction(async (tx) => {
      for (let id = 1; id <= 2000; id += 1) {
        await tx.run('insert into zone (id, name, name_key) values (?, ?, ?)', [
          id,
          'x'.repeat(4096),
          `${id}`,
        ])
      }
    })
    // It is looked at after a commit, and not after each.
    await until('the journal is worked off', async () => {
      await database.transaction((tx) =>
        tx.run('update zone set name = ? where id = 1', [`${Math.random()}`]),
      )
      return statSync(file).size > before + 1000 * 4096
    })
    assert.deepEqual(new Set(lowerBy()), new Set([0]))
    await database.readInBackground('select 1 as one')
    const lower = lowerBy()
    assert.deepEqual(
      lower.filter((by) => by !== 0),
      [Math.min(10, 19 - getPriority(process.pid))],
    )
  } finally {
    await database.close()
  }
})
