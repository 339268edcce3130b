// IP segments: ranges of addresses that may contain smaller ones. Siblings never overlap, children are inside their
// parent.

import { Fault } from '../../fault.ts'
import { list, wholeList } from '../../schema/list.ts'
import {
  assigned,
  children,
  derived,
  empty,
  optional,
  type RecordOf,
  required,
  resource,
} from '../../schema/resource.ts'
import { int, ip, ipKey, keyNumber, long, text } from '../../schema/scalar.ts'
import { inChunks } from '../../store/chunked-work.ts'
import type { Database, Reader, Row, Transaction } from '../../store/database.ts'
import { find, remove } from '../../store/table.ts'
import { auditChange } from '../access/audit-entry.ts'
import { collection, eraseIn } from '../collection.ts'
import { eraseAll, eraseSome } from '../references.ts'
import { assignedIps } from './assigned-ip-info.ts'
import { defaultZone, requireZone } from './zone.ts'

const topLevel = -1n
// Deep enough for any plan, shallow enough that a nested answer stays readable.
const depthLimit = 16

export const assignedIpScope = resource(
  'assignedIpScope',
  {
    id: assigned(long),
    ip: derived(text()),
    startIp: required(ip, { keyed: true }),
    endIp: required(ip, { keyed: true }),
    name: required(text(), { keyed: true }),
    description: optional(text(), empty),
    parentId: assigned(long),
    percent: derived(int({ min: 0, max: 100 })),
    /** For a segment inside another, by default that of its parent. */
    zoneId: optional(long),
    assignedIpScope: children(),
  },
  // Programs of the iMC interface send the operator groups that may see a segment.
  { table: 'ip_scope', key: 'id', ignored: ['operatorGroupId', 'operatorGroup', 'percentStr'] },
)

export type Scope = RecordOf<typeof assignedIpScope.fields>

export const assignedIpScopes = collection({
  resource: assignedIpScope,
  noun: 'IP segment',
  created: 200,
  list: list('/res/access/assignedIpScope', assignedIpScope, {
    // Segments inside others are shown inside them.
    where: { parentId: topLevel },
    filters: ({ wildcard, member }) => ({
      name: wildcard('name'),
      // In the zone itself, or around one that is.
      zoneId: member({ table: 'ip_scope_in_zone', link: 'top_id' }, 'zone_id', long),
    }),
    orderBy: { id: 'id', ip: 'startIp', name: 'name' },
    // Programs of the iMC interface look for a segment in the whole list, and ask for no size.
    size: wholeList,
    counted: ['parentId'],
  }),
  touchedTables: [
    { name: 'zone', key: ['id'] },
    { name: 'assigned_ip', key: ['id'] },
  ],
  rules: {
    async saving(tx, scope, before) {
      scope.parentId ??= topLevel
      requireRange(scope)
      await requireInsideParent(tx, scope)
      await requireApartFromSiblings(tx, scope)
      if (before) await requireContent(tx, scope)
      scope.zoneId ??= await zoneAround(tx, scope)
      await requireZone(tx, scope.zoneId)
    },
    async saved(tx, scope) {
      // Where the search for a free address begins; see assigned-ip-info.ts. New bounds may free some of the parent.
      await tx.run('update ip_scope set free_from = start_ip_key where id = ? or id = ?', [
        scope.id,
        scope.parentId,
      ])
    },
    emptying,
    async deleting(tx, scope) {
      const { table } = assignedIpScopes
      for (const row of await tree(tx, scope.id)) {
        await eraseAll(tx, assignedIps, 'parent_id', row.id as bigint)
        if (row.id === scope.id) continue
        const record = table.form.toRecord(row)
        await remove(tx, table, row.id as bigint, record)
        await auditChange(tx, 'delete', assignedIpScope, row.id as bigint, record, undefined)
      }
      await tx.run('update ip_scope set free_from = start_ip_key where id = ?', [scope.parentId])
    },
    show,
  },
})

/** Up to this many, addresses and segments together, are deleted in the same transaction as the segment. */
const few = 200

/**
 * Very many addresses, and the segments inside, are deleted before the segment itself, a few at a time: others would
 * wait for seconds. If the service ends meanwhile, what is left is a smaller segment, which can be deleted again.
 */
async function emptying(database: Database, id: bigint): Promise<void> {
  const rows = await tree({ all: (sql, parameters) => database.readInBackground(sql, parameters) }, id)
  const taken = Number(rows.find((row) => row.id === id)?.taken ?? 0n)
  if (rows.length + taken <= few) return
  for (const row of rows) {
    if (row.taken === 0n) continue
    const scopeId = row.id as bigint
    await inChunks(database, async (tx, limit) => {
      const erased = await eraseSome(tx, assignedIps, 'parent_id', scopeId, limit)
      if (erased > 0) await tx.run('update ip_scope set free_from = start_ip_key where id = ?', [scopeId])
      return erased
    })
  }
  // Inner segments have larger ids, and are deleted first.
  const inside = rows.map((row) => row.id as bigint).filter((one) => one !== id)
  inside.sort((a, b) => Number(b - a))
  await inChunks(database, async (tx, limit) => {
    const some = inside.splice(0, limit)
    for (const one of some)
      if (await find(tx, assignedIpScopes.table, one)) await eraseIn(tx, assignedIpScopes, one)
    return some.length
  })
}

async function zoneAround(tx: Transaction, { parentId }: Scope): Promise<bigint> {
  const [parent] = await tx.all('select zone_id from ip_scope where id = ?', [parentId])
  return (parent?.zone_id as bigint | undefined) ?? defaultZone
}

function requireRange({ startIp, endIp }: Scope): void {
  const [start, end] = [ipKey(startIp), ipKey(endIp)]
  if (start[0] !== end[0]) {
    throw new Fault('invalid', `${startIp} and ${endIp} are not of the same address family`, {
      field: 'endIp',
    })
  }
  if (end < start) throw new Fault('invalid', `${endIp} lies before ${startIp}`, { field: 'endIp' })
}

async function requireInsideParent(tx: Transaction, scope: Scope): Promise<void> {
  let outer: bigint = scope.parentId
  for (let depth = 1; outer !== topLevel; depth += 1) {
    const [row] = await tx.all(
      'select id, parent_id, start_ip, end_ip, start_ip_key, end_ip_key from ip_scope where id = ?',
      [outer],
    )
    if (!row) throw new Fault('not-found', `IP segment ${outer} does not exist`, { field: 'parentId' })
    if (
      depth === 1 &&
      (ipKey(scope.startIp) < String(row.start_ip_key) || ipKey(scope.endIp) > String(row.end_ip_key))
    ) {
      throw new Fault(
        'conflict',
        `${scope.startIp}-${scope.endIp} does not lie inside its parent, segment ${row.id} (${row.start_ip}-${row.end_ip})`,
        { field: 'startIp' },
      )
    }
    // An export is ordered by id: a parent must come before its children, or the file could not be imported again.
    if (scope.id < (row.id as bigint)) {
      throw new Fault('conflict', `the id of a segment must be larger than that of its parent, ${row.id}`, {
        field: 'id',
      })
    }
    if (depth >= depthLimit) throw new Fault('conflict', `IP segments nest at most ${depthLimit} deep`)
    outer = row.parent_id as bigint
  }
}

async function requireApartFromSiblings(tx: Transaction, scope: Scope): Promise<void> {
  const [other] = await tx.all(
    'select id, start_ip, end_ip from ip_scope where parent_id = ? and start_ip_key <= ? and end_ip_key >= ? and id <> ? limit 1',
    [scope.parentId, ipKey(scope.endIp), ipKey(scope.startIp), scope.id],
  )
  if (other) {
    throw new Fault(
      'conflict',
      `${scope.startIp}-${scope.endIp} overlaps segment ${other.id} (${other.start_ip}-${other.end_ip})`,
      { field: 'startIp' },
    )
  }
}

/** New bounds must leave nothing outside. */
async function requireContent(tx: Transaction, scope: Scope): Promise<void> {
  const bounds = [scope.id, ipKey(scope.startIp), ipKey(scope.endIp)]
  const [child] = await tx.all(
    'select id from ip_scope where parent_id = ? and (start_ip_key < ? or end_ip_key > ?) limit 1',
    bounds,
  )
  if (child)
    throw new Fault('conflict', `the new bounds leave out child segment ${child.id}`, { field: 'startIp' })
  const [address] = await tx.all(
    'select ip from assigned_ip where parent_id = ? and (ip_key < ? or ip_key > ?) limit 1',
    bounds,
  )
  if (address) {
    throw new Fault('conflict', `the new bounds leave out the assigned address ${address.ip}`, {
      field: 'startIp',
    })
  }
}

/** The segment and all below it, each with the number of assigned addresses in its range. */
function tree(reader: Reader, id: bigint): Promise<Row[]> {
  return reader.all(
    `with recursive inside (id) as (
       select id from ip_scope where id = ?
       union all select child.id from ip_scope child join inside on child.parent_id = inside.id)
     select ${assignedIpScopes.table.form.names},
       (select count(*) from assigned_ip a where a.ip_key between s.start_ip_key and s.end_ip_key) as taken
     from ip_scope s where s.id in (select id from inside) order by start_ip_key, id`,
    [id],
  )
}

async function show(database: Database, scopes: Scope[]): Promise<void> {
  const offThread: Reader = { all: (sql, parameters) => database.readInBackground(sql, parameters) }
  for (const scope of scopes) {
    const rows = await tree(offThread, scope.id)
    const byId = new Map<bigint, Scope>([[scope.id, scope]])
    for (const row of rows) {
      if (row.id !== scope.id) byId.set(row.id as bigint, assignedIpScopes.table.form.toRecord(row) as Scope)
    }
    for (const row of rows) complete(byId, row)
  }
}

/** Fills in derived fields, and adds the segment to its parent. */
function complete(byId: Map<bigint, Scope>, row: Row): void {
  const scope = byId.get(row.id as bigint)
  if (!scope) return
  const size = keyNumber(String(row.end_ip_key)) - keyNumber(String(row.start_ip_key)) + 1n
  scope.ip = `${scope.startIp}-${scope.endIp}`
  scope.percent = Number(((row.taken as bigint) * 100n) / size)
  scope.assignedIpScope ??= []
  const parent = byId.get(scope.parentId)
  if (parent) {
    parent.assignedIpScope ??= []
    parent.assignedIpScope.push(scope)
  }
}
