// Dry runs over many kept traps, on both stores: exact, in pieces, and only as long as somebody waits for them.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { MibLibrary } from '../../src/events/mib-library.ts'
import { traps } from '../../src/resources/alarms/trap.ts'
import { type TrapRule, trapRule } from '../../src/resources/alarms/trap-rule.ts'
import { RuleTrial } from '../../src/rules/rule-trial.ts'
import { complete } from '../../src/schema/read-document.ts'
import { insert } from '../../src/store/table.ts'
import { linkDown, linkUp } from '../alarms/world.ts'
import { stores } from '../support.ts'

const start = Date.UTC(2026, 6, 6)
const minute = 60_000
const any = { displayName: 'any', devID: 0, trapFilterEventParasInfo: [] as object[] }
const rule = (draft: object) => complete(trapRule.fields, { id: 0n, trapDevice: [any], ...draft }) as TrapRule

/** A trap a minute, from ten devices in turn: every second one about a link, every fifth the end of an alarm. */
const kept = (index: number) => ({
  id: BigInt(index + 7),
  receivedTime: start + index * minute,
  sourceIp: '10.0.0.1',
  version: '2c',
  OID: index % 2 === 0 ? linkDown : `1.3.6.1.4.1.9.9.${index % 3}`,
  deviceId: BigInt(index % 10) + 1n,
  eventName: null,
  bin: index % 5 === 0 ? 'recovered' : index % 7 === 0 ? 'raised' : 'repeated',
  reason: 'test',
  alarmId: null,
  space: null,
  variables: [{ oid: '1.3.6.1.2.1.2.2.1.1.3', type: 'Integer32', name: null, value: String(index % 4) }],
})

for (const engine of stores) {
  suite(`dry runs on ${engine.name}`, async () => {
    // Rows come in slowly there.
    const count = engine.name === 'SQLite' ? 30_000 : 300
    const database = await engine.openMigrated()
    const fill = async () => {
      await database.transaction(async (tx) => {
        for (let index = 0; index < count; index += 1) await insert(tx, traps.table, kept(index))
      })
    }
    const trial = new RuleTrial(database, new MibLibrary(database), 'UTC')
    const here = () => false
    const expected = (holds: (trap: ReturnType<typeof kept>) => boolean) =>
      Array.from({ length: count }, (_, index) => kept(index)).filter(
        (one) => one.bin !== 'recovered' && holds(one),
      )

    test('of a store without traps nothing is reported', async () => {
      const { examined, filtered, alarms, examples } = await trial.dryRun(rule({}), here)
      assert.deepEqual([examined, filtered, alarms.size, examples.length], [0, 0, 0, 0])
    })

    test('every trap that a rule would have filtered is counted, recoveries apart, and the first are shown', async () => {
      await fill()
      const night = (at: number) => new Date(at).getUTCHours() < 6
      const position = {
        ...any,
        trapFilterEventParasInfo: [{ faultOid: null, position: 1, name: null, value: '3' }],
      }
      for (const [draft, holds] of [
        [{}, () => true],
        [{ trapOId: linkDown }, (one) => one.OID === linkDown],
        [{ trapOId: '1.3.6.1.4.1.9' }, (one) => one.OID.startsWith('1.3.6.1.4.1.9.')],
        [{ trapOId: linkUp }, () => false],
        [{ trapDevice: [{ ...any, devID: 3 }] }, (one) => one.deviceId === 3n],
        [{ exectimeType: 1, endTime: '6' }, (one) => night(one.receivedTime)],
        [{ trapDevice: [position] }, (one) => one.variables[0]?.value === '3'],
      ] as [object, (one: ReturnType<typeof kept>) => boolean][]) {
        const wanted = expected(holds)
        const { filtered, alarms, examples } = await trial.dryRun(rule(draft), here)
        const raised = wanted.filter(({ bin }) => bin === 'raised').length
        assert.equal(filtered, wanted.length, JSON.stringify(draft))
        assert.equal(
          [...alarms.values()].reduce((sum, one) => sum + one, 0),
          raised,
        )
        assert.deepEqual(
          examples.map(({ id }) => id),
          wanted.slice(0, 10).map(({ id }) => id),
        )
      }
    })

    test('how many traps were looked at is counted over all pieces', async () => {
      assert.equal((await trial.dryRun(rule({}), here)).examined, expected(() => true).length)
    })

    test('a rule may name more devices than a query takes', async () => {
      const trapDevice = Array.from({ length: 40_000 }, (_, index) => ({ ...any, devID: index + 5 }))
      const { filtered } = await trial.dryRun(rule({ trapDevice }), here)
      assert.equal(filtered, expected(({ deviceId }) => deviceId >= 5n).length)
    })

    test('other long reads run in between, and it stops when the caller has disconnected', async () => {
      let [pieces, isOver] = [0, false]
      const counting = new Proxy(database, {
        get(target, name) {
          if (name === 'workInBackground') pieces += 1
          const value = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      const parameter = { faultOid: null, position: 1, name: null, value: '9' }
      const slow = rule({ trapDevice: [{ ...any, trapFilterEventParasInfo: [parameter] }] })
      const dryRun = new RuleTrial(counting, new MibLibrary(counting), 'UTC').dryRun(slow, here).then(() => {
        isOver = true
      })
      // The second is asked for when the dry run is under way.
      await database.readInBackground('select 1 as n')
      await database.readInBackground('select 1 as n')
      const waited = isOver
      await dryRun
      assert.ok(!waited || pieces === 1, `a long read waited for ${pieces} pieces`)
      const gone = await trial.dryRun(rule({}), () => true)
      assert.equal(gone.examined, 0)
    })
  })
}
