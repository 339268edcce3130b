// Many guess at a name while its operator signs in, simulated on a clock of its own: the operator gets in within a
// minute, and those who guess get no further than the limits say.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LockOut } from '../../src/access/lock-out.ts'
import { VirtualTime } from './virtual-time.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Guesses from one address without pause: as soon as an attempt was answered, the next follows. */
class Guesser {
  checked = 0
  readonly #world: World
  readonly #address: string
  readonly #isKnownThere: boolean

  constructor(world: World, address: string, isKnownThere = false) {
    this.#world = world
    this.#address = address
    this.#isKnownThere = isKnownThere
  }

  async guess(): Promise<void> {
    const { lock, time } = this.#world
    const attempt = lock.begin({
      name: 'alice',
      operatorId: 1n,
      address: this.#address,
      isKnownThere: this.#isKnownThere,
    })
    const again = (milliseconds: number) => time.later(milliseconds, () => void this.guess())
    // It waits no longer than it must, and asks again sooner where it is told to wait long.
    if (typeof attempt === 'number') return void again(Math.max(100, Math.min(attempt, 10 * second)))
    if (await attempt.turn) {
      this.checked += 1
      attempt.failed()
    }
    again(20)
  }
}

class World {
  readonly time = new VirtualTime()
  readonly lock = new LockOut(this.time)

  guessers(count: number, isKnownThere = false): Guesser[] {
    const made = Array.from({ length: count }, (_, host) => {
      const address = isKnownThere ? '192.0.2.9' : `10.${host & 255}.${(host >> 8) & 255}.${host >> 16}`
      return new Guesser(this, address, isKnownThere)
    })
    for (const guesser of made) void guesser.guess()
    return made
  }

  /** Signs in with the right password; tries again when told to wait. Returns how long that took. */
  async signIn(address: string, isKnownThere = false): Promise<number> {
    const began = this.time.now
    for (;;) {
      const attempt = this.lock.begin({ name: 'alice', operatorId: 1n, address, isKnownThere })
      if (typeof attempt === 'object' && (await attempt.turn)) {
        attempt.takeBack()
        return this.time.now - began
      }
      await new Promise<void>((resolve) =>
        this.time.later(typeof attempt === 'number' ? attempt : second, resolve),
      )
    }
  }
}

const checkedBy = (guessers: readonly Guesser[]) => guessers.reduce((sum, { checked }) => sum + checked, 0)

/** Signs in so many times, each from an address that is new, some time apart; the longest time it took. */
async function longest(world: World, times: number, apart: number, isKnownThere = false): Promise<number> {
  const took: number[] = []
  for (let count = 0; count < times; count += 1) {
    await world.time.pass(apart)
    const address = isKnownThere ? '192.0.2.9' : `192.0.2.${count + 100}`
    void world.signIn(address, isKnownThere).then((time) => took.push(time))
  }
  await world.time.pass(2 * minute)
  assert.equal(took.length, times, 'everyone got in')
  return Math.max(...took)
}

test('while 50 addresses guess without pause, the operator gets in from an address that nobody knows, each of 48 times, within a minute', async () => {
  const world = new World()
  const guessers = world.guessers(50)
  // From the first moment on, and while their waits grow.
  const took = await longest(world, 48, 7 * second)
  assert.ok(took <= minute, `${took} ms`)
  assert.ok(checkedBy(guessers) > 300, 'they did guess')
})

test('while 50 addresses guess that have never failed, the operator waits behind each of them once at most', async () => {
  const world = new World()
  // The name is under attack already, from elsewhere.
  for (let host = 0; host < 50; host += 1) {
    const attempt = world.lock.begin({
      name: 'alice',
      operatorId: 1n,
      address: `198.51.100.${host}`,
      isKnownThere: false,
    })
    if (typeof attempt === 'object') attempt.failed()
  }
  world.guessers(50)
  const took = await longest(world, 1, 0)
  assert.ok(took > 10 * second && took <= minute, `${took} ms`)
})

test('a network of 65,536 places to guess from keeps nobody out who comes from another', async () => {
  const world = new World()
  const { time, lock } = world
  let count = 0
  let checked = 0
  const guess = async (): Promise<void> => {
    count += 1
    const address = `2001:db8:0:${(count % 65_536).toString(16)}::1`
    const attempt = lock.begin({ name: 'alice', operatorId: 1n, address, isKnownThere: false })
    if (typeof attempt === 'number') return void time.later(200, () => void guess())
    if (await attempt.turn) {
      checked += 1
      attempt.failed()
    }
    void guess()
  }
  for (let index = 0; index < 80; index += 1) void guess()
  await time.pass(2 * minute)
  assert.ok(checked <= 50 + 2 * 60 + 1, `${checked} in two minutes`)
  const took = await longest(world, 10, 7 * second)
  assert.ok(took <= minute, `${took} ms`)
})

test('those who guess get no more attempts than before there was a line: one a second at a name, 288 a day from an address', async () => {
  const few = new World()
  const guessers = few.guessers(50)
  await few.time.pass(hour)
  // 23 from each address in the first hour: five at once, eight with growing waits, then one in five minutes.
  const count = checkedBy(guessers)
  assert.ok(count <= 50 * 23, `${count} from 50 addresses`)
  const before = count
  await few.time.pass(hour)
  const later = checkedBy(guessers) - before
  assert.ok(later <= 50 * 12 + 50, `one in five minutes from each address, not ${later}`)
  const many = new World()
  const crowd = many.guessers(150)
  await many.time.pass(2 * minute)
  assert.ok(checkedBy(crowd) <= 50 + 2 * 60 + 1, `${checkedBy(crowd)} from 150 addresses in two minutes`)
})

test('from an address where the operator has logged in, one guess a second is checked, and the operator gets in within a minute', async () => {
  const world = new World()
  const guessers = world.guessers(40, true)
  await world.time.pass(hour)
  const checked = checkedBy(guessers)
  assert.ok(checked <= 3600 + 6, `${checked} in an hour`)
  const took = await longest(world, 20, 7 * second, true)
  assert.ok(took <= minute, `${took} ms`)
})

test('guesses from an address where the operator has logged in, and others from elsewhere, do not add up to more than one a second each', async () => {
  const world = new World()
  const inside = world.guessers(40, true)
  const outside = world.guessers(50)
  await world.time.pass(10 * minute)
  assert.ok(checkedBy(inside) <= 606, `${checkedBy(inside)} inside`)
  assert.ok(checkedBy(outside) <= 651, `${checkedBy(outside)} outside`)
  assert.ok((await longest(world, 5, 10 * second)) <= minute)
})
