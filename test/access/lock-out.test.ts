import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Attempt, LockOut } from '../../src/access/lock-out.ts'
import { processed, VirtualTime } from './virtual-time.ts'

interface Who {
  readonly name?: string
  readonly operatorId?: bigint
  readonly address?: string
  readonly isKnownThere?: boolean
}

class Guesser {
  readonly time = new VirtualTime()
  readonly lock: LockOut

  constructor(remembered?: number) {
    this.lock = new LockOut({
      ...this.time,
      clock: this.time.clock,
      ...(remembered !== undefined && { remembered }),
    })
  }

  begin({ name = 'alice', operatorId, address = '192.0.2.1', isKnownThere = false }: Who = {}) {
    return this.lock.begin({ name, operatorId, address, isKnownThere })
  }

  /** Tries a wrong password, and returns how long it would have had to wait. */
  fail(who: Who = {}): number {
    const attempt = this.begin(who)
    if (typeof attempt === 'number') return attempt
    void attempt.turn.then((come) => come && attempt.failed())
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

/** The name is under attack from so many addresses. */
function attack(guesser: Guesser, addresses: number): void {
  for (let host = 0; host < addresses; host += 1)
    guesser.fail({ operatorId: 1n, address: `198.51.100.${host}` })
}

/** The order in which these have their turn. */
async function orderOf(guesser: Guesser, tries: Readonly<Record<string, Who>>): Promise<string[]> {
  const order: string[] = []
  for (const [label, who] of Object.entries(tries)) {
    const attempt = guesser.begin({ operatorId: 1n, ...who }) as Attempt
    if (typeof attempt === 'number') order.push(`${label} refused`)
    else void attempt.turn.then((come) => order.push(come ? label : `${label} dropped`))
  }
  await guesser.time.pass(120_000)
  return order
}

test('for a name that is under attack, attempts from addresses that are not known wait in a line, one a second, those first that have failed least', async () => {
  const guesser = new Guesser()
  attack(guesser, 50)
  assert.equal(guesser.wait({ operatorId: 1n, address: '10.9.9.9', isKnownThere: true }), 0, 'known there')
  assert.equal(guesser.wait({ name: 'bob', operatorId: 2n, address: '10.9.9.9' }), 0, 'another name')
  const tries = {
    failedOnce: { address: '198.51.100.1' },
    failedToo: { address: '198.51.100.2' },
    new: { address: '10.0.0.1' },
    alsoNew: { address: '10.0.0.2' },
  }
  assert.deepEqual(await orderOf(guesser, tries), ['new', 'alsoNew', 'failedOnce', 'failedToo'])
})

test('a second attempt from an address takes the place of the first; where the line is full, whoever has failed most loses it', async () => {
  const guesser = new Guesser()
  attack(guesser, 50)
  const twice = { first: { address: '10.0.0.1' }, again: { address: '10.0.0.1' } }
  assert.deepEqual(await orderOf(guesser, twice), ['first dropped', 'again'])
  const other = new Guesser()
  attack(other, 50)
  const crowd = Object.fromEntries(
    Array.from({ length: 57 }, (_, host) => [`${host}`, { address: `10.${host}.1.1` }]),
  )
  const more = {
    failed: { address: '198.51.100.7' },
    last: { address: '10.100.0.1' },
    over: { address: '10.101.0.1' },
  }
  const order = await orderOf(other, { ...crowd, ...more })
  assert.deepEqual(order.slice(0, 2), ['over refused', 'failed dropped'])
  assert.equal(order.at(-1), 'last')
})

test('when the service stops, whoever waits is refused', async () => {
  const guesser = new Guesser()
  attack(guesser, 50)
  const attempt = guesser.begin({ operatorId: 1n, address: '10.0.0.1' }) as Attempt
  guesser.lock.stop()
  assert.equal(await attempt.turn, false)
})

test('counts of operators are not displaced by guesses at names that do not exist', async () => {
  const guesser = new Guesser(100)
  for (let count = 0; count < 5; count += 1) guesser.fail({ operatorId: 1n })
  for (let host = 0; host < 60; host += 1)
    guesser.fail({ name: 'bob', operatorId: 2n, address: `198.51.100.${host}` })
  for (let count = 0; count < 1000; count += 1)
    guesser.fail({ name: `nobody-${count}`, address: `203.0.${count >> 8}.${count & 255}` })
  assert.equal(guesser.wait({ operatorId: 1n }), 1000)
  const attempt = guesser.begin({ name: 'bob', operatorId: 2n, address: '10.0.0.1' }) as Attempt
  assert.equal(await Promise.race([attempt.turn, processed().then(() => 'waits')]), 'waits')
})

test('attempts during a wait displace nothing either', () => {
  const guesser = new Guesser()
  for (let count = 0; count < 9; count += 1) {
    guesser.time.now += 1000 * 2 ** Math.max(0, count - 5)
    assert.equal(guesser.fail({ operatorId: 1n }), 0)
  }
  attack(guesser, 50)
  const left = guesser.wait({ operatorId: 1n })
  assert.equal(left, 16_000)
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

test('from a known address one wrong password a second is checked after a few, in order, and right ones do not wait for each other', async () => {
  const guesser = new Guesser()
  const known = { operatorId: 1n, isKnownThere: true }
  for (let count = 0; count < 5; count += 1) assert.equal(guesser.fail(known), 0)
  const attempts = Array.from({ length: 70 }, () => guesser.begin(known))
  const waiting = attempts.filter((attempt) => typeof attempt === 'object')
  assert.equal(waiting.length, 58, 'as many as have their turn within a minute')
  const checked: { index: number; at: number }[] = []
  const began = guesser.time.now
  waiting.forEach(async (attempt, index) => {
    await attempt.turn
    checked.push({ index, at: guesser.time.now - began })
    if (index < 20) attempt.takeBack()
    else attempt.failed()
  })
  await guesser.time.pass(1000)
  for (let round = 0; round < 20; round += 1) await processed()
  assert.equal(checked.length, 21, 'twenty right ones, one after the other, and a wrong one')
  await guesser.time.pass(60_000)
  assert.deepEqual(
    checked.map(({ index }) => index),
    [...waiting.keys()],
    'in order',
  )
  assert.equal(checked.at(-1)?.at, 38_000, 'one a second')
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
