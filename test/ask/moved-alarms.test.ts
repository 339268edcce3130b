// After a restart, ports may have other indexes: their open alarms go there. Each ends together with the raising of its
// successor, or not at all.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyAction } from '../../src/alarms/actions/operator-actions.ts'
import { raiseFaults } from '../../src/ask/verify/raise-faults.ts'
import { type FoundFault, hasFaults, refusedFaults, writeSurveys } from '../../src/ask/verify/seen-states.ts'
import { trapRules } from '../../src/resources/alarms/trap-rule.ts'
import { create } from '../../src/resources/collection.ts'
import { ifDescr, ifIndex, linkDown, linkUp, onEveryStore, type World } from '../alarms/world.ts'

/** A port that was found broken, where it is now, and the index at which its alarm is open. */
interface Found {
  readonly at: number
  readonly from?: number
  /** Whether it has an alarm where it is now as well. */
  readonly hasOwn?: boolean
}

let devices = 0

/** A switch with open alarms about ports of these indexes. */
async function switchWith(world: World, ...indexes: number[]) {
  devices += 1
  const ip = `192.0.2.${devices}`
  const down = (index: number) =>
    world.handle(world.trap(linkDown, ip, [ifIndex(index), ifDescr(index, `was ${index}`)]))
  // So that the device is known.
  await down(99)
  await world.handle(world.trap(linkUp, ip, [ifIndex(99)]))
  for (const index of indexes) await down(index)
  const [row] = await world.database.all('select device_id from alarm where device_ip = ? limit 1', [ip])
  const deviceId = row?.device_id as bigint
  const openAt = async () => {
    const open = (await world.alarmsOf(ip)).filter((alarm) => alarm.recStatus === 0)
    return new Map(open.map((alarm) => [Number(alarm.ifIndex), alarm]))
  }
  return {
    ip,
    deviceId,
    down,
    up: (index: number) => world.handle(world.trap(linkUp, ip, [ifIndex(index)])),
    openAt,
    /** As "index name". */
    async open() {
      return [...(await openAt())].map(([index, { ifDesc }]) => `${index} ${ifDesc}`).sort()
    },
    /** Its parts are asked for the second time now. */
    async find(...found: Found[]) {
      const at = await openAt()
      const faults = found.map(
        ({ at: index, from, hasOwn }): FoundFault => ({
          ...{ event: linkDown, instance: String(index), key: ['ifIndex'], value: 'ifOperStatus down' },
          ...{ name: from === undefined ? `new ${index}` : `was ${from}`, asked: world.time.now },
          moved: from === undefined ? undefined : at.get(from)?.id,
          own: hasOwn ? at.get(index)?.id : undefined,
          variables: [
            { ...ifIndex(index), type: 'Integer32', hex: false },
            {
              ...ifDescr(index, from === undefined ? `new ${index}` : `was ${from}`),
              ...{ type: 'OctetString', hex: false },
            },
          ],
        }),
      )
      const seen = { at: world.time.now, parts: new Map() }
      await world.database.transaction((tx) => writeSurveys(tx, [{ deviceId, seen, faults, refused: [] }]))
      world.time.now += 1000
    },
    refused: async () =>
      (await refusedFaults(world.database, deviceId)).map(({ instance }) => instance).sort(),
  }
}

await onEveryStore((world) => {
  const settle = async () => {
    world.time.now += 1000
    while (await hasFaults(world.database)) await raiseFaults(world.engine, 3)
  }

  test('a chain: each alarm goes where the next one was, in whatever order', async () => {
    const one = await switchWith(world, 1, 2, 3)
    world.time.now += 1000
    await one.find({ at: 2, from: 1 }, { at: 3, from: 2 }, { at: 4, from: 3 })
    await settle()
    assert.deepEqual(await one.open(), ['2 was 1', '3 was 2', '4 was 3'])
    assert.deepEqual(await one.refused(), [])
    const other = await switchWith(world, 1, 2, 3)
    world.time.now += 1000
    await other.find({ at: 2, from: 3 }, { at: 1, from: 2 }, { at: 0, from: 1 }, { at: 3 })
    await settle()
    assert.deepEqual(await other.open(), ['0 was 1', '1 was 2', '2 was 3', '3 new 3'])
  })

  test('two that have changed places, and a ring of more than are raised at once', async () => {
    const two = await switchWith(world, 1, 2)
    const ring = await switchWith(world, 1, 2, 3, 4, 5)
    world.time.now += 1000
    await two.find({ at: 2, from: 1 }, { at: 1, from: 2 })
    await ring.find(...[1, 2, 3, 4, 5].map((from) => ({ at: (from % 5) + 1, from })))
    await settle()
    assert.deepEqual(await two.open(), ['1 was 2', '2 was 1'])
    assert.deepEqual(await ring.open(), ['1 was 5', '2 was 1', '3 was 2', '4 was 3', '5 was 4'])
  })

  test('where the alarm of another part stays, nothing ends, and the fault is to be found again', async () => {
    const one = await switchWith(world, 1, 2, 3)
    world.time.now += 1000
    // 3 stays; 2 waits for it, 1 for 2.
    await one.find({ at: 3, from: 2 }, { at: 2, from: 1 }, { at: 7 })
    await settle()
    assert.deepEqual(await one.open(), ['1 was 1', '2 was 2', '3 was 3', '7 new 7'])
    assert.deepEqual(await one.refused(), ['2', '3'])
    await one.find({ at: 1 })
    await settle()
    assert.deepEqual(await one.refused(), ['1', '2', '3'])
    await one.up(3)
    world.time.now += 1000
    await one.find({ at: 3, from: 2 }, { at: 2, from: 1 }, { at: 1 })
    await settle()
    assert.deepEqual(await one.open(), ['1 new 1', '2 was 1', '3 was 2', '7 new 7'])
    assert.deepEqual(await one.refused(), [])
  })

  test('what is reported in between counts more', async () => {
    const one = await switchWith(world, 1, 2, 3, 4)
    world.time.now += 1000
    await one.find({ at: 11, from: 1 }, { at: 12, from: 2 }, { at: 13, from: 3 }, { at: 14, from: 4 })
    await one.down(11)
    await one.down(2)
    await one.up(3)
    const at = await one.openAt()
    const ended = at.get(4)?.id ?? 0n
    await applyAction(world.engine, ended, { action: 'recover' }, 'admin')
    await settle()
    assert.deepEqual(await one.open(), ['1 was 1', '11 was 11', '2 was 2'])
    assert.deepEqual(await one.refused(), ['11', '12', '13', '14'])
    // The port has an alarm now where it is: that at its former index ends.
    await one.find({ at: 11, from: 1, hasOwn: true })
    await settle()
    assert.deepEqual(await one.open(), ['11 was 11', '2 was 2'])
  })

  test('a kill between leaves all alarms as they were', async () => {
    const one = await switchWith(world, 1, 2)
    world.time.now += 1000
    await one.find({ at: 2, from: 1 }, { at: 3, from: 2 })
    const before = await one.openAt()
    const killed: Pick<World['engine'], 'raiseFound'> = {
      raiseFound: (find) =>
        world.engine.raiseFound(async (tx) => ({
          ...(await find(tx)),
          recordRefused: () => Promise.reject(new Error('killed')),
        })),
    }
    await assert.rejects(raiseFaults(killed, 100), /killed/)
    assert.deepEqual(await one.openAt(), before)
    await settle()
    assert.deepEqual(await one.open(), ['2 was 1', '3 was 2'])
  })

  test('what was found long ago is asked about again', async () => {
    const one = await switchWith(world, 1)
    world.time.now += 1000
    await one.find({ at: 2, from: 1 }, { at: 3 })
    world.time.now += 120_000
    await settle()
    assert.deepEqual(await one.open(), ['1 was 1'])
    assert.deepEqual(await one.refused(), ['2', '3'])
  })

  test('a rule that keeps new alarms out does not end one that moves', async () => {
    const one = await switchWith(world, 1)
    await create(world.database, trapRules, {
      ...{ trapRuleName: `of ${one.ip}`, trapGroup: -1, trapOId: linkDown },
      trapDevice: [{ displayName: one.ip, devID: Number(one.deviceId), trapFilterEventParasInfo: [] }],
    })
    world.time.now += 1000
    await one.find({ at: 2, from: 1 }, { at: 3 })
    await settle()
    assert.deepEqual(await one.open(), ['2 was 1'])
    assert.deepEqual(await one.refused(), [])
  })
})
