// A process of its own that writes rows, alone and in batches, several transactions at once, and prints each whose
// commit has succeeded.
//   node test/store/writing.ts FILE FIRST-ID

import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'

const [file = '', first = '1'] = process.argv.slice(2)
const database = openSqlite(file)
await migrate(database)
let id = Number(first)

async function write(): Promise<void> {
  const batch = id % 7 === 0 ? 20 : 1
  const begin = id
  id += batch
  await database.transaction(async (tx) => {
    for (let row = begin; row < begin + batch; row += 1) {
      await tx.run('insert into zone (id, name, name_key, description) values (?, ?, ?, ?)', [
        BigInt(row),
        `zone ${row}`,
        `zone ${row}`,
        'x'.repeat(300),
      ])
    }
  })
  // Waits until the line is handed over, so that the reader gets to stop this.
  await new Promise((resolve) => process.stdout.write(`${begin + batch - 1}\n`, resolve))
}

// Several at once, which share a flush: they are committed in the order in which they were asked for.
for (;;) await Promise.all(Array.from({ length: 1 + (id % 9) }, write))
