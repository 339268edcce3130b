// Reachability by ICMP echo, sent by Debian's fping; and where it is missing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AskFault } from '../../src/ask/ask-fault.ts'
import { FpingReach, roundTrips } from '../../src/ask/reach/fping-reach.ts'
import { startService } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { addProfile, idFrom, reachOf, untilState } from './reach-world.ts'

const retryPolicy = { attempts: 2, timeout: 200 }
const reasonOf = (asked: Promise<number>) =>
  asked.then(
    () => 'answered',
    (error) => (error instanceof AskFault ? `${error.reason}: ${error.message}` : String(error)),
  )

test(
  'machines that are there and those that are not, in one run',
  withoutTool('fping', 'fping'),
  async () => {
    const fping = new FpingReach({ perSecond: 500 })
    // Addresses of the network that leads nowhere: nothing is sent beyond this machine.
    const silent = ['0.0.0.1', '255.255.255.255']
    const [time, second, six] = await Promise.all([
      fping.ask('127.0.0.1', retryPolicy),
      fping.ask('127.0.0.1', retryPolicy),
      fping.ask('::1', retryPolicy),
    ])
    assert.ok(time > 0 && second > 0 && six > 0)
    for (const one of silent) assert.notEqual(await reasonOf(fping.ask(one, retryPolicy)), 'answered', one)
  },
)

test('a service without the program says so, and nobody is out of reach for that', async () => {
  const fping = new FpingReach({ program: 'no-such-program', perSecond: 500 })
  assert.equal(
    await reasonOf(fping.ask('127.0.0.1', retryPolicy)),
    'unsent: cannot send an echo to 127.0.0.1: fping is not installed on this machine',
  )
})

test('what it prints is read line by line, and anything else ignored', () => {
  const text =
    '192.0.2.1 is alive (0.05 ms)\n192.0.2.2 is unreachable\nICMP Host Unreachable from 192.0.2.9\nx is alive (y)\n'
  assert.deepEqual(
    [...roundTrips(text)],
    [
      ['192.0.2.1', 0.05],
      ['192.0.2.2', 'silent'],
    ],
  )
})

test('a profile asks by ICMP', withoutTool('fping', 'fping'), async () => {
  const service = await startService({ 'ask-seconds': '1' })
  const bare = { version: 'icmp', community: undefined }
  const profile = await addProfile(service, 161, '127.0.47.0/24', bare)
  const host = '127.0.47.1'
  const id = await idFrom(await service.sendJson('POST', '/plat/res/device', { ip: host, label: 'echo' }))
  await untilState(service, { id, host }, 'answering')
  assert.ok(Number((await reachOf(service, id))?.roundTrip) > 0)
  const trial = await service.sendJson('POST', `/plat/askProfile/${profile}/test`, { ip: host })
  assert.match(trial.text, /"answers":"?true/)
  const wrong = await service.sendJson('POST', '/plat/askProfile', {
    ...{ name: 'wrong', version: 'icmp', community: 'secret', addressRange: ['127.0.48.0/24'] },
  })
  assert.match(wrong.text, /community is not accepted for version=icmp: expected no credentials/)
})
