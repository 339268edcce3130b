// What a proxy answers while the service restarts does not end the programs that follow alarms, nor the samples in the
// documents.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { connect } from '../../src/client/connect.ts'
import { blocksOf } from '../procedures/document.ts'
import { temporaryFolder } from '../support.ts'
import { pythonWith, withoutTool } from '../tools.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const statuses = [500, 501, 502, 503, 504, 505, 507, 511, 520, 599]

/** Answers each of these statuses once, as a proxy does, and then what it is given. */
async function proxy(type: string, body: string): Promise<{ url: string; asked: () => number }> {
  let asked = 0
  const server = createServer((request, response) => {
    request.resume()
    const status = statuses[asked]
    asked += 1
    if (status !== undefined) {
      response.writeHead(status, { 'Content-Type': 'text/html' })
      response.end('<html><body><h1>Bad Gateway<hr></body></html>')
    } else {
      response.writeHead(202, { 'Content-Type': type })
      response.write(body)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked }
}

/** Until it has said this; it goes on for ever otherwise. */
async function says(program: string, args: readonly string[], cwd: string, wanted: string): Promise<void> {
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PYTHONUNBUFFERED: '1' },
  })
  after(() => child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
      if (said.includes(wanted)) child.kill('SIGTERM')
    })
  await once(child, 'close')
  assert.ok(said.includes(wanted), said)
}

const alarm = {
  id: '7',
  nAction: 'Push',
  deviceName: 'core-1',
  alarmDesc: 'Smoke',
  faultTimeDesc: 'now',
  alarmLevelDesc: 'Major',
  cursor: '1-1',
}
const json = `${JSON.stringify(alarm)}\n\n`
const xml = `<alarm>${Object.entries(alarm)
  .map(([name, value]) => `<${name}>${value}</${name}>`)
  .join('')}</alarm>\n\n`

/** Seconds that a program waits for longer each time are a hundredth here. */
const hurried = (code: string) =>
  `import time\n_sleep = time.sleep\ntime.sleep = lambda s: _sleep(s / 100)\n${code}`

suite('behind a proxy', { concurrency: true }, () => {
  test('the client module survives every 5xx', async () => {
    const { url, asked } = await proxy('application/json', json)
    for await (const one of connect(url, { backoff: { first: 0.001, longest: 0.01 } })) {
      assert.equal(one.alarmDesc, 'Smoke')
      break
    }
    assert.equal(asked(), statuses.length + 1)
  })

  test('the Python sample of events.md survives every 5xx', withoutTool('python3', 'python3'), async () => {
    const { url } = await proxy('application/json', json)
    const [sample] = blocksOf('docs/events.md', 'Python').filter(({ language }) => language === 'python')
    const folder = temporaryFolder()
    const file = join(folder, 'sample.py')
    writeFileSync(file, hurried(sample?.text.replace('http://127.0.0.1:8080', url) ?? ''))
    await says('python3', [file], folder, 'now Push core-1 Smoke')
  })

  test('python_client.py survives every 5xx', withoutTool('python3', 'python3'), async () => {
    const { url } = await proxy('application/xml', xml)
    const code = `import runpy, sys; sys.argv = ['python_client.py', ${JSON.stringify(url)}]; runpy.run_path('examples/python_client.py', run_name='__main__')`
    await says('python3', ['-c', hurried(code)], root, '[Major 7] core-1: Smoke')
  })

  test(
    'python_client.py reports the refusal of a proxy, and ends',
    withoutTool('python3', 'python3'),
    async () => {
      const server = createServer((_, response) => response.writeHead(404).end('<html><hr></html>'))
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      after(() => server.close())
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      await says('python3', ['examples/python_client.py', url], root, 'The service refuses: HTTP Error 404')
    },
  )

  const { program, skip } = pythonWith('requests', 'python3-requests')
  test('imcrs_client.py repeats what it asks while a proxy answers 5xx, and then says so', {
    skip,
  }, async () => {
    const { url } = await proxy('application/json', '')
    const code = `import runpy, sys; sys.argv = ['imcrs_client.py', ${JSON.stringify(url)}, 'board']; runpy.run_path('examples/imcrs_client.py', run_name='__main__')`
    await says(program, ['-c', hurried(code)], root, '505: HTTP Version Not Supported')
  })
})
