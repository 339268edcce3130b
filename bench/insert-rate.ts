// What the store can do at best: the newest rows of a service's tables, inserted into empty ones with the same indexes.

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

const tables = ['alarm', 'alarm_log', 'trap'] as const
const keys = { alarm: 'id', alarm_log: 'number', trap: 'id' } as const
const perTransaction = 500

/** Alarms a second, each with its entry in the log and its trap. */
export async function insertRate(data: string, folder: string, count: number): Promise<number> {
  const source = new DatabaseSync(join(data, 'belfry.db'), { readOnly: true, readBigInts: true })
  mkdirSync(folder, { recursive: true })
  const target = new DatabaseSync(join(folder, 'rows.db'))
  try {
    target.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32000')
    const schema = source.prepare(
      'select sql from sqlite_master where sql is not null and tbl_name in (?, ?, ?) order by type desc',
    )
    for (const { sql } of schema.all(...tables)) target.exec(String(sql))
    const parts = tables.map((name) => {
      const rows = source.prepare(`select * from ${name} order by ${keys[name]} desc limit ?`).all(count)
      const columns = Object.keys(rows[0] ?? {})
      const insert = target.prepare(
        `insert into ${name} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      )
      return { insert, values: rows.reverse().map((row) => Object.values(row) as SQLInputValue[]) }
    })
    const began = performance.now()
    for (let start = 0; start < count; start += perTransaction) {
      target.exec('begin immediate')
      for (let index = start; index < Math.min(count, start + perTransaction); index += 1) {
        for (const { insert, values } of parts) insert.run(...(values[index] ?? []))
      }
      target.exec('commit')
    }
    return count / ((performance.now() - began) / 1000)
  } finally {
    target.close()
    source.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
