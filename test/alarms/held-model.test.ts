// Faults, ends, windows, shelves and acknowledgements in any order, beside a plain model of what is pushed and what is
// held back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyAction, type OperatorAction } from '../../src/alarms/actions/operator-actions.ts'
import { raiseByProgram } from '../../src/alarms/actions/program-alarms.ts'
import { readEntriesAfter } from '../../src/alarms/log/alarm-log.ts'
import { lastEntryNumber } from '../../src/alarms/log/epochs.ts'
import { isRecipient, readFilter } from '../../src/push/stream-filter.ts'
import { maintenances } from '../../src/resources/alarms/maintenance.ts'
import { create, erase, modify } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { checkStore } from '../../src/upkeep/checks/store-check.ts'
import { stores, texts } from '../support.ts'
import { ifIndex, linkDown, linkUp, World } from './world.ts'

/** Two faults by trap, of level 2, and two by program, of any level. */
const places = ['port 1', 'port 2', 'disk', 'fan'] as const
type Place = (typeof places)[number]
const isPort = (place: Place) => place.startsWith('port')

type Step =
  | { readonly kind: 'fault'; readonly place: Place; readonly level: number }
  | { readonly kind: 'end'; readonly place: Place }
  | { readonly kind: 'work'; readonly place: Place; readonly work: OperatorAction }
  | { readonly kind: 'open'; readonly minutes: number }
  | { readonly kind: 'change'; readonly which: number; readonly minutes: number }
  | { readonly kind: 'close'; readonly which: number }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'restart' }

const place = fc.constantFrom(...places)
const minutes = fc.integer({ min: 1, max: 5 })
const which = fc.nat({ max: 2 })
const work = fc.oneof(
  fc.record({ action: fc.constant('shelve' as const), minutes, untilWorse: fc.boolean() }),
  fc.constantFrom<OperatorAction>(
    { action: 'shelve', untilWorse: true },
    { action: 'unshelve' },
    { action: 'acknowledge' },
    { action: 'unacknowledge' },
  ),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      place,
      level: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('end' as const), place }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('work' as const), place, work }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('open' as const), minutes }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change' as const), which, minutes }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), which }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.nat({ max: 150 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
)

interface Standing {
  level: number
  /** Windows by id, and the shelf as 0: what was found to hold it when it was last looked at. */
  held: Set<bigint>
  shelvedUntil: number
  shelvedLevel: number
  isAcknowledged: boolean
  /** The levels that a client has been given it at. */
  given: Set<number>
}

const shelf = 0n

/** The expected state, computed in the simplest way. */
class Model {
  now = 0
  /** Until when each window is in force. */
  readonly windows = new Map<bigint, number>()
  readonly open = new Map<Place, Standing>()
  /** What a client that wants everything is sent. */
  readonly sent: string[] = []

  inForce(): bigint[] {
    return [...this.windows].filter(([, until]) => this.now < until).map(([id]) => id)
  }

  fault(at: Place, level: number): void {
    const one = this.open.get(at)
    if (!one) {
      const held = new Set(this.inForce())
      const standing = {
        level,
        held,
        shelvedUntil: 0,
        shelvedLevel: 0,
        isAcknowledged: false,
        given: new Set<number>(),
      }
      this.open.set(at, standing)
      if (held.size === 0) this.#push(at, standing)
    } else if (level < one.level) {
      one.level = level
      if (one.held.size === 0) this.#push(at, one)
      else if (one.shelvedLevel > 0 && level < one.shelvedLevel) this.unshelve(at)
    }
  }

  #push(at: Place, one: Standing): void {
    if (!one.given.has(one.level)) this.sent.push(`${at} ${one.level}`)
    one.given.add(one.level)
  }

  end(at: Place): void {
    const one = this.open.get(at)
    if (one && one.given.size > 0) this.sent.push(`${at} over`)
    this.open.delete(at)
  }

  work(at: Place, work: OperatorAction): void {
    const one = this.open.get(at)
    if (!one) return
    if (work.action === 'acknowledge') one.isAcknowledged = true
    if (work.action === 'unacknowledge') one.isAcknowledged = false
    if (work.action === 'unshelve') this.unshelve(at)
    if (work.action !== 'shelve') return
    // An alarm of the highest level cannot be shelved until it gets worse.
    if (work.minutes === undefined && one.level === 1) return
    one.shelvedUntil =
      work.minutes === undefined ? Number.POSITIVE_INFINITY : this.now + work.minutes * 60_000
    one.shelvedLevel = work.untilWorse ? one.level : 0
    one.held.add(shelf)
  }

  unshelve(at: Place): void {
    const one = this.open.get(at)
    if (!one?.held.has(shelf)) return
    one.held.delete(shelf)
    one.shelvedUntil = 0
    one.shelvedLevel = 0
    if (one.held.size === 0) this.#push(at, one)
  }

  /** What the service does once a second: first the shelves, then what windows still hold back. */
  release(): void {
    for (const [at, one] of this.open)
      if (one.shelvedUntil > 0 && one.shelvedUntil <= this.now) this.unshelve(at)
    for (const [at, one] of this.open) {
      if (one.held.size === 0) continue
      one.held = new Set([...this.inForce(), ...(one.held.has(shelf) ? [shelf] : [])])
      if (one.held.size === 0) this.#push(at, one)
    }
  }
}

/** The service, with the same methods as the model. */
class Service {
  readonly #world: World
  readonly #deviceId: bigint
  readonly #ip: string
  readonly #start: bigint
  #engine

  private constructor(world: World, deviceId: bigint, ip: string, start: bigint) {
    this.#world = world
    this.#deviceId = deviceId
    this.#ip = ip
    this.#start = start
    this.#engine = this.#another()
  }

  static async begin(world: World, ip: string): Promise<Service> {
    const id = await create(world.database, devices, { ip, label: ip })
    return new Service(world, id, ip, await lastEntryNumber(world.database))
  }

  // Cycles in windows do not count as flapping, which another test is about.
  #another() {
    return this.#world.another({ flapping: { count: 0, seconds: 300, rearmSeconds: 300 } })
  }

  restart(): void {
    this.#engine = this.#another()
  }

  async fault(at: Place, alarmLevel: number): Promise<void> {
    const deviceId = this.#deviceId
    if (isPort(at)) await this.#trap(linkDown, at)
    else
      await raiseByProgram(this.#engine, { OID: '1.3.6.1.4.1.32473.62', alarmLevel, deviceId, resource: at })
  }

  async #trap(oid: string, at: Place): Promise<void> {
    await this.#engine.handle([this.#world.trap(oid, this.#ip, [ifIndex(Number(at.slice(-1)))])])
  }

  async end(at: Place): Promise<void> {
    if (isPort(at)) await this.#trap(linkUp, at)
    else await this.work(at, { action: 'recover' })
  }

  async work(at: Place, work: OperatorAction): Promise<void> {
    const one = (await this.standing()).get(at)
    if (!one) return
    if (work.action === 'shelve' && work.minutes === undefined && one.level === 1) {
      await assert.rejects(applyAction(this.#engine, one.id, work, 'anna'), /cannot get worse/)
    } else await applyAction(this.#engine, one.id, work, 'anna')
  }

  async standing() {
    const found = await this.#world.alarmsOf(this.#ip)
    const open = found.filter(({ recStatus }) => recStatus === 0)
    return new Map(
      open.map(({ id, resource, alarmLevel, suppressedBy, suppressed, ackStatus }) => [
        placeOf(resource ?? ''),
        { id, level: alarmLevel, suppressedBy, suppressed, isAcknowledged: ackStatus === 1 },
      ]),
    )
  }

  release(): Promise<void> {
    return this.#engine.releaseSuppressed(this.#world.time.now)
  }

  /** What a client that wants everything was sent since the beginning. */
  async sent(): Promise<string[]> {
    const client = { filter: readFilter(new Map()), sentFrom: 0 }
    const entries = await readEntriesAfter(this.#world.database, this.#start, 10_000)
    const places = new Map(
      (await this.#world.alarmsOf(this.#ip)).map(({ id, resource }) => [id, placeOf(resource ?? '')]),
    )
    return entries
      .filter((entry) => isRecipient(client, entry))
      .map(({ kind, alarmId, xml }) => {
        const what = kind === 'recover' ? 'over' : texts(xml, 'alarmLevel')[0]
        return `${places.get(alarmId)} ${what}`
      })
  }
}

const placeOf = (resource: string) => resource.replace('ifIndex=', 'port ') as Place

async function sameAs(model: Model, service: Service): Promise<void> {
  assert.deepEqual(await service.sent(), model.sent)
  const standing = await service.standing()
  assert.deepEqual([...standing.keys()].sort(), [...model.open.keys()].sort())
  for (const [at, one] of model.open) {
    const found = standing.get(at)
    const held = [...one.held].map((id) => (id === shelf ? 'shelf' : `maintenance ${id}`))
    assert.deepEqual(new Set(found?.suppressedBy), new Set(held), at)
    assert.equal(found?.suppressed, held.length > 0)
    assert.deepEqual([found?.level, found?.isAcknowledged], [one.level, one.isAcknowledged])
  }
}

// All are open before the first test is declared: what a file opens is closed when its tests are over.
const worlds = await Promise.all(stores.map(async (store) => ({ store, world: await World.open(store) })))

for (const { store, world } of worlds) {
  let runs = 0

  test(`on ${store.name}, any order of faults, ends, windows, shelves and acknowledgements does what the plain model says`, async () => {
    const play = async (steps: readonly Step[]) => {
      runs += 1
      const service = await Service.begin(world, `10.70.${runs >> 8}.${runs & 255}`)
      const [device] = await world.database.all('select max(id) as id from device')
      const model = new Model()
      const windows: bigint[] = []
      let opened = 0
      for (const one of steps) {
        model.now = world.time.now
        if (one.kind === 'fault') {
          const level = isPort(one.place) ? 2 : one.level
          await service.fault(one.place, level)
          model.fault(one.place, level)
        } else if (one.kind === 'end') {
          await service.end(one.place)
          model.end(one.place)
        } else if (one.kind === 'work') {
          await service.work(one.place, one.work)
          model.work(one.place, one.work)
        } else if (one.kind === 'restart') service.restart()
        else if (one.kind === 'wait') {
          world.time.now += one.seconds * 1000
          model.now = world.time.now
          await service.release()
          model.release()
        } else if (one.kind === 'open') {
          opened += 1
          const id = await create(world.database, maintenances, {
            name: `${runs} ${opened}`,
            minutes: one.minutes,
            device: [device?.id as bigint],
          })
          windows.push(id)
          model.windows.set(id, world.time.now + one.minutes * 60_000)
        } else {
          const id = windows[one.which]
          if (id === undefined || !model.windows.has(id)) continue
          if (one.kind === 'close') {
            await erase(world.database, maintenances, id)
            model.windows.delete(id)
          } else {
            await modify(world.database, maintenances, id, { minutes: one.minutes })
            model.windows.set(id, world.time.now + one.minutes * 60_000)
          }
        }
        await sameAs(model, service)
      }
      // In the end nothing is held back that nothing holds.
      world.time.now += 10 * 60_000
      model.now = world.time.now
      await service.release()
      model.release()
      await sameAs(model, service)
    }
    const numRuns = store.name === 'SQLite' ? 60 : 5
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 30 }), play), { numRuns })
    // Whatever was done, the totals say what counting gives now.
    const checked = await checkStore(world.database, world.database.kind)
    assert.deepEqual(checked.find(({ name }) => name === 'totals')?.found, [])
  })
}
