import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { version } from '../../src/config/version.ts'
import { until } from '../intake/sending.ts'
import { temporaryFolder } from '../support.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('a service started with npm start stops when npm is asked to stop', async () => {
  const environment = {
    ...process.env,
    BELFRY_LISTEN: '127.0.0.1:0',
    BELFRY_TRAPS: '127.0.0.1:0',
    BELFRY_DATA: temporaryFolder(),
  }
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(createInterface({ input: npm.stdout }), 'line')
  const url = /listens on (\S+)/.exec(line)?.[1]
  assert.ok(url, line)
  assert.equal((await fetch(`${url}/health`)).status, 200)
  npm.kill('SIGTERM')
  await until('the service is gone', () =>
    fetch(`${url}/health`).then(
      () => false,
      () => true,
    ),
  )
})

/** A Node on this machine that is too old for the program. */
function olderNode(): string | undefined {
  const programs = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  return programs.find((program) => {
    if (!existsSync(program)) return false
    const version = execFileSync(program, ['--version'], { encoding: 'utf8' })
    return Number(/^v(\d+)/.exec(version)?.[1]) < 24
  })
}

const older = olderNode()
const skip = older === undefined && 'there is no Node older than 24 in the path'

test('an older Node hands over to the one that npm brought', { skip }, () => {
  const run = (...args: string[]) => execFileSync(older ?? '', args, { cwd: root, encoding: 'utf8' }).trim()
  assert.equal(run('bin/belfry.js', 'version'), version)
  assert.match(run('bin/node.js', '--version'), /^v24\./)
})

test('a service that was started through an older Node stops with it, and passes on its exit code', {
  skip,
}, async () => {
  const args = ['bin/belfry.js', 'serve', '--listen', '127.0.0.1:0', '--data', temporaryFolder()]
  const service = spawn(older ?? '', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = await once(createInterface({ input: service.stdout }), 'line')
  assert.match(line, /listens on/)
  service.kill('SIGTERM')
  const [code] = await once(service, 'exit')
  assert.equal(code, 0)
  await assert.rejects(fetch(/listens on (\S+)/.exec(line)?.[1] ?? ''))
})
