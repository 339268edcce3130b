import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Passwords } from '../../src/access/passwords.ts'
import { RecentMap } from '../../src/access/recent-map.ts'
import { isLoopback, Networks, placeOf } from '../../src/config/networks.ts'
import { Fault } from '../../src/fault.ts'

const verify = (passwords: Passwords, password: string, stored: string | undefined) =>
  passwords.verify('alice', password, stored, '192.0.2.1')

test('a password is stored as a slow hash, and recognised', async () => {
  const passwords = new Passwords(Date.now)
  const stored = await passwords.hash('correct horse staple')
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.notEqual(await passwords.hash('correct horse staple'), stored, 'each has a salt of its own')
  assert.equal(await verify(passwords, 'correct horse staple', stored), true)
  assert.equal(await verify(passwords, 'correct horse staplf', stored), false)
  assert.equal(await verify(passwords, 'correct horse staple', undefined), false)
})

test('accented letters may be composed or not', async () => {
  const passwords = new Passwords(Date.now)
  const stored = await passwords.hash('caf\u00e9 correct horse')
  assert.equal(await verify(passwords, 'cafe\u0301 correct horse', stored), true)
})

test('a password that was right is not hashed again for a minute, and is once it was changed', async () => {
  let now = 0
  const passwords = new Passwords(() => now)
  const stored = await passwords.hash('correct horse staple')
  const other = await passwords.hash('another horse staple')
  const hashes = async (against: string, right: boolean) => {
    const before = passwords.hashes
    assert.equal(await verify(passwords, 'correct horse staple', against), right)
    return passwords.hashes - before
  }
  assert.equal(await hashes(stored, true), 1)
  assert.equal(await hashes(stored, true), 0)
  assert.equal(await hashes(other, false), 1)
  assert.equal(await hashes(other, false), 1, 'a wrong one is not remembered')
  now = 60_001
  assert.equal(await hashes(stored, true), 1)
})

test('the queue of logins is short: further ones are refused instead of piling up', async () => {
  const passwords = new Passwords(Date.now, 3)
  const stored = await passwords.hash('correct horse staple')
  const many = Array.from({ length: 10 }, (_, index) => verify(passwords, `guess number ${index}`, stored))
  const outcomes = await Promise.allSettled(many)
  const away = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.equal(away.length, 10 - 5)
  assert.ok(away.every(({ reason }) => reason instanceof Fault && reason.code === 'unavailable'))
  assert.equal(await verify(passwords, 'correct horse staple', stored), true)
})

test('the same guess at several names that do not exist takes as many hashes as at names that do', async () => {
  const passwords = new Passwords(Date.now)
  const stored = await passwords.hash('correct horse staple')
  const other = await passwords.hash('another horse staple')
  const guesses = async (kept: readonly (string | undefined)[]) => {
    const before = passwords.hashes
    const checks = kept.map((one, index) => passwords.verify(`name-${index}`, 'a guess', one, '192.0.2.1'))
    await Promise.all(checks)
    return passwords.hashes - before
  }
  assert.equal(await guesses([stored, other]), 2)
  assert.equal(await guesses([undefined, undefined]), 2)
})

test('a network with many places leaves room for others', async () => {
  const passwords = new Passwords(Date.now, 8)
  const stored = await passwords.hash('correct horse staple')
  const guesses = Array.from({ length: 12 }, (_, index) =>
    passwords.verify(`name-${index}`, 'a guess', undefined, placeOf(`2001:db8:0:${index}::1`)),
  )
  const outcomes = Promise.allSettled(guesses)
  assert.equal(await verify(passwords, 'correct horse staple', stored), true)
  const checked = (await outcomes).filter(({ status }) => status === 'fulfilled')
  assert.equal(checked.length, 6, 'two under way, four in line')
})

test('callers who have logged in before do not wait behind many unknown ones', async () => {
  const passwords = new Passwords(Date.now, 16)
  const stored = await passwords.hash('correct horse staple')
  const order: string[] = []
  const guesses = Array.from({ length: 18 }, (_, index) =>
    passwords
      .verify('mallory', `guess number ${index}`, stored, `10.${index}.0.1`)
      .then(() => order.push('guess')),
  )
  await passwords.verify('alice', 'correct horse staple', stored, undefined)
  order.push('alice')
  await Promise.all(guesses)
  // Third to begin. Of those that are computed at the same time, either may end first.
  assert.ok(order.indexOf('alice') < 9, order.join())
})

test('networks hold addresses of both kinds, and no names', () => {
  const networks = new Networks(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'])
  for (const inside of ['10.1.2.3', '192.0.2.7', '2001:db8::1']) assert.ok(networks.has(inside), inside)
  for (const outside of ['11.0.0.1', '192.0.2.8', '2001:db9::1', '', 'local'])
    assert.ok(!networks.has(outside))
  assert.ok(!new Networks([]).has('10.0.0.1'))
  for (const here of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopback(here), here)
  for (const elsewhere of ['0.0.0.0', '::', '10.0.0.1', '::2', '128.0.0.1']) assert.ok(!isLoopback(elsewhere))
})

test('IPv6 addresses are counted by their network of 64 bits', () => {
  assert.equal(placeOf('192.0.2.7'), '192.0.2.7')
  assert.equal(placeOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(placeOf('2001:db8:1:2::9'), '2001:db8:1:2::/64')
  assert.equal(placeOf('::1'), '::/64')
  assert.equal(placeOf('fe80::1%eth0'), 'fe80::/64')
  assert.equal(placeOf('local'), 'local')
  assert.equal(placeOf(''), '')
})

test('of recent entries the one that was set longest ago is dropped first', () => {
  const recent = new RecentMap<number>(2)
  recent.set('a', 1)
  recent.set('b', 2)
  recent.set('a', 3)
  recent.set('c', 4)
  assert.deepEqual([recent.get('a'), recent.get('b'), recent.get('c')], [3, undefined, 4])
  recent.delete('c')
  recent.set('d', 5)
  assert.deepEqual([recent.get('a'), recent.get('c'), recent.get('d')], [3, undefined, 5])
})

test('one address has few places in the queue, and leaves room for others', async () => {
  const passwords = new Passwords(Date.now)
  const stored = await passwords.hash('correct horse staple')
  const guesses = Array.from({ length: 10 }, (_, host) =>
    Array.from({ length: 8 }, (__, index) =>
      passwords.verify(`name-${host}`, `guess ${index} of ${host}`, stored, `10.0.0.${host}`),
    ),
  ).flat()
  const right = passwords.verify('alice', 'correct horse staple', stored, '192.0.2.1')
  const outcomes = await Promise.allSettled(guesses)
  assert.equal(await right, true)
  // Of the first address, two more are hashed at once.
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 10 * 4 + 2)
})
