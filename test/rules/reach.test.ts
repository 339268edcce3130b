// What a trap rule can match, by its conditions alone: remarks on rules that match nothing, everything, or less than it
// seems.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type TrapRule, trapRule } from '../../src/resources/alarms/trap-rule.ts'
import { everythingWarnings, neverWarnings, partWarnings } from '../../src/rules/rule-reach.ts'
import { ZoneTime } from '../../src/rules/zone-time.ts'
import { complete } from '../../src/schema/read-document.ts'

const parameter = (position: number | null, faultOid: string | null = null) => ({
  faultOid,
  position,
  value: null,
  name: null,
})

const device = (devID: number, ...entries: ReturnType<typeof parameter>[]) => ({
  displayName: `device ${devID}`,
  devID,
  trapFilterEventParasInfo: entries,
})

const linkDown = '1.3.6.1.6.3.1.1.5.3'
const ruleOf = (draft: Partial<TrapRule>) =>
  complete(trapRule.fields, { trapDevice: [device(0)], ...draft }) as TrapRule

suite('parts of a rule that have no effect', () => {
  test('parameters are named by their places, which count from 1', () => {
    const trapDevice = [device(7), device(8, parameter(1), parameter(0))]
    assert.deepEqual(partWarnings(ruleOf({ trapOId: linkDown, trapDevice })), [
      'trapDevice[2]/trapFilterEventParasInfo[2] matches nothing: its position is 0, and positions count from 1',
    ])
  })

  test('interfaces of devices that the rule does not name are named by their places', () => {
    const trapInterfaces = [
      { ifDesc: 'Gi1', deviceId: 7 },
      { ifDesc: 'Gi1', deviceId: 8 },
      { ifDesc: 'Gi1', deviceId: null },
    ]
    const rule = ruleOf({ trapOId: linkDown, trapDevice: [device(7)], trapInterfaces })
    assert.deepEqual(partWarnings(rule), ['trapInterfaces[2] matches nothing: device 8 is not in trapDevice'])
    assert.deepEqual(partWarnings({ ...rule, trapDevice: [device(0)] }), [], 'any device is each of them')
  })

  test('of a span of days, times without their day limit every day', () => {
    const remarksOn = (fields: Partial<TrapRule>) =>
      partWarnings(ruleOf({ trapOId: linkDown, exectimeType: 2, ...fields }))
    assert.deepEqual(remarksOn({ startDay: '2026-01-01', startTime: '8:00' }), [])
    assert.deepEqual(remarksOn({ startDay: '2026-01-01', endDay: '2026-01-02' }), [])
    assert.deepEqual(remarksOn({ startTime: '8:00' }), [
      'exectimeType is 2, but startTime has no startDay: it limits every day',
    ])
    assert.deepEqual(remarksOn({ startDay: '2026-01-01', startTime: '8:00', endTime: '9:00' }), [
      'exectimeType is 2, but endTime has no endDay: it limits every day',
    ])
    assert.deepEqual(
      remarksOn({ exectimeType: 1, startTime: '8:00' }),
      [],
      'of other types they are meant to',
    )
  })

  test('limits hold although the type says always', () => {
    assert.deepEqual(partWarnings(ruleOf({ trapOId: linkDown, exectimeType: 0, startTime: '8:00' })), [
      'exectimeType is 0, but limits of the validity are given: they hold',
    ])
    assert.deepEqual(partWarnings(ruleOf({ trapOId: linkDown, exectimeType: 0 })), [])
  })
})

suite('rules that filter everything', () => {
  test('one that names no event, and one whose event is above all others', () => {
    assert.deepEqual(everythingWarnings(ruleOf({})), [
      'the rule filters every trap of every device: it names no event',
    ])
    for (const trapOId of ['1', '1.3.6.1'])
      assert.deepEqual(everythingWarnings(ruleOf({ trapGroup: -1, trapOId })), [
        'the rule filters every trap of every device',
      ])
    assert.deepEqual(everythingWarnings(ruleOf({ trapGroup: -1, trapOId: linkDown })), [])
    assert.deepEqual(everythingWarnings(ruleOf({ trapOId: linkDown })), [])
    assert.deepEqual(everythingWarnings(ruleOf({ trapGroup: 0 })), [], 'links alone')
  })

  test('the devices, interfaces and times that it is confined to are said', () => {
    const seven = [{ ifDesc: 'Gi1', deviceId: 7 }]
    assert.deepEqual(everythingWarnings(ruleOf({ trapDevice: [device(7)], trapInterfaces: seven })), [
      'the rule filters every trap of the given interfaces of device 7: it names no event',
    ])
    assert.deepEqual(everythingWarnings(ruleOf({ trapDevice: [device(7), device(8)], startTime: '8:00' })), [
      'the rule filters every trap of device 7, 8 while it is in force: it names no event',
    ])
    const many = [1, 2, 3, 4, 5, 6].map((id) => device(id))
    assert.match(everythingWarnings(ruleOf({ trapDevice: many }))[0] ?? '', /of 6 devices/)
    assert.match(
      everythingWarnings(ruleOf({ trapDevice: many.slice(1) }))[0] ?? '',
      /of device 2, 3, 4, 5, 6/,
    )
    assert.deepEqual(everythingWarnings(ruleOf({ trapDevice: [device(7, parameter(1))] })), [])
  })
})

suite('rules that never apply', () => {
  const remarksOn = (fields: Partial<TrapRule>) =>
    neverWarnings(ruleOf(fields), new ZoneTime('UTC'), Date.UTC(2026, 6, 1))

  test('events that contradict the group, and interfaces that contradict the devices', () => {
    assert.deepEqual(remarksOn({ trapGroup: 0, trapOId: linkDown }), [])
    assert.deepEqual(remarksOn({ trapGroup: 0, trapOId: '1.3.6.1.6.3.1.1.5' }), [])
    assert.deepEqual(remarksOn({ trapGroup: 0, trapOId: '1.3.6.1.6.3.1.1.5.5' }), [
      'the rule never applies: trapGroup 0 is linkDown and linkUp, and trapOId 1.3.6.1.6.3.1.1.5.5 is neither',
    ])
    const trapInterfaces = [{ ifDesc: 'Gi1', deviceId: 8 }]
    assert.deepEqual(remarksOn({ trapOId: linkDown, trapDevice: [device(7)], trapInterfaces }), [
      'the rule never applies: its interfaces are of other devices than trapDevice names',
    ])
  })

  test('parameters that no trap can have, where every device has such', () => {
    const impossible = device(7, parameter(0))
    const words = ['the rule never applies: no trap has the parameters of its devices']
    assert.deepEqual(remarksOn({ trapOId: linkDown, trapDevice: [impossible] }), words)
    assert.deepEqual(remarksOn({ trapOId: linkDown, trapDevice: [impossible, device(8)] }), [])
    const other = device(7, parameter(1, '1.3.6.1.6.3.1.1.5.5'))
    assert.deepEqual(remarksOn({ trapOId: linkDown, trapDevice: [other] }), words)
    assert.deepEqual(remarksOn({ trapGroup: 0, trapDevice: [other] }), words)
    assert.deepEqual(remarksOn({ trapGroup: 0, trapDevice: [device(7, parameter(1, linkDown))] }), [])
  })
})
