import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LockOut } from '../../src/access/lock-out.ts'
import { Passwords } from '../../src/access/passwords.ts'
import { Recent } from '../../src/access/recent.ts'
import { isLoopback, Networks } from '../../src/config/networks.ts'
import { Fault } from '../../src/fault.ts'

test('a password is kept as a slow hash, and known again', async () => {
  const passwords = new Passwords(Date.now)
  const stored = await passwords.hash('correct horse staple')
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.notEqual(await passwords.hash('correct horse staple'), stored, 'each has a salt of its own')
  assert.equal(await passwords.verify('correct horse staple', stored), true)
  assert.equal(await passwords.verify('correct horse staplf', stored), false)
  assert.equal(await passwords.verify('correct horse staple', undefined), false)
})

test('accented letters may be composed or not', async () => {
  const passwords = new Passwords(Date.now)
  const stored = await passwords.hash('caf\u00e9 correct horse')
  assert.equal(await passwords.verify('cafe\u0301 correct horse', stored), true)
})

test('a password that was right is not hashed again for a minute, and is once it was changed', async () => {
  let now = 0
  const passwords = new Passwords(() => now)
  const stored = await passwords.hash('correct horse staple')
  const other = await passwords.hash('another horse staple')
  const hashes = async (against: string, right: boolean) => {
    const before = passwords.hashes
    assert.equal(await passwords.verify('correct horse staple', against), right)
    return passwords.hashes - before
  }
  assert.equal(await hashes(stored, true), 1)
  assert.equal(await hashes(stored, true), 0)
  assert.equal(await hashes(other, false), 1)
  assert.equal(await hashes(other, false), 1, 'a wrong one is not remembered')
  now = 60_001
  assert.equal(await hashes(stored, true), 1)
})

test('the line of those who log in is short: others are sent away instead of piling up', async () => {
  const passwords = new Passwords(Date.now, 3)
  const stored = await passwords.hash('correct horse staple')
  const many = Array.from({ length: 10 }, (_, index) => passwords.verify(`guess number ${index}`, stored))
  const outcomes = await Promise.allSettled(many)
  const away = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.equal(away.length, 10 - 5)
  assert.ok(away.every(({ reason }) => reason instanceof Fault && reason.code === 'unavailable'))
  assert.equal(await passwords.verify('correct horse staple', stored), true)
})

function lockOut() {
  const time = { now: 1_000_000 }
  return { time, lock: new LockOut(() => time.now) }
}

function fail(lock: LockOut, times: number, name: string, address: string): void {
  for (let count = 0; count < times; count += 1) lock.failed(name, address)
}

test('who guesses waits longer each time, and is heard again when it is over', () => {
  const { lock, time } = lockOut()
  fail(lock, 4, 'alice', '192.0.2.1')
  assert.equal(lock.wait('alice', '192.0.2.1'), 0)
  fail(lock, 1, 'alice', '192.0.2.1')
  assert.equal(lock.wait('alice', '192.0.2.1'), 1000)
  fail(lock, 1, 'alice', '192.0.2.1')
  assert.equal(lock.wait('alice', '192.0.2.1'), 2000)
  fail(lock, 100, 'alice', '192.0.2.1')
  assert.equal(lock.wait('alice', '192.0.2.1'), 5 * 60_000)
  time.now += 5 * 60_000
  assert.equal(lock.wait('alice', '192.0.2.1'), 0)
})

test('success, and a quarter of an hour without failures, are forgiven', () => {
  const { lock, time } = lockOut()
  fail(lock, 4, 'alice', '192.0.2.1')
  lock.succeeded('alice', '192.0.2.1')
  fail(lock, 4, 'alice', '192.0.2.1')
  assert.equal(lock.wait('alice', '192.0.2.1'), 0)
  time.now += 15 * 60_000
  fail(lock, 4, 'alice', '192.0.2.1')
  assert.equal(lock.wait('alice', '192.0.2.1'), 0)
})

test('a stranger elsewhere cannot keep an operator out: not at all where they have been right before', () => {
  const { lock } = lockOut()
  lock.succeeded('alice', '10.0.0.7')
  for (let host = 0; host < 200; host += 1) fail(lock, 4, 'alice', `192.0.2.${host}`)
  assert.equal(lock.wait('alice', '10.0.0.7'), 0)
  const elsewhere = lock.wait('alice', '10.0.0.8')
  assert.ok(elsewhere > 0 && elsewhere <= 30_000)
  assert.equal(lock.wait('bob', '10.0.0.8'), 0)
})

test('an address that tries many names waits, and so does a network of IPv6', () => {
  const { lock } = lockOut()
  for (let count = 0; count < 20; count += 1) lock.failed(`name${count}`, '192.0.2.1')
  assert.ok(lock.wait('alice', '192.0.2.1') > 0)
  assert.equal(lock.wait('alice', '192.0.2.2'), 0)
  for (let count = 0; count < 20; count += 1) lock.failed(`name${count}`, `2001:db8::${count}`)
  assert.ok(lock.wait('alice', '2001:db8::ffff') > 0)
  assert.equal(lock.wait('alice', '2001:db8:0:1::1'), 0)
})

test('a clock that is put back does not lock anyone out for longer', () => {
  const { lock, time } = lockOut()
  fail(lock, 100, 'alice', '192.0.2.1')
  time.now -= 24 * 3_600_000
  assert.equal(lock.wait('alice', '192.0.2.1'), 5 * 60_000)
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

test('of recent entries the one that was set longest ago goes first', () => {
  const recent = new Recent<number>(2)
  recent.set('a', 1)
  recent.set('b', 2)
  recent.set('a', 3)
  recent.set('c', 4)
  assert.deepEqual([recent.get('a'), recent.get('b'), recent.get('c')], [3, undefined, 4])
  recent.delete('c')
  recent.set('d', 5)
  assert.deepEqual([recent.get('a'), recent.get('c'), recent.get('d')], [3, undefined, 5])
})
