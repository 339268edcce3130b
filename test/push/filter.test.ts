import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { PushAttributes, Views } from '../../src/alarms/log/push-attributes.ts'
import { Fault } from '../../src/fault.ts'
import { readParameters } from '../../src/http/call.ts'
import { FilterIndex } from '../../src/push/filter-index.ts'
import { filterParameters, matches, readFilter } from '../../src/push/stream-filter.ts'

const linkDown = '1.3.6.1.6.3.1.1.5.3'
const usual: PushAttributes = {
  OID: linkDown,
  deviceIp: '10.0.0.5',
  alarmLevel: 2,
  views: new Set(['1', '7']),
}

const filterOf = (query: string) => readFilter(readParameters(query))
const wants = (query: string, ...facts: Partial<PushAttributes>[]) =>
  matches(filterOf(query), facts.length === 0 ? [usual] : facts.map((one) => ({ ...usual, ...one })))

/** For each filter: what lets the usual alarm pass, and what does not. */
const cases: Record<string, { yes: string[]; no: string[]; bad: string[] }> = {
  alarmLevel: {
    yes: ['2', '1,2', '1,2,3', ' 2 ', '+2'],
    no: ['1', '3', '1,3', '0', '-1', '2147483647'],
    bad: ['two', '2.5', '2147483648', '1;2', '1,x'],
  },
  customView: { yes: ['1', '7'], no: ['8', '0', '-1'], bad: ['seven', '7.0', '9223372036854775808'] },
  zoneId: { yes: ['1', '2,1'], no: ['2', '0'], bad: ['here', '1.0'] },
  deviceIp: {
    yes: ['10.0.0.5', '10.0.0.4,10.0.0.5'],
    no: ['10.0.0.50', '10.0.0.4', '2001:db8::5'],
    bad: ['10.0.0', '10.0.0.256', 'router', '10.0.0.*', '10.0.0.0/8', '10.0.0.1-10.0.0.9'],
  },
  ipSegment: {
    yes: [
      '10.0.0.1-10.0.0.9',
      '10.0.0.5-10.0.0.5',
      '9.255.255.255-10.0.0.5',
      '10.0.0.5 - 11.0.0.0',
      '1.1.1.1-1.1.1.2,10.0.0.4-10.0.0.6',
    ],
    no: ['10.0.0.6-10.0.0.9', '10.0.0.1-10.0.0.4', '::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    bad: [
      '10.0.0.5',
      '10.0.0.9-10.0.0.1',
      '10.0.0.1-',
      '-10.0.0.1',
      '10.0.0.1-10.0.0.2-10.0.0.3',
      '10.0.0.1-::1',
      'a-b',
      '10.0.0.0/24',
    ],
  },
  eventOid: {
    yes: [linkDown, `.${linkDown}`, '1.3.6.1.6.3.1.1.5.*', '.1.3.6.1.*', '1.*', `1.2,${linkDown}`],
    no: [
      '1.3.6.1.6.3.1.1.5',
      '1.3.6.1.6.3.1.1.5.30',
      '1.3.6.1.6.3.1.1.5.3.1',
      '1.3.6.1.6.3.1.1.5.3.1.*',
      '1.3.6.1.6.3.1.1.50.*',
      '1.3.6.1.6.3.1.1.5.3.0',
    ],
    bad: ['linkDown', '1..3', '1.3.', '1.3*', '*', '1.*.3', '..1.3', '1.3.6.1.*.*', '-1'],
  },
}

suite('each filter', () => {
  for (const [name, { yes, no, bad }] of Object.entries(cases)) {
    const asked = (value: string) => `${name}=${encodeURIComponent(value)}`
    test(`${name} lets pass what it names`, () => {
      for (const value of yes) assert(wants(asked(value)), value)
      assert(wants(`${name}=`), 'no value asks for everything')
      assert(wants(''))
    })

    test(`${name} holds back what it does not name`, () => {
      for (const value of no) assert(!wants(asked(value)), value)
    })

    test(`${name} refuses a bad value and names it`, () => {
      for (const value of bad) {
        assert.throws(
          () => filterOf(asked(value)),
          (error) => {
            assert(error instanceof Fault, value)
            assert.equal(error.code, 'invalid')
            assert.equal(error.field, name)
            const wrong = value.split(',').at(-1) ?? value
            const named = wrong.split('-').some((part) => part !== '' && error.message.includes(part))
            assert(named, `${error.message} names ${wrong}`)
            return true
          },
        )
      }
    })

    test(`${name} combined with others asks for both`, () => {
      for (const [other, { yes: theirs, no: notTheirs }] of Object.entries(cases)) {
        if (other === name) continue
        for (const value of yes) {
          assert(
            wants(`${asked(value)}&${other}=${encodeURIComponent(theirs[0] ?? '')}`),
            `${value} ${other}`,
          )
          assert(
            !wants(`${asked(value)}&${other}=${encodeURIComponent(notTheirs[0] ?? '')}`),
            `${value} ${other}`,
          )
        }
      }
    })
  }

  test('names may be repeated, and mixed with commas', () => {
    for (const name of ['alarmLevel', 'deviceIp', 'ipSegment', 'eventOid']) {
      const { yes = [], no = [] } = cases[name] ?? {}
      const [first = '', second = ''] = no.map(encodeURIComponent)
      const right = encodeURIComponent(yes[0] ?? '')
      assert(wants(`${name}=${first}&${name}=${right}`))
      assert(wants(`${name}=${first},${second}&${name}=${right},${first}`))
      assert(!wants(`${name}=${first}&${name}=${second}`))
      assert(wants(`${name}=,${right},`), 'empty places in a list are nothing')
    }
  })

  test('what takes one value refuses two', () => {
    assert.throws(() => filterOf('customView=1&customView=7'), /customView/)
    assert.throws(() => filterOf('sendRecovered=true&sendRecovered=false'), /sendRecovered/)
  })

  test('too many values are refused', () => {
    const levels = Array.from({ length: 1001 }, (_, level) => level).join()
    assert.throws(() => filterOf(`alarmLevel=${levels}`), /alarmLevel: .* more than 1000 values/)
  })

  test('sendRecovered is false unless asked for, in any case, and nothing but true or false', () => {
    assert.equal(filterOf('').sendRecovered, false)
    assert.equal(filterOf('sendRecovered=').sendRecovered, false)
    for (const value of ['true', 'TRUE', 'True']) assert(filterOf(`sendRecovered=${value}`).sendRecovered)
    for (const value of ['false', 'FALSE']) assert(!filterOf(`sendRecovered=${value}`).sendRecovered)
    for (const value of ['yes', '1', 'truth'])
      assert.throws(() => filterOf(`sendRecovered=${value}`), /sendRecovered/)
    assert(wants('sendRecovered=true'), 'it holds nothing back')
  })
})

suite('addresses of version 6', () => {
  const facts = { deviceIp: '2001:db8::5' }
  test('are compared in whatever spelling', () => {
    assert(wants('deviceIp=2001:DB8:0:0:0:0:0:5', facts))
    assert(!wants('deviceIp=2001:db8::6', facts))
  })
  test('lie in segments of version 6 only', () => {
    assert(wants('ipSegment=2001:db8::-2001:db8::ffff', facts))
    assert(wants('ipSegment=2001:DB8::5-2001:db8:0::5', facts))
    assert(!wants('ipSegment=2001:db8::6-2001:db8::ffff', facts))
    assert(!wants('ipSegment=0.0.0.0-255.255.255.255', facts))
  })
})

test('an alarm without an address is in no segment and has no address', () => {
  assert(!wants('ipSegment=0.0.0.0-255.255.255.255', { deviceIp: '' }))
  assert(!wants('deviceIp=10.0.0.5', { deviceIp: '' }))
  assert(wants('alarmLevel=2', { deviceIp: '' }))
})

suite('a recovery', () => {
  const linkUp = '1.3.6.1.6.3.1.1.5.4'
  const recovery = { OID: linkUp, alarmLevel: 5 }
  const cleared = { OID: linkDown, alarmLevel: 2 }
  test('concerns those who asked for it, and those who asked for what it cleared', () => {
    assert(wants('alarmLevel=5', recovery, cleared))
    assert(wants('alarmLevel=2', recovery, cleared))
    assert(wants(`eventOid=${linkUp}`, recovery, cleared))
    assert(wants(`eventOid=${linkDown}`, recovery, cleared))
    assert(wants(`alarmLevel=2&eventOid=${linkDown}`, recovery, cleared))
    assert(!wants('alarmLevel=1', recovery, cleared))
    assert(!wants(`alarmLevel=2&eventOid=${linkUp}`, recovery, cleared), 'level of the one, OID of the other')
    assert(!wants('alarmLevel=2&deviceIp=10.0.0.9', recovery, cleared))
  })

  test('concerns those who asked for what it cleared as it was at any of its pushes, and not mixed', () => {
    const asWarning = { ...cleared, alarmLevel: 4, views: new Set(['1', '8']) }
    for (const query of ['alarmLevel=2', 'alarmLevel=4', 'customView=8', 'customView=8&alarmLevel=4'])
      assert(wants(query, recovery, asWarning, cleared), query)
    assert(!wants('customView=8&alarmLevel=2', recovery, asWarning, cleared))
    assert(!wants('alarmLevel=3', recovery, asWarning, cleared))
  })

  test('passes by its other filters alone, where levels and views are no longer known', () => {
    const unknown: Partial<PushAttributes> = { OID: linkDown, alarmLevel: undefined, views: 'any' }
    assert(wants('alarmLevel=3&customView=99', recovery, unknown))
    assert(!wants('alarmLevel=3&deviceIp=10.0.0.9', recovery, unknown))
  })
})

test('what follows from another alarm is not for those who asked for causes', () => {
  for (const [to, everything, causes] of [
    [0, false, false],
    [1, true, false],
    [2, false, true],
    [3, true, true],
  ] as const) {
    assert.equal(wants('', { audience: to }), everything)
    assert.equal(wants('causes=false', { audience: to }), everything)
    assert.equal(wants('causes=true', { audience: to }), causes)
    assert.equal(wants('causes=true&alarmLevel=1', { audience: to }), false)
  }
  assert.throws(() => filterOf('causes=perhaps'), /causes/)
})

suite('many filters at once', () => {
  const oids = ['1.3', '1.3.6', '1.3.6.1', '1.3.61', '1.4', '2']
  const ips = ['10.0.0.1', '10.0.0.2', '10.0.0.20', '2001:db8::1', '']
  const levels = [1, 2, 3, 5]
  const some = <T>(values: readonly T[]) =>
    fc.subarray([...values], { maxLength: Math.min(3, values.length) })
  const facts: fc.Arbitrary<PushAttributes> = fc.record({
    OID: fc.constantFrom(...oids),
    deviceIp: fc.constantFrom(...ips),
    alarmLevel: fc.constantFrom(...levels, undefined),
    views: fc.constantFrom<Views>('any', new Set(), new Set(['1', 'z2']), new Set(['1', '7'])),
    // Nobody, those who want everything, those who want causes, all.
    audience: fc.constantFrom(0, 1, 2, 3),
  })
  const entry = fc.array(facts, { minLength: 1, maxLength: 3 })
  const asked = {
    alarmLevel: some(levels.map(String)),
    deviceIp: some(ips.filter((ip) => ip !== '')),
    ipSegment: some(['10.0.0.1-10.0.0.9', '10.0.0.2-10.0.0.30', '2001:db8::-2001:db8::f']),
    eventOid: some([...oids, ...oids.map((oid) => `${oid}.*`)]),
    customView: some(['1', '7', '8']).map((few) => few.slice(0, 1)),
    zoneId: some(['1', '2', '3']),
    causes: fc.constantFrom(['true'], ['false'], []),
  }
  const query = fc.record(asked).map((parts) =>
    Object.entries(parts)
      .map(([name, values]) => `${name}=${values.join()}`)
      .join('&'),
  )

  test('are tested with every filter parameter', () => {
    const form = ['sendRecovered', 'changes']
    assert.deepEqual(
      filterParameters.filter((name) => !form.includes(name) && !(name in asked)),
      [],
      'add it to `asked`, and what it looks at to `facts`: it may be missing in the index',
    )
  })

  test('match as if one by one', () => {
    fc.assert(
      fc.property(
        fc.array(query, { maxLength: 12 }),
        fc.array(entry, { minLength: 1 }),
        (queries, entries) => {
          const clients = queries.map((text) => ({ filter: filterOf(text) }))
          const index = new FilterIndex<(typeof clients)[number]>()
          for (const client of clients) index.add(client)
          const leaving = clients.filter((_, place) => place % 3 === 0)
          for (const stage of ['all', 'some left', 'none left']) {
            if (stage === 'some left') for (const client of leaving) index.delete(client)
            if (stage === 'none left') for (const client of clients) index.delete(client)
            const present = clients.filter(
              (client) => stage === 'all' || (stage === 'some left' && !leaving.includes(client)),
            )
            for (const entry of entries) {
              const found = index.groups(entry).flatMap(({ clients }) => [...clients])
              const expected = present.filter(({ filter }) => matches(filter, entry))
              assert.equal(found.length, new Set(found).size, 'nobody twice')
              assert.deepEqual(new Set(found), new Set(expected))
            }
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
