import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { type TrapRule, trapRule } from '../../src/resources/alarms/trap-rule.ts'
import { RuleIndex } from '../../src/rules/rule-index.ts'
import type { Candidate } from '../../src/rules/rules.ts'
import { ZoneTime } from '../../src/rules/zone-time.ts'
import { complete } from '../../src/schema/read-document.ts'
import type { Database } from '../../src/store/database.ts'
import { requireCheap } from '../processor-time.ts'

const linkDown = '1.3.6.1.6.3.1.1.5.3'
const linkUp = '1.3.6.1.6.3.1.1.5.4'
const vendor = '1.3.6.1.4.1.9.9.43.2.0.1'
const any = [{ displayName: 'any', devID: 0, trapFilterEventParasInfo: [] }]

const noParameter = {
  faultOid: null as string | null,
  position: null as number | null,
  name: null as string | null,
  value: null as string | null,
}

type RuleDraft = Partial<Omit<TrapRule, 'trapDevice'>> & { trapDevice?: unknown[] }

const rule = (draft: RuleDraft, id = 1n) =>
  complete(trapRule.fields, { id, trapDevice: any, ...draft }) as TrapRule

function indexOf(...rules: TrapRule[]): RuleIndex {
  // The index reads its rules from the test, not from a store.
  const ruleIndex = new RuleIndex(undefined as unknown as Database, new ZoneTime('UTC'))
  ruleIndex.replace(rules)
  return ruleIndex
}

function trap(draft: Partial<Candidate> = {}): Candidate {
  const oid = draft.oid ?? linkDown
  return {
    oid,
    eventOid: oid,
    deviceId: 7n,
    at: 0,
    own: false,
    variables: [],
    values: [],
    interfaces: [],
    ...draft,
  }
}

const filters = (draft: RuleDraft, given: Partial<Candidate>) =>
  indexOf(rule(draft)).find(trap(given)) !== undefined

suite('a trap is filtered when all given conditions hold', () => {
  test("the trap's OID equals trapOId or lies below it", () => {
    assert.ok(filters({ trapOId: vendor }, { oid: vendor }))
    assert.ok(filters({ trapOId: '1.3.6.1.4.1.9' }, { oid: vendor }))
    assert.ok(!filters({ trapOId: '1.3.6.1.4.1.9' }, { oid: '1.3.6.1.4.1.99.1' }))
    assert.ok(!filters({ trapOId: `${vendor}.1` }, { oid: vendor }))
  })

  test('trap group 0 is linkUp and linkDown, 1 the service itself, -1 by event', () => {
    assert.ok(filters({ trapGroup: 0 }, { oid: linkDown }) && filters({ trapGroup: 0 }, { oid: linkUp }))
    assert.ok(!filters({ trapGroup: 0 }, { oid: vendor }))
    assert.ok(filters({ trapGroup: 1 }, { own: true, deviceId: 0n }))
    assert.ok(!filters({ trapGroup: 1 }, {}))
    assert.ok(
      !filters({}, { own: true, deviceId: 0n }),
      "own alarms are filtered by their group's rules alone",
    )
    assert.ok(filters({ trapGroup: -1, trapOId: vendor }, { oid: vendor }))
    assert.ok(!filters({ trapGroup: -1 }, { oid: vendor }), '-1 with neither matches nothing')
  })

  test('the device is among trapDevice; devID 0 is any device', () => {
    const device = (devID: number) => ({ displayName: 'x', devID, trapFilterEventParasInfo: [] })
    assert.ok(filters({ trapDevice: [device(6), device(7)] }, {}))
    assert.ok(!filters({ trapDevice: [device(6)] }, {}))
    assert.ok(filters({ trapDevice: [device(6), device(0)] }, {}))
  })

  test('parameters with the same faultOid are ANDed, different faultOids ORed', () => {
    const entry = (faultOid: string, position: number | null, name: string | null, value: string) => ({
      faultOid,
      position,
      name,
      value,
    })
    const trapDevice = [
      {
        displayName: 'x',
        devID: 0,
        trapFilterEventParasInfo: [
          entry(linkDown, 1, null, '3'),
          entry(linkDown, null, 'ifDescr', 'gi*'),
          entry(vendor, 1, null, 'reboot'),
        ],
      },
    ]
    const variables = (...values: string[]) =>
      values.map((value, index) => ({ oid: `1.${index}`, type: 'x', value }))
    const named = [{ name: 'ifDescr', value: 'Gi0/3', isKey: false, position: 1 }]
    assert.ok(filters({ trapDevice }, { variables: variables('3'), values: named }))
    assert.ok(!filters({ trapDevice }, { variables: variables('4'), values: named }), 'both must hold')
    assert.ok(!filters({ trapDevice }, { variables: variables('3'), values: [] }), 'both must hold')
    assert.ok(
      filters({ trapDevice }, { oid: vendor, variables: variables('REBOOT') }),
      'letter case is ignored',
    )
    assert.ok(
      !filters({ trapDevice }, { oid: linkUp, variables: variables('3'), values: named }),
      'the event must be equal',
    )
  })

  test('-1 is by event: by trapOId, or by the faultOid of a parameter', () => {
    const trapDevice = [
      { displayName: 'x', devID: 0, trapFilterEventParasInfo: [{ ...noParameter, faultOid: vendor }] },
    ]
    assert.ok(filters({ trapGroup: -1, trapDevice }, { oid: vendor }))
    assert.ok(!filters({ trapGroup: -1, trapDevice }, { oid: linkDown }))
    assert.ok(!filters({ trapGroup: -1, trapDevice, trapOId: linkDown }, { oid: vendor }), 'all must hold')
  })

  test('parameters are those of their own trapDevice, not of another', () => {
    const entry = { ...noParameter, position: 1, value: 'reboot' }
    const trapDevice = [
      { displayName: 'x', devID: 7, trapFilterEventParasInfo: [entry] },
      { displayName: 'y', devID: 8, trapFilterEventParasInfo: [] },
    ]
    const variables = [{ oid: '1.1', type: 'x', value: 'link' }]
    assert.ok(!filters({ trapDevice }, { deviceId: 7n, variables }))
    assert.ok(filters({ trapDevice }, { deviceId: 8n, variables }))
  })

  test('a parameter names its variable by position, from 1, or by name; the value takes wildcards', () => {
    const variables = ['first', 'second'].map((value) => ({ oid: '1.1', type: 'x', value }))
    const values = [{ name: 'ifAlias', value: 'Uplink to core', isKey: false, position: 0 }]
    const holds = (entry: Partial<typeof noParameter>) => {
      const one = { displayName: 'x', devID: 0, trapFilterEventParasInfo: [{ ...noParameter, ...entry }] }
      return filters({ trapDevice: [one] }, { variables, values })
    }
    assert.ok(holds({ position: 1, value: 'first' }) && holds({ position: 2, value: 's?cond' }))
    assert.ok(!holds({ position: 2, value: 'first' }) && !holds({ position: 3, value: 'first' }))
    assert.ok(holds({ name: 'IFALIAS', value: 'uplink*' }))
    assert.ok(!holds({ name: 'ifAlias', value: 'uplink' }) && !holds({ name: 'ifName', value: '*' }))
  })

  test('one condition that fails lets the trap pass, whichever it is', () => {
    const conditions: RuleDraft = {
      trapOId: linkDown,
      trapGroup: 0,
      exectimeType: 2,
      endDay: '2026-01-01',
      trapDevice: [
        { displayName: 'x', devID: 7, trapFilterEventParasInfo: [{ ...noParameter, position: 1 }] },
      ],
      trapInterfaces: [{ ifDesc: 'Gi*', deviceId: 7 }],
    }
    const all = { interfaces: ['Gi1'], variables: [{ oid: '1.1', type: 'x', value: '1' }] }
    assert.ok(filters(conditions, all))
    for (const other of [
      { oid: linkUp },
      { deviceId: 8n },
      { at: Date.UTC(2026, 0, 2) },
      { variables: [] },
      { interfaces: ['Te1'] },
      { own: true },
    ]) {
      assert.ok(!filters(conditions, { ...all, ...other }), JSON.stringify(Object.keys(other)))
    }
  })

  test('the interface is among trapInterfaces, by wildcards and device', () => {
    const trapInterfaces = [{ ifDesc: 'GigabitEthernet1/0/*', deviceId: 7 }]
    assert.ok(filters({ trapInterfaces }, { interfaces: ['gigabitethernet1/0/12'] }))
    assert.ok(!filters({ trapInterfaces }, { interfaces: ['TenGig1/0/1'] }))
    assert.ok(!filters({ trapInterfaces }, { interfaces: ['GigabitEthernet1/0/12'], deviceId: 8n }))
    assert.ok(!filters({ trapInterfaces }, {}), 'a trap about no interface is not filtered')
  })

  test('the rule is in its validity', () => {
    const draft = { exectimeType: 2, startDay: '2026-01-01', endDay: '2026-01-01' }
    assert.ok(filters(draft, { at: Date.UTC(2026, 0, 1, 12) }))
    assert.ok(!filters(draft, { at: Date.UTC(2026, 0, 2) }))
  })
})

test('of several rules that filter a trap the one with the lowest id is named', () => {
  const ruleIndex = indexOf(
    rule({ trapOId: '1.3.6.1.4.1.9' }, 3n),
    rule({ trapOId: vendor }, 2n),
    rule({}, 5n),
  )
  assert.equal(ruleIndex.find(trap({ oid: vendor }))?.id, 2n)
})

test('a pattern full of stars stays cheap on a long value', () => {
  const trapInterfaces = [{ ifDesc: `${'*a'.repeat(200)}*b`, deviceId: null }]
  assert.ok(!requireCheap(() => filters({ trapInterfaces }, { interfaces: ['a'.repeat(10_000)] }), 20))
})

// --- indexed matching against a plain reading ---------------------------------------------------------------------

const oids = ['1.3.6', '1.3.6.1', linkDown, linkUp, vendor, '1.3.6.1.4.1.9']
const oid = fc.constantFrom(...oids)
const deviceId = fc.integer({ min: 0, max: 3 })
const word = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '?', '*b')
const value = fc.constantFrom('a', 'b', 'ab', 'abb', '')
const parameter = fc.record({
  faultOid: fc.option(oid),
  position: fc.option(fc.integer({ min: 1, max: 3 })),
  name: fc.option(fc.constantFrom('x', 'y')),
  value: fc.option(word),
})
const randomRule = fc.record({
  trapOId: fc.option(oid),
  trapGroup: fc.option(fc.constantFrom(-1, 0, 1)),
  trapDevice: fc.array(
    fc.record({
      displayName: fc.constant('d'),
      devID: deviceId,
      trapFilterEventParasInfo: fc.array(parameter, { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  trapInterfaces: fc.array(fc.record({ ifDesc: fc.option(word), deviceId: fc.option(deviceId) }), {
    maxLength: 2,
  }),
})
const randomTrap = fc.record({
  oid,
  deviceId: deviceId.map(BigInt),
  own: fc.boolean(),
  variables: fc.array(
    value.map((text) => ({ oid: '1.2', type: 'x', value: text })),
    { maxLength: 3 },
  ),
  values: fc.array(
    fc.record({
      name: fc.constantFrom('x', 'y'),
      value,
      isKey: fc.constant(false),
      position: fc.constant(0),
    }),
    { maxLength: 2 },
  ),
  interfaces: fc.array(value, { maxLength: 2 }),
})

type RandomRule = typeof randomRule extends fc.Arbitrary<infer T> ? T : never

/** The sentence of the interface, read without any index. */
function plainly(r: RandomRule, t: Candidate): boolean {
  const like = (pattern: string | null, text: string) =>
    pattern === null || new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(text)
  if (r.trapGroup === 1 ? !t.own : t.own) return false
  if (r.trapGroup === 0 && ![linkDown, linkUp].includes(t.oid)) return false
  const named = r.trapDevice.some((d) => d.trapFilterEventParasInfo.some((p) => p.faultOid !== null))
  if (r.trapGroup === -1 && r.trapOId === null && !named) return false
  if (r.trapOId !== null && t.oid !== r.trapOId && !t.oid.startsWith(`${r.trapOId}.`)) return false
  const holds = (p: RandomRule['trapDevice'][number]['trapFilterEventParasInfo'][number]) => {
    if (p.position === null && p.name === null) return true
    const at = p.position === null ? undefined : t.variables[p.position - 1]
    return at ? like(p.value, at.value) : t.values.some((v) => v.name === p.name && like(p.value, v.value))
  }
  const ofDevice = r.trapDevice.some((d) => {
    if (d.devID !== 0 && BigInt(d.devID) !== t.deviceId) return false
    const all = d.trapFilterEventParasInfo
    const events = [...new Set(all.map((p) => p.faultOid))]
    return (
      all.length === 0 ||
      events.some((e) => (e === null || e === t.oid) && all.filter((p) => p.faultOid === e).every(holds))
    )
  })
  const onInterface = r.trapInterfaces.some(
    (i) =>
      (i.deviceId === null || BigInt(i.deviceId) === t.deviceId) &&
      (i.ifDesc === null || t.interfaces.some((n) => like(i.ifDesc, n))),
  )
  return ofDevice && (r.trapInterfaces.length === 0 || onInterface)
}

test('indexed matching finds what a plain reading of the rules finds', () => {
  fc.assert(
    fc.property(
      fc.array(randomRule, { maxLength: 12 }),
      fc.array(randomTrap, { maxLength: 12 }),
      (rules, traps) => {
        const ruleIndex = indexOf(...rules.map((one, index) => rule(one, BigInt(index + 1))))
        for (const one of traps) {
          const given = trap(one)
          const expected = rules.findIndex((candidate) => plainly(candidate, given))
          assert.equal(ruleIndex.find(given)?.id, expected < 0 ? undefined : BigInt(expected + 1))
        }
      },
    ),
    { numRuns: 500 },
  )
})
