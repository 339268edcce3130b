// Cause and effect: which alarm follows from which, and to whom it goes meanwhile.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyAction } from '../../src/alarms/actions/operator-actions.ts'
import { raiseByProgram } from '../../src/alarms/actions/program-alarms.ts'
import { Causes, Uplinks } from '../../src/alarms/causes/causes.ts'
import { maintenances } from '../../src/resources/alarms/maintenance.ts'
import { trapEvents } from '../../src/resources/alarms/trap-event.ts'
import { create, modify } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import type { Transaction } from '../../src/store/database.ts'
import { ifIndex, linkDown, linkUp, onEveryStore, type World } from './world.ts'

/** Defined in each world: an event that means the whole device is out of reach, and one that does not. */
const gone = '1.3.6.1.4.1.32473.60.1'
const hot = '1.3.6.1.4.1.32473.60.2'

interface Up {
  readonly deviceId: bigint
  readonly ifIndex?: bigint
  readonly parentIfIndex?: bigint
}

await onEveryStore((w: World) => {
  let hosts = 0
  const device = async (...parent: Up[]) => {
    hosts += 1
    const ip = `10.40.${hosts >> 8}.${hosts & 255}`
    const links = parent.map((link) => ({ ifIndex: null, parentIfIndex: null, ...link }))
    const id = await create(w.database, devices, { ip, label: ip, parent: links })
    return { id, ip }
  }
  const raise = async (deviceId: bigint, OID = hot, more: object = {}) =>
    (await raiseByProgram(w.engine, { OID, alarmLevel: 2, deviceId, alarmCategory: 2, ...more })).id
  const end = (id: bigint) => applyAction(w.engine, id, { action: 'recover' }, 'anna')
  const pass = async (seconds: number) => {
    w.time.now += seconds * 1000
    await w.engine.releaseSuppressed(w.time.now)
  }
  /** To whom entries go: 1 everything, 2 causes alone, 3 both. */
  const audienceOf = (attributes: readonly { readonly audience?: number }[]) => attributes[0]?.audience ?? 3
  const logged = async (work: () => Promise<unknown>) =>
    (await w.logged(work)).map(({ kind, id, attributes }) => `${kind} ${id} to ${audienceOf(attributes)}`)
  const parentOf = async (id: bigint) => (await w.alarm(id)).parentId

  test('the flag outOfReach of a definition says that its alarm means out of reach', async () => {
    for (const [eventOid, outOfReach] of [
      [gone, true],
      [hot, false],
    ] as const) {
      const level = { alarmLevel: 1, alarmCategory: 2 }
      await create(w.database, trapEvents, { eventOid, name: `e${eventOid}`, ...level, outOfReach })
    }
  })

  test('alarms behind a device that is out of reach follow from its alarm, and are not sent to clients that asked for causes', async () => {
    const top = await device()
    const middle = await device({ deviceId: top.id })
    const low = await device({ deviceId: middle.id })
    const cause = await raise(top.id, gone)
    let child = 0n
    assert.deepEqual(
      await logged(async () => {
        child = await raise(low.id)
      }),
      [`raise ${child} to 1`],
    )
    assert.equal(await parentOf(child), cause)
    assert.deepEqual(await logged(() => pass(21)), [], 'the wait is over: nothing new')
    assert.equal(await parentOf(child), cause)
    assert.deepEqual(
      (await logged(() => end(child))).map((entry) => entry.slice(-1)),
      ['1'],
    )
  })

  test('alarms of a device with nothing above it are sent to all at once; those of a device below others after the wait', async () => {
    const top = await device()
    const low = await device({ deviceId: top.id })
    let [first, second] = [0n, 0n]
    const entries = await logged(async () => {
      first = await raise(top.id)
      second = await raise(low.id)
    })
    assert.deepEqual(entries, [`raise ${first} to 3`, `raise ${second} to 1`])
    assert.deepEqual(await logged(() => pass(10)), [])
    assert.deepEqual(await logged(() => pass(11)), [`release ${second} to 2`])
    assert.equal(await parentOf(second), 0n)
    assert.deepEqual(await logged(() => pass(60)), [])
    const over = await w.logged(() => end(second))
    assert.equal(over.length, 1)
    assert.equal(over[0]?.attributes[0]?.audience, undefined, 'its end goes to all')
  })

  test('the flag alone makes a cause, the category does not', async () => {
    const top = await device()
    const low = await device({ deviceId: top.id })
    await raise(top.id, hot)
    const child = await raise(low.id)
    assert.equal(await parentOf(child), 0n)
  })

  test('a cause that comes later than its consequences becomes their parent, within the wait', async () => {
    const top = await device()
    const [near, far] = [await device({ deviceId: top.id }), await device({ deviceId: top.id })]
    const late = await raise(far.id)
    await pass(21)
    const child = await raise(near.id)
    await pass(10)
    const cause = await raise(top.id, gone)
    assert.deepEqual(await logged(() => pass(11)), [`cause ${child} to 1`])
    assert.equal(await parentOf(child), cause)
    assert.equal(await parentOf(late), 0n, 'it was pushed before: the wait was over')
    const history = await w.database.all(
      "select detail from alarm_history where alarm_id = ? and kind = 'cause'",
      [child],
    )
    assert.deepEqual(history, [{ detail: `alarm ${cause}` }])
  })

  test('everything that follows has the uppermost cause as its parent, whichever came first', async () => {
    const top = await device()
    const middle = await device({ deviceId: top.id })
    const low = await device({ deviceId: middle.id })
    const lower = await raise(middle.id, gone)
    const child = await raise(low.id)
    assert.equal(await parentOf(child), lower)
    const upper = await raise(top.id, gone)
    await pass(21)
    assert.deepEqual([await parentOf(lower), await parentOf(child)], [upper, upper])
  })

  test('when the cause ends, alarms that outlast it by the wait are released; those that end before are never sent', async () => {
    const top = await device()
    const [one, other] = [await device({ deviceId: top.id }), await device({ deviceId: top.id })]
    const cause = await raise(top.id, gone)
    const [stays, goes] = [await raise(one.id), await raise(other.id)]
    await pass(21)
    await end(cause)
    assert.deepEqual(await logged(() => pass(1)), [])
    assert.equal(await parentOf(stays), cause, 'for the time being')
    assert.match(String(await logged(() => end(goes))), /to 1$/)
    assert.deepEqual(await logged(() => pass(21)), [`release ${stays} to 2`])
    assert.equal(await parentOf(stays), 0n)
  })

  test('a cause that comes again within the wait takes its consequences back', async () => {
    const top = await device()
    const low = await device({ deviceId: top.id })
    const first = await raise(top.id, gone)
    const child = await raise(low.id)
    await pass(21)
    await end(first)
    await pass(1)
    const again = await raise(top.id, gone)
    assert.deepEqual(await logged(() => pass(21)), [`cause ${child} to 1`])
    assert.equal(await parentOf(child), again)
  })

  test('a port that is down cuts off what is behind it, and nothing else', async () => {
    const core = await device()
    const behind = await device({ deviceId: core.id, parentIfIndex: 7n })
    const beside = await device({ deviceId: core.id, parentIfIndex: 8n })
    await w.handle(w.trap(linkDown, core.ip, [ifIndex(7)]))
    const [cause] = await w.alarmsOf(core.ip)
    assert.ok(cause)
    assert.equal(await parentOf(await raise(behind.id)), cause.id)
    assert.equal(await parentOf(await raise(beside.id)), 0n)
    assert.deepEqual(await w.handle(w.trap(linkUp, core.ip, [ifIndex(7)])), ['recovered'])
    assert.equal(await parentOf(await raise(behind.id, hot, { resource: 'later' })), 0n)
  })

  test('the only port upwards of a device cuts off everything behind the device', async () => {
    const core = await device()
    const middle = await device({ deviceId: core.id, ifIndex: 1n })
    const low = await device({ deviceId: middle.id, parentIfIndex: 5n })
    await w.handle(w.trap(linkDown, middle.ip, [ifIndex(1)]))
    const [cause] = await w.alarmsOf(middle.ip)
    assert.equal(await parentOf(await raise(low.id)), cause?.id)
    assert.equal(await parentOf(await raise(middle.id, hot)), 0n, 'it does not follow from itself')
  })

  test('a device with several paths is cut off only when all of them are', async () => {
    const [left, right] = [await device(), await device()]
    const low = await device({ deviceId: left.id }, { deviceId: right.id })
    const first = await raise(left.id, gone)
    const early = await raise(low.id)
    assert.equal(await parentOf(early), 0n)
    await raise(right.id, gone)
    const child = await raise(low.id, hot, { resource: 'later' })
    assert.equal(await parentOf(child), first, 'the oldest of them')
    await pass(21)
    assert.equal(await parentOf(early), first)
  })

  test('cause and consequence in one block of traps are seen, in either order', async () => {
    const core = await device()
    const low = await device({ deviceId: core.id, parentIfIndex: 3n })
    const [fault, lowDown] = [w.trap(linkDown, core.ip, [ifIndex(3)]), w.trap(linkDown, low.ip, [ifIndex(9)])]
    await w.handle(lowDown, fault)
    const [cause] = await w.alarmsOf(core.ip)
    const [child] = await w.alarmsOf(low.ip)
    assert.ok(cause && child)
    assert.equal(child.parentId, 0n)
    await pass(21)
    assert.equal(await parentOf(child.id), cause.id)
    await w.handle(w.trap(linkDown, low.ip, [ifIndex(10)]))
    assert.equal((await w.alarmsOf(low.ip))[1]?.parentId, cause.id)
  })

  test('a change of links changes which alarms follow from which', async () => {
    const [top, other] = [await device(), await device()]
    const low = await device({ deviceId: top.id })
    const cause = await raise(top.id, gone)
    const child = await raise(low.id)
    await pass(21)
    assert.equal(await parentOf(child), cause)
    await modify(w.database, devices, low.id, {
      ip: low.ip,
      label: low.ip,
      parent: [{ deviceId: other.id, ifIndex: null, parentIfIndex: null }],
    })
    await pass(1)
    assert.deepEqual(await logged(() => pass(21)), [`release ${child} to 2`])
  })

  test('a new link counts for alarms that are raised from then on', async () => {
    const [top, low] = [await device(), await device()]
    const cause = await raise(top.id, gone)
    const early = await raise(low.id)
    await modify(w.database, devices, low.id, {
      ip: low.ip,
      label: low.ip,
      parent: [{ deviceId: top.id, ifIndex: null, parentIfIndex: null }],
    })
    await pass(1)
    const late = await raise(low.id, hot, { resource: 'later' })
    assert.deepEqual(await logged(() => pass(21)), [], 'all clients have the first of them already')
    assert.deepEqual([await parentOf(early), await parentOf(late)], [0n, cause])
  })

  test('what a window holds back is held back from all; its cause counts when the window is over', async () => {
    const top = await device()
    const low = await device({ deviceId: top.id })
    await create(w.database, maintenances, { name: `W${low.ip}`, minutes: 10, device: [low.id] })
    const cause = await raise(top.id, gone)
    let child = 0n
    assert.match(String(await logged(async () => (child = await raise(low.id)))), /to 0$/)
    assert.deepEqual(await logged(() => pass(21)), [])
    assert.deepEqual(await logged(() => pass(600)), [`release ${child} to 1`])
    await end(cause)
    await pass(1)
    assert.deepEqual(await logged(() => pass(21)), [`release ${child} to 2`])
  })

  test('when an alarm that follows from another rises, clients that have received it are sent the rise', async () => {
    const top = await device()
    const low = await device({ deviceId: top.id })
    await raise(top.id, gone)
    const child = await raise(low.id)
    await pass(21)
    assert.deepEqual(await logged(() => raise(low.id, hot, { alarmLevel: 1 })), [`rise ${child} to 1`])
  })

  test('of a device with many ports down, only what leads to the devices in question is read', async () => {
    const top = await device()
    const low = await device({ deviceId: top.id, ifIndex: 1n, parentIfIndex: 7n })
    const lowest = await device({ deviceId: low.id })
    for (let port = 1; port <= 60; port += 1)
      await raise(top.id, gone, { resource: `p${port}`, ifIndex: port })
    await w.database.transaction(async (tx) => {
      let rows = 0
      const counting: Transaction = Object.create(tx, {
        allEach: {
          value: async (...asked: Parameters<Transaction['allEach']>) => {
            const found = await tx.allEach(...asked)
            rows += found.length
            return found
          },
        },
      })
      const ways = new Uplinks(w.database)
      await ways.refresh(counting)
      const causes = new Causes(counting, ways, 0)
      await causes.gather([lowest.id])
      const port = await w.alarm(causes.causeOf(lowest.id))
      assert.equal(port.resource, 'p7')
      assert.equal(rows, 3, 'two links and one alarm')
    })
  })

  test('a long release stops when the service does, and goes on later', async () => {
    await pass(60)
    const top = await device()
    const low = await device({ deviceId: top.id })
    for (let n = 1; n <= 120; n += 1) await raise(low.id, hot, { resource: `r${n}` })
    w.time.now += 21_000
    const released = async (isOver: () => boolean) =>
      (await logged(() => w.engine.releaseSuppressed(w.time.now, isOver))).length
    assert.equal(await released(() => true), 0)
    const before = w.database.version('alarm')
    const some = await released(() => w.database.version('alarm') !== before)
    assert.ok(some > 0 && some < 120, String(some))
    assert.equal(await released(() => false), 120 - some)
  })
})
