// A data folder that is not as it should be: each trouble has its own sentence, and nothing hangs.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { patience } from '../patience.ts'
import { temporaryFolder } from '../support.ts'
import { fail, program, serve, stop, succeed } from './running.ts'

const on = (data: string) => ['--data', data]
const ports = ['--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0']
const linux = { skip: process.platform === 'linux' ? false : 'there is no /proc' }

test('a folder in /proc is refused, and not waited for', linux, async () => {
  for (const data of ['/proc/belfry', '/proc/self/belfry/data'])
    assert.match(await fail(1, ['serve', ...ports, ...on(data)]), /\/proc\/.*cannot be used: ENOENT/)
})

test('a folder inside one that was deleted is refused, and not waited for', linux, () => {
  const gone = join(temporaryFolder(), 'gone')
  mkdirSync(gone)
  const script = `rmdir '${gone}'; exec '${process.execPath}' '${program}' serve ${ports.join(' ')} --data ./data`
  const { status, stderr, signal } = spawnSync('sh', ['-c', script], { cwd: gone, timeout: patience })
  assert.equal(signal, null, 'it hangs')
  assert.equal(status, 1)
  assert.match(String(stderr), /^belfry: .*data.* cannot be used: ENOENT[^\n]*\n$/)
})

test('with its lock removed, a service still keeps a second one out, and is found by commands', async () => {
  const data = temporaryFolder()
  const service = await serve(on(data))
  rmSync(join(data, 'lock'))
  const refused = await fail(1, ['serve', '--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0', ...on(data)])
  assert.match(refused, /in use by process \d+, which serves http/)
  assert.equal((await succeed(['health', ...on(data)])).stdout, 'ready\n')
  rmSync(join(data, 'lock'), { force: true })
  rmSync(join(data, 'service.json'))
  const again = await fail(1, ['serve', '--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0', ...on(data)])
  assert.match(again, /in use: one service at a time/)
  await stop(service)
  await stop(await serve(on(data)))
})

test('an empty store is not taken for a new one', async () => {
  const data = temporaryFolder()
  writeFileSync(join(data, 'belfry.db'), '')
  const sentence = /belfry\.db is empty: what it held is lost.*restore a backup.*remove it/
  assert.match(await fail(1, ['check', ...on(data)]), sentence)
  assert.match(await fail(1, ['operator', 'list', ...on(data)]), sentence)
  assert.equal(readFileSync(join(data, 'belfry.db'), 'utf8'), '')
})

test('an empty service.json is reported, and means that the last stop was not an orderly one', async () => {
  const data = temporaryFolder()
  const service = await serve(on(data))
  for (const note of ['', '{"pid":', '[]', '"x"']) {
    writeFileSync(join(data, 'service.json'), note)
    assert.match(await fail(1, ['health', ...on(data)]), /service\.json.*says nothing.*restart/, note)
    assert.match(await fail(1, ['operator', 'list', ...on(data)]), /service\.json.*says nothing/, note)
  }
  service.signal('SIGKILL')
  await service.ended
  const again = await serve([...on(data), '--log-level', 'warn'])
  assert.match(again.said.stderr, /not an orderly one/)
  await stop(again)
})

const starting = ['serve', '--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0']

test('a file lock that is not a lock is reported by its name', async () => {
  const data = temporaryFolder()
  writeFileSync(join(data, 'lock'), 'something else altogether, longer than a header would be'.repeat(100))
  assert.match(await fail(1, [...starting, ...on(data)]), /lock.* is not a lock of Belfry.*remove it/)
  rmSync(join(data, 'lock'))
  mkdirSync(join(data, 'lock'))
  assert.match(await fail(1, [...starting, ...on(data)]), /lock.* is not a file/)
})

test(
  'something that should be a file and is not is reported by its name, and not waited for',
  linux,
  async () => {
    for (const name of ['belfry.db', 'witness', 'service.json']) {
      for (const make of ['mkfifo', 'mkdir']) {
        const data = temporaryFolder()
        assert.equal(spawnSync(make, [join(data, name)]).status, 0)
        const reported = await fail(1, [...starting, ...on(data)])
        assert.match(reported, new RegExp(`^belfry: .*${name} is not a file$`), make)
      }
    }
  },
)

test('a service that does not answer is reported as running', async () => {
  const data = temporaryFolder()
  const service = await serve(on(data))
  service.signal('SIGSTOP')
  const reported = await fail(1, ['backup', join(data, 'copy.db'), ...on(data)])
  assert.match(reported, /process \d+ holds the data folder .* and does not answer/)
  service.signal('SIGCONT')
  await stop(service)
})

test('the lack of file descriptors is what is reported', linux, async () => {
  const data = temporaryFolder()
  await stop(await serve(on(data)))
  const copying = `backup '${join(data, 'copy.db')}'`
  const serving = 'serve --listen 127.0.0.1:0 --traps 127.0.0.1:0 --log-level silent'
  for (const [most, command] of [
    [22, copying],
    [26, serving],
    [30, copying],
  ] as const) {
    const script = `ulimit -n ${most}; exec '${process.execPath}' '${program}' ${command} --data '${data}'`
    const { stderr, status } = spawnSync('sh', ['-c', script], { timeout: patience })
    assert.notEqual(status, 0)
    assert.doesNotMatch(String(stderr), /in use/, `with ${most}`)
    assert.match(String(stderr), /descriptors|open files|EMFILE/, `with ${most}: ${stderr}`)
    // With fewer, Node may not even be able to read the program.
    if (most > 22) assert.doesNotMatch(String(stderr), /\n {4}at /, `with ${most}`)
  }
  assert.ok(!existsSync(join(data, 'copy.db')))
})

const runtime = new URL('../../bin/runtime.js', import.meta.url).href

/** The launcher as an old Node runs it. */
function launch(data: string) {
  const args = [program, 'serve', '--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0', ...on(data)]
  const script = `import(${JSON.stringify(runtime)}).then(({ runOn }) => runOn(process.execPath, ${JSON.stringify(args)}))`
  const clean = Object.entries(process.env).filter(([name]) => !/^(BELFRY_|npm_|NODE_)/.test(name))
  const launcher = spawn(process.execPath, ['-e', script], {
    env: Object.fromEntries(clean),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const ended = new Promise<number | null>((resolve) => launcher.once('close', resolve))
  after(() => {
    try {
      process.kill(-Number(launcher.pid), 'SIGKILL')
    } catch {
      // All of it has ended.
    }
  })
  return { launcher, ended }
}

async function servicePid(data: string): Promise<number> {
  for (;;) {
    try {
      return JSON.parse(readFileSync(join(data, 'service.json'), 'utf8')).pid
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50))
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`the launcher for an old Node passes ${signal} on, and ends as the service ends`, async () => {
    const data = temporaryFolder()
    const { launcher, ended } = launch(data)
    const pid = await servicePid(data)
    launcher.kill(signal)
    const code = await ended
    assert.ok(!isAlive(pid))
    if (signal !== 'SIGHUP') assert.equal(code, 0)
    assert.ok(!existsSync(join(data, 'service.json')), 'it stopped in order')
  })
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} to both the launcher and the service counts once`, async () => {
    const data = temporaryFolder()
    const { launcher, ended } = launch(data)
    await servicePid(data)
    process.kill(-Number(launcher.pid), signal)
    assert.equal(await ended, 0)
    assert.ok(!existsSync(join(data, 'service.json')), 'it stopped in order')
  })
}

test('a program whose work was done when a signal came has not failed', async () => {
  const ended = (work: string) => {
    const program = `import(${JSON.stringify(runtime)}).then(({ tellLauncher }) => { ${work}; process.kill(process.pid, 'SIGKILL') })`
    const args = JSON.stringify(['-e', program])
    const script = `import(${JSON.stringify(runtime)}).then(({ runOn }) => runOn(process.execPath, ${args}))`
    return spawnSync(process.execPath, ['-e', script], { stdio: 'inherit' }).status
  }
  assert.equal(ended('tellLauncher()'), 0)
  assert.equal(ended('process.exitCode = 3; tellLauncher()'), 3)
  assert.equal(ended(''), 137)
})

test('a launcher that is killed leaves no service behind', async () => {
  const data = temporaryFolder()
  const { launcher } = launch(data)
  const pid = await servicePid(data)
  launcher.kill('SIGKILL')
  await untilGone(pid)
  assert.ok(!existsSync(join(data, 'service.json')), 'it stopped in order')
})
