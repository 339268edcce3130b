// What callers were answered, and all that a store holds, as text: to compare two ways to the same result.

import { readEntriesAfter } from '../../src/alarms/log/alarm-log.ts'
import { Fault } from '../../src/fault.ts'
import type { World } from '../alarms/world.ts'

export const answerOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    (value) => JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? 'done',
    (error) => `${error instanceof Fault ? error.code : 'failed'}: ${(error as Error).message}`,
  )

/** The entries of the log after a number, as streams read them. */
export async function pushed({ database }: World, after: bigint): Promise<string[]> {
  const entries = await readEntriesAfter(database, after, 10_000)
  return entries.map(({ number, kind, alarmId, xml }) => `${number} ${kind} ${alarmId} ${xml}`)
}

const tables = async ({ database }: World): Promise<string[]> => {
  const rows =
    database.kind === 'sqlite'
      ? await database.all("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")
      : await database.all(
          "select table_name as name from information_schema.tables where table_schema = 'public'",
        )
  // The store's own number, and the count of commits.
  return rows.map((row) => String(row.name)).filter((name) => name !== 'writer')
}

/** Every row of every table, without what is drawn by chance when a store is made. */
export async function contentOf(world: World): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {}
  for (const name of (await tables(world)).sort()) {
    const rows = await world.database.all(`select * from ${name}`)
    const texts = rows
      .filter((row) => !(name === 'counter' && row.name === 'store') && !/^migration/.test(name))
      .map((row) => Object.values(row).map(String).join(' | '))
    content[name] = texts.sort()
  }
  return content
}
