// Assigned IP addresses. An address is assigned at most once, whatever the segment.

import { Fault } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import { assigned, empty, optional, type RecordOf, resource } from '../../schema/resource.ts'
import { ip, ipFromKey, ipKey, long, mac, nextKey, text } from '../../schema/scalar.ts'
import { bulk, type Reader, type Row, type Transaction } from '../../store/database.ts'
import { allWithValues } from '../../store/where.ts'
import { collection, requireUnique } from '../collection.ts'

export const assignedIpInfo = resource(
  'assignedIpInfo',
  {
    id: assigned(long),
    ip: optional(ip, { ...empty, keyed: true }),
    name: optional(text(), { ...empty, keyed: true }),
    description: optional(text(), { ...empty, keyed: true }),
    parentId: assigned(long),
    /** The terminal that the address belongs to: seen with another terminal, it raises an alarm. */
    terminalMac: optional(mac),
  },
  { table: 'assigned_ip', key: 'id' },
)

type AssignedIp = RecordOf<typeof assignedIpInfo.fields>

export const assignedIps = collection({
  resource: assignedIpInfo,
  noun: 'assigned IP address',
  created: 200,
  list: list('/res/access/assignedIpScope/ip', assignedIpInfo, {
    filters: ({ wildcard, equals, anySpelling, through }) => ({
      ipScopeId: equals('parentId', { required: true }),
      ip: anySpelling('ip'),
      name: wildcard('name'),
      description: wildcard('description'),
      zoneId: through('parent_id', { table: 'ip_scope', relatedColumn: 'zone_id' }, long),
    }),
    orderBy: { ip: 'ip', name: 'name' },
    counted: ['parentId'],
  }),
  touchedTables: [{ name: 'ip_scope', key: ['id'] }],
  rules: {
    async saving(tx, record, before) {
      const scope = await requireScope(tx, record.parentId)
      record.ip ??= before?.ip ?? (await nextFree(tx, scope))
      requireInside(record, record.ip, scope)
      const unique = { table: 'assigned_ip', column: 'ip_key', field: 'ip', noun: 'assigned IP address' }
      await requireUnique(tx, unique, ipKey(record.ip), record.id, record.ip)
      if (before?.ip && before.ip !== record.ip) await release(tx, before.ip)
    },
    async deleting(tx, { ip }) {
      if (ip !== null) await release(tx, ip)
    },
  },
})

async function requireScope(tx: Transaction, id: bigint | null): Promise<Row> {
  const [scope] =
    id === null
      ? []
      : await tx.all(
          'select id, start_ip, end_ip, start_ip_key, end_ip_key, free_from from ip_scope where id = ?',
          [id],
        )
  if (!scope) throw new Fault('not-found', `IP segment ${id} does not exist`, { field: 'parentId' })
  return scope
}

function requireInside(record: AssignedIp, address: string, scope: Row): void {
  const key = ipKey(address)
  if (key >= String(scope.start_ip_key) && key <= String(scope.end_ip_key)) return
  throw new Fault(
    'conflict',
    `${address} does not lie in segment ${record.parentId} (${scope.start_ip}-${scope.end_ip})`,
    { field: 'ip' },
  )
}

const step = 256

/**
 * The lowest address of the segment that is neither taken nor inside a child segment. `free_from` remembers how far
 * everything is taken, so that the search goes on from there instead of from the start.
 */
async function nextFree(tx: Transaction, scope: Row): Promise<string> {
  const end = String(scope.end_ip_key)
  let candidate = String(scope.free_from)
  while (candidate <= end) {
    const [child] = await tx.all(
      'select end_ip_key from ip_scope where parent_id = ? and start_ip_key <= ? and end_ip_key >= ?',
      [scope.id ?? null, candidate, candidate],
    )
    if (child) {
      candidate = nextKey(String(child.end_ip_key))
      continue
    }
    const past = await pastTaken(tx, candidate)
    if (past === candidate) {
      await tx.run('update ip_scope set free_from = ? where id = ?', [nextKey(candidate), scope.id ?? null])
      return ipFromKey(candidate)
    }
    candidate = past
  }
  throw new Fault('conflict', `segment ${scope.id} (${scope.start_ip}-${scope.end_ip}) has no free address`)
}

/** The first address from here on that is followed by a gap, looking at a limited number of rows. */
async function pastTaken(tx: Transaction, from: string): Promise<string> {
  let candidate = from
  const taken = await tx.all('select ip_key from assigned_ip where ip_key >= ? order by ip_key limit ?', [
    from,
    step,
  ])
  for (const row of taken) {
    if (row.ip_key !== candidate) break
    candidate = nextKey(candidate)
  }
  return candidate
}

/** An address that becomes free may lie before the point where the search of a segment around it begins. */
async function release(tx: Transaction, address: string): Promise<void> {
  const key = ipKey(address)
  await tx.run(
    'update ip_scope set free_from = ? where start_ip_key <= ? and end_ip_key >= ? and free_from > ?',
    [key, key, key, key],
  )
}

/** The owner of an address. */
export interface Owner {
  readonly ip: string
  readonly name: string
  readonly terminalMac: string
}

const owner = bulk(
  'select ip, name, terminal_mac from assigned_ip where ip_key = ? and terminal_mac is not null',
  ['text'],
)

/** The owners of addresses, as far as a terminal is named. */
export async function ownersOf(tx: Transaction, addresses: readonly string[]): Promise<Map<string, Owner>> {
  const rows = await tx.allEach(
    owner,
    addresses.map((address) => [ipKey(address)]),
  )
  return new Map(
    rows.map((row) => {
      const ip = String(row.ip)
      return [ip, { ip, name: String(row.name ?? ''), terminalMac: String(row.terminal_mac) }]
    }),
  )
}

/** An address, and whom it is assigned to. */
export interface Assignment {
  readonly ip: string
  readonly owner: string
  readonly description: string
}

const assignmentOf = (row: Row): Assignment => ({
  ip: String(row.ip),
  owner: String(row.name ?? ''),
  description: String(row.description ?? ''),
})

/** Addresses whose owner, or else whose description, is one of these names; the names are folded. */
export async function assignedToNames(
  reader: Reader,
  names: readonly string[],
): Promise<{ readonly name: string; readonly assignment: Assignment }[]> {
  const rows: Row[] = []
  for (const key of ['name_key', 'description_key']) {
    const sql = (marks: string) =>
      `select ${key} as called, ip, name, description from assigned_ip where ${key} in (${marks}) order by ip_key`
    rows.push(...(await allWithValues(reader, names, sql)))
  }
  return rows.map((row) => ({ name: String(row.called), assignment: assignmentOf(row) }))
}

/** The assignments of these addresses, by the key of the address. */
export async function assignedAt(reader: Reader, keys: readonly string[]): Promise<Map<string, Assignment>> {
  const rows = await allWithValues(
    reader,
    keys,
    (marks) => `select ip_key, ip, name, description from assigned_ip where ip_key in (${marks})`,
  )
  return new Map(rows.map((row) => [String(row.ip_key), assignmentOf(row)]))
}
