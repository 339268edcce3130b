// Which room owns which table: SQL that names a table is in the room that owns it. Exceptions are listed with a reason.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../../src/', import.meta.url))
const migrations = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** Tables by the room that owns them; all others belong to `resources`, which describes records. */
const owners: Readonly<Record<string, readonly string[]>> = {
  store: ['counter', 'migration', 'probe', 'tally'],
  alarms: [
    'alarm',
    'alarm_batch',
    'alarm_figure',
    'alarm_history',
    'alarm_log',
    'epoch',
    'fault_name',
    'fault_turn',
    'flapping',
    'recovery',
    'trap_ledger',
    'trap_source_ledger',
    'unknown_alarm',
  ],
  snmp: ['snmp_engine', 'snmp_seen', 'snmp_taken'],
  cluster: [
    'fence',
    'installation',
    'lease',
    'node',
    'node_profile',
    'node_question',
    'intake_answer',
    'intake_aside',
    'intake_block',
  ],
  keys: ['secret'],
  push: ['registration'],
  notify: [
    'action_use',
    'confirmation_quota',
    'notification',
    'notify_count',
    'notify_failure',
    'notify_incident',
    'notify_member',
    'notify_quota',
    'notify_route',
  ],
  reports: ['report_measure', 'report_schedule'],
  access: ['login_place', 'nonce_secret', 'nonce_use'],
  upkeep: ['message_heard', 'message_talk', 'store_clock'],
  terminals: ['terminal_alarm'],
  ask: ['alarm_check', 'found_fault', 'reachability', 'seen_state'],
}

/** Rooms whose purpose is to read everything: they may select from any table, and write to their own alone. */
const onlookers = ['reports']

/** Files that name a table of another room. The list may become shorter, never longer without a reason. */
const crossings: Readonly<Record<string, readonly string[]>> = {
  // A trap that raised an alarm shows the level of it: without a join, a thousand traps would take a thousand
  // statements.
  'rules/dry-run.ts': ['alarm', 'trap'],
  // What a route would have sent, by a million stored alarms: without reading their columns alone it would take minutes.
  'notify/routes/trial.ts': ['alarm'],
  // Alarms about terminals count as long as they are open: the room's own table is joined with these.
  'terminals/ageing.ts': ['alarm', 'terminal'],
  'terminals/terminal-alarms.ts': ['alarm'],
  // Records that show the state of their alarms, counted in one statement.
  'resources/inventory/device-status.ts': ['alarm'],
  'resources/alarms/maintenance.ts': ['alarm'],
  // What is deleted together with a record.
  'resources/access/operator.ts': ['registration'],
  // A store in which blocks wait to be processed is not moved.
  'store/move-store.ts': ['intake_block'],
  // What a new store holds, and what old ones get once; what is wrong with any table.
  'upkeep/seed.ts': ['report_template', 'report_type', 'trap_event'],
  'upkeep/checks/store-check.ts': ['alarm', 'alarm_log', 'registration'],
  'upkeep/checks/total-check.ts': ['alarm', 'alarm_log', 'tally'],
}

const sql = globSync('*.sql', { cwd: migrations }).map((file) => readFileSync(join(migrations, file), 'utf8'))
const tables = new Set(
  [
    'migration',
    ...sql.flatMap((text) => [...text.matchAll(/^create table (\w+)/gm)].map(([, name]) => name)),
  ].filter((name) => name !== undefined),
)
const roomOf = (table: string) =>
  Object.entries(owners).find(([, owned]) => owned.includes(table))?.[0] ?? 'resources'

const statement = /^\s*(select|insert into|update|delete from|with)\b/
const writing = /^\s*(insert into|update|delete from)\b/

/** Texts in the source that are statements, with the tables they name. */
function tablesNamed(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8')
  const strings = text.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)
  const only = onlookers.includes(file.split('/')[0] ?? '') ? writing : statement
  const statements = [...strings].map(([one]) => one.slice(1, -1)).filter((one) => only.test(one))
  const named = statements.flatMap((one) =>
    [...one.matchAll(/\b(?:from|join|into|update)\s+(\w+)/g)].map(([, name = '']) => name),
  )
  return [...new Set(named)].filter((name) => tables.has(name)).sort()
}

test('every owner owns tables that exist', () => {
  assert(tables.size > 30)
  assert.deepEqual(
    Object.values(owners)
      .flat()
      .filter((table) => !tables.has(table)),
    [],
    'no migration makes these tables: take them out of owners, here',
  )
})

test('SQL is in the room that owns the table, or is listed with a reason', () => {
  const found: Record<string, string[]> = {}
  for (const file of globSync('**/*.ts', { cwd: source })) {
    const foreign = tablesNamed(file).filter((table) => roomOf(table) !== file.split('/')[0])
    if (foreign.length > 0) found[file] = foreign
  }
  for (const [file, foreign] of Object.entries(found)) {
    const allowed = crossings[file] ?? []
    assert.deepEqual(
      foreign.filter((table) => !allowed.includes(table)),
      [],
      `${file} names tables of other rooms: ask the room, or say here why not`,
    )
  }
  for (const [file, allowed] of Object.entries(crossings)) {
    assert.deepEqual(
      allowed.filter((table) => !found[file]?.includes(table)),
      [],
      `${file} no longer names these: take them off the list`,
    )
  }
})
