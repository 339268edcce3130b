// What operators and programs do with alarms.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteAlarm, setRemark } from '../../src/alarms/actions/alarm-actions.ts'
import { applyAction } from '../../src/alarms/actions/operator-actions.ts'
import { raiseByProgram } from '../../src/alarms/actions/program-alarms.ts'
import { raiseServiceAlarm, recoverServiceAlarm } from '../../src/alarms/service/service-alarms.ts'
import type { Alarm } from '../../src/resources/alarms/alarm.ts'
import { create } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { ifIndex, linkDown, linkUp, onEveryStore, type World } from './world.ts'

await onEveryStore((w: World) => {
  /** An open alarm of a device of its own. */
  const raised = async (from: string): Promise<Alarm> => {
    await w.handle(w.trap(linkDown, from, [ifIndex(1)]))
    return (await w.alarmsOf(from))[0] ?? assert.fail('nothing was raised')
  }

  test('an operator acknowledges an alarm once; again changes nothing', async () => {
    const { id } = await raised('10.3.0.1')
    w.time.now += 1000
    const entries = await w.logged(() => applyAction(w.engine, id, { action: 'acknowledge' }, 'anna'))
    assert.deepEqual(
      entries.map((entry) => [entry.kind, entry.id, entry.field('ackStatus')]),
      [['acknowledge', id, 1]],
    )
    const at = w.time.now
    w.time.now += 1000
    assert.deepEqual(await w.logged(() => applyAction(w.engine, id, { action: 'acknowledge' }, 'otto')), [])
    const { ackStatus, ackTime, ackUserName, recStatus } = await w.alarm(id)
    assert.deepEqual(
      { ackStatus, ackTime, ackUserName, recStatus },
      {
        ackStatus: 1,
        ackTime: at,
        ackUserName: 'anna',
        recStatus: 0,
      },
    )
  })

  test('an operator recovers an alarm: one recovery alarm with the OID of the fault and the operator', async () => {
    const from = '10.3.0.2'
    const fault = await raised(from)
    w.time.now += 1000
    const entries = await w.logged(() => applyAction(w.engine, fault.id, { action: 'recover' }, 'anna'))
    const [ended, recovery] = await w.alarmsOf(from)
    assert.deepEqual([ended?.recStatus, ended?.recTime, ended?.recUserName], [1, w.time.now, 'anna'])
    assert.ok(recovery)
    assert.deepEqual(
      [recovery.OID, recovery.alarmLevel, recovery.recUserName, recovery.recStatus, recovery.isReceoverFault],
      [linkDown, 5, 'anna', 1, 1],
    )
    assert.deepEqual([recovery.faultTime, recovery.recTime], [w.time.now, w.time.now])
    assert.deepEqual(recovery.recoverFaultIdList, [fault.id])
    assert.deepEqual(
      entries.map(({ kind, id }) => [kind, id]),
      [['recover', recovery.id]],
    )
    assert.deepEqual(
      await w.logged(() => applyAction(w.engine, fault.id, { action: 'recover' }, 'otto')),
      [],
      'again changes nothing',
    )
    assert.deepEqual(await w.handle(w.trap(linkUp, from, [ifIndex(1)])), ['stored-only'])
    assert.deepEqual(await w.handle(w.trap(linkDown, from, [ifIndex(1)])), ['raised'])
  })

  test('deleting an open alarm recovers it first; a recovered one simply goes', async () => {
    const from = '10.3.0.3'
    const fault = await raised(from)
    const entries = await w.logged(() => deleteAlarm(w.engine, fault.id, 'anna'))
    const [recovery, ...others] = await w.alarmsOf(from)
    assert.deepEqual(others, [])
    assert.deepEqual(
      entries.map((entry) => [entry.kind, entry.id, entry.field('recStatus'), entry.field('recUserName')]),
      [
        ['recover', recovery?.id, 1, 'anna'],
        ['delete', fault.id, 1, 'anna'],
      ],
    )
    assert.ok(recovery)
    const more = await w.logged(() => deleteAlarm(w.engine, recovery.id, 'anna'))
    assert.deepEqual(
      more.map(({ kind, id }) => [kind, id]),
      [['delete', recovery.id]],
    )
    assert.deepEqual(await w.handle(w.trap(linkDown, from, [ifIndex(1)])), ['raised'])
  })

  test('a remark is kept through repeats and recovery, and makes no log entry', async () => {
    const from = '10.3.0.4'
    const { id } = await raised(from)
    assert.deepEqual(await w.logged(() => setRemark(w.engine, id, 'cable ordered')), [])
    await w.handle(w.trap(linkDown, from, [ifIndex(1)]), w.trap(linkUp, from, [ifIndex(1)]))
    const { remark, recStatus, repeats } = await w.alarm(id)
    assert.deepEqual({ remark, recStatus, repeats }, { remark: 'cable ordered', recStatus: 1, repeats: 2n })
    await setRemark(w.engine, id, null)
    assert.equal((await w.alarm(id)).remark, null)
  })

  test('an alarm that does not exist cannot be changed', async () => {
    const missing = { code: 'not-found' }
    await assert.rejects(applyAction(w.engine, 999_999n, { action: 'acknowledge' }, 'anna'), missing)
    await assert.rejects(applyAction(w.engine, 999_999n, { action: 'recover' }, 'anna'), missing)
    await assert.rejects(setRemark(w.engine, 999_999n, 'x'), { code: 'not-found' })
    await assert.rejects(deleteAlarm(w.engine, 999_999n, 'anna'), { code: 'gone' })
  })

  test('a program raises an alarm about a device; a second request repeats it, a more severe one raises its level', async () => {
    const ip = '10.3.0.5'
    const deviceId = await create(w.database, devices, { ip, label: 'Core' })
    const wanted = { OID: '1.3.6.1.4.1.32473.6.1', alarmLevel: 3, deviceIp: ip, alarmDesc: 'backup failed' }
    const first = await raiseByProgram(w.engine, wanted)
    assert.equal(first.isNew, true)
    const alarm = await w.alarm(first.id)
    assert.deepEqual(
      [alarm.originalType, alarm.deviceId, alarm.deviceName, alarm.alarmCategory, alarm.alarmDesc],
      [3, deviceId, 'Core', 15, 'backup failed'],
    )
    const again = await raiseByProgram(w.engine, { ...wanted, deviceIp: null, deviceId })
    assert.deepEqual(again, { id: first.id, isNew: false })
    const entries = await w.logged(() => raiseByProgram(w.engine, { ...wanted, alarmLevel: 1 }))
    assert.deepEqual(
      entries.map((entry) => [entry.kind, entry.field('alarmLevel')]),
      [['rise', 1]],
    )
    assert.equal((await w.alarm(first.id)).repeats, 3n)
    const other = await raiseByProgram(w.engine, { ...wanted, resource: 'disk 2' })
    assert.equal(other.isNew, true, 'another resource is another alarm')
  })

  test('a program may raise an alarm about no device, or about one that is not known', async () => {
    const OID = '1.3.6.1.4.1.32473.6.2'
    const { id } = await raiseByProgram(w.engine, { OID, alarmLevel: 4 })
    const none = await w.alarm(id)
    assert.deepEqual([none.deviceId, none.deviceIp, none.deviceName], [0n, '127.0.0.1', 'Belfry'])
    const strange = await raiseByProgram(w.engine, {
      OID,
      alarmLevel: 4,
      deviceIp: '10.3.0.6',
      resource: 'r',
    })
    const { deviceId, deviceIp } = await w.alarm(strange.id)
    assert.deepEqual({ deviceId, deviceIp }, { deviceId: 0n, deviceIp: '10.3.0.6' })
  })

  test('an alarm of the service itself is raised once and recovers by itself', async () => {
    const entries = await w.logged(async () => {
      await raiseServiceAlarm(w.engine, 'trapsLost', 'a socket', '3 traps lost in 1 s')
      await raiseServiceAlarm(w.engine, 'trapsLost', 'a socket', '9 traps lost in 2 s')
      await recoverServiceAlarm(w.engine, 'trapsLost', 'a socket', 'no trap lost for 10 s')
      await recoverServiceAlarm(w.engine, 'trapsLost', 'a socket', 'no trap lost for 10 s')
    })
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['raise', 'recover'],
    )
    const own = await w.alarm(entries[0]?.id ?? 0n)
    assert.deepEqual(
      [own.originalType, own.deviceId, own.deviceIp, own.deviceName, own.recStatus, own.repeats],
      [3, 0n, '127.0.0.1', 'Belfry', 1, 2n],
    )
  })
})
