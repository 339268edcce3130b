// A process of its own that writes rows, alone and in batches, and prints each whose commit has succeeded.
//   node test/store/writing.ts FILE FIRST-ID

import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'

const [file = '', first = '1'] = process.argv.slice(2)
const database = openSqlite(file)
await migrate(database)
for (let id = Number(first); ; ) {
  const batch = id % 7 === 0 ? 20 : 1
  await database.transaction(async (tx) => {
    for (let row = id; row < id + batch; row += 1) {
      await tx.run('insert into zone (id, name, name_key, description) values (?, ?, ?, ?)', [
        BigInt(row),
        `zone ${row}`,
        `zone ${row}`,
        'x'.repeat(300),
      ])
    }
  })
  id += batch
  // Waits until the line is handed over, so that the reader gets to stop this.
  await new Promise((resolve) => process.stdout.write(`${id - 1}\n`, resolve))
}
