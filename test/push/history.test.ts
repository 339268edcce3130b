// Where a client goes on, and what it is told, in made-up histories: whatever happens to connections, service and store,
// every client is sent each entry or told that it is missing, and is not told without a reason. SEED repeats one,
// HISTORIES=100 makes up more.

import { suite, test } from 'node:test'
import { stores } from '../support.ts'
import { History, type Random, type Serving } from './history.ts'
import type { HistoryClient, Kind } from './history-client.ts'

const { SEED } = process.env
const seeds =
  SEED === undefined
    ? Array.from({ length: Number(process.env.HISTORIES ?? 6) }, (_, index) => index + 1)
    : [Number(SEED)]
const steps = 60

/** The same random numbers for the same seed. */
function randomFrom(seed: number): Random {
  let state = seed * 7919
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

async function step(history: History, random: Random, serving: Serving): Promise<void> {
  const pick = <T>(from: readonly T[]) => from[random(from.length)] as T
  const client = (): HistoryClient | undefined => pick(history.clients)
  const say = (text: string) => history.steps.push(text)
  const what = random(100)
  if (what < 8) {
    const kind = pick(['uuid', 'position', 'both'] as const)
    say(`a new client, ${kind}`)
    await history.connect(history.add(kind))
  } else if (what < 34) {
    const count = 1 + random(6)
    say(`${count} entries`)
    await history.write(count)
    if (random(2)) await history.caughtUp()
  } else if (what < 48) {
    const one = client()
    if (!one) return
    say(`${one.uuid} connects`)
    await history.connect(one)
  } else if (what < 58) {
    const one = client()
    one?.cut(random(3))
    say(`${one?.uuid} is cut off`)
  } else if (what < 64) {
    const one = client()
    if (one) one.isSlow = true
    say(`${one?.uuid} is slow`)
  } else if (what < 76) {
    const seconds = pick([1, 2, 30, 100])
    say(`${seconds} s`)
    await history.pass(seconds * 1000)
  } else if (what < 82) {
    const isOrderly = random(2) === 0
    say(isOrderly ? 'restart' : 'kill')
    await history.restart(isOrderly)
  } else if (what < 88) {
    say('copy')
    await history.copy()
  } else if (what < 95 && history.copies > 0) {
    const index = random(history.copies)
    if (serving === 'alone') {
      const hasWitness = random(3) > 0
      say(`copy ${index} is put back ${hasWitness ? '' : 'elsewhere'}`)
      await history.stop(random(2) === 0)
      await history.putBackFile(index, hasWitness)
    } else {
      const passes = random(2)
      say(`copy ${index} is put back below ${passes ? 'and saved to' : ''}`)
      await history.putBackBelow(index, async () => {
        if (passes) await history.pass(1000)
      })
    }
  } else if (what < 97) {
    const count = 1 + random(5)
    say(`${count} entries are removed`)
    await history.remove(count)
  } else if (what < 99) {
    say('those who are away are forgotten')
    await history.expire()
  } else {
    const one = client()
    if (!one || one.kind === 'position') return
    say(`${one.uuid} ends its registration`)
    await history.forget(one)
  }
}

for (const store of stores) {
  const servings = store.name === 'SQLite' ? (['alone', 'nodes'] as const) : (['nodes'] as const)
  for (const serving of servings) {
    suite(`${serving}, on ${store.name}`, () => {
      for (const seed of seeds) {
        test(`history ${seed}`, async () => {
          const random = randomFrom(seed)
          const history = await History.begin(store, serving)
          try {
            for (let n = 0; n < steps; n += 1) {
              await step(history, random, serving)
              for (const { wrong } of history.clients) if (wrong) throw wrong
            }
            await history.compare()
          } catch (error) {
            if (error instanceof Error) error.message += `\nSEED=${seed}: ${history.steps.join(', ')}`
            throw error
          } finally {
            await history.end()
          }
        })
      }
    })
  }
}

/** A service alone, with one client that is at its fourth entry, and a copy of the store that ends before that. */
async function aheadOfCopy(kind: Kind, more: number): Promise<[History, HistoryClient]> {
  const [store] = stores
  if (!store) throw new Error('no store')
  const history = await History.begin(store, 'alone')
  const client = history.add(kind)
  await history.connect(client)
  await history.write(3)
  await history.caughtUp()
  await history.copy()
  await history.write(1)
  await history.caughtUp()
  client.cut(0)
  if (more > 0) await history.write(more)
  await history.stop(true)
  return [history, client]
}

for (const kind of ['uuid', 'position', 'both'] as const) {
  for (const hasWitness of [true, false]) {
    for (const more of [0, 5]) {
      const where = hasWitness ? 'in its place' : 'elsewhere'
      test(`a copy that lacks ${1 + more} entries, ${where}: a client (${kind}) that has the first of them is told`, async () => {
        const [history] = await aheadOfCopy(kind, more)
        await history.putBackFile(0, hasWitness)
        await history.write(2)
        await history.compare()
        await history.end()
      })
    }
  }
}
