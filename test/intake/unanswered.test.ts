// Informs that wait and are sent again: which of them are kept.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Intake, PendingInforms } from '../../src/intake/intake.ts'
import { UsmSender } from '../../src/snmp/send.ts'
import { ifIndex, inform, linkDown, linkUp, v2c, v3 } from './sending.ts'

const from = (bytes: Buffer, more = {}) => ({
  sourceIp: '10.0.0.1',
  port: 162,
  receivedAt: 0,
  bytes,
  ...more,
})

test('the same inform of the same address and port waits once, until its block is processed', () => {
  const unanswered = new PendingInforms()
  const [one, other] = [from(inform(1)), from(inform(2))]
  assert.deepEqual(
    [one, one, other, one].map((datagram) => unanswered.isPending(datagram)),
    [false, true, false, true],
  )
  assert.equal(unanswered.isPending({ ...one, port: 163 }), false, 'another program there')
  assert.equal(unanswered.isPending({ ...one, sourceIp: '10.0.0.2' }), false, 'another sender')
  unanswered.handOver([one], 1)
  unanswered.handOver([other], 2)
  assert.equal(unanswered.isPending(one), true, 'in the store')
  unanswered.processed(1)
  assert.equal(unanswered.isPending(one), false, 'its answer may have got lost')
  assert.equal(unanswered.isPending(other), true)
  unanswered.processed(2)
  assert.equal(unanswered.isPending(other), false)
})

test('traps, and what cannot be distinguished, are kept as often as they come', () => {
  const unanswered = new PendingInforms()
  const user = { name: 'ops', auth: { algorithm: 'sha256', password: 'authentication password' } } as const
  const sender = new UsmSender(user, Buffer.from('8000000001020304', 'hex'))
  const open = new UsmSender({ name: 'open' }, Buffer.from('8000000001020304', 'hex'))
  const always = [
    v2c(linkDown, [ifIndex(1)]),
    v2c(linkDown, [ifIndex(1)], { inform: true, uptime: 0 }),
    v3(sender, 7, 900, 1),
    v3(open, 7, 900, 1, { inform: true }),
    Buffer.from('nonsense'),
    Buffer.alloc(0),
  ]
  for (const bytes of [...always, ...always]) assert.equal(unanswered.isPending(from(bytes)), false)
  const authenticated = v3(sender, 7, 900, 1, { inform: true })
  assert.deepEqual(
    [authenticated, authenticated].map((bytes) => unanswered.isPending(from(bytes))),
    [false, true],
  )
})

test('down, up and down of a sender that gives all informs the same number are three', () => {
  const unanswered = new PendingInforms()
  const same = (oid: string) => from(v2c(oid, [ifIndex(1)], { inform: true, requestId: 5 }))
  for (const oid of [linkDown, linkUp, linkDown]) assert.equal(unanswered.isPending(same(oid)), false)
  assert.equal(unanswered.isPending(same(linkDown)), true)
})

test('memory is bounded: beyond it, informs are kept as often as they come', () => {
  const unanswered = new PendingInforms(10)
  for (let index = 0; index < 20; index += 1) unanswered.isPending(from(inform(index)))
  assert.equal(unanswered.size, 10)
  assert.equal(unanswered.isPending(from(inform(0))), true)
  assert.equal(unanswered.isPending(from(inform(15))), false)
})

const never = { engage: 0, rearm: 0 }

test('what is dropped for lack of memory does not wait: sent again, it is kept', () => {
  const intake = new Intake({ source: never, overall: never, seconds: 10 }, 0, { bytes: 100_000 })
  for (let index = 0; index < 1000; index += 1) intake.add(from(inform(index)), 0)
  const counted = () => {
    const { tallies } = intake.report() ?? { tallies: [] }
    return Object.fromEntries(tallies.map(({ outcome, reason, times }) => [`${outcome} ${reason}`, times]))
  }
  const { 'refused overload': dropped, ...others } = counted()
  assert.ok((dropped ?? 0) > 100)
  assert.deepEqual(others, {})
  intake.add(from(inform(999)), 0)
  intake.add(from(inform(0)), 0)
  assert.equal(counted()['collapsed duplicate'], 1, 'the last waits, the first was dropped')
  assert.equal(intake.take(1000, 0).at(-1)?.bytes.equals(inform(0)), true)
})
