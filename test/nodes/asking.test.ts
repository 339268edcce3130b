// Several nodes share the devices that are asked: each is asked by one of them, and those of a node that goes by another.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hashOf, nodeFor } from '../../src/ask/reach/slots.ts'
import { addDevice, addProfile, Device, reachOf, untilOpen, untilState } from '../ask/reach-world.ts'
import { freePort } from '../free-port.ts'
import { until } from '../intake/sending.ts'
import { startNodes } from './several.ts'

const everySeconds = 3

test('each device is asked by one node, once per interval; a node that is left asks all', async () => {
  const port = await freePort()
  const { services } = await startNodes(2, {
    'ask-seconds': String(everySeconds),
    'learn-seconds': '0',
  })
  const [a, b] = services
  assert.ok(a && b)
  await addProfile(a, port, '127.0.43.0/24')
  const devices: Device[] = []
  after(async () => {
    for (const device of devices) await device.close()
  })
  for (let last = 1; last <= 12; last += 1) {
    const device = await Device.start(`127.0.43.${last}`, port)
    devices.push(device)
    await addDevice(b, device)
  }
  for (const device of devices) await untilState(b, device, 'answering')
  await until('each was asked in three intervals', () =>
    devices.every(({ questions }) => questions.length >= 3),
  )
  const ports = new Map<string | undefined, Set<number>>()
  for (const { id, questions } of devices) {
    const owner = nodeFor(BigInt(id), ['a', 'b'])
    const from = ports.get(owner) ?? new Set()
    ports.set(owner, from)
    for (const question of questions) from.add(question.port)
    const [first = 0, last = 0] = [questions.at(0), questions.at(-1)].map((one) => momentOf(id, one?.at ?? 0))
    assert.ok(questions.length <= last - first + 2, `device ${id} was asked more than once per interval`)
  }
  assert.deepEqual(
    Array.from(ports.values(), ({ size }) => size),
    [1, 1],
    'each node asks its own from its socket',
  )
  const silent = devices.find(({ id }) => nodeFor(BigInt(id), ['a', 'b']) === 'b') as Device
  silent.isSilent = true
  await untilOpen(a, [`deviceUnreachable at ${silent.host}`])
  silent.isSilent = false
  await untilOpen(a, [])
  await b.stop()
  const counts = devices.map(({ questions }) => questions.length)
  await until('the other node asks all of them', () =>
    devices.every(({ questions }, index) => questions.length > (counts[index] ?? 0) + 1),
  )
  silent.isSilent = true
  await untilOpen(a, [`deviceUnreachable at ${silent.host}`])
  assert.equal((await reachOf(a, silent.id))?.state, 'unreachable')
})

/** The number of the last moment of a device before a time. One more may have passed: clocks differ by milliseconds. */
function momentOf(id: string, at: number): number {
  const interval = everySeconds * 1000
  return Math.floor((at - Math.floor((hashOf(id) / 2 ** 32) * interval)) / interval)
}
