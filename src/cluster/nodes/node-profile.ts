// The keys and settings of each node, to find nodes that differ. Settings are compared by digests that only holders of
// the key can compute, so that the store neither shows them nor lets them be guessed.

import type { Reader, Row, Store } from '../../store/database.ts'
import { clockSql } from './server-identity.ts'

/** A digest of each setting of a node, computed with one key. */
export interface SettingDigests {
  readonly keyId: string
  readonly digests: Readonly<Record<string, string>>
}

export interface Profile extends SettingDigests {
  readonly node: string
  /** The keys in its file. */
  readonly keyIds: readonly string[]
  /** When its settings last changed, on the store's clock. */
  readonly changedAt: number
}

const columns = 'p.node, p.key_ids, p.settings, p.changed_at'

export async function readProfile(reader: Reader, node: string): Promise<Profile | undefined> {
  const [row] = await reader.all(`select ${columns} from node_profile p where p.node = ?`, [node])
  return row && profileOf(row)
}

/** The profiles of all nodes except those that were stopped in order. */
export async function listProfiles(reader: Reader): Promise<Profile[]> {
  const rows = await reader.all(
    `select ${columns} from node_profile p join node n on n.name = p.node where n.stopped = 0 order by p.node`,
  )
  return rows.map(profileOf)
}

/** `isChanged`: whether the settings differ from before, whichever key their digests were computed with. */
export async function writeProfile(
  database: Store,
  { node, keyIds, keyId, digests }: Omit<Profile, 'changedAt'>,
  isChanged: boolean,
): Promise<void> {
  const changed = isChanged ? 'excluded.changed_at' : 'node_profile.changed_at'
  await database.writeUrgently((tx) =>
    tx.run(
      `insert into node_profile (node, key_ids, settings, changed_at) values (?, ?, ?, ${clockSql})
       on conflict (node) do update set key_ids = excluded.key_ids, settings = excluded.settings, changed_at = ${changed}`,
      [node, keyIds.join(' '), JSON.stringify({ keyId, digests })],
    ),
  )
}

/** Where each node listens that was not stopped in order: an address and a port, separated by a space. */
export async function readListeners(reader: Reader): Promise<ReadonlySet<string>> {
  const rows = await reader.all(
    'select p.listeners from node_profile p join node n on n.name = p.node where n.stopped = 0',
  )
  return new Set(rows.flatMap(({ listeners }) => String(listeners).split('\n').filter(Boolean)))
}

export async function writeListeners(
  database: Store,
  node: string,
  listeners: readonly string[],
): Promise<void> {
  await database.writeUrgently((tx) =>
    tx.run('update node_profile set listeners = ? where node = ?', [listeners.join('\n'), node]),
  )
}

const profileOf = (row: Row): Profile => ({
  node: String(row.node),
  keyIds: String(row.key_ids).split(' '),
  changedAt: Number(row.changed_at),
  ...(JSON.parse(String(row.settings)) as SettingDigests),
})

/** Running nodes, except one, that do not have a key in their file. */
export async function nodesWithoutKey(reader: Reader, keyId: string, except: string): Promise<string[]> {
  const rows = await reader.all(
    `select n.name, coalesce(p.key_ids, '') as key_ids from node n left join node_profile p on p.node = n.name
     where n.stopped = 0 and n.gone = 0 and n.name <> ? order by n.name`,
    [except],
  )
  return rows.filter((row) => !String(row.key_ids).split(' ').includes(keyId)).map((row) => String(row.name))
}

/**
 * By node, the names of settings in which it differs from most nodes or, if no value is the most frequent, from any. A
 * node without the current key differs in its key file, and its other settings cannot be compared; neither can settings
 * that only some versions of the program have.
 */
export function differences(profiles: readonly Profile[], keyInUse: string): Map<string, string[]> {
  const comparable = profiles.filter(({ keyId }) => keyId === keyInUse)
  const differing = new Map(profiles.map(({ node, keyId }) => [node, keyId === keyInUse ? [] : ['key-file']]))
  const names = new Set(comparable.flatMap(({ digests }) => Object.keys(digests)))
  for (const name of [...names].sort()) {
    const having = comparable.filter(({ digests }) => digests[name] !== undefined)
    const expected = mostFrequent(having.map(({ digests }) => digests[name]))
    for (const { node, digests } of having) if (digests[name] !== expected) differing.get(node)?.push(name)
  }
  return differing
}

/** The most frequent value; undefined if two are equally frequent. */
function mostFrequent(values: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string | undefined, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [[first, most] = [undefined, 0], second] = [...counts].sort(([, a], [, b]) => b - a)
  return second && second[1] === most ? undefined : first
}
