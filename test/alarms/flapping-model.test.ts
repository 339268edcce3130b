// Whatever comes in whatever order, with restarts and operators between: when all is quiet, what is open is what was
// seen last.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { deleteAlarm } from '../../src/alarms/actions/alarm-actions.ts'
import { applyAction } from '../../src/alarms/actions/operator-actions.ts'
import { readLedger } from '../../src/alarms/engine/trap-ledger.ts'
import { stores } from '../support.ts'
import { ifIndex, linkDown, linkUp, World } from './world.ts'

const [sqlite] = stores
const world = await World.open(sqlite ?? assert.fail())
const flapping = { count: 2, seconds: 100, rearmSeconds: 50 }
const quiet = flapping.rearmSeconds * 1000

type Step =
  | { readonly kind: 'traps'; readonly traps: readonly (readonly [number, boolean])[] }
  | { readonly kind: 'failing'; readonly traps: readonly (readonly [number, boolean])[] }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'restart' }
  /** An operator ends the summary, in one way or the other. */
  | { readonly kind: 'hand'; readonly deletes: boolean }

const ports = [0, 1]
const traps = fc.array(fc.tuple(fc.constantFrom(...ports), fc.boolean()), { minLength: 1, maxLength: 8 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('traps' as const), traps }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('failing' as const), traps }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.nat({ max: 60 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hand' as const), deletes: fc.boolean() }) },
)

test('in the end each alarm is as it was last reported, no summary is open, and the bins sum up', async () => {
  let run = 0
  let collapsed = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      run += 1
      const from = `10.${run >> 8}.${run & 255}.1`
      let engine = world.another({ flapping })
      const last = new Map<number, boolean>()
      let sent = 0
      const batch = (given: readonly (readonly [number, boolean])[]) =>
        given.map(([port, isDown]) => world.trap(isDown ? linkDown : linkUp, from, [ifIndex(port)]))
      const open = async () =>
        (await world.alarmsOf(from)).filter(
          ({ recStatus, isReceoverFault }) => recStatus + isReceoverFault === 0,
        )
      for (const one of steps) {
        if (one.kind === 'traps') {
          const bins = await engine.handle(batch(one.traps))
          collapsed += bins.filter((bin) => bin === 'collapsed').length
          sent += one.traps.length
          for (const [port, isDown] of one.traps) last.set(port, isDown)
        } else if (one.kind === 'failing') {
          await assert.rejects(engine.handle(batch(one.traps), () => Promise.reject(new Error('full'))))
        } else if (one.kind === 'wait') {
          world.time.now += one.seconds * 1000
          await engine.endQuietFlapping(world.time.now)
        } else if (one.kind === 'restart') engine = world.another({ flapping })
        else {
          for (const { id, eventName } of await open()) {
            if (eventName !== 'alarmFlapping') continue
            if (one.deletes) await deleteAlarm(engine, id, 'anna')
            else await applyAction(engine, id, { action: 'recover' }, 'anna')
          }
        }
        const now = await open()
        assert.equal(new Set(now.map(({ resource }) => resource)).size, now.length, 'never both')
      }
      world.time.now += quiet
      await engine.endQuietFlapping(world.time.now)
      const expected = ports.filter((port) => last.get(port)).map((port) => `linkDown ifIndex=${port}`)
      const found = (await open()).map(({ eventName, resource }) => `${eventName} ${resource}`)
      assert.deepEqual(found.sort(), expected)
      const lines = await readLedger(world.database, from)
      assert.equal(
        lines.reduce((all, { count }) => all + Number(count), 0),
        sent,
      )
    }),
    { numRuns: 150, seed: 20_260_715 },
  )
  assert.ok(collapsed > 100, `${collapsed} were collapsed`)
  assert.deepEqual(await world.database.all('select device_id from flapping'), [])
})
