// The life of alarms as traps drive it: raise, repeat, rise, recover.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trapEvents } from '../../src/resources/alarms/trap-event.ts'
import { create, modify } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { CountWatch, trapsOverDeviceLimit } from '../../src/upkeep/watches/count-watch.ts'
import {
  agentStart,
  coldStart,
  ifDescr,
  ifIndex,
  linkDown,
  linkUp,
  onEveryStore,
  shutdown,
  type World,
} from './world.ts'

/** Of an alarm that nobody has changed. */
const nothingDone = {
  owner: '',
  note: '',
  ackUntil: 0,
  suppressed: false,
  suppressedBy: [],
  shelvedUntil: 0,
  recoveredBy: 0n,
  hidden: false,
  shelvedLevel: 0,
  firstAckTime: 0,
  outOfReach: true,
  causeId: 0n,
  causeUntil: 0,
  repeatTrail: '[]',
}

await onEveryStore((w: World) => {
  test('a fault raises an alarm with all its fields, and the log has it', async () => {
    const from = '10.1.0.1'
    const variables = [ifIndex(7), ifDescr(7, 'Gi1/0/7')]
    const entries = await w.logged(() => w.handle(w.trap(linkDown, from, variables)))
    const [alarm, ...others] = await w.alarmsOf(from)
    assert.ok(alarm)
    assert.deepEqual(others, [])
    const [device] = await w.database.all('select id from device where ip = ?', [from])
    const { id: _id, entry: _entry, trapId: _trapId, ...fields } = alarm
    assert.deepEqual(fields, {
      OID: linkDown,
      originalType: 1,
      deviceId: device?.id,
      deviceIp: from,
      deviceName: from,
      alarmLevel: 2,
      alarmCategory: 3,
      faultTime: w.time.now,
      recTime: 0,
      recStatus: 0,
      recUserName: '',
      ackTime: 0,
      ackStatus: 0,
      ackUserName: '',
      alarmDesc: 'Interface Gi1/0/7 (index 7) is down',
      paras: '*ifIndex=7;ifDescr=Gi1/0/7',
      parentId: 0n,
      somState: 0,
      isReceoverFault: 0,
      recoverFaultIdList: [],
      remark: null,
      eventName: 'linkDown',
      alarmType: linkDown,
      resource: 'ifIndex=7',
      repeats: 1n,
      lastTime: w.time.now,
      pushed: '[[2,"1,2"]]',
      ifIndex: 7n,
      ifDesc: 'Gi1/0/7',
      reason: 'no such alarm was open',
      ...nothingDone,
    })
    assert.deepEqual(
      entries.map(({ kind, id }) => [kind, id]),
      [['raise', alarm.id]],
    )
  })

  test('a repeat counts, moves the last time and makes no log entry', async () => {
    const from = '10.1.0.2'
    await w.handle(w.trap(linkDown, from, [ifIndex(1)]))
    const first = w.time.now
    w.time.now += 5000
    const again = w.trap(linkDown, from, [ifIndex(1)])
    assert.deepEqual(await w.logged(() => w.handle(again, again, again)), [])
    const [alarm] = await w.alarmsOf(from)
    assert.deepEqual([alarm?.repeats, alarm?.faultTime, alarm?.lastTime], [4n, first, first + 5000])
  })

  test('other interfaces and other devices have alarms of their own', async () => {
    const bins = await w.handle(
      w.trap(linkDown, '10.1.0.3', [ifIndex(1)]),
      w.trap(linkDown, '10.1.0.3', [ifIndex(2)]),
      w.trap(linkDown, '10.1.0.4', [ifIndex(1)]),
      w.trap(linkDown, '10.1.0.4', [ifIndex(1)]),
    )
    assert.deepEqual(bins, ['raised', 'raised', 'raised', 'repeated'])
  })

  test('when the level of an event rises, its open alarm rises with a log entry; it never falls', async () => {
    const from = '10.1.0.5'
    const eventOid = '1.3.6.1.4.1.32473.9.1'
    const id = await create(w.database, trapEvents, {
      eventOid,
      name: 'fan',
      alarmLevel: 3,
      alarmCategory: 5,
    })
    await w.handle(w.trap(eventOid, from))
    await modify(w.database, trapEvents, id, { alarmLevel: 1 })
    w.time.now += 1000
    const entries = await w.logged(() => w.handle(w.trap(eventOid, from), w.trap(eventOid, from)))
    assert.deepEqual(
      entries.map((entry) => [entry.kind, entry.field('alarmLevel')]),
      [['rise', 1]],
    )
    await modify(w.database, trapEvents, id, { alarmLevel: 4 })
    assert.deepEqual(await w.logged(() => w.handle(w.trap(eventOid, from))), [])
    const [alarm] = await w.alarmsOf(from)
    assert.deepEqual([alarm?.alarmLevel, alarm?.repeats], [1, 4n])
  })

  test('a recovery ends the alarm with the same key parameters, by one alarm that names it', async () => {
    const from = '10.1.0.6'
    await w.handle(w.trap(linkDown, from, [ifIndex(1)]), w.trap(linkDown, from, [ifIndex(2)]))
    w.time.now += 60_000
    // More variables, in another order: the key parameters pair, nothing else.
    const up = w.trap(linkUp, from, [ifDescr(2, 'Gi2'), ifIndex(2)])
    const entries = await w.logged(() => w.handle(up))
    const [first, second, recovery] = await w.alarmsOf(from)
    assert.ok(second && recovery)
    assert.deepEqual([first?.recStatus, first?.recTime], [0, 0])
    assert.deepEqual([second.recStatus, second.recTime, second.recUserName], [1, w.time.now, '$SYSTEM'])
    assert.deepEqual(
      {
        OID: recovery.OID,
        level: recovery.alarmLevel,
        status: recovery.recStatus,
        times: [recovery.faultTime, recovery.recTime],
        by: recovery.recUserName,
        isRecovery: recovery.isReceoverFault,
        cleared: recovery.recoverFaultIdList,
      },
      {
        OID: linkUp,
        level: 5,
        status: 1,
        times: [w.time.now, w.time.now],
        by: '$SYSTEM',
        isRecovery: 1,
        cleared: [second.id],
      },
    )
    assert.deepEqual(
      entries.map(({ kind, id, cleared }) => [kind, id, cleared]),
      [['recover', recovery.id, [{ id: second.id, OID: linkDown }]]],
    )
  })

  test('a recovery with nothing open to clear makes no alarm', async () => {
    const from = '10.1.0.7'
    await w.handle(w.trap(linkDown, from, [ifIndex(1)]))
    assert.deepEqual(await w.handle(w.trap(linkUp, from, [ifIndex(3)])), ['stored-only'])
    assert.deepEqual(await w.handle(w.trap(linkUp, '10.1.0.8', [ifIndex(1)])), ['stored-only'])
    assert.equal((await w.alarmsOf(from)).length, 1)
    assert.equal((await w.alarmsOf('10.1.0.8')).length, 0)
  })

  test('one event may end alarms of several types, and names all of them', async () => {
    const from = '10.1.0.9'
    const [hot, loud, calm] = ['.1', '.2', '.3'].map((end) => `1.3.6.1.4.1.32473.9.2${end}`) as [
      string,
      string,
      string,
    ]
    const common = { alarmCategory: 5, parameter: [] }
    await create(w.database, trapEvents, { ...common, eventOid: hot, name: 'hot', alarmLevel: 1 })
    await create(w.database, trapEvents, { ...common, eventOid: loud, name: 'loud', alarmLevel: 4 })
    await create(w.database, trapEvents, {
      ...common,
      eventOid: calm,
      name: 'calm',
      alarmLevel: 5,
      recovers: [hot, loud],
    })
    await w.handle(w.trap(hot, from), w.trap(loud, from))
    const [entry] = await w.logged(() => w.handle(w.trap(calm, from)))
    assert.deepEqual(
      entry?.attributes.slice(1).map(({ OID, alarmLevel }) => [OID, alarmLevel]),
      [
        [hot, 1],
        [loud, 4],
      ],
    )
    const [one, two, recovery] = await w.alarmsOf(from)
    assert.deepEqual([one?.recStatus, two?.recStatus], [1, 1])
    assert.deepEqual(recovery?.recoverFaultIdList, [one?.id, two?.id])
    assert.deepEqual(await w.handle(w.trap(calm, from)), ['stored-only'])
  })

  test('raise, repeat, recover and raise again happen in order inside one batch', async () => {
    const from = '10.1.0.10'
    const down = w.trap(linkDown, from, [ifIndex(1)])
    const up = w.trap(linkUp, from, [ifIndex(1)])
    const entries = await w.logged(async () =>
      assert.deepEqual(await w.handle(down, down, up, down, up, up, down, down), [
        'raised',
        'repeated',
        'recovered',
        'raised',
        'recovered',
        'stored-only',
        'raised',
        'repeated',
      ]),
    )
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['raise', 'recover', 'raise', 'recover', 'raise'],
    )
    const faults = (await w.alarmsOf(from)).filter(({ isReceoverFault }) => isReceoverFault === 0)
    assert.deepEqual(
      faults.map(({ recStatus, repeats }) => [recStatus, repeats]),
      [
        [1, 2n],
        [1, 1n],
        [0, 2n],
      ],
    )
  })

  test('an interface alarm has the open availability alarm of its device as parent', async () => {
    const from = '10.1.0.11'
    await w.handle(
      w.trap(linkDown, from, [ifIndex(1)]),
      w.trap(shutdown, from),
      w.trap(linkDown, from, [ifIndex(2)]),
      w.trap(linkDown, '10.1.0.12', [ifIndex(2)]),
      w.trap(agentStart, from),
      w.trap(linkDown, from, [ifIndex(3)]),
    )
    const [before, away, during, back, after] = await w.alarmsOf(from)
    assert.equal(away?.alarmCategory, 2)
    assert.deepEqual(back?.recoverFaultIdList, [away?.id])
    assert.deepEqual([before?.parentId, during?.parentId, after?.parentId], [0n, away?.id, 0n])
    const [elsewhere] = await w.alarmsOf('10.1.0.12')
    assert.equal(elsewhere?.parentId, 0n)
  })

  test('a start ends the shutdown before it, and is an alarm by itself without one', async () => {
    const from = '10.1.0.13'
    const bins = await w.handle(w.trap(shutdown, from), w.trap(coldStart, from), w.trap(coldStart, from))
    assert.deepEqual(bins, ['raised', 'recovered', 'raised'])
  })

  test('unknown traps become one low-level alarm per device and OID, or nothing', async () => {
    const from = '10.1.0.14'
    const [one, two] = ['1.3.6.1.4.1.32473.8.1', '1.3.6.1.4.1.32473.8.2'] as const
    const value = ifIndex(1)
    const bins = await w.handle(w.trap(one, from, [value]), w.trap(one, from), w.trap(two, from))
    assert.deepEqual(bins, ['raised', 'repeated', 'raised'])
    const [alarm] = await w.alarmsOf(from)
    assert.deepEqual(
      [alarm?.alarmLevel, alarm?.alarmCategory, alarm?.paras, alarm?.alarmDesc],
      [5, 15, `${value.oid}=1`, `Unknown trap ${one} from ${from}`],
    )
    const quiet = w.another({ unknownTraps: 'store' })
    assert.deepEqual(await quiet.handle([w.trap(one, '10.1.0.15')]), ['stored-only'])
    assert.equal((await w.alarmsOf('10.1.0.15')).length, 0)
  })

  test('unknown senders are registered, or refused', async () => {
    const strict = w.another({ unknownSenders: 'refuse' })
    const [known, stranger] = ['10.1.0.16', '10.1.0.17'] as const
    await create(w.database, devices, { ip: known, label: 'Core', otherAddress: [{ ip: '10.1.0.18' }] })
    const traps = [known, '10.1.0.18', stranger].map((from) => w.trap(linkDown, from, [ifIndex(1)]))
    assert.deepEqual(await strict.handle(traps), ['raised', 'repeated', 'refused'])
    const [alarm] = await w.alarmsOf(known)
    assert.equal(alarm?.deviceName, 'Core', 'its other address speaks for it')
    assert.deepEqual(await w.handle(...traps), ['repeated', 'repeated', 'raised'])
    assert.deepEqual(await strict.handle(traps.slice(2)), ['repeated'], 'registered in between')
  })

  test('unknown senders are registered up to a limit; those that are known go on, and an alarm reports the others', async () => {
    const [row] = await w.database.all('select count(*) as n from device')
    const limited = w.another({ deviceLimit: Number(row?.n) + 2 })
    const watch = new CountWatch(limited, trapsOverDeviceLimit, limited.overDeviceLimit)
    const from = (...hosts: number[]) => hosts.map((host) => w.trap(linkDown, `10.9.9.${host}`, [ifIndex(1)]))
    assert.deepEqual(await limited.handle(from(1, 2, 3, 1)), ['raised', 'raised', 'refused', 'repeated'])
    assert.deepEqual(await limited.handle(from(4, 2)), ['refused', 'repeated'])
    const [reported] = await w.database.all(
      'select reason from trap where bin = ? order by id desc limit 1',
      ['refused'],
    )
    assert.equal(reported?.reason, 'unknown sender, and too many devices')
    const looks = async (seconds: number) => {
      w.time.now += seconds * 1000
      const entries = await w.logged(() => watch.check(limited.overDeviceLimit, w.time.now))
      return entries.map(({ kind }) => kind)
    }
    assert.deepEqual([await looks(1), await looks(60), await looks(600)], [['raise'], [], ['recover']])
  })

  test('the agent that a trap names is the device, not the proxy that sent it', async () => {
    await w.handle(w.trap(linkDown, '10.1.0.19', [ifIndex(1)], { agentIp: '10.1.0.20', version: '1' }))
    assert.equal((await w.alarmsOf('10.1.0.20')).length, 1)
    assert.equal((await w.alarmsOf('10.1.0.19')).length, 0)
  })

  test('a block that could not be stored leaves nothing behind, not even in memory', async () => {
    const from = '10.1.0.21'
    const batch = [w.trap(linkDown, from, [ifIndex(1)]), w.trap(linkDown, from, [ifIndex(2)])]
    const full = () => Promise.reject(new Error('the disk is full'))
    const before = new Map(w.engine.outcomes)
    assert.deepEqual(await w.logged(() => assert.rejects(w.engine.handle(batch, full))), [])
    assert.deepEqual(w.engine.outcomes, before)
    assert.deepEqual(await w.handle(...batch), ['raised', 'raised'])
    const [device] = await w.database.all('select id, ip from device where ip = ?', [from])
    const [alarm] = await w.alarmsOf(from)
    assert.equal(alarm?.deviceId, device?.id, 'the device that the alarm names exists')
  })
})
