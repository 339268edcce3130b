// What each node has of keys and settings, so that nodes which differ can be told.

import type { Database, Reader } from '../store/database.ts'
import { clockSql } from './server.ts'

/** Nodes, other than one, that run and do not have a key in their file. */
export async function nodesWithoutKey(reader: Reader, keyId: string, except: string): Promise<string[]> {
  const rows = await reader.all(
    `select n.name, coalesce(p.key_ids, '') as key_ids from node n left join node_profile p on p.node = n.name
     where n.stopped = 0 and n.gone = 0 and n.name <> ? order by n.name`,
    [except],
  )
  return rows.filter((row) => !String(row.key_ids).split(' ').includes(keyId)).map((row) => String(row.name))
}

export async function writeKeyIds(
  database: Database,
  node: string,
  keyIds: readonly string[],
): Promise<void> {
  await database.urgent((tx) =>
    tx.run(
      `insert into node_profile (node, key_ids, settings, changed_at) values (?, ?, '{}', ${clockSql})
       on conflict (node) do update set key_ids = excluded.key_ids`,
      [node, keyIds.join(' ')],
    ),
  )
}
