// The package as users get it: packed, installed in an empty folder, run there.

import assert from 'node:assert/strict'
import { execFile, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { version } from '../../src/config/version.ts'
import { patience } from '../patience.ts'
import { temporaryFolder } from '../support.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const work = temporaryFolder()
const place = join(work, 'place')
const installed = join(place, 'node_modules/belfry')

// The test must not use files of the clone, nor settings of the user who runs it.
const clean = Object.entries(process.env).filter(([name]) => !/^(BELFRY_|npm_|NODE_)/i.test(name))
const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
const env = { ...Object.fromEntries(clean), PATH: path.join(delimiter) }

const run = (program: string, args: readonly string[], options: SpawnOptions = {}) =>
  promisify(execFile)(program, args, { cwd: place, env, ...options, encoding: 'utf8', timeout: patience })

const unreachable =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET/

/** What npm says when there is no network. Build machines have one. */
async function install(tarball: string): Promise<string | undefined> {
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{ "private": true, "type": "module" }\n')
  try {
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball])
    return undefined
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    if (process.env.CI === 'true' || !unreachable.test(stderr)) throw error
    return `the npm registry cannot be reached: ${unreachable.exec(stderr)?.[0]}`
  }
}

const { stdout: packed } = await run('npm', ['pack', '--silent', '--pack-destination', work], { cwd: root })
const tarball = join(work, packed.trim().split('\n').at(-1) ?? '')

const skip = (await install(tarball)) ?? false

test('the package is small, and holds what runs and nothing else', async () => {
  // More than half of it are definitions of vendors' events; the console is there in two languages.
  assert(statSync(tarball).size < 4_500_000, `${statSync(tarball).size} bytes`)
  const { stdout } = await run('tar', ['tzf', tarball], { cwd: work })
  const files = stdout.trim().split('\n')
  const strange = files.filter(
    (file) =>
      !/^package\/(bin|dist|migrations|definitions|docs|packaging|examples\/network)\/|^package\/[^/]+$/.test(
        file,
      ) || /(^|\/)(test|bench|src)\/|\.test\.|\.(log|map)$|(?<!\.d)\.ts$/.test(file),
  )
  assert.deepEqual(strange, [])
  for (const file of [
    'dist/main.js',
    'dist/client/connect.js',
    'dist/client/connect.d.ts',
    'dist/console/en/index.html',
    'dist/console/en/first-view.js',
    'dist/console/shared/style.css',
    'dist/console/shared/LICENCES.txt',
    'dist/console/de/first-view.js',
    'packaging/belfry.service',
    'docs/operations.md',
    'docs/interface/alarms.md',
    'README.md',
    'LICENSE',
  ])
    assert(files.includes(`package/${file}`), file)
})

test('packing leaves a clone as it was', async () => {
  assert.deepEqual(globSync('dist', { cwd: root }), [])
})

test('no file of the package names a folder of the machine it was made on', { skip }, () => {
  const folders = [root, homedir(), work].map((folder) => folder.replace(/\/$/, ''))
  const named = globSync('**/*', { cwd: installed, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) =>
      folders.some((folder) => folder.length > 1 && readFileSync(file, 'utf8').includes(`${folder}/`)),
    )
  assert.deepEqual(named, [])
})

test('the command is there', { skip }, async () => {
  const { stdout } = await run('npx', ['--no-install', 'belfry', '--version'])
  assert.equal(stdout.trim(), version)
})

interface Running {
  readonly url: string
  readonly trapPort: string
  stop(): Promise<number>
}

async function serve(): Promise<Running> {
  const args = ['serve', '--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0', '--data', join(work, 'data')]
  const child = spawn(join(place, 'node_modules/.bin/belfry'), args, {
    cwd: place,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    return (await exit)[0]
  }
  after(stop)
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listens on (\S+)/.exec(line)?.[1]
    const trapPort = /"port":(\d+)[^\n]*receiving traps/.exec(log)?.[1]
    if (url && trapPort) return { url, trapPort, stop }
  }
  assert.fail(`it ended: ${log}`)
}

// On whatever Node there is: a program that uses the client need not run on the one of the service.
const program = `
import { connect } from 'belfry/client'
for await (const alarm of connect(process.argv[2], { snapshot: true, filter: { alarmLevel: [1, 2, 3, 4] } })) {
  console.log(alarm.OID, alarm.nAction)
  break
}
`

// Also without Node's types, as in a browser, and with the strictest checks of our declarations.
const typed = `
import { type Alarm, connect, type Gap, RefusedError } from 'belfry/client'
const gaps: Gap[] = []
const stream = connect('/imcrs', { uuid: 'x', filter: { alarmLevel: 1 }, onGap: (gap) => gaps.push(gap) })
try {
  for await (const alarm of stream) {
    const one: Alarm = alarm
    const text: string = one.alarmDesc + (stream.position ?? '')
    console.log(text)
    // @ts-expect-error: numbers are texts
    const level: number = alarm.alarmLevel
    console.log(level)
  }
} catch (error) {
  if (error instanceof RefusedError) console.log(error.status, error.field)
}
`

test('the installed service serves, takes a trap, and the installed client reads the alarm', {
  skip,
}, async () => {
  const service = await serve()
  const zones = await fetch(`${service.url}/ram/zone`)
  assert.equal(zones.status, 200)
  assert.match(await zones.text(), /<name>Default<\/name>/)
  const page = await (await fetch(`${service.url}/console`)).text()
  const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link)
  assert(files.some((file) => file.endsWith('/first-view.js')))
  for (const file of files) assert.equal((await fetch(service.url + file)).status, 200, file)
  const belfry = join(place, 'node_modules/.bin/belfry')
  const sent = await run(belfry, ['trap', 'linkDown', '--inform', '--to', `127.0.0.1:${service.trapPort}`])
  assert.match(sent.stdout, /answered/)
  writeFileSync(join(place, 'program.js'), program)
  const { stdout } = await run('node', ['program.js', service.url])
  assert.equal(stdout, '1.3.6.1.6.3.1.1.5.3 Push\n')
  const tail = await run(belfry, ['tail', '--data', join(work, 'data'), '--snapshot', '--count', '1'])
  assert.match(tail.stdout, /Interface|interface/)
  assert.equal(await service.stop(), 0)
})

test('the declarations of the client are complete for programs in Node and in browsers', {
  skip,
}, async () => {
  writeFileSync(join(place, 'typed.ts'), typed)
  const tsc = join(root, 'node_modules/.bin/tsc')
  const common = ['--noEmit', '--strict', '--target', 'es2022', '--types', '', 'typed.ts']
  const where = [
    ['--module', 'nodenext', '--lib', 'es2022,dom'],
    ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom'],
  ]
  for (const kind of where) {
    const { stdout } = await run(tsc, [...kind, ...common]).catch((error) => assert.fail(error.stdout))
    assert.equal(stdout, '')
  }
})

test('only the client can be imported', { skip }, async () => {
  const other = (name: string) => run('node', ['--input-type=module', '-e', `await import('${name}')`])
  await assert.rejects(other('belfry'), /ERR_PACKAGE_PATH_NOT_EXPORTED/)
  await assert.rejects(other('belfry/dist/main.js'), /ERR_PACKAGE_PATH_NOT_EXPORTED/)
})
