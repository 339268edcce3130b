// What remains of a message without its community.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blankCommunities, trapCommunity, withoutCommunity } from '../../src/snmp/community.ts'
import { encodeNotification, UsmSender } from '../../src/snmp/send.ts'
import { linkDown, v3 } from '../intake/sending.ts'

const message = (version: '1' | '2c', community: string, variables = {}) =>
  encodeNotification({
    version,
    community,
    oid: linkDown,
    uptime: 1,
    requestId: 1,
    variables: [{ oid: trapCommunity, type: 'OctetString', value: 'passed-on', hex: false, ...variables }],
  })

const hidden = ['a-secret', 'x'.repeat(200), '']

test('communities are blanked out in versions 1 and 2c, also one that a proxy passed on; nothing else changes', () => {
  for (const version of ['1', '2c'] as const) {
    for (const community of hidden) {
      const blanked = blankCommunities(message(version, community))
      assert.deepEqual(
        blanked,
        message(version, '*'.repeat(community.length), { value: '*'.repeat('passed-on'.length) }),
      )
    }
  }
})

test('what was cut off in the community, or has wrong lengths around it, is blanked out as far as there is any', () => {
  const whole = message('2c', 'a-secret')
  const at = whole.indexOf('a-secret')
  for (let length = at + 1; length < whole.length; length += 1) {
    const text = blankCommunities(whole.subarray(0, length)).toString('latin1')
    assert.ok(!text.includes('a-s') && !text.includes('pas'), `${length}: ${text}`)
  }
  whole[whole.indexOf(Buffer.from([0x02, 0x01, 0x01])) - 1] = 5
  assert.ok(!blankCommunities(whole).includes('secret'))
})

test('messages of version 3 stay as they are, byte for byte: a digest covers them', () => {
  const user = { name: 'ops', auth: { algorithm: 'sha256', password: 'authentication password' } } as const
  const bytes = v3(new UsmSender(user, Buffer.from('8000000001020304', 'hex')), 7, 900, 1)
  assert.deepEqual(blankCommunities(bytes), bytes)
  assert.deepEqual(withoutCommunity(bytes), bytes)
})

test('what is no message stays as it is', () => {
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('0'),
    Buffer.from([0x30, 0x84]),
    Buffer.alloc(20, 0x30),
  ]) {
    assert.deepEqual(blankCommunities(bytes), bytes)
    assert.deepEqual(withoutCommunity(bytes), bytes)
  }
})

test('messages that differ in their community alone are the same without it', () => {
  const [one, other] = ['a-secret', 'another'].map((community) => withoutCommunity(message('2c', community)))
  assert.deepEqual(one, other)
  assert.ok(one && one.length > 20 && !one.includes('secret'))
})
