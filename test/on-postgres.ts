// The tests of behaviour a second time, with PostgreSQL wherever they would use SQLite: `npm run test:postgres`. Files that
// are about SQLite, its file or the data folder are left out. `npm run test:postgres -- 15` runs those of stores, alarms and
// nodes on the PostgreSQL of Debian instead of the newest.

import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'

const debian = '/usr/lib/postgresql/15/bin'
const whole = [
  'access',
  'alarms',
  'http',
  'push',
  'reports',
  'resources',
  'rules',
  'snmp',
  'store',
  'terminals',
  'upkeep',
]
const onDebian = ['access', 'alarms', 'nodes', 'store']

/** What they are about is not there, or is compared with SQLite. */
const leftOut = [
  // Backups and restores of the file, and how it is damaged.
  'http/store.test.ts',
  'store/backup.test.ts',
  'store/crash.test.ts',
  'store/damage.test.ts',
  'store/power-cut.test.ts',
  'upkeep/loss.test.ts',
  // The journal and the threads of SQLite.
  'store/giving-way.test.ts',
  'store/journal.test.ts',
  'store/sqlite.test.ts',
  // The trial of imports on a copy of the file.
  'http/import-in-pieces.test.ts',
  // They set the clock of the service; on PostgreSQL traps carry the time of the server.
  'http/held-back.test.ts',
  // Both stores side by side, in the first pass.
  'http/stores.test.ts',
]

const isDebian = process.argv[2] === '15'
if (isDebian && !existsSync(debian)) {
  console.log(`skipped: ${debian} is not there (Debian package postgresql)`)
  process.exit(process.env.CI ? 1 : 0)
}
const files = (isDebian ? onDebian : whole)
  .flatMap((folder) => globSync(`test/${folder}/*.test.ts`))
  .filter((file) => !leftOut.some((name) => file.endsWith(name)))
const setup = '--test-global-setup=test/postgres-server.ts'
const child = spawn(process.execPath, ['--test', setup, '--test-concurrency=2', ...files.sort()], {
  stdio: 'inherit',
  env: {
    ...process.env,
    TEST_STORE: 'postgres',
    ...(isDebian && { TEST_POSTGRES_PROGRAMS: debian }),
  },
})
child.on('exit', (code) => process.exit(code ?? 1))
