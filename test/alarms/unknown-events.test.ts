// Alarms of events without a definition: their number is limited, per device and in all.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteAlarm } from '../../src/alarms/actions/alarm-actions.ts'
import { applyAction } from '../../src/alarms/actions/operator-actions.ts'
import { serviceEvents } from '../../src/events/service-events.ts'
import { LimitWatch } from '../../src/upkeep/watches/limit-watch.ts'
import { onEveryStore } from './world.ts'

const limits = { perDevice: 3, overall: 7 }
const made = (number: number) => `1.3.6.1.4.1.32473.77.${number}`

await onEveryStore((w) => {
  const engine = w.another({ unknownAlarms: limits })
  const plenty = { perDevice: 1000, overall: 1000 }
  const watch = new LimitWatch(engine, w.database, { unknownAlarms: limits, openAlarms: plenty })
  const summaries = async (status = 0) => {
    const rows = await w.database.all(
      'select resource, repeats from alarm where alarm_type = ? and rec_status = ? and is_receover_fault = 0 order by id',
      [serviceEvents.unknownEvents.eventOid, status],
    )
    return rows.map((row) => `${row.resource}: ${row.repeats}`)
  }
  const send = (from: string, numbers: readonly number[]) =>
    engine.handle(numbers.map((number) => w.trap(made(number), from)))
  const open = async (from: string) =>
    (await w.alarmsOf(from)).filter(({ recStatus, isReceoverFault }) => recStatus + isReceoverFault === 0)

  test('beyond the limit of a device one alarm stands for the rest, until there is room again', async () => {
    const from = '10.60.0.1'
    const bins = await send(from, [1, 2, 3, 4, 5, 1])
    assert.deepEqual(bins, ['raised', 'raised', 'raised', 'collapsed', 'collapsed', 'repeated'])
    assert.deepEqual(await send(from, [6]), ['collapsed'], 'in the next block too')
    const [first] = await open(from)
    assert(first?.deviceId)
    assert.deepEqual(await summaries(), [`device=${first.deviceId}: 3`])
    const [reported] = await w.database.all(
      "select n from trap_source_ledger where source_ip = ? and bin = 'collapsed' and reason = 'too many unknown events'",
      [from],
    )
    assert.equal(reported?.n, 3n)
    await watch.check()
    assert.equal((await summaries()).length, 1, 'it is still full')
    await applyAction(engine, first.id, { action: 'recover' }, 'anna')
    await watch.check()
    assert.deepEqual(await summaries(), [])
    assert.deepEqual(await send(from, [7, 8]), ['raised', 'collapsed'])
    const [another] = await open(from)
    await deleteAlarm(engine, another?.id ?? 0n, 'anna')
    await watch.check()
    assert.deepEqual(await summaries(), [])
  })

  test('what another engine counted counts, and a block that failed does not', async () => {
    const from = '10.60.0.2'
    const full = () => Promise.reject(new Error('full'))
    await assert.rejects(
      engine.handle(
        [1, 2, 3, 4].map((number) => w.trap(made(number), from)),
        full,
      ),
    )
    assert.deepEqual(await send(from, [1, 2]), ['raised', 'raised'])
    const later = w.another({ unknownAlarms: limits })
    const more = [3, 4].map((number) => w.trap(made(number), from))
    assert.deepEqual(await later.handle(more), ['raised', 'collapsed'])
  })

  test('beyond the limit of all together one alarm stands for all devices', async () => {
    assert.deepEqual(await send('10.60.0.3', [1, 2, 3]), ['raised', 'raised', 'collapsed'])
    assert.deepEqual(await send('10.60.0.4', [1]), ['collapsed'])
    assert((await summaries()).includes('all devices: 2'))
    for (const { id } of await open('10.60.0.2')) await applyAction(engine, id, { action: 'recover' }, 'anna')
    await watch.check()
    assert.deepEqual(await summaries(), [])
    assert.deepEqual(await send('10.60.0.4', [1]), ['raised'])
  })

  test('events with a definition are not counted', async () => {
    const down = (port: number) =>
      w.trap('1.3.6.1.6.3.1.1.5.3', '10.60.0.5', [
        { oid: `1.3.6.1.2.1.2.2.1.1.${port}`, type: 'Integer32', value: String(port) },
      ])
    const bins = await engine.handle([1, 2, 3, 4, 5, 6, 7, 8, 9].map(down))
    assert.deepEqual(new Set(bins), new Set(['raised']))
  })
})
