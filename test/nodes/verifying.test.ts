// Several nodes share the devices that are asked whether their alarms are still so: each by one of them, once per round.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { nodeFor } from '../../src/ask/reach/slots.ts'
import { addDevice, addProfile } from '../ask/reach-world.ts'
import { freePort } from '../free-port.ts'
import { until } from '../intake/sending.ts'
import { AlarmedSwitch } from './alarmed-switch.ts'
import { startNodes } from './several.ts'

const everySeconds = 4
const limits = { verifyQuietSeconds: 0, verifyAgainSeconds: 0 }

test('each alarm is verified by one node, once per round; a node that is left verifies all', async () => {
  const port = await freePort()
  const seconds = { 'ask-seconds': '1', 'learn-seconds': '0', 'verify-seconds': String(everySeconds) }
  const { services } = await startNodes(2, seconds, limits)
  const [a, b] = services
  assert.ok(a && b)
  // However slow the machine is, nothing is asked twice because of that.
  await addProfile(a, port, '127.0.59.0/24', { timeoutSeconds: 10 })
  const switches: AlarmedSwitch[] = []
  after(async () => {
    for (const one of switches) await one[Symbol.asyncDispose]()
  })
  for (let last = 1; last <= 10; last += 1) {
    const one = await AlarmedSwitch.start(`127.0.59.${last}`, port)
    switches.push(one)
    await addDevice(b, one)
    await one.report((last % 2 === 0 ? a : b).trapPort)
  }
  const open = async () => {
    const rows = await a.database.all(
      "select device_id from alarm where rec_status = 0 and event_name = 'linkDown' order by device_id",
    )
    return rows.map((row) => String(row.device_id))
  }
  await until('all are alarmed', async () => (await open()).length === switches.length)
  await until('each was verified in four rounds', () =>
    switches.every(({ verified }) => verified.length >= 4),
  )
  const ports = new Map<string | undefined, Set<number>>()
  for (const { id, verified } of switches) {
    const owner = nodeFor(BigInt(id), ['a', 'b'])
    const from = ports.get(owner) ?? new Set()
    ports.set(owner, from)
    for (const one of verified) from.add(one.port)
    const [first = 0, last = 0] = [verified.at(0)?.at, verified.at(-1)?.at]
    // Rounds are a tenth shorter for some; what was late leaves less time until the next one.
    const most = (last - first) / (0.9 * everySeconds * 1000) + 2
    assert.ok(verified.length <= most, `device ${id} was asked ${verified.length} times instead of ${most}`)
  }
  assert.deepEqual(
    Array.from(ports.values(), ({ size }) => size),
    [1, 1],
    'each node asks its own from its socket',
  )
  assert.equal((await open()).length, switches.length, 'what is still so stays open')

  await b.stop()
  for (const one of switches) one.set(1)
  await until('the other node finds all of them over', async () => (await open()).length === 0)
  const ended = await a.database.all(
    "select reason from alarm where is_receover_fault = 1 and event_name = 'linkDown'",
  )
  assert.deepEqual([...new Set(ended.map((row) => row.reason))], ['found recovered by asking'])
})
