// Reads the MAC addresses that were learnt of a device, and writes what has changed of them.

import type { AnyRecord } from '../../schema/resource.ts'
import type { Database, Reader, Transaction } from '../../store/database.ts'
import { openIds } from '../../store/ids.ts'
import { removeAll, type Table } from '../../store/table.ts'
import { type ArpEntry, arpEntries } from './arp-entry.ts'
import { type Difference, writeDifference } from './learnt.ts'
import { type MacEntry, macEntries } from './mac-entry.ts'

export interface LearntStations {
  readonly macs: readonly MacEntry[]
  readonly arps: readonly ArpEntry[]
}

export interface StationDifference {
  readonly macs: Difference<MacEntry>
  readonly arps: Difference<ArpEntry>
}

/** Rows that are written in one transaction: others write meanwhile. */
const atOnce = 1000

export async function stationsOf(reader: Reader, deviceId: bigint): Promise<LearntStations> {
  const below = async ({ form, name }: Table) => {
    const rows = await reader.all(`select ${form.shown} from ${name} where device_id = ? order by id`, [
      deviceId,
    ])
    return rows.map(form.toRecord)
  }
  return {
    macs: (await below(macEntries.table)) as MacEntry[],
    arps: (await below(arpEntries.table)) as ArpEntry[],
  }
}

/** Nothing is written of a device that was deleted meanwhile. */
export async function writeStations(
  database: Database,
  deviceId: bigint,
  { macs, arps }: StationDifference,
): Promise<void> {
  await writeInParts(database, deviceId, macEntries.table, macs)
  await writeInParts(database, deviceId, arpEntries.table, arps)
}

async function writeInParts<T extends AnyRecord>(
  database: Database,
  deviceId: bigint,
  table: Table,
  { added, changed, removed }: Difference<T>,
): Promise<void> {
  const most = Math.max(added.length, changed.length, removed.length)
  for (let from = 0; from < most; from += atOnce) {
    const part = (rows: readonly T[]) => rows.slice(from, from + atOnce)
    const some = { added: part(added), changed: part(changed), removed: part(removed) }
    await database.transaction((tx) => writePart(tx, deviceId, table, some))
  }
}

async function writePart<T extends AnyRecord>(
  tx: Transaction,
  deviceId: bigint,
  table: Table,
  part: Difference<T>,
): Promise<void> {
  const [exists] = await tx.all('select id from device where id = ?', [deviceId])
  if (!exists) return
  const next = await openIds(tx, table.name)
  await writeDifference(tx, table, part, () => next(table.name))
}

const tables = [macEntries.table, arpEntries.table]

/** Everything that devices said of a MAC address. */
export async function forgetMac(tx: Transaction, mac: string): Promise<void> {
  for (const table of tables) {
    const rows = await tx.all(`select ${table.form.shown} from ${table.name} where mac = ?`, [mac])
    await removeAll(tx, table, rows.map(table.form.toRecord))
  }
}

/** What devices said that have not answered since: where anybody is by now, nobody knows. Returns how many rows were removed. */
export async function forgetUnasked(tx: Transaction, before: number, limit: number): Promise<number> {
  for (const table of tables) {
    const rows = await tx.all(
      `select ${table.form.shown} from ${table.name} where device_id in (select id from device_facts where asked < ?) limit ?`,
      [before, limit],
    )
    await removeAll(tx, table, rows.map(table.form.toRecord))
    if (rows.length > 0) return rows.length
  }
  return 0
}
