// What the nodes have heard of each device, and what the leader has learnt of it, in the store.

import type { SenderCount } from '../../intake/message-counts.ts'
import { deviceIdsAt } from '../../resources/inventory/device.ts'
import { bulk, type Database, type SqlValue, type Transaction } from '../../store/database.ts'
import type { RateState, ReceivedCount } from './message-rate.ts'

/** Its row says when a node last listened. */
const listener = 0n
const perTransaction = 500

const addHeard = bulk(
  'insert into message_heard (device_id, n, first_at, last_at) values (?, ?, ?, ?) on conflict (device_id) do update set n = message_heard.n + excluded.n, first_at = case when excluded.first_at < message_heard.first_at then excluded.first_at else message_heard.first_at end, last_at = case when excluded.last_at > message_heard.last_at then excluded.last_at else message_heard.last_at end',
  ['bigint', 'bigint', 'bigint', 'bigint'],
)
const putState = bulk(
  'insert into message_talk (device_id, state) values (?, ?) on conflict (device_id) do update set state = excluded.state',
  ['bigint', 'text'],
)
const deleteState = bulk('delete from message_talk where device_id = ?', ['bigint'])

/** Adds what this service has heard, and that it listens. `ahead`: of the clock by which it was received. */
export async function noteReceived(
  database: Database,
  heard: readonly SenderCount[],
  ahead: number,
): Promise<void> {
  for (let start = 0; start < heard.length; start += perTransaction) {
    const some = heard.slice(start, start + perTransaction)
    await database.transaction(async (tx) => {
      const ids = await deviceIdsAt(
        tx,
        some.map(({ deviceIp }) => deviceIp),
      )
      const ofDevices = Map.groupBy(some, ({ deviceIp }) => ids.get(deviceIp))
      // Of senders that are no devices, nothing is expected.
      ofDevices.delete(undefined)
      await tx.runEach(
        addHeard,
        Array.from(ofDevices, ([id = listener, of]) => [
          id,
          of.reduce((sum, { count }) => sum + count, 0),
          Math.min(...of.map(({ firstAt }) => firstAt)) + ahead,
          Math.max(...of.map(({ lastAt }) => lastAt)) + ahead,
        ]),
      )
    })
  }
  await database.transaction(async (tx) => {
    // Set, not added to: the clock may have been set back.
    await tx.run('delete from message_heard where device_id = ?', [listener])
    await tx.runEach(addHeard, [[listener, 0, tx.now, tx.now]])
  })
}

/** When a node last said that it listens. */
export async function lastListened(database: Database): Promise<number | undefined> {
  const [row] = await database.all('select last_at from message_heard where device_id = ?', [listener])
  return row && Number(row.last_at)
}

export interface DeviceRate {
  readonly deviceId: bigint
  readonly state: RateState | undefined
  readonly heard: ReceivedCount | undefined
}

/** Takes what was heard of some devices, in the order of their ids. */
export async function takeRates(tx: Transaction, after: bigint): Promise<DeviceRate[]> {
  const rows = await tx.all(
    'select device_id from (select device_id from message_talk where device_id > ? union select device_id from message_heard where device_id > ?) known order by device_id limit ?',
    [after, after, perTransaction],
  )
  const last = rows.at(-1)?.device_id
  if (last === undefined) return []
  const range: SqlValue[] = [after, last]
  const within = 'where device_id > ? and device_id <= ?'
  const states = await tx.all(`select device_id, state from message_talk ${within}`, range)
  const heard = await tx.all(`select device_id, n, first_at, last_at from message_heard ${within}`, range)
  await tx.run(`delete from message_heard ${within}`, range)
  const stateOf = new Map(states.map((row) => [row.device_id, JSON.parse(String(row.state)) as RateState]))
  const heardOf = new Map(
    heard.map((row) => [
      row.device_id,
      { count: Number(row.n), firstAt: Number(row.first_at), lastAt: Number(row.last_at) },
    ]),
  )
  return rows.map(({ device_id: id }) => ({
    deviceId: id as bigint,
    state: stateOf.get(id),
    heard: heardOf.get(id),
  }))
}

/** Undefined: nothing is remembered of it any more. */
export async function putRates(
  tx: Transaction,
  states: ReadonlyMap<bigint, RateState | undefined>,
): Promise<void> {
  const kept: SqlValue[][] = []
  const gone: SqlValue[][] = []
  for (const [id, state] of states) {
    if (state) kept.push([id, JSON.stringify(state)])
    else gone.push([id])
  }
  await tx.runEach(putState, kept)
  await tx.runEach(deleteState, gone)
}
