// The tests of behaviour a second time, with PostgreSQL wherever they would use SQLite: `npm run test:postgres`. Left out
// are files that open no store, those about SQLite, its file or the data folder, and those about requests alone.
// `npm run test:postgres -- 15` runs those of stores, alarms and nodes on the PostgreSQL of Debian instead of the newest.

import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const debian = '/usr/lib/postgresql/15/bin'
const whole = [
  'access',
  'alarms',
  'golden',
  'http',
  'notify',
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
/** Of the longer suite, those that depend on how PostgreSQL fails. */
const failingOnDebian = ['health', 'put-back', 'trouble'].map((name) => `test/nodes/${name}.real.ts`)

/** What they are about is SQLite itself, its file, its journal, its threads, or nothing that is stored. */
const leftOut = [
  // Backup, check and restore of the file; on PostgreSQL that is pg_dump.
  'http/store.test.ts',
  'store/backup.test.ts',
  // Writers of the file that are killed, and cut off from power; PostgreSQL's are killed in nodes/*.faults.ts.
  'store/crash.test.ts',
  'store/power-cut.test.ts',
  // The witness beside the file, which an older copy of the file contradicts; PostgreSQL shows it by its timeline.
  'upkeep/loss.test.ts',
  // Work in the thread of the service, as SQLite's is; PostgreSQL works in processes of its own.
  'store/giving-way.test.ts',
  // Journal, settings, plans and the reading thread of SQLite; plans.test.ts has those of PostgreSQL.
  'store/journal.test.ts',
  'store/sqlite.test.ts',
  // Both stores side by side, in the first pass.
  'http/stores.test.ts',
  // Connections, certificates, which role may do what, forms of requests and answers, files of the console: the same on
  // either store. golden/operations.test.ts has every operation on both.
  'http/certificate-watch.test.ts',
  'http/console.test.ts',
  'http/edge.test.ts',
  'http/errors.test.ts',
  'http/json.test.ts',
  'http/legal-text.test.ts',
  'http/methods.test.ts',
  'http/mib-turns.test.ts',
  'http/mib-while-traps-flow.test.ts',
  'http/negotiation.test.ts',
  'http/openid.test.ts',
  'http/parameters.test.ts',
  'http/permissions.test.ts',
  'http/policy.test.ts',
  'http/proxies.test.ts',
  'http/routes.test.ts',
  'http/settings-shown.test.ts',
  'http/tls.test.ts',
  'http/xml.test.ts',
]
for (const name of leftOut)
  if (!existsSync(`test/${name}`)) throw new Error(`there is no test/${name} to leave out`)

/** Whether a file of tests, or what it imports of them, opens a store. */
function opensStore(file: string): boolean {
  const text = readFileSync(file, 'utf8')
  if (/\b(startService|stores|bothStores|everyStore|new(Migrated)?Database)\b/.test(text)) return true
  const imported = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => join(file, '..', path))
  return imported.some((path) => path.startsWith('test') && path !== 'test/support.ts' && opensStore(path))
}

const isDebian = process.argv[2] === '15'
const named = process.argv.slice(isDebian ? 3 : 2)
for (const file of named)
  if (!existsSync(file)) {
    console.error(`${file}: expected 15, or the paths of tests, such as test/http/zone.test.ts`)
    process.exit(1)
  }
if (isDebian && !existsSync(debian)) {
  console.log(`skipped: ${debian} is not there (Debian package postgresql)`)
  process.exit(process.env.CI ? 1 : 0)
}
const usual = () =>
  (isDebian ? onDebian : whole)
    .flatMap((folder) => globSync(`test/${folder}/*.test.ts`))
    .filter((file) => !leftOut.some((name) => file.endsWith(name)) && opensStore(file))
    .concat(isDebian ? failingOnDebian : [])
const files = named.length > 0 ? named : usual()
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
