// The sections for HAProxy of docs/nodes.md, in front of two nodes: Digest, imports, event streams, and a node that stops.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '../free-port.ts'
import { guard, passwordOf } from '../http/credentials.ts'
import { blocksOf } from '../procedures/document.ts'
import { eventually } from '../push/station.ts'
import { sendRequest, type TestService, temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { startNodes } from './several.ts'

/** What the page shows, with ports of this test. */
function configuration(port: number, nodes: readonly string[]): string {
  const [block] = blocksOf('docs/nodes.md', 'A load balancer for HTTP').filter(
    ({ language }) => language === 'haproxy',
  )
  assert(block)
  assert.equal(block.text.match(/10\.0\.0\.1[12]:8080/g)?.length, nodes.length)
  let next = 0
  return block.text
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/10\.0\.0\.1[12]:8080/g, () => new URL(nodes[next++] ?? '').host)
}

async function startHaproxy(nodes: readonly string[]): Promise<string> {
  const port = await freePort()
  const file = join(temporaryFolder(), 'haproxy.cfg')
  writeFileSync(file, configuration(port, nodes))
  const checked = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' })
  assert.equal(checked.status, 0, checked.stderr)
  assert.doesNotMatch(checked.stderr, /WARNING/)
  const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const ended = once(haproxy, 'exit')
  after(async () => {
    haproxy.kill('SIGKILL')
    await ended
  })
  return `http://127.0.0.1:${port}`
}

test(
  'nodes, HAProxy: Digest, imports and streams pass, whichever node gets a request, and one node may stop',
  withoutTool('haproxy', 'haproxy'),
  async () => {
    const { services: nodes } = await startNodes(2, { 'trusted-proxies': '127.0.0.1' })
    const admin = { name: 'admin', role: 'administrator', password: passwordOf('admin') }
    assert.equal((await nodes[0]?.sendJson('POST', '/plat/operator', admin))?.status, 201)
    const url = await startHaproxy(nodes.map((node) => node.url))
    const ask = (method: string, path: string, sent = {}) => sendRequest(url, method, path, sent)
    const front = guard({
      ...(nodes[0] as TestService),
      url,
      ask,
      get: (path, headers = {}) => ask('GET', path, { headers }),
    })
    await eventually(
      async () => (await ask('GET', '/health').catch(() => undefined))?.status === 200,
      'HAProxy has found a node',
    )
    for (let count = 0; count < 8; count += 1) {
      const made = await front.asJson('admin', 'POST', '/ram/zone', { name: `Zone ${count}` })
      assert.equal(made.status, 201, made.text)
      assert.equal((await front.as('admin', 'GET', '/ram/zone?size=1')).status, 200)
    }
    const rows = Array.from({ length: 4_000 }, (_, n) => `${n + 1000},Row ${n},${'x'.repeat(300)}`)
    const imported = await front.as('admin', 'POST', '/plat/data/zone', {
      headers: { 'Content-Type': 'text/csv' },
      body: `zoneId,name,description\n${rows.join('\n')}\n`,
    })
    assert.equal(imported.status, 200, imported.text.slice(0, 300))
    // The address of the caller, not of the balancer, is in the audit log.
    assert.match((await front.as('admin', 'GET', '/plat/audit?size=1')).text, /127\.0\.0\.1/)

    const token = String(
      (await front.asJson('admin', 'POST', '/plat/token', { scope: 'events' })).json().token,
    )
    let received = ''
    const stream = request(new URL('/events?type=11', url), { headers: { Authorization: `Bearer ${token}` } })
    stream.on('error', () => undefined)
    stream.on('response', (answer) => answer.on('data', (chunk) => (received += chunk)))
    stream.end()
    await once(stream, 'response')
    const alarm = { OID: '1.3.6.1.4.1.32473.9.1', alarmLevel: 1, deviceIp: '10.1.1.1', alarmDesc: 'Smoke' }
    assert.equal((await front.asJson('admin', 'POST', '/fault/alarm', alarm)).status, 201)
    await eventually(async () => received.includes('Smoke'), 'the alarm comes through')
    stream.destroy()

    await nodes[0]?.stop()
    await eventually(async () => (await ask('GET', '/health')).status === 200, 'the other node answers')
    for (let count = 0; count < 8; count += 1)
      assert.equal(
        (await front.as('admin', 'GET', '/ram/zone?size=1')).status,
        200,
        `GET ${count} with one node`,
      )
  },
)
