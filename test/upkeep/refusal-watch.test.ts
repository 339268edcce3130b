// Alarms about senders whose traps are refused: one for each known device, one for all others, and their ends.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RejectedDatagrams } from '../../src/alarms/engine/incoming-trap.ts'
import { RefusalWatch } from '../../src/upkeep/watches/refusal-watch.ts'
import { coldStart, linkDown, onEveryStore, type World } from '../alarms/world.ts'

const limits = { toleratedSeconds: 10, quietSeconds: 3600 }

function tools(world: World) {
  const { engine, database, time } = world
  const refused = (sourceIp: string, reason = 'community', times = 1, user?: string): RejectedDatagrams => ({
    ...{ kind: 'rejected', receivedAt: time.now, sourceIp },
    ...{ outcome: 'refused', reason, times, user },
  })
  return {
    refused,
    watch: (of = engine) => new RefusalWatch(engine, database, of.refusedSenders, limits),
    /** Those that are open, by resource, with repetitions and text. */
    async open() {
      const rows = await database.all(
        "select resource, repeats, alarm_desc from alarm where event_name = 'trapsRefused' and rec_status = 0 order by id",
      )
      return rows.map(({ resource, repeats, alarm_desc: text }) => [
        String(resource),
        Number(repeats),
        String(text),
      ])
    },
    async deviceOf(ip: string) {
      const [row] = await database.all('select device_id from device_address where ip = ?', [ip])
      return `device=${row?.device_id}`
    },
    async later(watch: RefusalWatch, seconds: number) {
      for (let left = seconds; left > 0; left -= 30) {
        time.now += Math.min(left, 30) * 1000
        await watch.check(time.now)
      }
    },
  }
}

await onEveryStore((world) => {
  const { refused, watch: watchOf, open, deviceOf, later } = tools(world)
  const watch = watchOf()

  test('a known device has an alarm that says what to change, counts, and ends with the next accepted trap', async () => {
    await world.handle(world.trap(coldStart, '10.8.0.1'))
    await world.handle(refused('10.8.0.1', 'wrong-digest', 3, 'ops'))
    await watch.check(world.time.now)
    assert.deepEqual(await open(), [], 'not at once')
    await later(watch, 10)
    await world.handle(refused('10.8.0.1', 'wrong-digest', 4, 'ops'))
    await later(watch, 5)
    const resource = await deviceOf('10.8.0.1')
    assert.deepEqual(await open(), [
      [
        resource,
        7,
        'Traps of 10.8.0.1 (10.8.0.1) are refused: the auth password or algorithm of the user "ops" is not the one in the file of trap-users. Make them the same on both sides',
      ],
    ])
    await world.handle(world.trap(linkDown, '10.8.0.1'))
    await later(watch, 5)
    assert.deepEqual(await open(), [])
  })

  test('informs that are accepted after a first refusal are no news, and neither is a message', async () => {
    await world.handle(refused('10.8.0.1', 'unknown-engine'), refused('10.8.9.9', 'unknown-engine'))
    await world.handle(world.trap(linkDown, '10.8.0.1'))
    await later(watch, 60)
    assert.deepEqual(await open(), [])
    await world.handle(refused('10.8.0.1', 'community'))
    await later(watch, 15)
    const message = { does: 'raise', fault: linkDown, key: new Map() } as const
    await world.handle(world.trap(linkDown, '10.8.0.1', [], { version: 'syslog', message }))
    await later(watch, 15)
    assert.equal((await open()).length, 1)
    await later(watch, 3600)
    assert.deepEqual(await open(), [], 'over after an hour')
  })

  test('twenty devices have alarms of their own, and one stands for more of them and for all unknown senders', async () => {
    const devices = Array.from({ length: 25 }, (_, index) => `10.8.1.${index + 1}`)
    await world.handle(...devices.map((ip) => world.trap(coldStart, ip)))
    await world.handle(...devices.map((ip) => refused(ip)))
    for (let sender = 0; sender < 3000; sender += 500) {
      const forged = Array.from({ length: 500 }, (_, index) =>
        refused(`172.20.${sender / 500}.${index % 250}`),
      )
      await world.handle(...forged)
    }
    await watch.check(world.time.now)
    await later(watch, 10)
    const found = await open()
    assert.equal(found.length, 21)
    const [others] = found.filter(([resource]) => resource === 'other senders')
    assert.equal(others?.[1], 3005)
    assert.match(String(others?.[2]), /^Traps of unknown senders, or of more than 20 devices, are refused\. /)
    assert.match(String(others?.[2]), /trap-communities/)
    // One recovers, and there is room for the next that is refused again.
    await world.handle(world.trap(linkDown, '10.8.1.1'))
    await later(watch, 5)
    await world.handle(refused('10.8.1.25'))
    await later(watch, 5)
    const now = (await open()).map(([resource]) => resource)
    assert.equal(now.length, 21)
    assert.ok(now.includes(await deviceOf('10.8.1.25')) && !now.includes(await deviceOf('10.8.1.1')))
  })

  test('after a restart, an open alarm ends when the device is accepted, and the others when they are quiet', async () => {
    const next = world.another({})
    const again = new RefusalWatch(next, world.database, next.refusedSenders, limits)
    await again.check(world.time.now)
    assert.equal((await open()).length, 21)
    await next.handle([world.trap(linkDown, '10.8.1.2')])
    await later(again, 5)
    assert.equal((await open()).length, 20)
    await later(again, 3600)
    assert.deepEqual(await open(), [])
  })

  test('a sender that no device has is reported where unknown senders are refused', async () => {
    const strict = world.another({ unknownSenders: 'refuse' })
    const own = new RefusalWatch(strict, world.database, strict.refusedSenders, limits)
    await strict.handle([world.trap(linkDown, '10.8.7.7')])
    await own.check(world.time.now)
    await later(own, 15)
    const [[resource, times, text] = []] = await open()
    assert.deepEqual([resource, times], ['other senders', 1])
    assert.match(String(text), /10\.8\.7\.7: no device has the address, and unknown-senders is "refuse"/)
  })
})
