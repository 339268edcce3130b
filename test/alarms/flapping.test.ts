// An alarm that comes and goes again and again: one summary stands for it, and in the end it is open or not, as it was
// last reported.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteAlarm } from '../../src/alarms/actions/alarm-actions.ts'
import { applyAction } from '../../src/alarms/actions/operator-actions.ts'
import { readLedger } from '../../src/alarms/engine/trap-ledger.ts'
import type { Alarm } from '../../src/resources/alarms/alarm.ts'
import { type TrapRule, trapRule, trapRules } from '../../src/resources/alarms/trap-rule.ts'
import { create, erase } from '../../src/resources/collection.ts'
import { RuleTrial } from '../../src/rules/rule-trial.ts'
import { complete } from '../../src/schema/read-document.ts'
import { agentStart, ifIndex, linkDown, linkUp, onEveryStore, shutdown, type World } from './world.ts'

const summaryOid = '1.3.6.1.4.1.32473.1.6'
const minute = 60_000
const ownGroup = 1
const quiet = 5 * minute

const rule = (trapOId: string, trapGroup = 0) => ({
  trapRuleName: 'quiet',
  trapOId,
  trapGroup,
  exectimeType: 0,
  trapDevice: [{ displayName: 'any device', devID: 0, trapFilterEventParasInfo: [] }],
})

await onEveryStore((w: World) => {
  const down = (from: string, index = 1) => w.trap(linkDown, from, [ifIndex(index)])
  const up = (from: string, index = 1) => w.trap(linkUp, from, [ifIndex(index)])
  const open = async (from: string) =>
    (await w.alarmsOf(from)).filter(({ recStatus, isReceoverFault }) => recStatus + isReceoverFault === 0)
  const tick = () => w.engine.endQuietFlapping(w.time.now)

  /** Five times down and up, ten seconds apart, then down once more. */
  async function flap(from: string): Promise<Alarm> {
    // What was before is forgotten.
    w.time.now += 10 * minute
    for (let cycle = 0; cycle < 5; cycle += 1) {
      w.time.now += 10_000
      assert.deepEqual(await w.handle(down(from), up(from)), ['raised', 'recovered'])
    }
    w.time.now += 10_000
    assert.deepEqual(await w.handle(down(from)), ['collapsed'])
    const [summary, ...others] = await open(from)
    assert.ok(summary && others.length === 0)
    return summary
  }

  test('after five cycles one summary stands for the alarm, on its device and resource, and counts', async () => {
    const from = '10.66.0.1'
    const summary = await flap(from)
    const before = await w.alarmsOf(from)
    const { OID, deviceIp, resource, alarmLevel, alarmCategory, originalType, eventName } = summary
    const fault = before[0]
    assert.ok(fault)
    assert.deepEqual(
      { OID, deviceIp, resource, alarmLevel, alarmCategory, originalType, eventName },
      {
        OID: linkDown,
        deviceIp: from,
        resource: 'ifIndex=1',
        alarmLevel: fault.alarmLevel,
        alarmCategory: fault.alarmCategory,
        originalType: 3,
        eventName: 'alarmFlapping',
      },
    )
    assert.equal(summary.deviceId, fault.deviceId)
    assert.match(summary.alarmDesc ?? '', /^linkDown on 10\.66\.0\.1 \(ifIndex=1\) is flapping: .* 5 times/)
    assert.ok(summary.paras?.startsWith(`alarmType=${linkDown};*ifIndex=1`), summary.paras ?? '')
    w.time.now += 1000
    const entries = await w.logged(async () => {
      assert.deepEqual(await w.handle(up(from), down(from), down(from), up(from)), [
        'collapsed',
        'collapsed',
        'collapsed',
        'collapsed',
      ])
    })
    assert.deepEqual(entries, [], 'nothing is pushed')
    const now = await w.alarm(summary.id)
    assert.deepEqual(
      [now.repeats, now.faultTime, now.lastTime],
      [5n, summary.faultTime, w.time.now],
      'first, last and count',
    )
    assert.deepEqual(await w.handle(up(from)), ['stored-only'], 'it is not at fault: nothing to end')
    assert.deepEqual(await w.handle(down(from, 2)), ['raised'], 'another interface is another alarm')
    const line = (await readLedger(w.database, from)).find(({ bin }) => bin === 'collapsed')
    assert.deepEqual([line?.reason, line?.count], ['flapping', 5n])
  })

  test('quiet after a recovery: the summary recovers by itself, and nothing is open', async () => {
    const from = '10.66.0.2'
    const summary = await flap(from)
    w.time.now += 1000
    await w.handle(up(from))
    w.time.now += quiet - 1
    await tick()
    assert.equal((await open(from)).length, 1, 'not yet')
    w.time.now += 1
    const entries = await w.logged(tick)
    assert.deepEqual(
      entries.map(({ kind, cleared }) => [kind, cleared.map(({ id }) => id)]),
      [['recover', [summary.id]]],
    )
    assert.deepEqual(await open(from), [])
    assert.deepEqual(await w.handle(down(from)), ['raised'], 'it is an alarm as any other again')
    await w.handle(up(from))
  })

  test('quiet after a fault: the alarm is raised as it would be open by now', async () => {
    const from = '10.66.0.3'
    await flap(from)
    const began = w.time.now + 1000
    await w.handle(up(from), { ...down(from), receivedAt: began })
    w.time.now = began + quiet - 1000
    await w.handle(down(from), down(from))
    const last = w.time.now
    w.time.now += 1000
    const entries = await w.logged(tick)
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['recover', 'raise'],
      'repetitions do not keep it from being quiet',
    )
    const [alarm, ...others] = await open(from)
    assert.ok(alarm && others.length === 0)
    assert.deepEqual(
      [alarm.OID, alarm.faultTime, alarm.lastTime, alarm.repeats, alarm.paras],
      [linkDown, began, last, 3n, '*ifIndex=1'],
    )
    assert.deepEqual(await w.handle(up(from)), ['recovered'])
  })

  test('what is open in the place of the summary, by whoever raised it, becomes the summary', async () => {
    const from = '10.66.0.12'
    const cycle = () => w.handle(w.trap(shutdown, from), w.trap(agentStart, from))
    w.time.now += 10 * minute
    assert.deepEqual(await w.handle(w.trap(`${summaryOid}.${shutdown}`, from)), ['raised'])
    for (let count = 0; count < 5; count += 1) assert.deepEqual(await cycle(), ['raised', 'recovered'])
    assert.deepEqual(await cycle(), ['collapsed', 'collapsed'])
    assert.deepEqual(
      (await open(from)).map(({ alarmType, repeats }) => [alarmType, repeats]),
      [[`${summaryOid}.${shutdown}`, 3n]],
    )
    w.time.now += quiet
    await tick()
    assert.deepEqual(await open(from), [])
  })

  test('which alarms flap, and their state, survive a restart', async () => {
    const from = '10.66.0.4'
    await flap(from)
    const later = w.another({})
    assert.deepEqual(await later.handle([up(from), down(from)]), ['collapsed', 'collapsed'])
    w.time.now += quiet
    const evenLater = w.another({})
    await evenLater.endQuietFlapping(w.time.now)
    assert.deepEqual(
      (await open(from)).map(({ OID }) => OID),
      [linkDown],
    )
    assert.deepEqual(await w.handle(up(from)), ['recovered'], 'engines that knew it otherwise look again')
  })

  test('a block that could not be stored leaves no trace', async () => {
    const from = '10.66.0.5'
    const full = () => Promise.reject(new Error('full'))
    const cycle = [down(from), up(from)]
    for (let tries = 0; tries < 3; tries += 1) {
      await assert.rejects(w.engine.handle([...cycle, ...cycle, ...cycle], full))
    }
    await flap(from)
    await assert.rejects(w.engine.handle([up(from)], full))
    w.time.now += quiet
    await tick()
    assert.deepEqual(
      (await open(from)).map(({ OID }) => OID),
      [linkDown],
    )
    await w.handle(up(from))
  })

  test('an operator may recover or delete the summary at any time: the fault behind it is not lost', async () => {
    const ways = [
      { from: '10.66.0.6', end: (id: bigint) => applyAction(w.engine, id, { action: 'recover' }, 'anna') },
      { from: '10.66.0.7', end: (id: bigint) => deleteAlarm(w.engine, id, 'anna') },
    ]
    for (const { from, end } of ways) {
      await end((await flap(from)).id)
      await tick()
      assert.deepEqual(
        (await open(from)).map(({ OID }) => OID),
        [linkDown],
      )
      assert.deepEqual(await w.handle(up(from), down(from), up(from)), ['recovered', 'raised', 'recovered'])
      // Also when a trap arrives before the periodic check.
      await end((await flap(from)).id)
      assert.deepEqual(await w.handle(up(from), down(from), up(from)), ['recovered', 'raised', 'recovered'])
      await end((await flap(from)).id)
      assert.deepEqual(await w.handle(down(from)), ['repeated'])
      assert.deepEqual(await w.handle(up(from)), ['recovered'])
      assert.deepEqual(await open(from), [])
    }
  })

  test('cycles that are far apart, and repetitions without a recovery, are no flapping', async () => {
    const from = '10.66.0.8'
    for (let cycle = 0; cycle < 12; cycle += 1) {
      w.time.now += 76_000
      const bins = await w.handle(down(from), down(from), up(from), up(from))
      assert.deepEqual(bins, ['raised', 'repeated', 'recovered', 'stored-only'])
    }
    assert.deepEqual(await open(from), [])
  })

  test('flapping within one block is detected as well, and detection can be switched off', async () => {
    const [from, other] = ['10.66.0.9', '10.66.0.10']
    const flaps = (ip: string) => Array.from({ length: 8 }, () => [down(ip), up(ip)]).flat()
    const bins = await w.handle(...flaps(from))
    assert.deepEqual(
      bins.map((bin) => bin[0]).join(''),
      'rr'.repeat(5) + 'c'.repeat(6),
      'raised and recovered, then collapsed',
    )
    const never = w.another({ flapping: { count: 0, seconds: 300, rearmSeconds: 300 } })
    assert.ok((await never.handle(flaps(other))).every((bin) => bin !== 'collapsed'))
    w.time.now += quiet
    await tick()
    assert.deepEqual([...(await open(from)), ...(await open(other))], [])
  })

  test('a dry run does not count recoveries of alarms that flap, like other recoveries', async () => {
    const from = '10.66.0.13'
    const { deviceId } = await flap(from)
    assert.deepEqual(await w.handle(up(from), down(from), up(from)), ['collapsed', 'collapsed', 'collapsed'])
    const device = { displayName: 'it', devID: Number(deviceId), trapFilterEventParasInfo: [] }
    const rule = complete(trapRule.fields, { id: 0n, trapDevice: [device] }) as TrapRule
    const { examined, filtered } = await new RuleTrial(w.database, w.engine.modules, 'UTC').dryRun(
      rule,
      () => false,
    )
    assert.deepEqual([examined, filtered], [7, 7], 'five faults and two that were collapsed')
  })

  test('trap rules are applied before; a rule against summaries lets the alarms themselves through', async () => {
    const from = '10.66.0.11'
    const summary = await flap(from)
    const id = await create(w.database, trapRules, rule(linkDown))
    assert.deepEqual(await w.handle(down(from), up(from), down(from)), ['filtered', 'collapsed', 'filtered'])
    await erase(w.database, trapRules, id)
    assert.equal((await w.alarm(summary.id)).repeats, 2n)
    w.time.now += quiet
    await tick()
    assert.deepEqual(await open(from), [])
    const against = await create(w.database, trapRules, rule(summaryOid, ownGroup))
    const bins = await w.handle(...Array.from({ length: 7 }, () => [down(from), up(from)]).flat())
    assert.deepEqual(new Set(bins), new Set(['raised', 'recovered']), bins.join())
    await erase(w.database, trapRules, against)
  })
})
