// Checks a whole store: its pages, and whether its tables agree with each other.

import { lastEntryNumber, readEpochs } from '../../alarms/log/epochs.ts'
import { readCounter } from '../../store/counter.ts'
import type { Database, Reader } from '../../store/database.ts'
import { appliedOf, appliedSql, readMigrations, requireKnown } from '../../store/migrate.ts'
import { type CheckedPart, checkTotals, counted, findingLimit, tables } from './total-check.ts'

export type { CheckedPart }

/** All reads must be of one snapshot. */
export async function checkStore(reader: Reader, engine: Database['kind']): Promise<CheckedPart[]> {
  const pages = engine === 'sqlite' ? [await checkPages(reader)] : []
  const schema = await checkSchema(reader)
  // A store that cannot be read, or has other tables, cannot be checked further.
  if (pages.some(({ found }) => found.length > 0) || !schema.isCurrent) return [...pages, schema.part]
  return [
    ...pages,
    schema.part,
    await checkTotals(reader),
    await checkIds(reader),
    await checkLog(reader),
    await checkEpochs(reader),
    await checkOpenAlarms(reader),
    await checkRegistrations(reader),
  ]
}

async function checkPages(reader: Reader): Promise<CheckedPart> {
  const [pages] = await reader.all('pragma page_count')
  const rows = await reader.all(`pragma integrity_check(${findingLimit})`)
  const said = rows.map((row) => String(row.integrity_check).replace(/\s+/g, ' '))
  return {
    name: 'pages and indexes',
    looked: counted(pages?.page_count, 'pages'),
    found: said.length === 1 && said[0] === 'ok' ? [] : said,
  }
}

async function checkSchema(reader: Reader): Promise<{ part: CheckedPart; isCurrent: boolean }> {
  const applied = await reader.all(appliedSql).catch(() => undefined)
  if (applied === undefined) {
    const found = ['there is no table of migrations: this is not a store of Belfry']
    return { part: { name: 'schema', looked: 'none', found }, isCurrent: false }
  }
  const all = readMigrations()
  const found: string[] = []
  try {
    requireKnown(applied, all)
  } catch (error) {
    found.push((error as Error).message)
  }
  const last = String(applied.at(-1)?.name ?? 'none').replace(/\.sql$/, '')
  const older = appliedOf(applied, all).length < all.length
  const looked = older
    ? `up to ${last}; a start of the service brings it up to date, and only then can more be looked at`
    : `up to ${last}`
  return { part: { name: 'schema', looked, found }, isCurrent: !older && found.length === 0 }
}

/** The next id must be unused. */
async function checkIds(reader: Reader): Promise<CheckedPart> {
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await reader.all(`select max(id) as id from ${name}`)
    const [highest, next] = [(row?.id as bigint | null) ?? 0n, (await readCounter(reader, name)) ?? 0n]
    if (highest > next) found.push(`${name} has id ${highest}, but ids are given out from ${next + 1n} on`)
  }
  return { name: 'ids', looked: counted(tables.length, 'tables'), found }
}

/**
 * Numbers must be consecutive from the oldest entry to the head, except before the first of an epoch, where a loss was
 * detected and reported.
 */
async function checkLog(reader: Reader): Promise<CheckedPart> {
  const [row] = await reader.all(
    'select count(*) as n, min(number) as first, max(number) as last from alarm_log',
  )
  const [n, first, last] = [Number(row?.n), Number(row?.first), Number(row?.last)]
  const latest = Number(await lastEntryNumber(reader))
  const found: string[] = []
  if (n > 0) {
    const borders = await epochBorders(reader)
    if (last !== latest && !borders.some(({ before, begins }) => before === last && begins === latest + 1))
      found.push(`the last entry is ${last}, but the numbers have come to ${latest}`)
    const known = borders.filter(({ before, begins }) => before >= first && begins <= last)
    const missing =
      last - first + 1 - n - known.reduce((sum, { before, begins }) => sum + begins - before - 1, 0)
    if (missing > 0) {
      const holes = await reader.all(
        `select number + 1 as number from alarm_log where number < ? and number + 1 not in (select number from alarm_log) order by number limit ${borders.length + 1}`,
        [last],
      )
      const firstUnknown = holes.find(
        ({ number }) => !known.some(({ before }) => before + 1 === Number(number)),
      )
      found.push(`${missing} entries are missing, the first of them ${firstUnknown?.number}`)
    }
  }
  const range = n > 0 ? `, ${first} to ${last}` : ''
  return { name: 'alarm log', looked: counted(n, `entries${range}`), found }
}

/** Where an epoch begins, and the last entry that is there before it. */
async function epochBorders(reader: Reader): Promise<{ before: number; begins: number }[]> {
  const begins = [...new Set((await readEpochs(reader)).map(({ first }) => first))]
  const borders: { before: number; begins: number }[] = []
  for (const number of begins) {
    const [row] = await reader.all('select max(number) as number from alarm_log where number < ?', [number])
    if (row?.number != null) borders.push({ before: Number(row.number), begins: Number(number) })
  }
  // An epoch without entries begins where the next one does.
  const last = new Map(borders.map((border) => [border.before, border]))
  return [...last.values()]
}

async function checkEpochs(reader: Reader): Promise<CheckedPart> {
  const epochs = await readEpochs(reader)
  const latest = await lastEntryNumber(reader)
  const found = epochs.flatMap(({ number, first }, index) => {
    const before = epochs[index - 1]
    const outOfOrder = before !== undefined && first < before.first
    if (!outOfOrder && first <= latest + 1n) return []
    return [`epoch ${number} begins at entry ${first}, which is out of order`]
  })
  return { name: 'epochs', looked: counted(epochs.length, 'epochs'), found: found.slice(0, findingLimit) }
}

async function checkOpenAlarms(reader: Reader): Promise<CheckedPart> {
  const [open] = await reader.all('select count(*) as n from alarm where rec_status = 0')
  const twice = await reader.all(
    "select device_id, resource, alarm_type, count(*) as n from alarm where rec_status = 0 group by device_id, resource, alarm_type, (case when device_id = 0 then device_ip else '' end) having count(*) > 1 limit ?",
    [findingLimit],
  )
  const found = twice.map(
    (row) => `${row.n} alarms ${row.alarm_type} of device ${row.device_id} are open at once`,
  )
  return { name: 'open alarms', looked: counted(open?.n, 'open alarms'), found }
}

async function checkRegistrations(reader: Reader): Promise<CheckedPart> {
  const rows = await reader.all('select uuid, cursor from registration order by uuid')
  const latest = await lastEntryNumber(reader)
  const found = rows.flatMap((row) =>
    (row.cursor as bigint) > latest
      ? [`client ${row.uuid} has come to entry ${row.cursor}, but the log only to ${latest}`]
      : [],
  )
  return {
    name: 'clients',
    looked: counted(rows.length, 'registered clients'),
    found: found.slice(0, findingLimit),
  }
}
