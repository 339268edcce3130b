// The examples of programs that follow alarms, run as their first lines say, through a stop of the service.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { raise, returning, until } from '../client/world.ts'
import { startService } from '../support.ts'
import { withoutTool } from '../tools.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

function start(program: string, args: readonly string[]) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  after(() => child.kill('SIGKILL'))
  const said = { all: '' }
  const ended = once(child, 'close').then(([code]) => ({ code, all: said.all }))
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said.all += chunk
    })
  }
  return { child, said, ended }
}

interface Example {
  readonly name: string
  run(url: string, uuid: string): ReturnType<typeof start>
  readonly needs: { readonly skip: string | false }
}

const examples: readonly Example[] = [
  {
    name: 'register-and-print.ts',
    run: (url, uuid) => start(process.execPath, ['examples/register-and-print.ts', url, uuid]),
    needs: { skip: false },
  },
  {
    name: 'python_client.py',
    run: (url, uuid) =>
      start('python3', ['examples/python_client.py', '--uuid', uuid, url, 'sendRecovered=true']),
    needs: withoutTool('python3', 'python3'),
  },
]

// Side by side: most of their time is waiting.
suite('examples of clients', { concurrency: true }, () => {
  for (const { name, run, needs } of examples) {
    test(
      `${name} prints alarms, outlives the service, and misses nothing, also between two runs`,
      needs,
      async () => {
        const { first, again } = await returning()
        const one = run(first.url, 'example')
        await until(() => /^Registered with .* as example$/m.test(one.said.all))
        const id = await raise(first, 'Fan <2> & fan 3 have failed', {
          deviceName: 'core-1',
          deviceIp: '10.0.0.7',
        })
        await until(() => one.said.all.includes(`[Major ${id}] core-1: Fan <2> & fan 3 have failed\n`))
        await first.stop()
        await until(() => /^Not connected \(.+\): again in \d/m.test(one.said.all))
        const second = await again()
        await fetch(`${second.url}/fault/alarm/recover/${id}`, { method: 'PUT' })
        await until(() => one.said.all.includes(`[over: ${id}] core-1: `))
        assert.equal(one.said.all.split('have failed\n').length, 3, `nothing twice: ${one.said.all}`)
        one.child.kill('SIGINT')
        assert.equal((await one.ended).code, 0)

        await raise(second, 'In the meantime')
        const two = run(second.url, 'example')
        await until(() => two.said.all.includes(': In the meantime\n'))
        two.child.kill('SIGINT')
        assert.equal((await two.ended).code, 0)
      },
    )

    test(`${name} reports what the service refuses, and ends`, needs, async () => {
      const { url } = await startService()
      const { code, all } = await run(url, 'x'.repeat(257)).ended
      assert.equal(code, 1)
      assert.match(all, /^The service refuses: .*uuid/m)
    })
  }

  test('the Python client takes filters and a count', withoutTool('python3', 'python3'), async () => {
    const service = await startService()
    const { said, ended } = start('python3', [
      'examples/python_client.py',
      '--count',
      '1',
      service.url,
      'alarmLevel=1',
    ])
    await until(() => /Registered/.test(said.all))
    await raise(service, 'minor', { alarmLevel: 3 })
    await raise(service, 'critical', { alarmLevel: 1 })
    const { code, all } = await ended
    assert.equal(code, 0)
    assert.match(all, /\[Critical \d+\] Belfry: critical\n$/)
    assert.doesNotMatch(all, /minor/)
  })
})
