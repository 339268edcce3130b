// Compares the totals that are updated as rows are added and removed with a new count, and corrects them on request.

import { openColumn, openValueSql } from '../../alarms/open/overview-figures.ts'
import { audit } from '../../resources/access/audit-entry.ts'
import { auditLog } from '../../resources/access/audit-log.ts'
import { operators } from '../../resources/access/operator.ts'
import { tokens } from '../../resources/access/token.ts'
import { alarms } from '../../resources/alarms/alarm.ts'
import { mibModules } from '../../resources/alarms/mib-module.ts'
import { traps } from '../../resources/alarms/trap.ts'
import { catalog } from '../../resources/catalog.ts'
import type { Database, Reader, SqlValue, Transaction } from '../../store/database.ts'
import type { Table } from '../../store/table.ts'
import { bytesColumn, bytesSql } from '../../store/tally.ts'

export interface CheckedPart {
  readonly name: string
  /** What was checked, in words. */
  readonly looked: string
  /** One sentence per finding. */
  readonly found: readonly string[]
}

/** The most findings that are listed per part. */
export const findingLimit = 20

export const tables: readonly Table[] = [
  ...catalog,
  alarms,
  traps,
  operators,
  tokens,
  auditLog,
  mibModules,
].map(({ table }) => table)

export const counted = (n: SqlValue | number | undefined, noun: string) =>
  `${Number(n ?? 0).toLocaleString('en')} ${noun}`

/** The totals of one table: rows, rows with a value in a column, bytes, or open alarms by level. */
interface Kept {
  readonly name: string
  /** Counts them now, by column and value with a NUL in between. */
  count(reader: Reader): Promise<ReadonlyMap<string, number>>
}

const kept: readonly Kept[] = [
  ...tables.map((table) => ({ name: table.name, count: (reader: Reader) => countTable(reader, table) })),
  { name: 'alarm_log', count: countLog },
]

async function countTable(reader: Reader, table: Table): Promise<Map<string, number>> {
  const { name, counted: columns } = table
  const [all] = await reader.all(`select count(*) as n from ${name}`)
  const real = new Map([[rowsKey, Number(all?.n)]])
  for (const column of columns) {
    const groups = await reader.all(
      `select ${column} as value, count(*) as n from ${name} group by ${column}`,
    )
    for (const group of groups) real.set(`${column}\0${group.value}`, Number(group.n))
  }
  for (const [value, bytes] of await bytesIn(reader, table)) real.set(`${bytesColumn}\0${value}`, bytes)
  if (table === alarms.table)
    for (const [value, n] of await openIn(reader)) real.set(`${openColumn}\0${value}`, n)
  return real
}

/** All rows of a table. */
const rowsKey = '\0'

async function bytesIn(reader: Reader, table: Table): Promise<[string, number][]> {
  if (!table.sized) return []
  const { by } = table.sized
  const value = by === undefined ? "''" : table.form.columns[by]?.name
  const rows = await reader.all(
    `select ${value} as value, sum(${bytesSql(table)}) as n from ${table.name}${by === undefined ? '' : ` group by ${value}`}`,
  )
  return rows.map((row) => [String(row.value), Number(row.n ?? 0n)])
}

async function openIn(reader: Reader): Promise<[string, number][]> {
  const rows = await reader.all(
    `select ${openValueSql} as value, count(*) as n from alarm where rec_status = 0 group by alarm_level, ack_status, suppressed`,
  )
  return rows.map((row) => [String(row.value), Number(row.n)])
}

/** Of the log, only bytes are totalled; its numbers say how many entries there are. */
async function countLog(reader: Reader): Promise<Map<string, number>> {
  const [row] = await reader.all(
    'select sum(octet_length(cleared) + octet_length(alarm)) as n from alarm_log',
  )
  return new Map([[`${bytesColumn}\0`, Number(row?.n ?? 0n)]])
}

interface Wrong {
  readonly column: string
  readonly value: string
  readonly is: number
  readonly says: number
}

async function wrongIn(reader: Reader, name: string, real: ReadonlyMap<string, number>): Promise<Wrong[]> {
  const rows = await reader.all('select column_name, value, n from tally where table_name = ?', [name])
  const said = new Map(rows.map((row) => [`${row.column_name}\0${row.value}`, Number(row.n)]))
  const keys = [...new Set([...real.keys(), ...said.keys()])]
  return keys.flatMap((key) => {
    const [is = 0, says = 0] = [real.get(key), said.get(key)]
    const [column = '', value = ''] = key.split('\0')
    return is === says ? [] : [{ column, value, is, says }]
  })
}

const sentenceOf = (name: string, { column, value, is, says }: Wrong) =>
  `the total of ${column === '' ? name : `${name} with ${column} ${value}`} is kept as ${says}, but there are ${is}`

export async function checkTotals(reader: Reader): Promise<CheckedPart> {
  const found: string[] = []
  let rows = 0
  for (const { name, count } of kept) {
    const real = await count(reader)
    rows += real.get(rowsKey) ?? 0
    found.push(...(await wrongIn(reader, name, real)).map((wrong) => sentenceOf(name, wrong)))
  }
  return { name: 'totals', looked: counted(rows, 'rows'), found: found.slice(0, findingLimit) }
}

/**
 * Corrects wrong totals, and returns a sentence for each. While a table with a wrong total is counted, nothing else is
 * written.
 */
export async function repairTotals(database: Database): Promise<string[]> {
  const repaired: string[] = []
  const wrong = await database.readSnapshot(async (reader) => {
    const names = new Set<string>()
    for (const { name, count } of kept)
      if ((await wrongIn(reader, name, await count(reader))).length > 0) names.add(name)
    return names
  })
  for (const table of kept) {
    if (wrong.has(table.name)) repaired.push(...(await database.transaction((tx) => repairTable(tx, table))))
  }
  return repaired
}

async function repairTable(tx: Transaction, { name, count }: Kept): Promise<string[]> {
  const wrong = await wrongIn(tx, name, await count(tx))
  for (const { column, value, is } of wrong) {
    await tx.run(
      'insert into tally (table_name, column_name, value, n) values (?, ?, ?, ?) on conflict (table_name, column_name, value) do update set n = excluded.n',
      [name, column, value, is],
    )
  }
  // Changes no row but the version of the table, so that every node reads cached totals again.
  if (wrong.length > 0) await tx.run(`delete from ${name} where 1 = 0`)
  const sentences = wrong.map((total) => `${sentenceOf(name, total)}: corrected`)
  if (wrong.length > 0)
    await audit(tx, {
      action: 'repair',
      resource: 'total',
      id: name,
      detail: sentences.join('; ').slice(0, 1000),
    })
  return sentences
}
