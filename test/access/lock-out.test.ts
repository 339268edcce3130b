import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LockOut } from '../../src/access/lock-out.ts'

interface Who {
  readonly name?: string
  readonly operatorId?: bigint
  readonly address?: string
  readonly isKnownThere?: boolean
}

class Guesser {
  readonly time = { now: 1_000_000 }
  readonly lock: LockOut

  constructor(remembered?: number) {
    this.lock = new LockOut(() => this.time.now, remembered)
  }

  begin({ name = 'alice', operatorId, address = '192.0.2.1', isKnownThere = false }: Who = {}) {
    return this.lock.begin({ name, operatorId, address, isKnownThere })
  }

  /** Tries a wrong password, and returns how long it would have had to wait. */
  fail(who: Who = {}): number {
    const attempt = this.begin(who)
    if (typeof attempt === 'number') return attempt
    void attempt.failed()
    return 0
  }

  /** Whether an attempt would be checked now; nothing is recorded. */
  wait(who: Who = {}): number {
    const attempt = this.begin(who)
    if (typeof attempt === 'number') return attempt
    attempt.takeBack()
    return 0
  }
}

test('a caller who guesses waits longer each time, and may try again after the wait', () => {
  const guesser = new Guesser()
  for (let count = 0; count < 5; count += 1) assert.equal(guesser.fail(), 0)
  let expected = 1000
  for (let count = 0; count < 20; count += 1) {
    assert.equal(guesser.wait(), expected)
    guesser.time.now += expected
    assert.equal(guesser.fail(), 0, 'heard once')
    expected = Math.min(expected * 2, 5 * 60_000)
  }
})

test('a right password does not count as a failure; after a quarter of an hour without failures the counts are reset', () => {
  const guesser = new Guesser()
  for (let count = 0; count < 100; count += 1) assert.equal(guesser.wait(), 0)
  for (let count = 0; count < 4; count += 1) guesser.fail()
  assert.equal(guesser.wait(), 0)
  guesser.time.now += 15 * 60_000
  for (let count = 0; count < 4; count += 1) guesser.fail()
  assert.equal(guesser.wait(), 0)
})

test('a program that logs in all day does not give others free guesses', () => {
  const guesser = new Guesser()
  let heard = 0
  for (let second = 0; second < 600; second += 1) {
    for (let count = 0; count < 10; count += 1) if (guesser.fail({ operatorId: 1n }) === 0) heard += 1
    guesser.wait({ operatorId: 1n, isKnownThere: true })
    guesser.time.now += 1000
  }
  assert.ok(heard < 20, `${heard} were heard`)
})

test('for a name that is under attack, one attempt a second is accepted from addresses that are not known', () => {
  const guesser = new Guesser()
  for (let host = 0; host < 50; host += 1) guesser.fail({ operatorId: 1n, address: `198.51.100.${host}` })
  let heard = 0
  for (let count = 0; count < 200; count += 1) {
    for (let host = 0; host < 50; host += 1)
      if (guesser.fail({ operatorId: 1n, address: `10.${count}.0.${host}` }) === 0) heard += 1
    guesser.time.now += 100
  }
  assert.ok(heard >= 19 && heard <= 21, `${heard} in 20 seconds`)
  assert.equal(guesser.wait({ operatorId: 1n, address: '10.9.9.9', isKnownThere: true }), 0)
  assert.equal(guesser.wait({ name: 'bob', operatorId: 2n, address: '10.9.9.9' }), 0)
})

test('counts of operators are not displaced by guesses at names that do not exist', () => {
  const guesser = new Guesser(100)
  for (let count = 0; count < 5; count += 1) guesser.fail({ operatorId: 1n })
  for (let host = 0; host < 60; host += 1)
    guesser.fail({ name: 'bob', operatorId: 2n, address: `198.51.100.${host}` })
  for (let count = 0; count < 1000; count += 1)
    guesser.fail({ name: `nobody-${count}`, address: `203.0.${count >> 8}.${count & 255}` })
  assert.equal(guesser.wait({ operatorId: 1n }), 1000)
  assert.equal(guesser.wait({ name: 'bob', operatorId: 2n, address: '10.0.0.1' }), 1000)
})

test('attempts during a wait displace nothing either', () => {
  const guesser = new Guesser()
  for (let count = 0; count < 9; count += 1) {
    guesser.fail({ operatorId: 1n })
    guesser.time.now += 1000 * 2 ** count
  }
  guesser.time.now -= 1000
  for (let host = 0; host < 50; host += 1) guesser.fail({ operatorId: 1n, address: `198.51.100.${host}` })
  const left = guesser.wait({ operatorId: 1n })
  for (let count = 0; count < 3000; count += 1)
    guesser.fail({ operatorId: 1n, address: `10.0.${count >> 8}.${count & 255}` })
  assert.equal(guesser.wait({ operatorId: 1n }), left)
})

test('an address that tries many names waits, and so does a network of IPv6', () => {
  const guesser = new Guesser()
  for (let count = 0; count < 20; count += 1) guesser.fail({ name: `name${count}` })
  assert.ok(guesser.wait() > 0)
  assert.equal(guesser.wait({ address: '192.0.2.2' }), 0)
  for (let count = 0; count < 20; count += 1)
    guesser.fail({ name: `name${count}`, address: `2001:db8::${count}` })
  assert.ok(guesser.wait({ address: '2001:db8::ffff' }) > 0)
  assert.equal(guesser.wait({ address: '2001:db8:0:1::1' }), 0)
})

test('many at once are counted before any of them is checked', () => {
  const guesser = new Guesser()
  const begun = Array.from({ length: 100 }, () => guesser.begin())
  assert.equal(begun.filter((attempt) => typeof attempt === 'object').length, 5)
})

test('from a known address a wrong password is answered late, a few at a time, and the right one is not delayed', async () => {
  const guesser = new Guesser()
  const known = { operatorId: 1n, isKnownThere: true }
  for (let count = 0; count < 4; count += 1) assert.equal(guesser.fail(known), 0)
  // So far at once.
  await new Promise((resolve) => setImmediate(resolve))
  const began = performance.now()
  assert.equal(guesser.fail(known), 0)
  const attempts = Array.from({ length: 70 }, () => guesser.begin(known))
  const heard = attempts.filter((attempt) => typeof attempt === 'object')
  assert.equal(heard.length, 55, 'five are checked, fifty wait')
  const checked: number[] = []
  const answers = heard.map(async (attempt, index) => {
    await attempt.turn
    checked.push(index)
    if (index % 11 === 0) attempt.takeBack()
    else await attempt.failed()
  })
  await answers[0]
  assert.equal(guesser.wait(known), 0, 'there is room again')
  assert.ok(performance.now() - began < 900, 'the right one is answered at once')
  await Promise.all(answers.slice(0, 7))
  assert.ok(performance.now() - began > 900)
  await Promise.all(answers)
  assert.deepEqual(checked, [...heard.keys()], 'in order')
  const took = performance.now() - began
  assert.ok(took > 9 * 900, `fifty wrong ones, five a second: ${took}`)
})

test('a clock that is put back does not lock anyone out for longer', () => {
  const guesser = new Guesser()
  for (let count = 0; count < 30; count += 1) {
    guesser.fail()
    guesser.time.now += 5 * 60_000
  }
  guesser.fail()
  guesser.time.now -= 24 * 3_600_000
  assert.equal(guesser.wait(), 5 * 60_000)
})
