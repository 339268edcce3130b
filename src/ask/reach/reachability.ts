// Whether devices answer, as the service has found by asking them. A node writes what came of its questions, one row per
// device and only where it changes; the leader decides what that means.

import type { AlarmedDevice } from '../../alarms/service/device-alarms.ts'
import { collection } from '../../resources/collection.ts'
import { type DeviceHead, deviceHeads } from '../../resources/inventory/device.ts'
import { zoneOfDevice } from '../../resources/inventory/zone.ts'
import { oneOf } from '../../resources/notify/gateway.ts'
import { list } from '../../schema/list.ts'
import { assigned, derived, empty, type RecordOf, resource } from '../../schema/resource.ts'
import { instant, ip, long, text } from '../../schema/scalar.ts'
import { bulk, type Database, type Reader, type Transaction } from '../../store/database.ts'
import { addToTally } from '../../store/tally.ts'
import { allWithValues } from '../../store/where.ts'

/**
 * - `unknown`: it has never answered;
 * - `answering`;
 * - `failing`: it has answered before, and now it does not; that is not decided yet;
 * - `unreachable`: it is silent, which is an alarm;
 * - `refusing`: its machine is there, but its agent does not answer as it should, which is an alarm;
 * - `rangeSilent`: it is silent with its whole range, which is one alarm.
 */
const reachStates = ['unknown', 'answering', 'failing', 'unreachable', 'refusing', 'rangeSilent'] as const
export type ReachState = (typeof reachStates)[number]

export const reachability = resource(
  'reachability',
  {
    deviceId: assigned(long),
    deviceIp: derived(ip, empty),
    deviceName: derived(text(), empty),
    profileId: assigned(long),
    state: assigned(oneOf(...reachStates)),
    since: assigned(instant),
    /** Why the last question was not answered. */
    reason: assigned(text({ maxLength: 20 }), empty),
    problem: assigned(text({ maxLength: 500 }), empty),
    failingSince: assigned(instant),
    /** Of a device that answers, it may be up to ten minutes old. */
    lastAnswer: assigned(instant),
    agentStart: assigned(instant),
    restartTime: assigned(instant),
    /** Microseconds, of the last answer that was written; 0: none was measured. */
    roundTrip: assigned(long),
  },
  { table: 'reachability', key: 'deviceId' },
)
export type Reachability = RecordOf<typeof reachability.fields>

export const reachabilities = collection({
  resource: reachability,
  noun: 'reachability of a device',
  list: list('/plat/reachability', reachability, {
    filters: ({ anyOf, through }) => ({
      deviceId: anyOf('deviceId'),
      state: anyOf('state'),
      reason: anyOf('reason'),
      zoneId: through('id', zoneOfDevice, long),
    }),
    orderBy: { id: 'deviceId' },
  }),
  rules: { show: showDevices },
})

/** They are looked up when they are shown: they change without the device being asked. */
async function showDevices(database: Database, records: Reachability[]): Promise<void> {
  const heads = await deviceHeads(
    database,
    records.map(({ deviceId }) => deviceId),
  )
  for (const record of records) {
    const head = heads.get(record.deviceId)
    record.deviceIp = head?.ip ?? ''
    record.deviceName = head?.label ?? ''
  }
}

/** What came of asking a device. */
export interface Finding {
  readonly deviceId: bigint
  readonly profileId: bigint
  readonly reason: string
  readonly problem: string
  readonly failures: number
  readonly failingSince: number
  readonly answered: boolean
  readonly lastAnswer: number
  readonly agentStart: number
  readonly uptime: number
  /** 0: none has been noticed. */
  readonly restartTime: number
  /** Microseconds; 0: not measured. */
  readonly roundTrip: number
  readonly range: string
  readonly network: string
  /** Whether a restart is new. */
  readonly hasRestarted: boolean
  /** Whether the leader has to look at it. */
  readonly matters: boolean
}

const findingColumns = [
  ...[
    'id',
    'profile_id',
    'state',
    'since',
    'reason',
    'problem',
    'failing_since',
    'last_answer',
    'agent_start',
  ],
  ...['restart_time', 'uptime', 'failures', 'answered', 'address_range', 'network', 'restart_pending'],
  ...['attention', 'round_trip'],
]
const taken = findingColumns
  .filter((name) => !['id', 'state', 'since', 'restart_pending', 'attention'].includes(name))
  .map((name) => `${name} = excluded.${name}`)
// What the leader has decided stays until it decides anew.
const undecided = "reachability.state in ('unknown', 'answering', 'failing')"
const writeFinding = bulk(
  `insert into reachability (${findingColumns.join(', ')}) values (${findingColumns.map(() => '?').join(', ')})
   on conflict (id) do update set ${taken.join(', ')},
     since = case when ${undecided} and reachability.state <> excluded.state then excluded.since else reachability.since end,
     state = case when ${undecided} then excluded.state else reachability.state end,
     restart_pending = case when excluded.restart_pending = 1 then 1 else reachability.restart_pending end,
     attention = case when excluded.attention = 1 then 1 else reachability.attention end`,
  [
    ...(['bigint', 'bigint', 'text', 'bigint', 'text', 'text', 'bigint', 'bigint', 'bigint'] as const),
    ...(['bigint', 'bigint', 'integer', 'integer', 'text', 'text', 'integer', 'integer', 'bigint'] as const),
  ],
)

const stateOf = ({ answered, failures }: Finding): ReachState => {
  if (!answered) return 'unknown'
  return failures === 0 ? 'answering' : 'failing'
}

const knownIds = bulk('select id from reachability where id = ?', ['bigint'])

/** The rows are counted: lists without a filter know by that how many there are. */
const countRows = (tx: Transaction, by: number) => addToTally(tx, reachabilities.table, '', '', by)

export async function writeFindings(tx: Transaction, findings: readonly Finding[]): Promise<void> {
  const ids = findings.map(({ deviceId }) => [deviceId])
  countRows(tx, findings.length - (await tx.allEach(knownIds, ids)).length)
  await tx.runEach(
    writeFinding,
    findings.map((one) => [
      ...[one.deviceId, one.profileId, stateOf(one), tx.now, one.reason, one.problem, one.failingSince],
      ...[one.lastAnswer, one.agentStart, one.restartTime, one.uptime, one.failures],
      ...[one.answered ? 1 : 0, one.range, one.network, one.hasRestarted ? 1 : 0, one.matters ? 1 : 0],
      one.roundTrip,
    ]),
  )
}

/** What a node needs to go on with a device that another has asked. */
export type StoredFinding = Pick<
  Finding,
  | 'deviceId'
  | 'reason'
  | 'failures'
  | 'failingSince'
  | 'answered'
  | 'lastAnswer'
  | 'agentStart'
  | 'uptime'
  | 'restartTime'
  | 'roundTrip'
> & { readonly profileId: bigint }

export async function readFindings(database: Database): Promise<Map<bigint, StoredFinding>> {
  // Where nothing is asked, nothing is worth a thread.
  if ((await database.all('select 1 as known from reachability limit 1')).length === 0) return new Map()
  const rows = await database.readInBackground(
    'select id, profile_id, reason, failures, failing_since, answered, last_answer, agent_start, uptime, restart_time, round_trip from reachability',
  )
  return new Map(
    rows.map((row) => {
      const deviceId = row.id as bigint
      const found = {
        deviceId,
        profileId: row.profile_id as bigint,
        reason: String(row.reason),
        failures: Number(row.failures),
        failingSince: Number(row.failing_since),
        answered: row.answered === 1n,
        lastAnswer: Number(row.last_answer),
        agentStart: Number(row.agent_start),
        uptime: Number(row.uptime),
        restartTime: Number(row.restart_time),
        roundTrip: Number(row.round_trip),
      }
      return [deviceId, found]
    }),
  )
}

export type Standing = Pick<Reachability, 'state' | 'lastAnswer' | 'agentStart'> & {
  /** Microseconds. */
  readonly roundTrip: number
}

/** How devices stand that are asked. */
export async function readStanding(reader: Reader, ids: readonly bigint[]): Promise<Map<bigint, Standing>> {
  const rows = await allWithValues(
    reader,
    ids,
    (marks) =>
      `select id, state, last_answer, agent_start, round_trip from reachability where id in (${marks}) and profile_id <> 0`,
  )
  return new Map(
    rows.map((row) => {
      const one = {
        state: String(row.state) as ReachState,
        lastAnswer: Number(row.last_answer),
        agentStart: Number(row.agent_start),
        roundTrip: Number(row.round_trip),
      }
      return [row.id as bigint, one]
    }),
  )
}

const unasked = bulk('update reachability set profile_id = 0, attention = 1 where id = ?', ['bigint'])

/** Devices that are no longer asked: their alarms end, and their rows go. */
export const markUnasked = (tx: Transaction, ids: readonly bigint[]): Promise<void> =>
  tx.runEach(
    unasked,
    ids.map((id) => [id]),
  )

/** What the leader has to decide on. */
export interface Undecided {
  readonly deviceId: bigint
  /** Undefined where the device is no longer asked, or no longer exists. */
  readonly device: AlarmedDevice | undefined
  readonly isAsked: boolean
  readonly state: ReachState
  readonly reason: string
  readonly problem: string
  readonly failures: number
  readonly failingSince: number
  readonly answered: boolean
  readonly range: string
  readonly network: string
  readonly heldUntil: number
  readonly silentRange: string
  readonly restartTime: number
  readonly isRestartPending: boolean
}

export async function hasUndecided(reader: Reader): Promise<boolean> {
  const rows = await reader.all('select id from reachability where attention = 1 limit 1')
  return rows.length > 0
}

const named = (head: DeviceHead | undefined) => head && { id: head.id, ip: head.ip, name: head.label }

/** Those after an id, in the order of their ids. */
export async function readUndecided(tx: Transaction, after: bigint, limit: number): Promise<Undecided[]> {
  const rows = await tx.all(
    `select * from reachability where attention = 1 and id > ? order by id limit ${limit}`,
    [after],
  )
  const heads = await deviceHeads(
    tx,
    rows.map((row) => row.id as bigint),
  )
  return rows.map((row) => ({
    deviceId: row.id as bigint,
    device: named(heads.get(row.id as bigint)),
    isAsked: row.profile_id !== 0n,
    state: String(row.state) as ReachState,
    reason: String(row.reason),
    problem: String(row.problem),
    failures: Number(row.failures),
    failingSince: Number(row.failing_since),
    answered: row.answered === 1n,
    range: String(row.address_range),
    network: String(row.network),
    heldUntil: Number(row.held_until),
    silentRange: String(row.silent_range),
    restartTime: Number(row.restart_time),
    isRestartPending: row.restart_pending === 1n,
  }))
}

/** What the leader decided on a device. */
export interface Decision {
  readonly deviceId: bigint
  readonly state: ReachState
  readonly since: number | undefined
  readonly silentRange: string
  readonly isRestartPending: boolean
  /** Whether it has to be looked at again. */
  readonly waits: boolean
}

const decided = bulk(
  'update reachability set state = ?, since = case when ? > 0 then ? else since end, silent_range = ?, restart_pending = ?, attention = ? where id = ?',
  ['text', 'bigint', 'bigint', 'text', 'integer', 'integer', 'bigint'],
)
const forgotten = bulk('delete from reachability where id = ?', ['bigint'])

export const writeDecisions = (tx: Transaction, decisions: readonly Decision[]): Promise<void> =>
  tx.runEach(
    decided,
    decisions.map(({ deviceId, state, since = 0, silentRange, isRestartPending, waits }) => [
      ...[state, since, since, silentRange, isRestartPending ? 1 : 0, waits ? 1 : 0, deviceId],
    ]),
  )

/** They have rows. */
export async function forgetDevices(tx: Transaction, ids: readonly bigint[]): Promise<void> {
  countRows(tx, -ids.length)
  await tx.runEach(
    forgotten,
    ids.map((id) => [id]),
  )
}

export type GroupColumn = 'address_range' | 'network'

export interface GroupCount {
  /** Devices that have answered at some time. */
  readonly known: number
  readonly silent: number
  /** Of the silent ones, those that have no alarm of their own. */
  readonly newlySilent: number
}

export async function countGroup(reader: Reader, column: GroupColumn, range: string): Promise<GroupCount> {
  const [row] = await reader.all(
    `select count(*) as known,
       sum(case when failures > 0 and reason = 'silent' then 1 else 0 end) as silent,
       sum(case when failures > 0 and reason = 'silent' and state <> 'unreachable' then 1 else 0 end) as fresh
     from reachability where ${column} = ? and answered = 1 and profile_id <> 0`,
    [range],
  )
  return { known: Number(row?.known), silent: Number(row?.silent), newlySilent: Number(row?.fresh) }
}

/** The ranges that stand for their silent devices, each with how many there are. */
export async function silentRanges(reader: Reader): Promise<Map<string, number>> {
  const rows = await reader.all(
    "select silent_range, count(*) as n from reachability where silent_range <> '' group by silent_range",
  )
  return new Map(rows.map((row) => [String(row.silent_range), Number(row.n)]))
}

/** Whether none of the devices in a range that have ever answered does. */
export async function isStillSilent(reader: Reader, range: string): Promise<boolean> {
  const answering = await reader.all(
    `select id from reachability where (address_range = ? or network = ?) and answered = 1
     and (failures = 0 or reason <> 'silent') and profile_id <> 0 limit 1`,
    [range, range],
  )
  return answering.length === 0
}

/** Devices of a range that is no longer silent have until then to answer, before each has an alarm of its own. */
export async function releaseRange(tx: Transaction, range: string, heldUntil: number): Promise<void> {
  await tx.run(
    "update reachability set silent_range = '', state = 'failing', since = ?, held_until = ?, attention = 1 where silent_range = ?",
    [tx.now, heldUntil, range],
  )
}
