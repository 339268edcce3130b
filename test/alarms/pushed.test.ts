// As what alarms were pushed, on every store.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Identity } from '../../src/alarms/engine/alarm-draft.ts'
import {
  attributesOf,
  neverPushed,
  pushedAgain,
  readViews,
  viewsText,
} from '../../src/alarms/log/push-attributes.ts'
import { create, modify } from '../../src/resources/collection.ts'
import { customViews } from '../../src/resources/inventory/custom-view.ts'
import { ifIndex, linkDown, linkUp, onEveryStore } from './world.ts'

await onEveryStore((w) => {
  test('says of a recovery as what each alarm it cleared was pushed', async () => {
    const from = '10.9.0.1'
    await w.handle(w.trap(linkDown, from, [ifIndex(1)]))
    const [raised] = await w.alarmsOf(from)
    assert(raised?.deviceId)
    const { deviceId } = raised
    const identity = new Identity(deviceId, from, raised.resource ?? '', raised.alarmType)
    const view = await create(w.database, customViews, { name: 'Lyon', member: [deviceId] })
    const entries = await w.logged(async () => {
      await w.engine.change(async (changes) => {
        await changes.gather([{ identity }])
        changes.repeat(identity, 1, w.time.now)
      })
      await modify(w.database, customViews, view, { member: [] })
      await w.handle(w.trap(linkUp, from, [ifIndex(1)]))
    })
    const common = { deviceIp: from, OID: linkDown }
    const asCritical = { ...common, alarmLevel: 1, views: new Set(['1', '2', String(view)]) }
    assert.deepEqual(
      entries.map(({ kind, attributes }) => [kind, attributes]),
      [
        ['rise', [asCritical]],
        [
          'recover',
          [
            { ...common, OID: linkUp, alarmLevel: 5, views: new Set(['1', '2']) },
            { ...common, alarmLevel: raised.alarmLevel, views: new Set(['1', '2']) },
            asCritical,
          ],
        ],
      ],
    )
  })

  test('says at which address an alarm was pushed, though its end comes from another', async () => {
    const from = '10.9.0.2'
    await w.handle(w.trap(linkDown, from, [ifIndex(1)]))
    const [raised] = await w.alarmsOf(from)
    assert(raised?.deviceId)
    const { deviceId, OID, eventName, alarmType } = raised
    const identity = new Identity(deviceId, '10.9.0.3', raised.resource ?? '', alarmType)
    const [entry] = await w.logged(() =>
      w.engine.change(async (changes) => {
        await changes.gather([{ identity }])
        const texts = { deviceName: '', alarmDesc: '', paras: '' }
        const codes = { originalType: 1, alarmLevel: 5, alarmCategory: 3 } as const
        const by = { identity, OID, eventName, deviceIp: '10.9.0.3', ...texts, ...codes, at: w.time.now }
        return changes.recover([identity], by, 'anna')
      }),
    )
    assert.deepEqual(
      entry?.attributes.map(({ deviceIp }) => deviceIp),
      ['10.9.0.3', from],
    )
  })
})

suite('what is kept with an alarm', () => {
  const attributes = (pushed: string) => attributesOf(pushed, '1.3', '10.0.0.1')

  test('names each level with the views of that time, once', () => {
    let pushed = pushedAgain(neverPushed, 4, '1,7')
    pushed = pushedAgain(pushed, 4, '1,7')
    pushed = pushedAgain(pushed, 1, '1')
    assert.deepEqual(
      attributes(pushed).map(({ alarmLevel, views }) => [alarmLevel, views]),
      [
        [4, new Set(['1', '7'])],
        [1, new Set(['1'])],
      ],
    )
    assert.deepEqual(attributes(neverPushed), [])
  })

  test('a history of pushes that is too long becomes any level and any view', () => {
    const long = viewsText(Array.from({ length: 1000 }, (_, view) => BigInt(view + 1)))
    let pushed = neverPushed
    for (let level = 50; level > 0; level -= 1) {
      pushed = pushedAgain(pushed, level, long)
      assert(pushed.length <= 20_000)
    }
    assert(attributes(pushed).some(({ alarmLevel, views }) => alarmLevel === undefined && views === 'any'))
  })

  test('a device in more than a thousand views counts as being in any', () => {
    const views = Array.from({ length: 1001 }, (_, view) => BigInt(view + 1))
    assert.equal(readViews(viewsText(views)), 'any')
    const most = readViews(viewsText(views.slice(1)))
    assert(most !== 'any' && most.size === 1000)
  })
})
