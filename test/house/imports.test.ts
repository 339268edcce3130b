// "What may import what" of docs/architecture.md, held by reading every import.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { floors, roomOf } from '../../docs/rooms.ts'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

/** The only places that may import a library, or a part of Node that hides one. */
const owners: Readonly<Record<string, readonly string[]>> = {
  'node:sqlite': ['store/sqlite/sqlite-connection.ts'],
  pg: [
    'store/postgres/postgres.ts',
    'store/postgres/postgres-signal.ts',
    'store/postgres/postgres-sessions.ts',
    'store/postgres/hosts.ts',
    'store/postgres/liveness.ts',
    'store/postgres/postgres-writer.ts',
    'store/postgres/statements.ts',
    'store/postgres/postgres-transaction.ts',
  ],
  saxes: ['schema/xml.ts'],
  'csv-parse': ['schema/rows.ts'],
  re2js: ['schema/pattern.ts'],
  'ipaddr.js': ['schema/scalar.ts'],
  'prom-client': ['http/metrics.ts'],
  'openid-client': ['access/openid-provider.ts'],
  pino: ['app.ts', 'cli/commands/serve-command.ts'],
  nodemailer: ['notify/channels/mail-kind.ts'],
  liquidjs: ['notify/channels/message-template.ts'],
  pdfkit: ['reports/forms/pdf-page.ts'],
  esbuild: ['http/console/bundle.ts'],
}

interface Import {
  readonly file: string
  readonly target: string
  readonly typeOnly: boolean
}

function importsOf(file: string, folder = source): Import[] {
  const text = readFileSync(join(folder, file), 'utf8')
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm)
  const dynamic = text.matchAll(/\bimport\(\s*'([^']+)'/g)
  return [
    ...[...statements].map(([, type, target = '']) => ({ file, target, typeOnly: type !== undefined })),
    ...[...dynamic].map(([, target = '']) => ({ file, target, typeOnly: false })),
  ]
}

const files = globSync('**/*.ts', { cwd: source })
const imports = files.flatMap((file) => importsOf(file))

const part = (file: string) => roomOf(file) ?? ''
const floorOf = (file: string) => floors.findIndex((rooms) => rooms.some(({ name }) => name === part(file)))

test('every file is in a room of docs/rooms.ts', () => {
  assert(files.length > 30)
  assert.deepEqual(
    files.filter((file) => floorOf(file) < 0),
    [],
    'give their folder a floor in docs/rooms.ts, and run npm run generate',
  )
})

test('a file imports from its own folder and from rooms on floors below', () => {
  const inner = imports.filter(({ target }) => target.startsWith('.'))
  assert(inner.length > 100)
  const wrong = inner.filter(({ file, target }) => {
    const wanted = join(dirname(file), target)
    return part(wanted) !== part(file) && floorOf(wanted) <= floorOf(file)
  })
  assert.deepEqual(
    wrong.map(({ file, target }) => `${file} imports ${target}`),
    [],
    'imports go down the floors of docs/rooms.ts: move what is needed below, or hand it in from assembly.ts',
  )
})

test('the client module imports nothing else: it is shipped to browsers, and only commands use it', () => {
  const own = imports.filter(({ file }) => part(file) === 'client')
  assert(own.length > 0)
  assert.deepEqual(
    own.filter(({ target }) => !/^\.\/[^/]+$/.test(target)),
    [],
    'a file of src/client imports from its own folder alone',
  )
  const users = imports.filter(
    ({ file, target }) => target.startsWith('.') && part(join(dirname(file), target)) === 'client',
  )
  assert.deepEqual(
    users.filter(({ file }) => !['client', 'cli'].includes(part(file))),
    [],
    'only src/cli may import from src/client',
  )
})

test('a library is imported by the file named for it, and by no other', () => {
  const libraries = imports.filter(({ target }) => !target.startsWith('.'))
  for (const { file, target, typeOnly } of libraries) {
    const allowed = owners[target]
    assert(
      allowed || target.startsWith('node:'),
      `${file} imports ${target}: one file deals with a library; name it in owners, here`,
    )
    // Any room may be given a logger, and needs its type for that.
    if (allowed && !(target === 'pino' && typeOnly))
      assert(allowed.includes(file), `${file} imports ${target}: go through ${allowed[0]}`)
  }
  for (const [library, places] of Object.entries(owners)) {
    for (const place of places) {
      assert(
        libraries.some(({ file, target }) => file === place && target === library),
        `${place} no longer imports ${library}: take it out of owners, here`,
      )
    }
  }
})

/** The console: it runs in browsers, and the service only serves its files. */
const page = join(source, '../console')
const consoleImports = globSync('**/*.{ts,tsx}', { cwd: page }).flatMap((file) => importsOf(file, page))

test('the console imports nothing from the service: it uses HTTP, like every client', () => {
  const outside = consoleImports.filter(
    ({ file, target }) => target.startsWith('.') && join(dirname(file), target).startsWith('..'),
  )
  assert.deepEqual(outside, [], 'what the page needs of the service it asks for through console/core/api.ts')
})

/** Packages that are files alone, such as fonts, and where they are opened. */
const opened = files.flatMap((file) => {
  const text = readFileSync(join(source, file), 'utf8')
  return [...text.matchAll(/\bbytesOf\('((?:@[\w-]+\/)?[\w-]+)\//g)].map(([, target]) => target)
})

test('every dependency that is installed for users is imported, or opened', () => {
  const { dependencies } = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8'))
  const used = new Set([...imports.map(({ target }) => target), ...opened])
  assert.deepEqual(
    Object.keys(dependencies).filter((name) => !used.has(name)),
    [],
    'remove them from package.json, or move them to devDependencies',
  )
})

test('no file only re-exports what others export', () => {
  const barrels = files.filter((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    return /^export \*/m.test(text) || !/^(?!(?:import|export) .*from|\/\/|\s*$)/m.test(text)
  })
  assert.deepEqual(barrels, [], 'import from the file that declares it')
})

test('push has one interface: other rooms import push.ts and nothing else of it', () => {
  const asked = imports.filter(
    ({ file, target }) =>
      target.startsWith('.') && part(file) !== 'push' && part(join(dirname(file), target)) === 'push',
  )
  assert(asked.length > 0)
  assert.deepEqual(
    asked.filter(({ file, target }) => join(dirname(file), target) !== 'push/push.ts'),
    [],
    'ask for it through push.ts',
  )
})

test('the modules that threads load exist: no compiler reads their names', () => {
  const named = files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    return Array.from(text.matchAll(/\bthreadFile\('([^']+)'/g), ([, path = '']) => join(dirname(file), path))
  })
  assert(named.length > 5)
  assert.deepEqual(
    named.filter((file) => !files.includes(file)),
    [],
  )
})
