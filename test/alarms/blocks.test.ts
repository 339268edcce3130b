// How traps are cut into blocks makes no difference: one block does to the store what the same traps do in many, with
// attempts between them that failed. Whatever a trap needs of an earlier one of its block must have been gathered.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { applyAction } from '../../src/alarms/actions/operator-actions.ts'
import { raiseByProgram } from '../../src/alarms/actions/program-alarms.ts'
import type { AlarmEngine } from '../../src/alarms/engine/engine.ts'
import { serviceEvents } from '../../src/events/service-events.ts'
import { trapEvents } from '../../src/resources/alarms/trap-event.ts'
import { trapRules } from '../../src/resources/alarms/trap-rule.ts'
import { create } from '../../src/resources/collection.ts'
import type { Row } from '../../src/store/database.ts'
import { stores } from '../support.ts'
import { variable, World } from './world.ts'

const own = '1.3.6.1.4.1.32473.7'
const port = { oid: `${own}.90`, name: 'port', isKey: true, fromIndex: null, labels: null, pattern: null }
const interfaces = 3
const availability = 2
const others = 15

/** One of each kind: events that raise, end, cause others, end a summary, and unknown ones. */
const events = [
  { level: 2, category: interfaces, recovers: [] },
  { level: 4, category: others, recovers: [] },
  { level: 5, category: others, recovers: [`${own}.0`] },
  { level: 5, category: others, recovers: [`${own}.0`, `${own}.1`] },
  { level: 3, category: interfaces, recovers: [`${own}.1`] },
  { level: 1, category: availability, recovers: [] },
  { level: 5, category: others, recovers: [`${own}.5`] },
  { level: 5, category: others, recovers: [`${serviceEvents.alarmFlapping.eventOid}.${own}.0`] },
] as const
const filtered = events.length
const unknown = events.length + 1

interface Trap {
  readonly event: number
  readonly device: number
  readonly port: number
  readonly later: number
}

type Preparation =
  | { readonly kind: 'traps'; readonly traps: readonly Trap[] }
  /** A program raises what traps then repeat at a more severe level. */
  | { readonly kind: 'program'; readonly event: number; readonly device: number; readonly port: number }
  /** An operator ends all summaries of flapping alarms. */
  | { readonly kind: 'hand' }

const nat = (max: number) => fc.nat({ max })
// Much of the same comes and goes, so that it flaps.
const event = fc.oneof(fc.constantFrom(0, 2), nat(unknown))
const trap = fc.record({ event, device: nat(1), port: nat(1), later: nat(3) })
const traps = fc.array(trap, { minLength: 1, maxLength: 10 })
const preparation: fc.Arbitrary<Preparation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('traps' as const), traps }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('program' as const),
      event: nat(1),
      device: nat(1),
      port: nat(1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hand' as const) }) },
)
/** After how many traps it is cut, and whether the piece fails at first. */
const cut = fc.record({ after: fc.integer({ min: 1, max: 8 }), fails: fc.boolean() })

async function prepareWorld(world: World): Promise<void> {
  for (const [index, { level, category, recovers }] of events.entries()) {
    await create(world.database, trapEvents, {
      eventOid: `${own}.${index}`,
      name: `event ${index}`,
      alarmLevel: level,
      alarmCategory: category,
      parameter: category === availability ? [] : [port],
      recovers: [...recovers],
    })
  }
  await create(world.database, trapRules, {
    trapGroup: -1,
    trapOId: `${own}.${filtered}`,
    trapDevice: [{ displayName: '', devID: 0, trapFilterEventParasInfo: [] }],
  })
}

/** The same devices twice, under addresses of their own. */
class Side {
  readonly #world: World
  readonly #engine: AlarmEngine
  readonly #prefix: string

  constructor(world: World, prefix: string) {
    this.#world = world
    this.#prefix = prefix
    this.#engine = world.another({ flapping: { count: 1, seconds: 100, rearmSeconds: 50 } })
  }

  #address = (device: number) => `${this.#prefix}.${device}`

  #block = (given: readonly Trap[]) =>
    given.map(({ event, device, port: on, later }) =>
      this.#world.trap(
        `${own}.${event}`,
        this.#address(device),
        [variable(`${port.oid}.1`, String(on)), variable(`${own}.91.0`, String(later))],
        { receivedAt: this.#world.time.now + later * 1000 },
      ),
    )

  async handle(given: readonly Trap[], failsFirst = false): Promise<void> {
    if (failsFirst) {
      const full = () => Promise.reject(new Error('full'))
      await assert.rejects(this.#engine.handle(this.#block(given), full), /full/)
    }
    await this.#engine.handle(this.#block(given))
  }

  async prepare(step: Preparation): Promise<void> {
    if (step.kind === 'traps') return this.handle(step.traps)
    if (step.kind === 'program') {
      await raiseByProgram(this.#engine, {
        OID: `${own}.${step.event}`,
        deviceIp: this.#address(step.device),
        resource: `port=${step.port}`,
        alarmLevel: 5,
        alarmDesc: 'by program',
      })
      return
    }
    for (const { id, rec_status: ended, event_name: name } of await this.#rows('alarm', 'id')) {
      if (name === 'alarmFlapping' && ended === 0n)
        await applyAction(this.#engine, id as bigint, { action: 'recover' }, 'anna')
    }
  }

  async #rows(table: string, order: string, column = 'device_ip'): Promise<Row[]> {
    const addresses = [0, 1].map(this.#address)
    return this.#world.database.all(
      `select * from ${table} where ${column} in (?, ?) order by ${order}`,
      addresses,
    )
  }

  /** Everything in the store about its devices, with places in the order instead of numbers. */
  async contents(): Promise<unknown> {
    const found = {
      alarms: await this.#rows('alarm', 'id'),
      log: await this.#rows('alarm_log', 'number'),
      traps: await this.#rows('trap', 'id', 'source_ip'),
      ledger: await this.#rows('trap_source_ledger', 'source_ip, bin, reason', 'source_ip'),
    }
    const devices = await this.#rows('device', 'ip', 'ip')
    const flapping = await this.#world.database.all(
      'select * from flapping where device_id in (select id from device where ip in (?, ?)) order by resource, alarm_type, fault',
      [0, 1].map(this.#address),
    )
    const place = (rows: readonly Row[], id: unknown) =>
      rows.findIndex((row) => String(row.id) === String(id))
    const alarm = (id: unknown) => `alarm ${place(found.alarms, id)}`
    const device = (id: unknown) => `device ${devices.find((row) => String(row.id) === String(id))?.ip}`
    const plain = (row: Row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => {
          if (['number', 'ip_key', 'entry', 'trap_id'].includes(column)) return [column, '']
          if (column === 'device_id') return [column, device(value)]
          if (['id', 'alarm_id', 'parent_id', 'summary_id', 'recovered_by'].includes(column))
            return [column, alarm(value)]
          if (['recover_fault_id_list', 'cleared'].includes(column)) {
            return [column, String(value).replace(/"(\d+)"/g, (_, id) => alarm(id))]
          }
          const text = String(value)
            .replace(/<(id|parentId|recoverFaultIdList)>(\d+)</g, (_, name, id) => `<${name}>${alarm(id)}<`)
            .replace(/<deviceId>(\d+)</, (_, id) => device(id))
            .replace(/"trapId":"\d+"/, '')
          return [column, text]
        }),
      )
    const all = { ...found, devices, flapping }
    const text = JSON.stringify(
      Object.entries(all).map(([name, rows]) => [
        name,
        rows.map((row) => {
          const { id, ...rest } = plain(row)
          return name === 'alarms' ? { id, ...rest } : rest
        }),
      ]),
    )
    return JSON.parse(text.replaceAll(this.#prefix, 'side'))
  }
}

const worlds = await Promise.all(stores.map((store) => World.open(store)))
await Promise.all(worlds.map(prepareWorld))

for (const [index, store] of stores.entries()) {
  const world = worlds[index] ?? assert.fail()
  test(`traps in one block have the same result as in many blocks, on ${store.name}`, async () => {
    let run = 0
    const bins = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(
        fc.array(preparation, { maxLength: 5 }),
        fc.array(trap, { minLength: 2, maxLength: 60 }),
        fc.array(cut, { minLength: 1, maxLength: 8 }),
        async (before, given, cuts) => {
          run += 1
          const whole = new Side(world, `10.${1 + (run >> 8)}.${run & 255}`)
          const pieces = new Side(world, `11.${1 + (run >> 8)}.${run & 255}`)
          for (const step of before) {
            await whole.prepare(step)
            await pieces.prepare(step)
          }
          await whole.handle(given)
          for (let at = 0, piece = 0; at < given.length; piece += 1) {
            const { after, fails } = cuts[piece % cuts.length] ?? assert.fail()
            await pieces.handle(given.slice(at, at + after), fails)
            at += after
          }
          assert.deepEqual(await pieces.contents(), await whole.contents())
          await world.database.transaction(async (tx) => {
            for (const table of ['alarm_log', 'trap']) await tx.run(`delete from ${table}`)
          })
        },
      ),
      { numRuns: index === 0 ? 100 : 15, seed: 20_260_801 },
    )
    for (const row of await world.database.all('select bin, reason, n from trap_ledger')) {
      bins.set(`${row.bin} ${row.reason}`, Number(row.n))
    }
    // Every branch was taken.
    assert(bins.size >= (index === 0 ? 8 : 6), JSON.stringify([...bins]))
  })
}

for (const [index, store] of stores.entries()) {
  test(`other work runs many times while one block is processed, on ${store.name}`, async () => {
    const world = worlds[index] ?? assert.fail()
    const block = Array.from({ length: 2000 }, (_, number) =>
      world.trap(`${own}.0`, '10.9.9.9', [variable(`${port.oid}.1`, String(number))]),
    )
    let bins: readonly string[] | undefined
    const processing = world.engine.handle(block).then((found) => {
      bins = found
    })
    let turns = 0
    for (; !bins; turns += 1) await turn()
    await processing
    assert.deepEqual(new Set(bins), new Set(['raised']))
    assert.ok(turns >= 5, `${turns} turns`)
  })
}
