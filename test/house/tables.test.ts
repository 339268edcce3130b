// Who owns which table: SQL that names a table stands in the room that owns it. What does not is listed here, with why.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../../src/', import.meta.url))
const migrations = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** Tables by the room that owns them; all others belong to `resources`, which describes records. */
const owners: Readonly<Record<string, readonly string[]>> = {
  store: ['counter', 'migration', 'tally'],
  alarms: [
    'alarm_batch',
    'alarm_figure',
    'alarm_history',
    'alarm_log',
    'epoch',
    'flapping',
    'recovery',
    'trap_ledger',
    'trap_source_ledger',
    'unknown_alarm',
  ],
  rules: ['trap_rule_hit'],
  snmp: ['snmp_engine', 'snmp_seen', 'snmp_taken'],
  nodes: ['fence', 'lease', 'node'],
  intake: ['intake_answer', 'intake_aside', 'intake_block'],
  push: ['registration'],
  reports: ['report_measure'],
  access: ['credential', 'login', 'login_place', 'session'],
  terminals: ['terminal_alarm'],
}

/** Files that name a table of another room. The list may become shorter, never longer without a reason. */
const crossings: Readonly<Record<string, readonly string[]>> = {
  // Settling, figures and trials read what records say, many at once.
  'alarms/batches.ts': ['alarm', 'counter'],
  'alarms/causes.ts': ['alarm'],
  'alarms/changes.ts': ['alarm'],
  'alarms/device-places.ts': ['device'],
  'alarms/figures.ts': ['alarm', 'counter', 'device'],
  'alarms/flapping.ts': ['alarm'],
  'alarms/impact.ts': ['assigned_ip', 'device', 'mac_access_bind', 'mac_access_bind_interface', 'zone'],
  'alarms/links-behind.ts': ['device_parent'],
  'alarms/log.ts': ['counter'],
  'alarms/numbers.ts': ['counter'],
  'alarms/operations.ts': ['device_address', 'trap_event'],
  'alarms/own-alarms.ts': ['alarm'],
  'alarms/release.ts': ['alarm', 'device'],
  'alarms/ways-up.ts': ['device_parent'],
  'alarms/window-trial.ts': ['alarm', 'device'],
  'rules/dry-run.ts': ['alarm', 'device', 'trap'],
  'rules/hindsight.ts': ['trap'],
  'push/snapshot.ts': ['alarm'],
  // Alarms about terminals count as long as they are open, and terminals are where they may be.
  'terminals/ageing.ts': ['alarm', 'terminal'],
  'terminals/terminal-alarms.ts': ['alarm'],
  // Modules that were loaded, and the definitions made of them.
  'events/mib-library.ts': ['mib_definition'],
  'events/mib-loading.ts': ['mib_module', 'trap_event'],
  // Who may come in, read in one go and kept in memory.
  'access/directory.ts': ['operator', 'token'],
  'access/known-places.ts': ['operator'],
  // What goes with a record when it goes.
  'resources/operator.ts': ['credential', 'login', 'registration', 'session'],
  'resources/session.ts': ['login'],
  'resources/token.ts': ['login'],
  'resources/trap-rule.ts': ['trap_rule_hit'],
  // Reports look at all there is, and only look.
  'reports/address-use.ts': ['ip_scope'],
  'reports/alarm-sources.ts': ['alarm'],
  'reports/alarm-summary.ts': ['alarm', 'alarm_category'],
  'reports/availability.ts': ['alarm', 'device', 'trap_event'],
  'reports/bindings.ts': ['alarm', 'device', 'mac_access_bind', 'mac_access_bind_interface'],
  'reports/measures.ts': ['assigned_ip', 'ip_scope', 'trap_source_ledger'],
  'reports/operator-changes.ts': ['audit'],
  'reports/runs.ts': ['report_type'],
  'reports/schedules.ts': ['report_schedule'],
  'reports/scope.ts': ['custom_view', 'device', 'ip_scope', 'zone'],
  'reports/trap-senders.ts': ['device', 'device_address'],
  // Measurements and boards count over everything.
  'http/metrics.ts': ['alarm'],
  'http/handlers/alarms.ts': ['alarm'],
  'http/handlers/overview.ts': ['alarm'],
  'http/handlers/statistics.ts': ['device', 'trap_event', 'zone'],
  'http/handlers/tokens.ts': ['token'],
  // What waits to be settled is not moved.
  'store/moving.ts': ['intake_block'],
  // Upkeep looks after all of the store: it sweeps, checks, plants, and tells what was lost.
  'upkeep/first-data.ts': ['counter', 'custom_view', 'report_template', 'report_type', 'trap_event', 'zone'],
  'upkeep/loss.ts': ['counter', 'epoch', 'snmp_engine'],
  'upkeep/restored.ts': ['alarm', 'counter'],
  'upkeep/retention.ts': ['alarm'],
  'upkeep/rule-watch.ts': ['trap_rule_hit'],
  'upkeep/terms.ts': ['counter'],
  'upkeep/store-check.ts': ['alarm', 'alarm_log', 'counter', 'registration', 'tally'],
  'cli/demo.ts': ['counter'],
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

/** Texts in the source that are statements, with the tables they name. */
function tablesNamed(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8')
  const strings = text.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)
  const statements = [...strings]
    .map(([one]) => one.slice(1, -1))
    .filter((one) => /^\s*(select|insert into|update|delete from|with)\b/.test(one))
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

test('SQL stands in the room that owns the table, or is listed with a reason', () => {
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
