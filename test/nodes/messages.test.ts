// Several nodes on one store: none sends messages to another, and the limit on confirmation codes counts at all of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guard, passwordOf } from '../http/credentials.ts'
import { idOf, refused } from '../http/reading.ts'
import { until } from '../intake/sending.ts'
import { startReceiver } from '../notify/receiver.ts'
import { startNodes } from './several.ts'

const { services } = await startNodes(2, {
  'notify-loopback': 'yes',
  'syslog-udp': '127.0.0.1:0',
  'syslog-tcp': '127.0.0.1:0',
})
const [a, b] = services.map(guard) as [ReturnType<typeof guard>, ReturnType<typeof guard>]
const alice = { name: 'alice', role: 'administrator', password: passwordOf('alice') }
const operatorId = idOf(await a.sendJson('POST', '/plat/operator', alice))
const send = (node: typeof a, method: string, path: string, body: object = {}) =>
  node.asJson('alice', method, path, body)
const make = async (path: string, body: object) => idOf(await send(a, 'POST', path, body))

test('nodes, messages: a gateway that leads to another node is refused, to its interface and its ports for traps and messages', async () => {
  const port = Number(new URL(b.url).port)
  const gateways = [
    { name: 'Interface', kind: 'webhook', url: `http://127.0.0.1:${port}/fault/alarm` },
    { name: 'Traps', kind: 'snmp', host: '127.0.0.1', port: b.trapPort, community: 'x' },
    { name: 'Syslog', kind: 'snmp', host: '127.0.0.1', port: b.syslogPorts.udp, community: 'x' },
    { name: 'Syslog over TCP', kind: 'webhook', url: `http://127.0.0.1:${b.syslogPorts.tcp}/` },
  ]
  for (const gateway of gateways) {
    const id = await make('/notify/gateway', gateway)
    const refusal = /the target is a port of another node of this service/
    await until(`${gateway.name} of the other node is refused`, async () =>
      refusal.test((await send(a, 'POST', `/notify/gateway/${id}/test`)).text),
    )
  }
})

test('nodes, messages: twenty codes are sent for a person within an hour, whichever nodes send them', async () => {
  const { url, received } = await startReceiver()
  const gatewayId = await make('/notify/gateway', { name: 'Phones', kind: 'webhook', url })
  const contact = { name: 'Alice', operatorId }
  const contactId = await make('/notify/contact', contact)
  const channelOf = (owner: string, address: string) =>
    make('/notify/channel', { gatewayId, contactId: owner, address })
  for (const address of ['one', 'two', 'three', 'four']) {
    const path = `/notify/channel/${await channelOf(contactId, address)}/code`
    for (const node of [a, b, a, b, a]) assert.equal((await send(node, 'POST', path)).status, 200)
  }
  const fifth = `/notify/channel/${await channelOf(contactId, 'five')}/code`
  for (const node of [a, b]) refused(await send(node, 'POST', fifth), 429)
  assert.equal((await send(a, 'DELETE', `/notify/contact/${contactId}`)).status, 204)
  const anew = await channelOf(await make('/notify/contact', contact), 'six')
  refused(await send(b, 'POST', `/notify/channel/${anew}/code`), 429)
  assert.equal(received.length, 20)
  await a.database.transaction((tx) => tx.run('update confirmation_quota set since = since - 3600001'))
  assert.equal((await send(b, 'POST', `/notify/channel/${anew}/code`)).status, 200)
})
