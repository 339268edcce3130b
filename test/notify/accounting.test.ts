// Whatever happens: every change that a route takes has an outcome, and it has one. What was sent is compared with a slow
// model, which asks each route about each entry and reads the ledger row by row.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryTimes, readEntriesAfter } from '../../src/alarms/log/alarm-log.ts'
import { giveUpAfter, type LedgerRow, ledgerTotals, outcomes } from '../../src/notify/routes/ledger.ts'
import { readRoutes } from '../../src/notify/routes/route.ts'
import { RouteCache, refusalOf } from '../../src/notify/routes/route-index.ts'
import { stores } from '../support.ts'
import { delivered, refused, type Sent, Town } from './town.ts'

/** Chance that can be repeated. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Most of them on the first store, which is faster. */
const runs = stores.flatMap((store, index) =>
  (index === 0 ? [1, 2, 3, 4, 5, 6] : [7, 8]).map((seed) => ({ store, seed })),
)

for (const { store, seed } of runs) {
  test(`on ${store.name} every change that a route takes ends in one outcome, whatever happens (${seed})`, async () => {
    const pick = chance(seed)
    const town = await Town.open(store)
    const [ann, bob] = [await town.contact([0, 120]), await town.contact()]
    const night = await town.contact([0], { quietFrom: '10:00', quietTo: '12:20', quietLevel: 1 })
    await town.route({
      name: 'few',
      position: 1,
      goOn: true,
      filter: 'deviceIp=10.0.0.1,10.0.0.2',
      delay: 30,
      hourlyLimit: 20,
      step: [[0, bob.target]],
    })
    await town.route({
      name: 'all',
      position: 2,
      goOn: true,
      repeatAfter: 900,
      step: [
        [0, ann.target],
        [300, `${bob.target},${night.target}`],
      ],
    })
    await town.route({
      name: 'rest',
      position: 3,
      filter: 'alarmLevel=1,2,3,4',
      atEnd: 'again',
      delay: 120,
      step: [[0, night.target]],
    })
    const failing = new Set<bigint>()
    /** Message ids whose answer was lost, or was a failure. */
    const unanswered = new Set<string>()
    const notReceived = new Set<Sent>()
    let isKilled = false
    town.answer = (sent) => {
      const { channelId, message } = sent
      if (isKilled) {
        unanswered.add(message.id)
        town.isLeader = false
        // It arrived, and nobody learns that.
        return delivered
      }
      if (!failing.has(channelId)) return delivered
      unanswered.add(message.id)
      notReceived.add(sent)
      return refused
    }
    const open = new Map<string, bigint>()
    let ended: bigint | undefined
    const work = async (
      act: (id: bigint, changes: Parameters<Parameters<typeof town.world.engine.change>[0]>[0]) => void,
    ) => {
      const ids = [...open.values()]
      const id = ids[pick(Math.max(1, ids.length))]
      if (id === undefined) return
      await town.world.engine.change(async (changes) => {
        await changes.load([id])
        act(id, changes)
      })
    }
    const { time } = town.world
    const actions: (() => Promise<void>)[] = [
      async () => {
        const [device, index] = [1 + pick(4), 1 + pick(3)]
        open.set(`${device} ${index}`, await town.down(device, index))
      },
      async () => {
        const key = [...open.keys()][pick(Math.max(1, open.size))]
        if (key === undefined) return
        const [device = 1, index = 1] = key.split(' ').map(Number)
        ended = open.get(key)
        open.delete(key)
        await town.up(device, index)
      },
      () => work((id, { update }) => update.acknowledge(id, { userName: 'ann' })),
      () => work((id, { update }) => update.unacknowledge(id, 'ann', '')),
      () => work((id, { update }) => update.note(id, 'bob', 'looking at it')),
      async () => {
        if (ended === undefined) return
        const id = ended
        await town.world.engine.change(async (changes) => {
          await changes.load([id])
          changes.update.note(id, 'bob', 'it was a cable')
        })
      },
      () =>
        work((id, { update }) => update.shelve(id, { userName: 'ann', until: time.now + 600_000, level: 0 })),
      async () =>
        void (failing.size > 0 ? failing.clear() : failing.add([100n, 101n, 200n, 300n][pick(4)] ?? 100n)),
      async () => {
        time.now += pick(400) * 1000
        await town.world.engine.releaseSuppressed(time.now, () => false)
      },
      // The service is killed while it sends: what it knew is lost, and so are answers.
      async () => {
        const [device, index] = [1 + pick(4), 4 + pick(3)]
        open.set(`${device} ${index}`, await town.down(device, index))
        isKilled = true
        await town.turn().catch(() => undefined)
        town.isLeader = false
        await town.notifier.stop()
        isKilled = false
        town.isLeader = true
        town.notifier = town.another()
        if (pick(2) === 0) return
        open.delete(`${device} ${index}`)
        await town.up(device, index)
      },
    ]
    for (let step = 0; step < 80; step += 1) {
      await actions[pick(3) === 0 ? pick(2) : pick(actions.length)]?.()
      if (pick(2) === 0) await town.turn()
    }
    failing.clear()
    for (const key of open.keys()) {
      const [device = 1, index = 1] = key.split(' ').map(Number)
      await town.up(device, index)
    }
    for (let round = 0; round < 12; round += 1) {
      time.now += 600_000
      await town.world.engine.releaseSuppressed(time.now, () => false)
      await town.turn()
    }
    const ledger = await town.ledger()
    await checkTaken(town, ledger)
    checkOutcomes(ledger, await ledgerTotals(town.database))
    checkTold(town, ledger, unanswered)
    checkReceived(town.sent.filter((one) => !notReceived.has(one)))
    const [left] = await town.database.all('select count(*) as n from notify_member')
    assert.equal(left?.n, 0n, 'no alarm is left in an incident')
  })
}

/** Each route that takes an entry, asked one by one, has a row for it, and for everything that becomes of the alarm. */
async function checkTaken(town: Town, ledger: readonly LedgerRow[]): Promise<void> {
  const routeCache = new RouteCache(town.database, 'UTC')
  const routes = (await readRoutes(town.database)).map((route) => routeCache.known(route))
  const rows = new Set(ledger.map(({ routeId, logNumber }) => `${routeId} ${logNumber}`))
  const entries = await readEntriesAfter(town.database, 0n, 100_000)
  const times = await entryTimes(
    town.database,
    entries.map(({ number }) => number),
  )
  let taken = 0
  const takenBy = new Set<string>()
  for (const { kind, number, attributes, alarmId, cleared } of entries) {
    const [facts] = attributes
    const hasRow = ({ id, name }: { id: bigint; name: string }) =>
      assert.ok(rows.has(`${id} ${number}`), `route ${name} has nothing about entry ${number}, ${kind}`)
    if (!['raise', 'rise', 'release', 'cause', 'escalate'].includes(kind)) {
      const ids = kind === 'recover' ? cleared.map(({ id }) => id) : [alarmId]
      for (const route of routes) if (ids.some((id) => takenBy.has(`${route.id} ${id}`))) hasRow(route)
    }
    if (!['raise', 'rise', 'release'].includes(kind) || !facts) continue
    for (const route of routes) {
      if (refusalOf(route, { facts, category: null, at: times.get(number) ?? 0 }, number) !== undefined)
        continue
      taken += 1
      takenBy.add(`${route.id} ${alarmId}`)
      hasRow(route)
      if (!route.goOn) break
    }
  }
  assert.ok(taken > 0)
}

function checkOutcomes(ledger: readonly LedgerRow[], totals: ReadonlyMap<string, number>): void {
  const counts = new Map<string, number>()
  for (const { outcome } of ledger) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  assert.equal(counts.get('pending') ?? 0, 0, 'nothing is left over')
  assert.equal(
    outcomes.reduce((sum, outcome) => sum + (counts.get(outcome) ?? 0), 0),
    ledger.length,
  )
  for (const outcome of outcomes) assert.equal(totals.get(outcome), counts.get(outcome) ?? 0, outcome)
  for (const row of ledger) {
    assert.ok(row.endTime >= row.createdTime && row.dueAt === null)
    assert.ok(
      row.outcome === 'delivered' || (row.reason ?? '') !== '',
      `${row.change} ${row.outcome} has a reason`,
    )
  }
}

/** In order, nothing twice without need, and the end of a fault is for those who know of it. */
function checkTold(town: Town, ledger: readonly LedgerRow[], unanswered: ReadonlySet<string>): void {
  const byMessage = new Map(ledger.map((row) => [row.messageId, row]))
  const seen = new Set<string>()
  const last = new Map<string, { readonly id: bigint; readonly at: number }>()
  for (const { channelId, message, at } of town.sent) {
    const row = byMessage.get(message.id)
    assert.ok(row, 'what is sent is in the ledger')
    if (seen.has(message.id))
      assert.ok(unanswered.has(message.id), `${message.change} came twice without need`)
    seen.add(message.id)
    const thread = `${row.incidentId} ${channelId}`
    const before = last.get(thread)
    // What was planned for later does not hold up what came meanwhile.
    const wasPlannedLater = before !== undefined && row.giveUpAt - giveUpAfter > before.at
    assert.ok(
      before === undefined || row.id >= before.id || wasPlannedLater,
      'messages of an incident are in order',
    )
    last.set(thread, { id: row.id, at })
  }
}

/** Whoever received a message about a fault, whether that was known or not, has received one about its end, last. */
function checkReceived(received: readonly Sent[]): void {
  const aboutFaults = received.filter(({ message }) => !message.title.startsWith('More messages than'))
  const threads = Map.groupBy(aboutFaults, ({ channelId, message }) => `${message.incident} ${channelId}`)
  for (const [thread, sent] of threads) {
    const changes = [...new Map(sent.map(({ message }) => [message.id, message.change])).values()]
    assert.notEqual(changes[0], 'recovered', `${thread}: ${changes}`)
    // A storm or a summary that was over before it was sent says so itself.
    if (sent.at(-1)?.message.text.includes(': 0 open,')) continue
    assert.equal(changes.at(-1), 'recovered', `${thread}: ${changes}`)
    assert.equal(changes.filter((change) => change === 'recovered').length, 1, `${thread}: ${changes}`)
  }
}
