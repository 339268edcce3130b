// Any sequence of traps, cut into any batches, does to the store what a few lines of plain code do to plain data.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readEntriesAfter } from '../../src/alarms/log/alarm-log.ts'
import { lastEntryNumber } from '../../src/alarms/log/epochs.ts'
import { trapEvents } from '../../src/resources/alarms/trap-event.ts'
import { create } from '../../src/resources/collection.ts'
import { stores } from '../support.ts'
import { variable, World } from './world.ts'

const own = '1.3.6.1.4.1.32473.5'
const port = { oid: `${own}.9`, name: 'port', isKey: true, fromIndex: null, labels: null, pattern: null }

/** An event with a level, and what it ends. */
const events = [
  { level: 2, recovers: [] },
  { level: 4, recovers: [] },
  { level: 5, recovers: [0] },
  { level: 5, recovers: [0, 1] },
  { level: 3, recovers: [1] },
] as const

interface Step {
  readonly event: number
  readonly device: number
  readonly port: number
}

interface Open {
  repeats: number
  readonly level: number
}

class Model {
  readonly open = new Map<string, Open>()
  readonly log: string[] = []
  readonly bins: string[] = []

  take({ event, device, port: on }: Step): void {
    const { level, recovers } = events[event] ?? assert.fail()
    const key = (type: number) => `${device}/${on}/${type}`
    const ended = recovers.map(key).filter((one) => this.open.has(one))
    const mine = this.open.get(key(event))
    if (ended.length > 0) {
      for (const one of ended) this.open.delete(one)
      this.log.push(`recover ${ended.length}`)
      this.bins.push('recovered')
    } else if (recovers.length > 0 && level === 5) this.bins.push('stored-only')
    else if (mine) {
      mine.repeats += 1
      this.bins.push('repeated')
    } else {
      this.open.set(key(event), { repeats: 1, level })
      this.log.push('raise 0')
      this.bins.push('raised')
    }
  }
}

const [sqlite] = stores
const world = await World.open(sqlite ?? assert.fail())
// What flaps has a model of its own.
const engine = world.another({ flapping: { count: 0, seconds: 300, rearmSeconds: 300 } })
for (const [index, { level, recovers }] of events.entries()) {
  await create(world.database, trapEvents, {
    eventOid: `${own}.${index}`,
    name: `event ${index}`,
    alarmLevel: level,
    alarmCategory: 15,
    parameter: [port],
    recovers: recovers.map((one) => `${own}.${one}`),
  })
}

const step = fc.record({
  event: fc.nat({ max: events.length - 1 }),
  device: fc.nat({ max: 2 }),
  port: fc.nat({ max: 1 }),
})
const batches = fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 12 })

test('open alarms, counts, bins and log are those of the model', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(batches, async (given) => {
      // Devices of its own for every run: they share a store.
      run += 1
      const address = (device: number) => `10.${5 + device}.${run >> 8}.${run & 255}`
      const before = await lastEntryNumber(world.database)
      const model = new Model()
      const bins: string[] = []
      for (const batch of given) {
        for (const one of batch) model.take(one)
        const traps = batch.map((one) =>
          world.trap(`${own}.${one.event}`, address(one.device), [
            variable(`${port.oid}.1`, String(one.port)),
          ]),
        )
        bins.push(...(await engine.handle(traps)))
      }
      assert.deepEqual(bins, model.bins)
      const entries = await readEntriesAfter(world.database, before, 1000)
      assert.deepEqual(
        entries.map(({ kind, cleared }) => `${kind} ${cleared.length}`),
        model.log,
      )
      const found = new Map<string, Open>()
      for (const device of [0, 1, 2]) {
        for (const alarm of await world.alarmsOf(address(device))) {
          if (alarm.recStatus === 1) continue
          const key = `${device}/${alarm.resource?.slice('port='.length)}/${alarm.alarmType.split('.').at(-1)}`
          found.set(key, { repeats: Number(alarm.repeats), level: alarm.alarmLevel })
        }
      }
      assert.deepEqual(found, model.open)
    }),
    { numRuns: 150, seed: 20_260_715 },
  )
})
