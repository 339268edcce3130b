// Recent traps, each with its outcome and what processed it; and the ledger that counts all of them.

import { list } from '../../schema/list.ts'
import {
  assigned,
  derived,
  empty,
  groups,
  optional,
  type RecordOf,
  required,
  resource,
} from '../../schema/resource.ts'
import { instant, ip, long, oid, oidLength, text } from '../../schema/scalar.ts'
import { defaultSpace, spaceNumber } from '../../schema/space.ts'
import type { Database } from '../../store/database.ts'
import { collection } from '../collection.ts'
import { zoneOfDevice } from '../inventory/zone.ts'

const word = text({ maxLength: 100 })
// Unknown for a datagram that was not understood.

export const trap = resource(
  'trap',
  {
    id: assigned(long),
    receivedTime: assigned(instant),
    sourceIp: assigned(ip),
    /** The address space in which it was heard; absent for the default one. */
    space: optional(spaceNumber),
    version: assigned(word, empty),
    OID: assigned(oid, empty),
    deviceId: assigned(long),
    eventName: optional(text()),
    bin: assigned(word),
    reason: assigned(text()),
    alarmId: optional(long),
    /** What trap rules did with it; shown for a single trap only. */
    rules: derived(text()),
    variables: groups({
      oid: required(oid),
      type: required(word),
      name: optional(text({ maxLength: oidLength })),
      value: optional(text({ maxLength: 100_000 })),
    }),
  },
  { table: 'trap', key: 'id' },
)

export type TrapRecord = RecordOf<typeof trap.fields>

export const traps = collection({
  resource: trap,
  sized: { columns: ['variables'] },
  noun: 'trap',
  list: list('/fault/trap', trap, {
    filters: ({ equals, anySpelling, period, through }) => ({
      sourceIp: anySpelling('sourceIp'),
      space: equals('space', { missing: defaultSpace }),
      deviceId: equals('deviceId'),
      OID: anySpelling('OID'),
      bin: anySpelling('bin'),
      alarmId: equals('alarmId'),
      startTime: period('receivedTime', 'from'),
      endTime: period('receivedTime', 'until'),
      zoneId: through('device_id', zoneOfDevice, long),
    }),
    orderBy: { id: 'id' },
    descendingWithoutOrder: true,
    unindexed: true,
  }),
})

/** One outcome in the ledger: every datagram ever received is counted in exactly one. */
export const ledgerLine = {
  name: 'trapBin',
  fields: {
    bin: required(word),
    reason: required(text()),
    count: required(long),
    lastTime: required(instant),
    lastSource: derived(ip),
    /** The address space of the last source; absent for the default one. */
    space: derived(spaceNumber, { mayBeAbsent: true }),
  },
}

/** The ids of the oldest and the newest that are kept; where none is, the newest comes before the oldest. */
export async function trapSpan(
  database: Pick<Database, 'readInBackground'>,
): Promise<{ readonly first: bigint; readonly last: bigint }> {
  const [span] = await database.readInBackground('select min(id) as first, max(id) as last from trap')
  return { first: (span?.first as bigint | null) ?? 1n, last: (span?.last as bigint | null) ?? 0n }
}

/**
 * Stored, decoded traps of these OIDs, the newest first; with an id, only those below it. Without syslog messages, which
 * name the resource by definitions of their own.
 */
export async function trapsOf(
  database: Pick<Database, 'readInBackground'>,
  oids: readonly string[],
  below: bigint | undefined,
  limit: number,
): Promise<TrapRecord[]> {
  const { form } = traps.table
  const rows = await database.readInBackground(
    `select ${form.names} from trap where oid in (${oids.map(() => '?').join(', ')})
     and bin not in ('refused', 'malformed') and version <> 'syslog' ${below === undefined ? '' : 'and id < ?'} order by id desc limit ?`,
    [...oids, ...(below === undefined ? [] : [below]), limit],
  )
  return rows.map((row) => form.toRecord(row) as TrapRecord)
}
