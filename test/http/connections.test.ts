import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Metrics } from '../../src/http/metrics.ts'
import { Origins } from '../../src/http/wire/caller-origin.ts'
import { Connections } from '../../src/http/wire/connections.ts'
import { testConfig } from '../support.ts'

/** A socket that says where it comes from: one machine cannot have whole networks of addresses. */
function from(address: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: address })
}

const none = () => undefined

test('an address that is refused again and again is logged once, not for each connection', () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  const config = testConfig({ 'connections-per-address': '2' })
  const metrics = { connections: { inc: none, dec: none }, refusedConnections: { inc: none } }
  const connections = new Connections({
    config,
    log,
    origins: new Origins(config),
    metrics: metrics as unknown as Metrics,
    encrypted: true,
  })
  for (let count = 0; count < 100; count += 1) {
    connections.admit(from('192.0.2.1'), false)
    connections.admit(from('192.0.2.2'), false)
  }
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).address),
    ['192.0.2.1', '192.0.2.2'],
  )
})

test('of IPv6 the connections of a network of 64 bits count together', () => {
  const config = testConfig({ 'connections-per-address': '3', 'trusted-proxies': '2001:db8:9::1' })
  const counted = { refused: 0 }
  const metrics = {
    connections: { inc: none, dec: none },
    refusedConnections: { inc: () => (counted.refused += 1) },
  } as unknown as Metrics
  const origins = new Origins(config)
  const log = pino({ level: 'silent' })
  const connections = new Connections({ config, log, origins, metrics, encrypted: true })
  const refusals = (...addresses: string[]) => {
    counted.refused = 0
    for (const address of addresses) connections.admit(from(address), false)
    return counted.refused
  }
  assert.equal(refusals('2001:db8::1', '2001:db8::2', '2001:db8::3'), 0)
  assert.equal(refusals('2001:db8::4', '2001:db8::ffff:1'), 2)
  assert.equal(refusals('2001:db8:0:1::1', '192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'), 0)
  assert.equal(refusals('::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1'), 1)
  assert.equal(refusals(...Array.from({ length: 10 }, () => '2001:db8:9::1')), 0, 'a proxy is not limited')
  assert.equal(refusals('2001:db8:9::2', '2001:db8:9::2'), 0, 'and uses up nothing of its neighbours')
})
