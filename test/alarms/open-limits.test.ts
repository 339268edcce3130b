// Open alarms of events with a definition: their number is limited too, per device and in all.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyAction } from '../../src/alarms/actions/operator-actions.ts'
import { serviceEvents } from '../../src/events/service-events.ts'
import { LimitWatch } from '../../src/upkeep/watches/limit-watch.ts'
import { ifIndex, linkDown, linkUp, onEveryStore } from './world.ts'

const plenty = { perDevice: 1000, overall: 1000 }

await onEveryStore((w) => {
  const limits = { perDevice: 4, overall: 10 }
  const engine = w.another({ openAlarms: limits })
  const watch = new LimitWatch(engine, w.database, { unknownAlarms: plenty, openAlarms: limits })
  const send = (from: string, ports: readonly number[], oid = linkDown) =>
    engine.handle(ports.map((port) => w.trap(oid, from, [ifIndex(port)])))
  const summaries = async () => {
    const rows = await w.database.all(
      'select resource, repeats from alarm where alarm_type = ? and rec_status = 0 order by id',
      [serviceEvents.alarmsFull.eventOid],
    )
    return rows.map((row) => `${row.resource}: ${row.repeats}`)
  }
  const open = async (from: string) =>
    (await w.alarmsOf(from)).filter(({ recStatus, isReceoverFault }) => recStatus + isReceoverFault === 0)

  test('beyond the limit of a device one alarm stands for the rest, until there is room again', async () => {
    const from = '10.61.0.1'
    const bins = await send(from, [1, 2, 3, 4, 5, 6, 1])
    const four = Array(4).fill('raised')
    assert.deepEqual(bins, [...four, 'collapsed', 'collapsed', 'repeated'])
    assert.deepEqual(await send(from, [7]), ['collapsed'], 'in the next block too')
    const [first] = await open(from)
    assert(first?.deviceId)
    assert.deepEqual(await summaries(), [`device=${first.deviceId}: 3`])
    const [reported] = await w.database.all(
      "select n from trap_source_ledger where source_ip = ? and bin = 'collapsed' and reason = 'too many open alarms'",
      [from],
    )
    assert.equal(reported?.n, 3n)
    await watch.check()
    assert.equal((await summaries()).length, 1, 'it is still full')
    assert.deepEqual(await send(from, [2], linkUp), ['recovered'], 'what is open ends as ever')
    assert.deepEqual(await send(from, [8, 9]), ['raised', 'collapsed'], 'which makes room')
    await applyAction(engine, first.id, { action: 'recover' }, 'anna')
    await watch.check()
    assert.deepEqual(await summaries(), [])
    w.time.now += 10_000
    assert.deepEqual(await send(from, [10, 11]), ['raised', 'collapsed'], 'what people end is seen soon')
  })

  test('a block that failed does not count, but what another engine raised does', async () => {
    const from = '10.61.0.2'
    const full = () => Promise.reject(new Error('full'))
    const traps = [1, 2, 3].map((port) => w.trap(linkDown, from, [ifIndex(port)]))
    await assert.rejects(engine.handle(traps, full))
    assert.deepEqual(await w.another({}).handle(traps), ['raised', 'raised', 'raised'])
    w.time.now += 61_000
    assert.deepEqual(await send(from, [4, 5]), ['raised', 'collapsed'])
  })

  test('beyond the limit of all together one alarm stands for all devices', async () => {
    const summary = () => summaries().then((all) => all.find((one) => one.startsWith('all devices')))
    w.time.now += 61_000
    const bins = await send('10.61.0.3', [1, 2])
    assert.deepEqual(bins, ['collapsed', 'collapsed'], 'eight of links, two that stand for others')
    assert.equal(await summary(), 'all devices: 2')
    for (const { id } of await open('10.61.0.1')) await applyAction(engine, id, { action: 'recover' }, 'anna')
    await watch.check()
    assert.equal(await summary(), undefined)
    w.time.now += 10_000
    assert.deepEqual(await send('10.61.0.3', [1, 2]), ['raised', 'raised'])
  })
})
