// What is done by the leader alone, by one that stood still and goes on after its term: each is refused as a
// whole, and what it was about to do is done by the node whose term it is.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { BrowserSessions } from '../../src/access/browser-sessions.ts'
import { Directory } from '../../src/access/directory.ts'
import { AlarmEngine } from '../../src/alarms/engine/engine.ts'
import { LogSignal } from '../../src/alarms/log/log-signal.ts'
import { raiseServiceAlarm, recoverServiceAlarm } from '../../src/alarms/service/service-alarms.ts'
import { leaderOnly, raiseFence } from '../../src/cluster/nodes/fence.ts'
import { Lease } from '../../src/cluster/nodes/lease.ts'
import { NodeWatch } from '../../src/cluster/watches/node-watch.ts'
import { reportMoved } from '../../src/cluster/watches/term-start.ts'
import { Registrations } from '../../src/push/registrations.ts'
import { Measures } from '../../src/reports/daily-measures.ts'
import { Reports } from '../../src/reports/runs.ts'
import { Schedules } from '../../src/reports/schedules.ts'
import { AlarmTexts } from '../../src/resources/alarms/alarm.ts'
import { setCounter } from '../../src/store/counter.ts'
import { migrate } from '../../src/store/migrate.ts'
import { Postgres } from '../../src/store/postgres/postgres.ts'
import { sweep } from '../../src/upkeep/retention.ts'
import { seedStore } from '../../src/upkeep/seed.ts'
import { newMigratedDatabase } from '../postgres-database.ts'

const now = Date.UTC(2026, 10, 15, 12)
const database = new Postgres(await newMigratedDatabase(), { clock: () => now })
after(() => database.close())
await migrate(database)
await seedStore(database)
await new Lease(database, 10).prepare()

/** A node as it works in its term. */
function nodeOf(term: bigint) {
  const processing = leaderOnly(database, () => term)
  const limits = { perDevice: 1000, overall: 1000 }
  const engine = new AlarmEngine(
    database,
    new LogSignal(),
    new AlarmTexts(database, 'UTC'),
    {
      timeZone: 'UTC',
      unknownTraps: 'alarm',
      unknownSenders: 'register',
      flapping: { count: 5, seconds: 300, rearmSeconds: 300 },
      deviceLimit: 1000,
      unknownAlarms: limits,
      openAlarms: limits,
      causeWaitSeconds: 20,
    },
    { leaderDatabase: processing, checkedDatabase: database },
  )
  return { processing, engine, alarms: engine.asLeader }
}

await database.transaction(async (tx) => void (await raiseFence(tx, 1n)))
const woken = nodeOf(1n)
await database.transaction(async (tx) => void (await raiseFence(tx, 2n)))
const processes = nodeOf(2n)

/** A sum of each table of the store. */
const sums = () =>
  database.all(
    `select table_name as name, md5(cast(query_to_xml('select * from ' || table_name || ' t order by cast(t as text)', true, false, '') as text)) as sum
     from information_schema.tables where table_schema = 'public' order by 1`,
  )

const reports = new Reports(database, () => now, { timeZone: 'UTC', keep: 10, keepDays: 10 })
const sessions = new BrowserSessions({
  database,
  directory: new Directory(database),
  limits: { absolute: 1000, idle: 0 },
  clock: () => now,
})
const keep = { count: 0, days: 1 }

interface Work {
  /** What is due then. */
  prepare?(): Promise<unknown>
  run(node: ReturnType<typeof nodeOf>): Promise<unknown>
}

const write = (sql: string) => () => database.transaction((tx) => tx.run(sql))

const works: Readonly<Record<string, Work>> = {
  'processing of a trap': {
    run: ({ engine }) =>
      engine.handle([
        {
          kind: 'trap',
          receivedAt: now,
          sourceIp: '10.0.0.1',
          agentIp: undefined,
          version: '2c',
          oid: '1.3.6.1.6.3.1.1.5.3',
          variables: [],
        },
      ]),
  },
  'an alarm of the service': {
    run: ({ alarms }) => raiseServiceAlarm(alarms, 'ruleBusy', 'rule=1', 'It counts much'),
  },
  'the end of an alarm of the service': {
    run: ({ alarms }) => recoverServiceAlarm(alarms, 'ruleBusy', 'rule=1', 'It counts less'),
  },
  retention: {
    run: ({ processing }) => sweep(processing, { traps: keep, alarms: keep, log: keep, audit: keep }),
  },
  'what a node that is gone leaves behind, its streams and an alarm,': {
    prepare: async () => {
      await write(
        "insert into node (name, start, address, version, last_sign, clock_offset, stopped, gone) select 'x', 1, '', '1', cast(extract(epoch from clock_timestamp()) * 1000 as bigint) - 60000, 0, 0, 0",
      )()
      await write(
        "insert into registration (uuid, owner, query, cursor, position, connected, created_at, last_seen, last_write, expired, node) values ('desk', 'o', '', 0, 0, 1, 0, 0, 0, 0, 'x')",
      )()
    },
    run: ({ processing, alarms }) => {
      const registrations = new Registrations(database)
      const onGone = (name: string) => registrations.disconnectFrom(name, processing)
      return new NodeWatch({ database, alarms, leaseSeconds: 5, onGone }).check()
    },
  },
  'the notice that the store has moved': {
    prepare: () => database.transaction((tx) => setCounter(tx, 'store moved', 7)),
    run: ({ processing, alarms }) => reportMoved(processing, alarms),
  },
  'the end of sessions that were not used': {
    prepare: async () => {
      await write(
        "insert into operator (id, name, name_key, role, enabled) values (1, 'desk', 'desk', 'viewer', 1)",
      )()
      await write(
        "insert into session (id, operator_id, way, address, created_time, expiry_time, hash) values (1, 1, 'password', '', 0, 1, 'h')",
      )()
    },
    run: ({ processing }) => sessions.expire(processing),
  },
  'a scheduled report': {
    prepare: write(
      "insert into report_schedule (id, template_id, every, enabled, parameter, next_time, last_time, created_by) values (1, 1, 'daily', 1, '[]', 1, 0, '')",
    ),
    run: ({ processing }) => new Schedules(processing, reports, () => now).runDue(() => false),
  },
  'the writing down of counts once a day': {
    run: ({ processing }) => new Measures(processing, reports.zone).record(now),
  },
}

describe('upkeep of a node that goes on after its term', () => {
  for (const [name, { prepare, run }] of Object.entries(works)) {
    test(`${name} is refused, and left to the leader`, async () => {
      await prepare?.()
      const before = await sums()
      await assert.rejects(run(woken), /another node is the leader by now: nothing was changed/)
      assert.deepEqual(await sums(), before)
      await run(processes)
      assert.notDeepEqual(await sums(), before)
    })
  }
})
