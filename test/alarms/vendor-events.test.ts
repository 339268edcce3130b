// Traps of vendors for which nothing was loaded: the catalogue that comes with the program knows them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VendorCatalogue } from '../../src/events/vendor-catalogue.ts'
import { type TrapEvent, trapEvents } from '../../src/resources/alarms/trap-event.ts'
import { create, erase, modify } from '../../src/resources/collection.ts'
import type { Database } from '../../src/store/database.ts'
import { seedStore } from '../../src/upkeep/seed.ts'
import { onEveryStore, variable } from './world.ts'

const catalogue = new VendorCatalogue()
await catalogue.open()

/** Juniper: a fan of a chassis fails, and is well again. */
const fanFailure = '1.3.6.1.4.1.2636.4.1.2'
const fanOk = '1.3.6.1.4.1.2636.4.2.2'
const contents = '1.3.6.1.4.1.2636.3.1.8.1'
const fan = (index: string, name: string) => [
  variable(`${contents}.1.${index}`, '4'),
  variable(`${contents}.6.${index}`, name, 'OctetString'),
  variable(`1.3.6.1.4.1.2636.3.1.13.1.6.${index}`, '6'),
]

async function row(database: Database, oid: string): Promise<TrapEvent | undefined> {
  const { form, name } = trapEvents.table
  const [found] = await database.all(`select ${form.shown} from ${name} where event_oid = ?`, [oid])
  return found && (form.toRecord(found) as TrapEvent)
}

/** As a start with a version that has another catalogue: the mark of this one is not there. */
async function upgrade(database: Database): Promise<void> {
  await database.transaction((tx) => tx.run("delete from counter where name like 'events of vendors%'"))
  await seedStore(database)
}

await onEveryStore((w) => {
  test('a fault of a vendor raises an alarm with a level and a text, and its end ends it', async () => {
    const from = '10.70.0.1'
    assert.equal(await row(w.database, fanFailure), undefined, 'it is no row before it is used')
    assert.deepEqual(await w.handle(w.trap(fanFailure, from, fan('4.1.1.0', 'Fan Tray 0'))), ['raised'])
    const [alarm] = await w.alarmsOf(from)
    assert.equal(alarm?.eventName, 'jnxFanFailure')
    assert.equal(alarm?.alarmLevel, 2)
    assert.match(alarm?.alarmDesc ?? '', /^Fan failure: .*Fan Tray 0/)
    assert.deepEqual(
      await w.handle(w.trap(fanOk, from, fan('4.2.1.0', 'Fan Tray 1'))),
      ['stored-only'],
      'another fan',
    )
    assert.deepEqual(await w.handle(w.trap(fanOk, from, fan('4.1.1.0', 'Fan Tray 0'))), ['recovered'])
  })

  test('what was used is a definition with its source, once', async () => {
    const [failure, ok] = [await row(w.database, fanFailure), await row(w.database, fanOk)]
    assert.match(failure?.source ?? '', /^JUNIPER-MIB/)
    assert.deepEqual(ok?.recovers, [fanFailure])
    const { id: _, ...shown } = failure as TrapEvent
    assert.deepEqual(shown, catalogue.find(fanFailure))
    await w.handle(w.trap(fanFailure, '10.70.0.2', fan('4.1.1.0', 'Fan Tray 0')))
    const [count] = await w.database.all('select count(*) as n from trap_event where event_oid = ?', [
      fanFailure,
    ])
    assert.equal(count?.n, 1n)
  })

  test('an upgrade renews what nobody has changed, and leaves alone what somebody has', async () => {
    await w.database.transaction((tx) =>
      tx.run(
        "update trap_event set alarm_level = 1, name = 'old', name_key = 'old' where event_oid in (?, ?)",
        [fanFailure, fanOk],
      ),
    )
    const changed = (await row(w.database, fanFailure)) as TrapEvent
    await modify(w.database, trapEvents, changed.id, { alarmDesc: 'Ours' })
    await upgrade(w.database)
    const [mine, theirs] = [await row(w.database, fanFailure), await row(w.database, fanOk)]
    assert.deepEqual([mine?.name, mine?.alarmDesc, mine?.alarmLevel, mine?.source], ['old', 'Ours', 1, null])
    assert.deepEqual([theirs?.name, theirs?.alarmLevel], ['jnxFanOK', 5])
    await w.handle(w.trap(fanFailure, '10.70.0.3', fan('4.1.1.0', 'Fan Tray 0')))
    assert.equal((await w.alarmsOf('10.70.0.3'))[0]?.alarmDesc, 'Ours')
  })

  test('a definition that is deleted comes back as the catalogue has it', async () => {
    await erase(w.database, trapEvents, ((await row(w.database, fanFailure)) as TrapEvent).id)
    await w.handle(w.trap(fanFailure, '10.70.0.4', fan('4.1.1.0', 'Fan Tray 0')))
    assert.equal((await row(w.database, fanFailure))?.name, 'jnxFanFailure')
  })

  test('own definitions come first, in either spelling of the OID', async () => {
    const power = '1.3.6.1.4.1.2636.4.1.1'
    const event = { name: 'own', alarmLevel: 3, alarmCategory: 5, alarmDesc: 'Power' }
    await create(w.database, trapEvents, { ...event, eventOid: '1.3.6.1.4.1.2636.4.1.0.1' })
    await w.handle(w.trap(power, '10.70.0.5'))
    assert.equal((await w.alarmsOf('10.70.0.5'))[0]?.alarmDesc, 'Power')
    assert.equal(await row(w.database, power), undefined)
  })

  test('very many different events at once become rows by and by, and all are understood', async () => {
    const from = '10.70.0.6'
    const oids = (await catalogue.search({ vendor: '9' })).slice(0, 80)
    const before = await w.database.all('select count(*) as n from trap_event where source is not null')
    await w.handle(...oids.map((oid) => w.trap(oid, from)))
    const after = await w.database.all('select count(*) as n from trap_event where source is not null')
    assert.equal(Number(after[0]?.n) - Number(before[0]?.n), 50)
    const unknown = (await w.alarmsOf(from)).filter(({ alarmDesc }) => alarmDesc?.startsWith('Unknown trap'))
    assert.deepEqual(unknown, [])
  })
})
