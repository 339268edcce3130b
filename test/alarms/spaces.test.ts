// Address spaces: the same address in two of them is two devices, whose alarms never meet.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DeviceDirectory } from '../../src/alarms/engine/device-directory.ts'
import { readLedger } from '../../src/alarms/engine/trap-ledger.ts'
import { createIn, eraseIn } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { addressOf, inSpace, spaceOf } from '../../src/schema/space.ts'
import { ifIndex, linkDown, linkUp, onEveryStore, type World } from './world.ts'

const alarmsAt = async ({ database }: World, ip: string) =>
  (
    await database.all(
      'select space, oid, rec_status from alarm join device on device.id = device_id where device_ip = ? order by alarm.id',
      [ip],
    )
  ).map((row) => `${row.space ?? 0} ${row.oid} ${row.rec_status}`)

await onEveryStore((world) => {
  test('alarms of the same address in two spaces are raised, repeated and ended apart', async () => {
    const [here, there] = ['10.60.0.5', '10.60.0.5@2']
    const down = (from: string) => world.trap(linkDown, from, [ifIndex(3)])
    assert.deepEqual(await world.handle(down(here), down(there)), ['raised', 'raised'])
    assert.deepEqual(await world.handle(down(there)), ['repeated'])
    assert.deepEqual(await world.handle(world.trap(linkUp, here, [ifIndex(3)])), ['recovered'])
    const ended = await alarmsAt(world, here)
    assert.deepEqual(ended, [`0 ${linkDown} 1`, `2 ${linkDown} 0`, `0 ${linkUp} 1`])
    assert.deepEqual(await world.handle(world.trap(linkUp, there, [ifIndex(3)])), ['recovered'])
  })

  test('an unknown sender is registered in its space, and called by both', async () => {
    await world.handle(world.trap(linkDown, '10.60.0.6@7', [ifIndex(1)]))
    const [row] = await world.database.all('select id, ip, label, space from device where ip = ?', [
      '10.60.0.6',
    ])
    assert.deepEqual([row?.label, row?.space], ['10.60.0.6@7', 7n])
    const [trap] = await world.database.all(
      'select source_ip, space, device_id from trap where source_ip = ?',
      ['10.60.0.6'],
    )
    assert.deepEqual([trap?.space, trap?.device_id], [7n, row?.id])
  })

  test('the agent that a trap names is one of the space in which it was heard', async () => {
    const agentIp = '10.60.0.7@3'
    await world.handle(world.trap(linkDown, '10.60.0.8@3', [ifIndex(1)], { agentIp }))
    assert.deepEqual(await alarmsAt(world, '10.60.0.7'), [`3 ${linkDown} 0`])
  })

  test('the ledger of an address has the lines of all spaces, each with its own', async () => {
    for (const from of ['10.60.0.9', '10.60.0.9@2', '10.60.0.90@2'])
      await world.handle(world.trap(linkDown, from, [ifIndex(1)]))
    const lines = await readLedger(world.database, '10.60.0.9')
    assert.deepEqual(
      lines.map(({ lastSource, space, count }) => [lastSource, space, count]),
      [
        ['10.60.0.9', undefined, 1n],
        ['10.60.0.9', 2, 1n],
      ],
    )
  })

  test('the directory finds what a map from address and space to device would', async () => {
    const { database } = world
    const address = fc.integer({ min: 1, max: 4 }).map((last) => `10.61.0.${last}`)
    const space = fc.integer({ min: 0, max: 2 })
    const step = fc.record({
      does: fc.constantFrom('hear', 'add', 'delete'),
      ips: fc.uniqueArray(address, { minLength: 1, maxLength: 3 }),
      space,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const row of await database.all("select id from device where ip like '10.61.%'"))
          await database.transaction((tx) => eraseIn(tx, devices, row.id as bigint))
        const directory = new DeviceDirectory(database, { unknownSenders: 'register', deviceLimit: 100_000 })
        const model = new Map<string, bigint>()
        const places = (one: (typeof steps)[number]) => one.ips.map((ip) => inSpace(ip, one.space))
        for (const one of steps) {
          await database.transaction(async (tx) => {
            const [ip = '', ...others] = one.ips
            if (one.does === 'add') {
              const otherAddress = others.map((other) => ({ ip: other }))
              const draft = { ip, label: ip, otherAddress, space: one.space }
              if (places(one).some((place) => model.has(place))) return
              const id = await createIn(tx, devices, draft)
              for (const place of places(one)) model.set(place, id)
            } else if (one.does === 'delete') {
              const id = model.get(inSpace(ip, one.space))
              if (id === undefined) return
              await eraseIn(tx, devices, id)
              for (const [place, owner] of model) if (owner === id) model.delete(place)
            } else {
              const found = await directory.gather(tx, places(one))
              await found.write()
              for (const place of places(one)) {
                const device = found.find(place)
                assert(typeof device !== 'string')
                const known = model.get(place)
                if (known === undefined) assert(![...model.values()].includes(device.id), place)
                else assert.equal(device.id, known)
                model.set(place, device.id)
              }
            }
          })
        }
      }),
      { numRuns: 25, endOnFailure: true },
    )
  })
})

test('an address and its space are one text, from which both can be read again', () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6())
  fc.assert(
    fc.property(address, fc.integer({ min: 0, max: 9999 }), (ip, space) => {
      const text = inSpace(ip, space)
      assert.deepEqual([addressOf(text), spaceOf(text)], [ip, space])
      if (space === 0) assert.equal(text, ip)
    }),
  )
})
