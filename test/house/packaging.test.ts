// Dockerfile, compose file and systemd unit agree with the code: settings, ports, files, and commands that work.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { environmentName } from '../../src/config/config.ts'
import { settings } from '../../src/config/settings.ts'
import { serviceEvents } from '../../src/events/service-events.ts'
import { fail, serve, stop, succeed } from '../cli/running.ts'
import { startService, temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const dockerfile = read('Dockerfile')
const compose = read('compose.yaml')
const unit = read('packaging/belfry.service')

const known = new Set([...Object.keys(settings), 'config'].map(environmentName))
const defaults = {
  listen: [settings.listen.read(settings.listen.byDefault)],
  traps: settings.traps.read(settings.traps.byDefault),
}
const port = (name: 'listen' | 'traps') => defaults[name][0]?.port

const packaged = globSync('packaging/*', { cwd: root }).filter((path) => statSync(join(root, path)).isFile())

for (const path of ['Dockerfile', 'compose.yaml', 'compose.nodes.yaml', ...packaged]) {
  test(`every setting that ${path} names is one`, () => {
    const named = read(path).match(/\bBELFRY_[A-Z_]+/g) ?? []
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
    )
  })
}

describe('the image', () => {
  test('copies files that are there, and that .dockerignore lets through', () => {
    const ignored = read('.dockerignore').split('\n').filter(Boolean)
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    )
    assert(copied.length > 2)
    for (const file of copied) {
      assert(existsSync(join(root, file)), file)
      assert(!ignored.includes(file), file)
    }
    const needed = [
      'package.json',
      'tsconfig.build.json',
      'bin',
      'src',
      'migrations',
      'definitions',
      'docs',
      'packaging',
      'examples',
    ]
    assert.deepEqual(
      needed.filter((file) => ignored.includes(file)),
      [],
    )
  })

  test('listens on the ports it exposes, which are those of the settings', () => {
    assert.match(dockerfile, new RegExp(`^EXPOSE ${port('listen')} ${port('traps')}/udp$`, 'm'))
    assert.match(dockerfile, new RegExp(`BELFRY_LISTEN=0\\.0\\.0\\.0:${port('listen')} `))
    assert.match(dockerfile, new RegExp(`BELFRY_TRAPS=0\\.0\\.0\\.0:${port('traps')}$`, 'm'))
    assert.match(compose, new RegExp(`"127\\.0\\.0\\.1:${port('listen')}:${port('listen')}"`))
    assert.match(compose, new RegExp(`"162:${port('traps')}/udp"`))
  })

  test('runs the Node that the program needs, as a user without rights, on a volume', () => {
    assert.match(dockerfile, /^ARG BASE=node:24-[\w-]+@sha256:[0-9a-f]{64}$/m)
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
    assert.equal(bases.length, 2)
    for (const base of bases) assert.match(base ?? '', /^\$\{BASE\}$/)
    assert.match(read('bin/runtime.js'), /const needed = '24\./)
    assert.match(dockerfile, /^USER node$/m)
    const [, data = ''] = /BELFRY_DATA=(\S+)/.exec(dockerfile) ?? []
    assert.match(dockerfile, new RegExp(`^VOLUME ${data}$`, 'm'))
    assert(compose.includes(`- data:${data}\n`))
  })

  test('the volumes and secrets of the compose files are declared, and folders that are volumes belong to its user', () => {
    const [, made = ''] = /install -d -o node -g node -m 0700 (.+)$/m.exec(dockerfile) ?? []
    const folders = made.split(' ')
    for (const path of ['compose.yaml', 'compose.nodes.yaml']) {
      const text = read(path)
      const ends = text.slice(text.search(/^volumes:$/m))
      const mounted = [...text.matchAll(/(?:- |\[)"?([\w-]+):(\/var\/[\w/-]+)"?\]?$/gm)]
      assert.ok(mounted.length >= 3, path)
      for (const [, volume = '', folder = ''] of mounted) {
        assert.match(ends, new RegExp(`^  ${volume}:$`, 'm'), `${path} declares ${volume}`)
        // A new volume takes the owner of the folder that the image has in its place.
        if (!folder.startsWith('/var/lib/postgresql'))
          assert.ok(folders.includes(folder), `${path}: ${folder}`)
      }
      for (const [, secret = ''] of text.matchAll(/\/run\/secrets\/([\w-]+)/g))
        assert.match(ends, new RegExp(`^  ${secret}:\\n    file: \\./${secret}$`, 'm'), `${path}: ${secret}`)
      // What is kept outside of volumes is gone with the container: everything that is written is in one.
      assert.match(text, /read_only: true/)
    }
    const [, key = ''] = /BELFRY_KEY_FILE: (\S+)\/key/.exec(compose) ?? []
    assert.ok(compose.includes(`- key:${key}\n`))
  })

  test('the digest that pins its base image is renewed by a script, or stays', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, '.ci'))
    for (const path of ['.ci/pin', 'Dockerfile']) copyFileSync(join(root, path), join(folder, path))
    // There need be no docker here, nor a registry: this one says what it was set up to say.
    const pin = (digest: string) => {
      writeFileSync(join(folder, 'docker'), `#!/bin/sh\necho '${digest}'\n`, { mode: 0o755 })
      const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
      return spawnSync(join(folder, '.ci/pin'), { env, encoding: 'utf8' })
    }
    const base = () => /^ARG BASE=(.*)$/m.exec(readFileSync(join(folder, 'Dockerfile'), 'utf8'))?.[1]
    const before = base()
    assert.equal(pin('not found').status, 1)
    assert.equal(base(), before)
    for (const digest of ['a', 'b'].map((digit) => `sha256:${digit.repeat(64)}`)) {
      assert.equal(pin(digest).status, 0)
      assert.equal(base(), `${before?.replace(/@.*/, '')}@${digest}`)
    }
  })

  test('its health check answers for a service that runs, and for one that does not', async () => {
    const [, command = ''] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(dockerfile) ?? []
    const [program, script, ...args] = JSON.parse(command)
    assert.equal(program, 'node')
    assert.equal(script, '/opt/belfry/bin/belfry.js')
    const data = temporaryFolder()
    const env = { BELFRY_DATA: data }
    assert.match(await fail(1, args, { env }), /no service answers for the data folder/)
    const service = await serve(['--data', data])
    assert.equal((await succeed(args, { env })).stdout, 'ready\n')
    service.signal('SIGKILL')
    await service.ended
    await fail(1, args, { env })
  })
})

describe('the systemd unit', () => {
  test('starts the program where the page says it is installed', () => {
    const [, program = ''] = /^ExecStart=(\S+) serve$/m.exec(unit) ?? []
    const page = read('docs/operations.md')
    assert(
      page.includes(`npm install --prefix ${program.replace('/node_modules/.bin/belfry', '')} `),
      program,
    )
    assert.match(unit, /^Environment=BELFRY_DATA=\/var\/lib\/belfry$/m)
    assert.match(unit, /^StateDirectory=belfry$/m)
  })

  test('systemd finds nothing wrong with it', withoutTool('systemd-analyze', 'systemd'), () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'bin'))
    // What it starts is not installed here: something that is there stands in its place.
    const file = join(folder, 'belfry.service')
    writeFileSync(file, unit.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    assert.equal(
      stderr
        .split('\n')
        .filter((line) => line.includes('belfry.service'))
        .join('\n'),
      '',
    )
    assert.equal(status, 0, stderr)
  })
})

test('the settings of the example environment file are accepted', async () => {
  const lines = read('packaging/belfry.env')
    .split('\n')
    .filter((line) => /^BELFRY_/.test(line))
  const env = Object.fromEntries(lines.map((line) => line.split('=') as [string, string]))
  const data = temporaryFolder()
  // On this machine there may be a service, which has its key there.
  const service = await serve(['--data', data, '--key-file', join(data, 'key')], { env })
  await stop(service)
})

test('the rules for Prometheus, and the page, name metrics that exist', async () => {
  const service = await startService()
  const { text } = await service.get('/metrics')
  const named = `${read('packaging/alerts.yml')}\n${read('docs/operations.md')}`.match(/\bbelfry_[a-z0-9_]+/g)
  assert(named && named.length > 10)
  // Those with a label appear with their first value.
  const there = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  assert.deepEqual(
    named.filter((name) => !there.has(name)),
    [],
  )
})

test(
  'promtool accepts the rules, and they fire when they should',
  withoutTool('promtool', 'prometheus'),
  () => {
    const folder = temporaryFolder()
    copyFileSync(join(root, 'packaging/alerts.yml'), join(folder, 'alerts.yml'))
    copyFileSync(join(root, 'test/procedures/alerts.yml'), join(folder, 'cases.yml'))
    for (const args of [
      ['check', 'rules', 'alerts.yml'],
      ['test', 'rules', 'cases.yml'],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' })
      assert.equal(status, 0, stdout + stderr)
    }
  },
)

test('docs/operations.md has a row for every alarm of the service itself', () => {
  const page = read('docs/operations.md')
  const missing = Object.entries(serviceEvents).filter(
    ([name, { eventOid }]) => !page.includes(`| \`${name}\` (.${eventOid.split('.').at(-1)}) |`),
  )
  assert.deepEqual(
    missing.map(([name]) => name),
    [],
  )
})
