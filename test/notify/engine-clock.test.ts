// The engine that traps of version 3 come from never goes back, or receivers would take its messages for repeated ones.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EngineClock, type EngineMoment } from '../../src/notify/channels/engine-clock.ts'
import { stores } from '../support.ts'

/** Seconds that RFC 3414 section 3.2 allows a message to be late. */
const window = 150
const isAccepted = (last: EngineMoment, next: EngineMoment) =>
  next.boots > last.boots || (next.boots === last.boots && next.time > last.time - window)

for (const store of stores)
  test(`on ${store.name} boots and time are never behind what receivers have seen`, async () => {
    const database = await store.openMigrated()
    let now = Date.UTC(2026, 10, 19)
    const open = () => new EngineClock(database, () => now)
    let nodes = [open(), open()]
    let last: EngineMoment = { boots: 0, time: 0 }
    const seen: EngineMoment[] = []
    const steps = [0, 1, 30, 59, 61, 86_400, -1, -59, -121, 10, -7200, 5, 3600, 7200, -200, -200, 90, -100]
    for (const [index, seconds] of steps.entries()) {
      now += seconds * 1000
      if (index % 3 === 2) nodes = [open(), open()]
      for (const node of nodes) {
        const moment = await node.now()
        assert.ok(isAccepted(last, moment), `${JSON.stringify(last)}, then ${JSON.stringify(moment)}`)
        if (moment.boots > last.boots || moment.time > last.time) last = moment
        seen.push(moment)
      }
    }
    assert.equal(seen[0]?.boots, 1)
    const small = seen.filter(({ boots }) => boots === 1)
    assert.ok(small.length >= 16, 'small corrections of the clock are within what receivers accept')
    assert.ok(last.boots > 1, 'after a large one it counts as begun again')
    const moments = await Promise.all([open().now(), open().now(), open().now()])
    assert.equal(new Set(moments.map(({ boots }) => boots)).size, 1, 'nodes agree')
  })
