// Maintenance windows from end to end: across clock changes, while what they cover changes, and while alarms come and
// go.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { raiseByProgram } from '../../src/alarms/actions/program-alarms.ts'
import { readHits } from '../../src/resources/alarms/hits.ts'
import { maintenances } from '../../src/resources/alarms/maintenance.ts'
import { create, erase, modify } from '../../src/resources/collection.ts'
import { customViews } from '../../src/resources/inventory/custom-view.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { zones } from '../../src/resources/inventory/zone.ts'
import { ifIndex, linkDown, linkUp, onEveryStore, type World } from './world.ts'

const minute = 60_000
const hour = 60 * minute

await onEveryStore((w: World) => {
  let named = 0
  /** The first alarm of the test. */
  let first = 0n
  beforeEach(async () => {
    const [row] = await w.database.all("select value from counter where name = 'alarm'")
    first = ((row?.value as bigint | undefined) ?? 0n) + 1n
  })
  const device = async (more: object = {}) => {
    named += 1
    const ip = `10.80.${named >> 8}.${named & 255}`
    return { ip, id: await create(w.database, devices, { ip, label: ip, ...more }) }
  }
  const window = (more: object) => {
    named += 1
    return create(w.database, maintenances, { name: `Window ${named}`, ...more })
  }
  const raise = async (deviceId: bigint, resource = '', engine = w.engine) =>
    (await raiseByProgram(engine, { OID: '1.3.6.1.4.1.32473.63', alarmLevel: 3, deviceId, resource })).id
  const isHeld = async (id: bigint) => (await w.alarm(id)).suppressed
  const release = async (milliseconds = 1000, engine = w.engine) => {
    w.time.now += milliseconds
    const entries = await w.logged(() => engine.releaseSuppressed(w.time.now))
    const released = entries.filter(({ kind }) => kind === 'release').map(({ id }) => id)
    // Windows of other tests may end meanwhile.
    return released.filter((id) => id >= first)
  }

  test('a window counts the alarms that it has held back, and when last; the count goes with it', async () => {
    const { id: deviceId, ip } = await device()
    const [one, other] = [
      await window({ minutes: 60, device: [deviceId] }),
      await window({ minutes: 60, device: [deviceId] }),
    ]
    const hits = async (id: bigint) => (await readHits(w.database, 'window')).get(id)
    assert.equal(await hits(one), undefined)
    await raise(deviceId, 'first')
    await raise(deviceId, 'first')
    w.time.now += minute
    await w.handle(w.trap(linkDown, ip, [ifIndex(1)]), w.trap(linkDown, ip, [ifIndex(2)]))
    assert.deepEqual(await hits(one), { hits: 3n, lastHit: w.time.now }, 'a repeat is no other alarm')
    assert.deepEqual(await hits(other), await hits(one), 'each that covers it')
    await erase(w.database, maintenances, one)
    assert.equal(await hits(one), undefined)
    await erase(w.database, maintenances, other)
  })

  for (const [name, day, length] of [
    ['spring', Date.UTC(2027, 2, 27, 12), 1],
    ['autumn', Date.UTC(2027, 9, 30, 12), 3],
  ] as const) {
    test(`a nightly window from 01:30 to 03:30 lasts ${length} h across the clock change in ${name}, and releases at its end`, async () => {
      const engine = w.another({ timeZone: 'Europe/Berlin' })
      const { id: deviceId } = await device()
      const id = await window({ startTime: '01:30', endTime: '03:30', device: [deviceId] })
      const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', timeStyle: 'medium' })
      w.time.now = day
      const held: bigint[] = []
      let [seen, released] = [0, 0]
      // Ten hours around it, in steps of ten minutes.
      for (w.time.now += 10 * hour; w.time.now < day + 20 * hour; ) {
        const wall = clock.format(w.time.now)
        const raised = await raise(deviceId, `${w.time.now}`, engine)
        const isInside = wall >= '01:30:00' && wall < '03:30:00'
        assert.equal(await isHeld(raised), isInside, `${name} ${wall}`)
        if (isInside) {
          held.push(raised)
          seen += 1
        }
        const now = await release(10 * minute, engine)
        if (now.length > 0) {
          assert.deepEqual(now, held, 'all that is open, oldest first')
          assert.equal(clock.format(w.time.now), '03:30:00')
          released += now.length
        }
      }
      assert.deepEqual([seen, released], [length * 6, length * 6])
      await erase(w.database, maintenances, id)
    })
  }

  test('a device that enters what a window covers is held back from then on, and what was open stays visible', async () => {
    const zoneId = await create(w.database, zones, { name: `Zone ${named}` })
    const { id, ip } = await device()
    await window({ minutes: 60, zone: [zoneId] })
    const before = await raise(id, 'before')
    await modify(w.database, devices, id, { ip, label: ip, zoneId })
    const inside = await raise(id, 'inside')
    assert.deepEqual([await isHeld(before), await isHeld(inside)], [false, true])
    assert.deepEqual(await release(), [])
    assert.equal(await isHeld(before), false)
  })

  test('a device that leaves what a window covers is released: out of its zone, its view, or a view inside it', async () => {
    const zoneId = await create(w.database, zones, { name: `Zone ${named}` })
    const [one, two, three] = [await device({ zoneId }), await device(), await device()]
    const view = (more: object) => create(w.database, customViews, { name: `View ${++named}`, ...more })
    const inner = await view({ member: [three.id] })
    const outer = await view({ member: [two.id], view: [inner] })
    await window({ minutes: 60, zone: [zoneId], view: [outer] })
    const ids = [await raise(one.id), await raise(two.id), await raise(three.id)]
    assert.deepEqual(await Promise.all(ids.map(isHeld)), [true, true, true])
    await modify(w.database, devices, one.id, { ip: one.ip, label: one.ip, zoneId: 1n })
    assert.deepEqual(await release(), ids.slice(0, 1))
    await modify(w.database, customViews, outer, { name: `View ${++named}`, member: [], view: [inner] })
    assert.deepEqual(await release(), ids.slice(1, 2))
    await modify(w.database, customViews, inner, { name: `View ${++named}`, member: [] })
    assert.deepEqual(await release(), ids.slice(2))
    assert.deepEqual(await release(), [], 'once')
  })

  test('a window that is shortened releases sooner, one that is lengthened later', async () => {
    const { id: deviceId } = await device()
    const id = await window({ minutes: 60, device: [deviceId] })
    const early = await raise(deviceId, 'first')
    w.time.now += 30 * minute
    await modify(w.database, maintenances, id, { minutes: 60 })
    assert.deepEqual(await release(31 * minute), [], 'it would have been over')
    await modify(w.database, maintenances, id, { minutes: 1 })
    assert.deepEqual(await release(1000), [])
    assert.deepEqual(await release(minute), [early])
    // The window is in force again, and what is open by then was pushed.
    await modify(w.database, maintenances, id, { minutes: 10 })
    const second = await raise(deviceId, 'second')
    assert.deepEqual([await isHeld(early), await isHeld(second)], [false, true])
    assert.deepEqual(await release(11 * minute), [second])
  })

  test('a window that ends in the middle of a release is seen: what had been passed over is released next', async () => {
    const [one, two] = [await device(), await device()]
    const over = await window({ minutes: 60, device: [one.id] })
    const lasting = await window({ minutes: 60, device: [two.id] })
    const down = ({ ip }: { ip: string }, n: number) => w.trap(linkDown, ip, [ifIndex(n)])
    const count = 200
    await w.handle(...Array.from({ length: count }, (_, n) => [down(one, n), down(two, n)]).flat())
    await erase(w.database, maintenances, over)
    const countSql = 'select count(*) as n from alarm where device_id = ? and suppressed = 1'
    const heldOf = async ({ id }: { id: bigint }) =>
      Number((await w.database.transaction((tx) => tx.all(countSql, [id])))[0]?.n)
    const releasing = release()
    while ((await heldOf(one)) === count);
    await erase(w.database, maintenances, lasting)
    const during = await releasing
    assert((await heldOf(two)) > 0, 'it was in force when the first of them were looked at')
    const released = [...during, ...(await release())]
    assert.equal(new Set(released).size, 2 * count)
    assert.equal(released.length, 2 * count, 'each once')
  })

  test('windows that overlap hold until the last of them ends, and one that begins meanwhile holds on', async () => {
    const { id: deviceId } = await device()
    await window({ minutes: 10, device: [deviceId] })
    const alarm = await raise(deviceId)
    await release(5 * minute)
    const later = await window({ minutes: 10, device: [deviceId] })
    assert.deepEqual(await release(6 * minute), [])
    assert.deepEqual((await w.alarm(alarm)).suppressedBy, [`maintenance ${later}`])
    assert.deepEqual(await release(5 * minute), [alarm])
  })

  test('what comes and goes in a window does not count as flapping; what flaps afterwards does', async () => {
    const { id: deviceId, ip } = await device()
    const id = await window({ minutes: 60, device: [deviceId] })
    const cycle = () => w.handle(w.trap(linkDown, ip, [ifIndex(1)]), w.trap(linkUp, ip, [ifIndex(1)]))
    for (let n = 0; n < 12; n += 1) {
      assert.deepEqual(await cycle(), ['raised', 'recovered'])
      w.time.now += 1000
    }
    await erase(w.database, maintenances, id)
    assert.deepEqual(await release(), [], 'nothing is open')
    const bins: string[] = []
    for (let n = 0; n < 7; n += 1) {
      bins.push(...(await cycle()))
      w.time.now += 1000
    }
    assert.deepEqual(bins.slice(0, 10), Array(5).fill(['raised', 'recovered']).flat())
    assert.deepEqual(bins.slice(10), ['collapsed', 'collapsed', 'collapsed', 'collapsed'])
  })

  test('the summary of an alarm that flaps is covered like the alarm itself', async () => {
    const { id: deviceId, ip } = await device()
    const cycle = () => w.handle(w.trap(linkDown, ip, [ifIndex(1)]), w.trap(linkUp, ip, [ifIndex(1)]))
    for (let n = 0; n < 5; n += 1) await cycle()
    await window({ minutes: 60, device: [deviceId], event: [linkDown] })
    await w.handle(w.trap(linkDown, ip, [ifIndex(1)]))
    const summary = (await w.alarmsOf(ip)).find(({ eventName }) => eventName === 'alarmFlapping')
    assert.equal(summary?.suppressed, true)
    assert.deepEqual(await release(61 * minute), [summary?.id])
  })
})
