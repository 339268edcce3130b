// The whole topology as plain processes: two nodes, PostgreSQL with a synchronous standby where Debian's is installed,
// and a
// load balancer.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTopology } from '../../examples/nodes.ts'
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
  await eventually(async () => (await alarms(second.url)) === 2, 'the other settles')
})
