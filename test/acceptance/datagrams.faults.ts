// A hundred thousand datagrams that no device would send, through the real socket: each ends in one bin, nothing
// breaks.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { encodeDiscovery, encodeNotification, UsmSender } from '../../src/snmp/send.ts'
import type { User } from '../../src/snmp/usm-user.ts'
import { counted, device, ifIndex, inform, ledger, linkDown, sum, until, v2c, v3 } from '../intake/sending.ts'
import { record } from '../outcome.ts'
import { startService, temporaryFolder } from '../support.ts'
import { chance } from './chance.ts'

const seed = 4711
const count = 100_000
const together = 2000

const user: User = {
  name: 'ops',
  auth: { algorithm: 'sha256', password: 'authentication password' },
  priv: { algorithm: 'aes128', password: 'privacy password' },
}
const engineId = Buffer.from('80000000010203040506', 'hex')
const sender = new UsmSender(user, engineId)
const sound = [
  encodeNotification({
    version: '1',
    community: 'public',
    oid: linkDown,
    uptime: 1,
    variables: [ifIndex(1)],
  }),
  v2c(linkDown, [ifIndex(1), ifIndex(2)]),
  inform(3),
  v3(sender, 1, 1, 1),
  encodeDiscovery(1),
]

const random = chance(seed)
const upTo = (limit: number) => Math.floor(random() * limit)
const pick = () => Buffer.from(sound[upTo(sound.length)] as Buffer)

/** Ways to spoil a datagram. */
const spoilt: readonly (() => Buffer)[] = [
  // A few bytes changed.
  () => {
    const bytes = pick()
    for (let changes = 1 + upTo(4); changes > 0; changes -= 1) bytes[upTo(bytes.length)] = upTo(256)
    return bytes
  },
  () => pick().subarray(0, upTo(120)),
  () => Buffer.concat([pick(), Buffer.from([upTo(256)])]),
  () => Buffer.from(Array.from({ length: upTo(300) }, () => upTo(256))),
  // A wrong length.
  () => {
    const bytes = pick()
    bytes[1 + upTo(20)] = 0x80 | upTo(9)
    return bytes
  },
  // A forged engine: one more each time.
  () => {
    const bytes = Buffer.from(sound[3] as Buffer)
    const at = bytes.indexOf(engineId)
    for (let index = 0; index < engineId.length; index += 1) bytes[at + index] = upTo(256)
    return bytes
  },
  () => Buffer.alloc(upTo(2000), upTo(256)),
]

test(`${count} corrupted datagrams end in one bin each, and the service stays healthy`, {
  timeout: 360_000,
}, async () => {
  const users = join(temporaryFolder(), 'users.json')
  writeFileSync(users, JSON.stringify([user]))
  // Each must be read, however fast they arrive.
  const service = await startService({ 'trap-users': users, 'storm-source': '0', 'storm-overall': '0' })
  const attacker = await device(service.trapPort)
  for (let sent = 0; sent < count; ) {
    const part = Array.from({ length: together }, () => (spoilt[upTo(spoilt.length)] as () => Buffer)())
    await attacker.send(...part)
    sent += together
    // No faster than they are read: a datagram that the kernel drops tests nothing.
    await until(`${sent} are processed`, async () => {
      const { binned, drops } = await counted(service)
      return binned + drops >= sent
    })
  }
  const { received, binned, drops, bins } = await counted(service)
  const health = (await service.get('/health')).text
  const wrongHealth = health === 'ready\n' ? 0 : 1
  record({
    rounds: 1,
    lost: Math.max(0, received - binned),
    doubled: Math.max(0, binned - received),
    wrongHealth,
  })
  assert.deepEqual([received + drops, binned], [count, received], `seed ${seed}`)
  assert.equal(sum(await ledger(service)), received)
  assert.ok(Number(bins.malformed) > count / 3 && Number(bins.refused) > count / 10, JSON.stringify(bins))
  const lines = await ledger(service)
  assert.equal(lines['malformed unexpected'], undefined, 'none met a fault of ours')
  assert.equal(health, 'ready\n')
  for (const path of ['/fault/trap?desc=true&size=20000', '/fault/alarm?size=100000', '/plat/res/device']) {
    assert.equal((await service.get(path)).status, 200, `${path} can be read, and is valid`)
  }
  const router = await device(service.trapPort)
  await router.send(inform(77))
  await until('a sound inform is answered as ever', () => router.heard.length === 1)
})
