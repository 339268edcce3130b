// What modules do to alarms: names and readable values in texts and parameters, and nothing to identities and rules.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptProposals, loadModules } from '../../src/events/mib-loading.ts'
import { MibProposalList } from '../../src/events/mib-proposal-list.ts'
import { removeModule } from '../../src/resources/alarms/mib-module.ts'
import { type TrapRecord, traps } from '../../src/resources/alarms/trap.ts'
import { trapEvents } from '../../src/resources/alarms/trap-event.ts'
import { type TrapRule, trapRules } from '../../src/resources/alarms/trap-rule.ts'
import { create, erase } from '../../src/resources/collection.ts'
import { devices } from '../../src/resources/inventory/device.ts'
import { RuleTrial } from '../../src/rules/rule-trial.ts'
import { find } from '../../src/store/table.ts'
import { clock, smi, tower } from '../mibs/modules.ts'
import { onEveryStore, variable, type World } from './world.ts'

const root = '1.3.6.1.4.1.32473.700.1'
const bellFailed = `${root}.0.1`
const bellRestored = `${root}.0.2`
const doorMoved = `${root}.0.7`
const name = (row: number, text: string) => variable(`${root}.1.10.1.2.${row}`, text, 'OctetString')
const health = (row: number, value: number) => variable(`${root}.1.10.1.3.${row}`, String(value))

await onEveryStore((w: World) => {
  const load = async () => {
    await loadModules(w.database, w.engine.modules, tower, 'tower')
    await loadModules(w.database, w.engine.modules, smi, 'smi')
  }
  const unload = async () => {
    for (const module of ['ACME-TOWER-MIB', 'ACME-SMI']) await removeModule(w.database, module)
  }
  const rule = (trapFilterEventParasInfo: TrapRule['trapDevice'][number]['trapFilterEventParasInfo']) =>
    create(w.database, trapRules, {
      trapRuleName: 'by parameter',
      trapOId: bellFailed,
      trapDevice: [{ displayName: 'any', devID: 0, trapFilterEventParasInfo }],
    })

  test('a trap without a definition is described in the words of its module, from the next batch on', async () => {
    const from = '10.6.0.1'
    await create(w.database, devices, { ip: from, label: 'tower-7' })
    const trap = w.trap(bellFailed, from, [name(3, 'Susanne'), health(3, 3), variable('1.2.3', '4')])
    await w.handle(trap)
    await load()
    assert.deepEqual(await w.handle(trap), ['repeated'], 'it is the same alarm as before')
    await w.handle({ ...trap, oid: bellRestored })
    const [before, after] = await w.alarmsOf(from)
    assert.equal(before?.alarmDesc, `Unknown trap ${bellFailed} from tower-7`)
    assert.deepEqual(
      [after?.eventName, after?.alarmDesc],
      ['bellRestored', 'bellRestored from tower-7: bellName.3 Susanne, bellHealth.3 broken(3)'],
    )
    assert.equal(after?.paras, 'bellName.3=Susanne;bellHealth.3=broken(3);1.2.3=4')
    assert.equal(after?.resource, '')
    const [row] = await w.database.all('select id from trap where source_ip = ? order by id desc limit 1', [
      from,
    ])
    const kept = (await find(w.database, traps.table, row?.id as bigint)) as TrapRecord
    assert.equal(kept.eventName, 'bellRestored')
    assert.deepEqual(
      kept.variables.map((one) => [one.name, one.value]),
      [
        ['bellName.3', 'Susanne'],
        ['bellHealth.3', '3'],
        ['1.2.3', '4'],
      ],
      'values are kept as they came',
    )
    await unload()
  })

  test('octets, bits and dates read as their module shows them', async () => {
    const from = '10.6.0.2'
    await load()
    await w.handle(
      w.trap(doorMoved, from, [
        variable(`${root}.1.1.0`, '213'),
        variable(`${root}.1.2.0`, 'ABCDEF', 'OctetString'),
        variable(`${root}.1.3.0`, '07:ea:07:01:0c:1e:05:00:2b:02:00', 'OctetString'),
        variable(`${root}.1.4.0`, 'a0', 'OctetString'),
        variable(`${root}.1.11.1.2.3.108.101.102.116`, '2'),
        variable('1.3.6.1.2.1.2.2.1.8.3', '2'),
      ]),
    )
    const [alarm] = await w.alarmsOf(from)
    assert.deepEqual(alarm?.paras?.split(';'), [
      'towerTemperature=21.3',
      'towerKeeper=41:42:43:44:45:46',
      'towerLastRung=2026-07-01 12:30:05.0 +02:00',
      'towerFeatures=clock(0),light(2)',
      'ropeTight.3.108.101.102.116=false(2)',
      'ifOperStatus.3=down(2)',
    ])
    await unload()
  })

  test('a definition has its own names; keys stay as they came, so that an alarm is one whatever is loaded', async () => {
    const from = '10.6.0.3'
    const parameter = (number: number, called: string, isKey: boolean) => ({
      oid: `${root}.1.10.1.${number}`,
      name: called,
      isKey,
      fromIndex: null,
      labels: null,
      pattern: null,
    })
    const id = await create(w.database, trapEvents, {
      eventOid: bellFailed,
      name: 'silence',
      alarmLevel: 2,
      alarmCategory: 15,
      alarmDesc: '{mine} is {how}; {bellWeight}',
      parameter: [parameter(2, 'mine', false), parameter(3, 'how', true)],
    })
    const weight = variable(`${root}.1.10.1.4.3`, '700', 'Gauge32')
    const trap = w.trap(bellFailed, from, [name(3, 'Susanne'), health(3, 3), weight])
    assert.deepEqual(await w.handle(trap), ['raised'])
    await load()
    assert.deepEqual(await w.handle(trap), ['repeated'])
    await unload()
    assert.deepEqual(await w.handle(trap), ['repeated'])
    await load()
    const other = '10.6.0.4'
    await w.handle({ ...trap, sourceIp: other })
    const [alarm] = await w.alarmsOf(other)
    assert.deepEqual(
      [alarm?.eventName, alarm?.alarmDesc, alarm?.paras, alarm?.resource],
      ['silence', 'Susanne is 3; 700', 'mine=Susanne;*how=3;bellWeight.3=700', 'how=3'],
    )
    await erase(w.database, trapEvents, id)
    await unload()
  })

  test('rules find a value by place and by name, raw and in words, with the module and without', async () => {
    const from = '10.6.0.5'
    const trap = w.trap(bellFailed, from, [name(9, 'Gloriosa'), health(9, 2)])
    const oid = `${root}.1.10.1.3.9`
    const cases = [
      { faultOid: null, position: 2, name: null, value: '2' },
      { faultOid: null, position: null, name: oid, value: '2' },
    ]
    const named = [
      ...['limping', 'limping(2)', 'LIMP*'].map((value) => ({
        faultOid: null,
        position: 2,
        name: null,
        value,
      })),
      ...['2', 'limping'].map((value) => ({ faultOid: null, position: null, name: 'bellHealth', value })),
      { faultOid: null, position: null, name: 'bellhealth.9', value: 'limping' },
    ]
    const wrong = [
      { faultOid: null, position: 1, name: null, value: 'limping' },
      { faultOid: null, position: null, name: 'bellHealth.8', value: '2' },
    ]
    const processed = async (entry: (typeof wrong)[number]) => {
      const id = await rule([entry])
      const [bin] = await w.handle(trap)
      await erase(w.database, trapRules, id)
      return bin
    }
    for (const entry of cases) assert.equal(await processed(entry), 'filtered', JSON.stringify(entry))
    for (const entry of named) assert.notEqual(await processed(entry), 'filtered', JSON.stringify(entry))
    await load()
    for (const entry of [...cases, ...named])
      assert.equal(await processed(entry), 'filtered', JSON.stringify(entry))
    for (const entry of wrong) assert.notEqual(await processed(entry), 'filtered', JSON.stringify(entry))
    const trial = new RuleTrial(w.database, w.engine.modules, 'UTC')
    const id = await rule([{ faultOid: null, position: null, name: 'bellHealth', value: 'limping' }])
    const saved = (await find(w.database, trapRules.table, id)) as TrapRule
    assert.ok((await trial.dryRun(saved, () => false)).filtered > 5, 'also of traps that came before')
    await erase(w.database, trapRules, id)
    await unload()
  })

  test('accepted proposals raise and end one alarm per row', async () => {
    const from = '10.6.0.6'
    await load()
    await loadModules(w.database, w.engine.modules, clock, 'clock')
    const accepted = await acceptProposals(
      w.database,
      w.engine.modules,
      new MibProposalList(w.database),
      ['bellRestored', 'ACME-CLOCK-V1-MIB'],
      'medium',
    )
    assert.deepEqual(
      accepted.map((one) => `${one.name} ${one.outcome}`),
      [
        'clockColdStart defined',
        'bellRestored accepted',
        'bellFailed accepted',
        'clockStopped accepted',
        'clockStarted accepted',
      ],
      'a fault comes with its end',
    )
    const failed = (row: number) => w.trap(bellFailed, from, [name(row, 'x'), health(row, 3)])
    const restored = (row: number) => w.trap(bellRestored, from, [name(row, 'x'), health(row, 1)])
    assert.deepEqual(await w.handle(failed(1), failed(2), failed(1), restored(1), restored(1), restored(2)), [
      'raised',
      'raised',
      'repeated',
      'recovered',
      'stored-only',
      'recovered',
    ])
    const [first] = await w.alarmsOf(from)
    assert.deepEqual(
      [first?.alarmLevel, first?.alarmDesc, first?.resource],
      [2, 'Bell failed: name x, health broken', 'bellIndex=1'],
    )
    const clockRoot = '1.3.6.1.4.1.32473.800'
    const bins = await w.handle(w.trap(`${clockRoot}.0.1`, from), w.trap(`${clockRoot}.0.2`, from))
    assert.deepEqual(bins, ['raised', 'recovered'], 'from version 1')
    await unload()
  })
})
