// Copies everything from one store to another, of either kind, and compares the result.

import { createHash } from 'node:crypto'
import { Fault } from '../fault.ts'
import type { Database, Reader, Row, Transaction } from './database.ts'

interface MovedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** The columns by which rows are read in order, in batches. */
  readonly key: readonly string[]
}

export interface Moved {
  readonly table: string
  readonly rows: number
}

/** Parameters of one statement: fewer than either store allows. */
const maxParameters = 5000
const batchSize = 1000
/**
 * Tables of migrations and of running services, of which the target has its own, and tables without lasting content.
 */
const notMoved = new Set([
  'migration',
  'migration_beside',
  'writer',
  'probe',
  ...['node', 'node_profile', 'lease', 'fence', 'nonce_secret', 'nonce_use', 'used_sign_in'],
  ...['intake_block', 'intake_answer', 'intake_aside', 'node_question'],
])

/** Both stores must have the current schema, and the target must be empty. Copies everything or nothing. */
export function moveStore(
  from: Database,
  to: Database,
  onProgress: (done: number, total: number, table: string) => void,
): Promise<Moved[]> {
  return from.readSnapshot(async (reader) => {
    await requireNoWaitingBlocks(reader)
    const tables = await tablesOf(from.kind, reader)
    const total = await countRows(reader, tables)
    let done = 0
    return to.transaction(async (tx) => {
      await requireEmpty(tx, tables)
      const moved: Moved[] = []
      for (const table of tables) {
        const sent = new TableDigest()
        for await (const rows of readTable(reader, table)) {
          await insertRows(tx, rows, table)
          sent.add(rows, table)
          done += rows.length
          onProgress(done, total, table.name)
        }
        await requireSame(tx, table, sent)
        moved.push({ table: table.name, rows: sent.rows })
      }
      return moved
    })
  })
}

/** Refuses pending datagrams: they would be processed twice, or not at all. */
async function requireNoWaitingBlocks(reader: Reader): Promise<void> {
  const [row] = await reader.all('select count(*) as n from intake_block where settled_at = 0')
  if (row?.n !== 0n) {
    const message = `${row?.n} blocks of traps wait to be processed: start a node on the store, and stop it when it has done so`
    throw new Fault('conflict', message)
  }
}

async function countRows(reader: Reader, tables: readonly MovedTable[]): Promise<number> {
  let rows = 0
  for (const { name } of tables) {
    const [row] = await reader.all(`select count(*) as n from ${name}`)
    rows += Number(row?.n)
  }
  return rows
}

async function requireEmpty(to: Reader, tables: readonly MovedTable[]): Promise<void> {
  for (const { name } of tables) {
    const [row] = await to.all(`select 1 as found from ${name} limit 1`)
    if (row) throw new Fault('conflict', `the target holds data already (table ${name}): name an empty one`)
  }
}

const tablesOf = (kind: Database['kind'], reader: Reader): Promise<MovedTable[]> =>
  kind === 'sqlite' ? sqliteTables(reader) : postgresTables(reader)

async function namesOf(reader: Reader, sql: string): Promise<string[]> {
  const names = (await reader.all(sql)).map(({ name }) => String(name))
  return names.filter((name) => !notMoved.has(name))
}

async function sqliteTables(reader: Reader): Promise<MovedTable[]> {
  const tables = await namesOf(
    reader,
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
  )
  return Promise.all(
    tables.map(async (name) => {
      const columns = await reader.all('select name, pk from pragma_table_info(?) order by cid', [name])
      const inKey = columns.filter(({ pk }) => pk !== 0n).sort((a, b) => Number(a.pk) - Number(b.pk))
      return described(name, columns, inKey)
    }),
  )
}

async function postgresTables(reader: Reader): Promise<MovedTable[]> {
  const tables = await namesOf(
    reader,
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name`,
  )
  const found: MovedTable[] = []
  // One after the other: all use the connection that sees one snapshot.
  for (const name of tables) {
    const columns = await reader.all(
      `select column_name as name from information_schema.columns
         where table_schema = current_schema() and table_name = ? order by ordinal_position`,
      [name],
    )
    const inKey = await reader.all(
      `select k.column_name as name from information_schema.table_constraints c
         join information_schema.key_column_usage k
           on k.constraint_schema = c.constraint_schema and k.constraint_name = c.constraint_name
         where c.table_schema = current_schema() and c.table_name = ? and c.constraint_type = 'PRIMARY KEY'
         order by k.ordinal_position`,
      [name],
    )
    found.push(described(name, columns, inKey))
  }
  return found
}

function described(name: string, columns: readonly Row[], inKey: readonly Row[]): MovedTable {
  const names = (rows: readonly Row[]) => rows.map((row) => String(row.name))
  const key = names(inKey)
  if (key.length === 0) throw new Error(`table ${name} has no primary key to read it by`)
  return { name, columns: names(columns), key }
}

async function* readTable(
  reader: Reader,
  { name, columns, key }: MovedTable,
): AsyncGenerator<readonly Row[], void> {
  const order = key.join(', ')
  const select = `select ${columns.join(', ')} from ${name}`
  const end = `order by ${order} limit ${batchSize}`
  const first = `${select} ${end}`
  const next = `${select} where (${order}) > (${key.map(() => '?').join(', ')}) ${end}`
  let rows = await reader.all(first)
  while (rows.length > 0) {
    yield rows
    const last = rows.at(-1)
    rows = await reader.all(
      next,
      key.map((column) => last?.[column] ?? null),
    )
  }
}

async function insertRows(
  tx: Transaction,
  rows: readonly Row[],
  { name, columns }: MovedTable,
): Promise<void> {
  const atOnce = Math.max(1, Math.floor(maxParameters / columns.length))
  const placeholders = `(${columns.map(() => '?').join(', ')})`
  for (let at = 0; at < rows.length; at += atOnce) {
    const part = rows.slice(at, at + atOnce)
    const sql = `insert into ${name} (${columns.join(', ')}) values ${part.map(() => placeholders).join(', ')}`
    await tx.run(
      sql,
      part.flatMap((row) => columns.map((column) => row[column] ?? null)),
    )
  }
}

/** The number of rows, and a digest of all their values in order. */
class TableDigest {
  readonly #digest = createHash('sha256')
  rows = 0

  add(rows: readonly Row[], { columns }: MovedTable): void {
    this.rows += rows.length
    for (const row of rows) {
      const values = columns.map((column) => {
        const value = row[column] ?? null
        return typeof value === 'string' ? value : value === null ? null : [String(value)]
      })
      this.#digest.update(`${JSON.stringify(values)}\n`)
    }
  }

  value(): string {
    return `${this.rows} rows, SHA-256 ${this.#digest.copy().digest('hex')}`
  }
}

async function requireSame(to: Reader, table: MovedTable, sent: TableDigest): Promise<void> {
  const arrived = new TableDigest()
  for await (const rows of readTable(to, table)) arrived.add(rows, table)
  if (arrived.value() === sent.value()) return
  throw new Fault(
    'unavailable',
    `table ${table.name} differs: sent ${sent.value()}, arrived ${arrived.value()}`,
  )
}
