// Links between devices, as their neighbours show them. Each is listed from both of its ends.

import { list } from '../../schema/list.ts'
import { assigned, derived, empty, type RecordOf, resource } from '../../schema/resource.ts'
import { instant, long, text } from '../../schema/scalar.ts'
import { bulk, type Database, type Reader, type Transaction } from '../../store/database.ts'
import { openIds } from '../../store/ids.ts'
import { insertAll, removeAll } from '../../store/table.ts'
import { collection } from '../collection.ts'
import { oneOf } from '../notify/gateway.ts'
import { deviceHeads } from './device.ts'

/**
 * - `both`: both ends name each other;
 * - `one`: one end names the other, which says nothing of this port;
 * - `differs`: one end names the other, which says something else of this port;
 * - `gone`: nobody names it any more.
 */
export const linkStates = ['both', 'one', 'differs', 'gone'] as const
export type LinkState = (typeof linkStates)[number]
export type LinkDirection = 'up' | 'down' | 'none'

export const link = resource(
  'link',
  {
    id: assigned(long),
    deviceId: assigned(long),
    deviceName: derived(text(), empty),
    /** 0: the port is not known. */
    ifIndex: assigned(long),
    otherId: assigned(long),
    otherName: derived(text(), empty),
    otherIfIndex: assigned(long),
    state: assigned(oneOf(...linkStates)),
    direction: assigned(oneOf('up', 'down', 'none')),
    learnt: assigned(instant),
    gone: assigned(instant),
  },
  { table: 'link', key: 'id' },
)
export type Link = RecordOf<typeof link.fields>

export const links = collection({
  resource: link,
  noun: 'link',
  list: list('/plat/link', link, {
    filters: ({ anyOf, equals }) => ({
      deviceId: anyOf('deviceId'),
      ifIndex: equals('ifIndex'),
      otherId: anyOf('otherId'),
      state: anyOf('state'),
      direction: anyOf('direction'),
    }),
    orderBy: { id: 'id' },
    unindexed: true,
  }),
  rules: { show: showDevices },
})

async function showDevices(database: Database, records: Link[]): Promise<void> {
  const ids = new Set(records.flatMap(({ deviceId, otherId }) => [deviceId, otherId]))
  const heads = await deviceHeads(database, [...ids])
  for (const record of records) {
    record.deviceName = heads.get(record.deviceId)?.label ?? ''
    record.otherName = heads.get(record.otherId)?.label ?? ''
  }
}

export async function readLinks(reader: Reader): Promise<Link[]> {
  const { form, name } = links.table
  const rows = await reader.all(`select ${form.shown} from ${name} order by id`)
  return rows.map((row) => form.toRecord(row) as Link)
}

const changed = bulk('update link set state = ?, direction = ?, gone = ? where id = ?', [
  'text',
  'text',
  'bigint',
  'bigint',
])

/** `added` have no ids yet. */
export async function writeLinkRows(
  tx: Transaction,
  difference: {
    readonly added: readonly Link[]
    readonly altered: readonly Link[]
    readonly removed: readonly Link[]
  },
): Promise<void> {
  const next = await openIds(tx, links.table.name)
  await removeAll(tx, links.table, difference.removed)
  await tx.runEach(
    changed,
    difference.altered.map(({ state, direction, gone, id }) => [state, direction, gone, id]),
  )
  await insertAll(
    tx,
    links.table,
    difference.added.map((one) => ({ ...one, id: next(links.table.name) })),
  )
}
