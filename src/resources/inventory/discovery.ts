// Discoveries: searches for devices in ranges of addresses that an administrator has named. A discovery keeps how far its run
// is; what it has found is in `discovered`.

import { Fault } from '../../fault.ts'
import { list } from '../../schema/list.ts'
import { assigned, empty, optional, type RecordOf, required, resource, set } from '../../schema/resource.ts'
import { fold, instant, ipKey, keyNumber, long, text } from '../../schema/scalar.ts'
import { inChunks } from '../../store/chunked-work.ts'
import { ActorDatabase, type Reader, type Transaction } from '../../store/database.ts'
import { find } from '../../store/table.ts'
import { audit } from '../access/audit-entry.ts'
import { collection, requireRoom, requireUnique } from '../collection.ts'
import { oneOf } from '../notify/gateway.ts'
import { addressRange, bitsOf, rangeForm } from './address-range.ts'
import { forgetDiscovered } from './discovered-rows.ts'
import { defaultZone, requireZone } from './zone.ts'

const discoveryStates = ['new', 'running', 'stopping', 'complete', 'stopped', 'interrupted'] as const
export type DiscoveryState = (typeof discoveryStates)[number]

export const discovery = resource(
  'discovery',
  {
    id: assigned(long),
    name: required(text({ maxLength: 100 }), { keyed: true }),
    description: optional(text(), empty),
    /** All addresses in these are asked. */
    addressRange: set(addressRange),
    /** In these, the addresses that neighbours are named with are asked as well. */
    neighbourRange: set(addressRange),
    /** Of devices that are accepted; it also decides which profile is meant for them. */
    zoneId: optional(long),
    state: assigned(oneOf(...discoveryStates)),
    problem: assigned(text({ maxLength: 500 }), empty),
    began: assigned(instant),
    ended: assigned(instant),
    progressTime: assigned(instant),
    total: assigned(long),
    asked: assigned(long),
    answering: assigned(long),
    refusing: assigned(long),
    known: assigned(long),
    named: assigned(long),
  },
  { table: 'discovery', key: 'id' },
)
const unshown = { run: assigned(text()) }
export type Discovery = RecordOf<typeof discovery.fields>
type StoredDiscovery = RecordOf<typeof discovery.fields & typeof unshown>

const maxDiscoveries = 200
const maxRanges = 1000
/** Of one discovery. */
const maxAddresses = 65_536
/** A run that has not written for so long is over, however that came. */
const signOfLife = 60_000

export const discoveries = collection({
  resource: discovery,
  unshown,
  noun: 'discovery',
  list: list('/plat/discovery', discovery, {
    filters: ({ wildcard }) => ({ name: wildcard('name') }),
    orderBy: { id: 'id', name: 'name' },
  }),
  rules: {
    check: requireRanges,
    async saving(tx, record, before) {
      if (before && isUnderWay(before, tx.now)) throw underWay(before)
      const unique = { table: 'discovery', column: 'name_key', field: 'name', noun: 'discovery' }
      await requireUnique(tx, unique, fold(record.name), record.id, record.name)
      record.zoneId ??= defaultZone
      await requireZone(tx, record.zoneId)
      // What is not shown is not in the record that was read from a request.
      if (before) return void Object.assign(record, { run: (before as StoredDiscovery).run })
      await requireRoom(tx, 'discovery', maxDiscoveries, 'discoveries, which is the limit: delete one first')
      Object.assign(record, neverRun)
    },
    emptying: (database, id) =>
      inChunks(ActorDatabase.withoutActor(database), (tx, limit) => forgetDiscovered(tx, id, limit)).then(
        () => undefined,
      ),
    async deleting(tx, { id }) {
      await forgetDiscovered(tx, id)
    },
    async show(database, records) {
      const now = database.now()
      for (const record of records)
        if (isActive(record) && !isUnderWay(record, now)) record.state = 'interrupted'
    },
  },
})

const nothingFound = { total: 0n, asked: 0n, answering: 0n, refusing: 0n, known: 0n, named: 0n }
const neverRun = { ...nothingFound, state: 'new', problem: '', began: 0, ended: 0, progressTime: 0, run: '' }

const isActive = ({ state }: Pick<Discovery, 'state'>) => state === 'running' || state === 'stopping'

const isUnderWay = (record: Pick<Discovery, 'state' | 'progressTime'>, now: number) =>
  isActive(record) && now - record.progressTime <= signOfLife

const underWay = ({ id, name }: Pick<Discovery, 'id' | 'name'>) =>
  new Fault('conflict', `discovery ${id} (${name}) is under way: wait for its end, or stop it`)

/** How many addresses of a range are asked: that of the network itself and that of all its hosts are not. */
export function addressesIn(range: string): { readonly first: bigint; readonly count: bigint } {
  const [begin = '', bits = ''] = range.split('/')
  const key = keyNumber(ipKey(begin))
  const count = 1n << BigInt(bitsOf(begin) - Number(bits))
  const isNetwork = bitsOf(begin) === 32 && count > 2n
  return isNetwork ? { first: key + 1n, count: count - 2n } : { first: key, count }
}

function requireRanges({ addressRange: ranges, neighbourRange: followed }: Discovery): void {
  const refuse = (message: string, field: string) => {
    throw new Fault('invalid', message, { field })
  }
  if (ranges.length === 0)
    refuse(`say where to search: at least one addressRange, ${rangeForm}`, 'addressRange')
  for (const [field, given] of Object.entries({ addressRange: ranges, neighbourRange: followed }))
    if (given.length > maxRanges) refuse(`${given.length} are too many: expected ${maxRanges} at most`, field)
  const addresses = ranges.reduce((sum, range) => sum + addressesIn(range).count, 0n)
  if (addresses > BigInt(maxAddresses))
    refuse(
      `these are ${addresses} addresses: expected ${maxAddresses} at most; where neighbours are known, name the rest as neighbourRange`,
      'addressRange',
    )
}

/** Begins a run of a discovery. One is under way at a time, so that together they keep to one budget. */
export async function beginDiscovery(tx: Transaction, id: bigint, run: string): Promise<Discovery> {
  const record = await requireDiscovery(tx, id)
  const { now } = tx
  const [other] = await tx.all(
    "select id, name from discovery where state in ('running', 'stopping') and progress_time >= ?",
    [now - signOfLife],
  )
  if (other) throw underWay({ id: other.id as bigint, name: String(other.name) })
  await tx.run(
    "update discovery set state = 'running', run = ?, problem = '', began = ?, ended = 0, progress_time = ?, total = 0, asked = 0, answering = 0, refusing = 0, known = 0, named = 0 where id = ?",
    [run, now, now, id],
  )
  await audit(tx, { action: 'start', resource: discovery.name, id })
  return record
}

/** What ends the service itself must not be repeated for ever. */
const maxRunMs = 6 * 3_600_000

/** Discoveries whose run has lost its service: it was ended, or has given no sign of life. */
export async function abandonedDiscoveries(reader: Reader, now: number): Promise<bigint[]> {
  const rows = await reader.all(
    "select id from discovery where state = 'running' and progress_time < ? and began > ? order by id",
    [now - signOfLife, now - maxRunMs],
  )
  return rows.map(({ id }) => id as bigint)
}

/** Takes over such a run, from its beginning; undefined where another node has, or another discovery is under way. */
export async function resumeDiscovery(
  tx: Transaction,
  id: bigint,
  run: string,
): Promise<Discovery | undefined> {
  const { now } = tx
  const [other] = await tx.all(
    "select id from discovery where state in ('running', 'stopping') and progress_time >= ?",
    [now - signOfLife],
  )
  if (other) return undefined
  const written = await tx.run(
    "update discovery set run = ?, progress_time = ? where id = ? and state = 'running' and progress_time < ? and began > ?",
    [run, now, id, now - signOfLife, now - maxRunMs],
  )
  return written === 0 ? undefined : requireDiscovery(tx, id)
}

/** The service ends: the run is taken over at once by another node, or by its next start. */
export async function leaveDiscovery(
  tx: Transaction,
  { id, run }: { readonly id: bigint; readonly run: string },
): Promise<void> {
  await tx.run("update discovery set progress_time = 0 where id = ? and run = ? and state = 'running'", [
    id,
    run,
  ])
}

/** Asks the run to end, at whichever node it is. */
export async function stopDiscovery(tx: Transaction, id: bigint): Promise<void> {
  const record = await requireDiscovery(tx, id)
  if (!isUnderWay(record, tx.now)) throw new Fault('conflict', `discovery ${id} is not under way`)
  await tx.run("update discovery set state = 'stopping' where id = ?", [id])
  await audit(tx, { action: 'stop', resource: discovery.name, id })
}

/** How far a run is. */
export type DiscoveryCounts = Record<keyof typeof nothingFound, bigint>

/** Writes how far a run is; undefined where the discovery was deleted, or has another run by now. */
export async function noteProgress(
  tx: Transaction,
  { id, run }: { readonly id: bigint; readonly run: string },
  { total, asked, answering, refusing, known, named }: DiscoveryCounts,
  problem: string,
): Promise<DiscoveryState | undefined> {
  const written = await tx.run(
    'update discovery set progress_time = ?, total = ?, asked = ?, answering = ?, refusing = ?, known = ?, named = ?, problem = ? where id = ? and run = ?',
    [tx.now, total, asked, answering, refusing, known, named, problem, id, run],
  )
  if (written === 0) return undefined
  const [row] = await tx.all('select state from discovery where id = ?', [id])
  return row?.state as DiscoveryState | undefined
}

export async function endDiscovery(
  tx: Transaction,
  { id, run }: { readonly id: bigint; readonly run: string },
  state: DiscoveryState,
): Promise<void> {
  await tx.run('update discovery set state = ?, ended = ? where id = ? and run = ?', [state, tx.now, id, run])
}

export async function requireDiscovery(reader: Reader, id: bigint): Promise<Discovery> {
  const record = (await find(reader, discoveries.table, id)) as Discovery | undefined
  if (!record) throw new Fault('not-found', `discovery ${id} does not exist`)
  return record
}
