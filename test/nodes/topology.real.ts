// The whole topology as plain processes: two nodes, PostgreSQL with a synchronous standby where Debian's is installed,
// and a
// load balancer.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { startTopology } from '../../examples/nodes.ts'
import { freePort } from '../free-port.ts'
import { device, ifIndex, linkDown, v2c } from '../intake/sending.ts'
import { eventually } from '../push/station.ts'
import { sendRequest } from '../support.ts'

const topology = await startTopology(2, { http: 0, traps: 0 })
after(() => topology.stop())
const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
const ask = (url: string, method: string, path: string, body?: object) =>
  sendRequest(url, method, path, {
    headers: json,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

test('nodes, topology: what one node receives the other shows, and the load balancer works without one of them', async () => {
  const [first, second] = topology.nodes
  assert.ok(first && second)
  assert.equal((await ask(topology.url, 'POST', '/ram/zone', { name: 'Lyon' })).status, 201)
  for (const { url } of topology.nodes) {
    const { text } = await ask(url, 'GET', '/ram/zone?name=Lyon')
    assert.match(text, /Lyon/)
  }
  const sender = await device(second.trapPort)
  await sender.send(v2c(linkDown, [ifIndex(7)]))
  const alarms = async (url: string) =>
    Number((await ask(url, 'GET', '/fault/alarm?OID=1.3.6.1.6.3.1.1.5.3&total=true')).headers.total)
  await eventually(async () => (await alarms(first.url)) === 1, 'the alarm is at the other node')
  first.process.kill('SIGKILL')
  await eventually(async () => {
    const answer = await ask(topology.url, 'POST', '/ram/zone', { name: `Zone ${performance.now()}` }).catch(
      () => undefined,
    )
    return answer?.status === 201
  }, 'the balancer goes on')
  await sender.send(v2c(linkDown, [ifIndex(8)], { requestId: 8 }))
  await eventually(async () => (await alarms(second.url)) === 2, 'the other is the leader')
})

/** Everything a topology leaves behind would be in here. */
function folderOfItsOwn(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'belfry-topology-'))
  // PostgreSQL may run as another user, who must be able to pass.
  chmodSync(folder, 0o755)
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(folder, { recursive: true })
  })
  return folder
}

/** The code that the nodes compiled is kept for the next start. */
const leftIn = (folder: string) => readdirSync(folder).filter((name) => !name.startsWith('belfry-compiled-'))

async function occupy(t: TestContext, port: number): Promise<void> {
  const other = createServer().listen(port, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
}

test('nodes, topology: where a port is taken, it says which and starts nothing', async (t) => {
  const folder = folderOfItsOwn(t)
  const port = await freePort(3)
  await occupy(t, port)
  await assert.rejects(startTopology(2, { http: port + 1, traps: 0 }), {
    message: `another program uses port ${port}/tcp of 127.0.0.1: stop it first (is a demo still running?)`,
  })
  assert.deepEqual(leftIn(folder), [])
})

test('nodes, topology: what fails later ends everything that was started', async (t) => {
  const folder = folderOfItsOwn(t)
  const port = await freePort(2)
  const failed = assert.rejects(startTopology(1, { http: port + 1, traps: 0 }), /EADDRINUSE/)
  await eventually(async () => readdirSync(folder).length > 0, 'the ports have been looked at')
  await occupy(t, port)
  await failed
  assert.deepEqual(leftIn(folder), [])
})
