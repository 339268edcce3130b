import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { answerInform, Decoder, type Outcome, type Trap } from '../../src/snmp/decoder.ts'
import { encodeNotification, readAnswer } from '../../src/snmp/send.ts'
import { MAX_VARIABLES, type Variable, type VariableType } from '../../src/snmp/variables.ts'

const decoder = new Decoder({ communities: ['public', 'secret', 'gemeinschaft-ü'] })
const LINK_DOWN = '1.3.6.1.6.3.1.1.5.3'

/** One element, put together without the code under test. */
function tlv(tag: number, ...parts: (string | Buffer)[]): Buffer {
  const contents = Buffer.concat(parts.map((part) => (typeof part === 'string' ? hex(part) : part)))
  const length =
    contents.length < 128 ? [contents.length] : [0x82, contents.length >> 8, contents.length & 255]
  return Buffer.concat([Buffer.of(tag, ...length), contents])
}

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const PUBLIC = tlv(4, Buffer.from('public'))
const NUMBER = '020101'
const UPTIME = tlv(0x30, '06082b06010201010300', '43 02 03e8')
const TRAP_OID = tlv(0x30, '060a2b060106030101040100', '06092b0601060301010503')

function v2c(...bindings: (string | Buffer)[]): Buffer {
  const pdu = tlv(0xa7, '02021234', '020100', '020100', tlv(0x30, ...bindings))
  return tlv(0x30, NUMBER, PUBLIC, pdu)
}

function v1(generic: string, specific: string, address = '40 04 0a010203'): Buffer {
  const enterprise = '06072b060104018737'
  const bindings = tlv(0x30, tlv(0x30, '060a2b06010201020201 0107', '02 01 07'))
  return tlv(
    0x30,
    '020100',
    PUBLIC,
    tlv(0xa4, enterprise, address, generic, specific, '43 03 01e240', bindings),
  )
}

function trapOf(outcome: Outcome): Trap {
  assert.equal(outcome.kind, 'trap', JSON.stringify(outcome))
  return (outcome as Extract<Outcome, { kind: 'trap' }>).trap
}

function fate(datagram: Buffer): string {
  const outcome = decoder.decode(datagram)
  return outcome.kind === 'trap' ? 'trap' : `${outcome.kind}: ${outcome.reason}`
}

describe('version 2c', () => {
  test('a linkDown is read with its variables', () => {
    const ifIndex = tlv(0x30, '060a2b06010201020201 0107', '02 01 07')
    const ifDescr = tlv(0x30, '060a2b06010201020201 0207', tlv(4, Buffer.from('GigabitEthernet0/7')))
    const outcome = decoder.decode(v2c(UPTIME, TRAP_OID, ifIndex, ifDescr))
    assert.deepEqual(outcome, {
      kind: 'trap',
      trap: {
        version: '2c',
        community: 'public',
        usm: undefined,
        inform: false,
        uptime: 1000,
        oid: LINK_DOWN,
        enterprise: undefined,
        agentAddress: undefined,
        variables: [
          { oid: '1.3.6.1.2.1.2.2.1.1.7', type: 'Integer32', value: '7', hex: false },
          { oid: '1.3.6.1.2.1.2.2.1.2.7', type: 'OctetString', value: 'GigabitEthernet0/7', hex: false },
        ],
      },
      inform: undefined,
    })
  })

  test('the address and enterprise that a proxy appends are exposed', () => {
    const address = tlv(0x30, '06092b060106031201 0300', '40 04 c0000201')
    const enterprise = tlv(0x30, '060a2b060106030101040300', '06072b060104018737')
    const trap = trapOf(decoder.decode(v2c(UPTIME, TRAP_OID, address, enterprise)))
    assert.equal(trap.agentAddress, '192.0.2.1')
    assert.equal(trap.enterprise, '1.3.6.1.4.1.951')
    assert.equal(trap.variables.length, 2)
  })

  test('uptime and trap OID are found wherever a device puts them', () => {
    const other = tlv(0x30, '06022b06', '0500')
    const trap = trapOf(decoder.decode(v2c(other, TRAP_OID, UPTIME)))
    assert.equal(trap.uptime, 1000)
    assert.equal(trap.oid, LINK_DOWN)
    assert.deepEqual(trap.variables, [{ oid: '1.3.6', type: 'Null', value: '', hex: false }])
    assert.equal(trapOf(decoder.decode(v2c(TRAP_OID))).uptime, undefined)
  })

  test('without a trap OID nothing has happened', () => {
    assert.equal(fate(v2c(UPTIME)), 'malformed: no-trap-oid')
    assert.equal(
      fate(v2c(UPTIME, tlv(0x30, '060a2b060106030101040100', '0401 41'))),
      'malformed: no-trap-oid',
    )
  })

  test('the number of variables is limited', () => {
    const some = new Array(MAX_VARIABLES).fill('300706022b06 0201 01')
    assert.equal(fate(v2c(UPTIME, TRAP_OID, ...some)), 'trap')
    assert.equal(
      fate(v2c(UPTIME, TRAP_OID, ...some, '300706022b06 0201 01')),
      'malformed: too-many-variables',
    )
  })

  test('what is not a notification is named so', () => {
    const get = tlv(0x30, NUMBER, PUBLIC, tlv(0xa0, '020101', '020100', '020100', tlv(0x30)))
    assert.equal(fate(get), 'malformed: not-a-notification')
    const trapV1 = tlv(0x30, NUMBER, PUBLIC, tlv(0xa4, '020101'))
    assert.equal(fate(trapV1), 'malformed: not-a-notification')
    assert.equal(fate(tlv(0x30, '020100', PUBLIC, tlv(0xa7, '020101'))), 'malformed: not-a-notification')
  })

  test('an inform is answered with its own request id and variables', () => {
    const pdu = tlv(0xa6, '0204 7fffffff', '020100', '020100', tlv(0x30, UPTIME, TRAP_OID))
    const outcome = decoder.decode(tlv(0x30, NUMBER, PUBLIC, pdu))
    assert(outcome.kind === 'trap' && outcome.inform !== undefined)
    assert.equal(outcome.trap.inform, true)
    const answer = answerInform(outcome.inform)
    assert.deepEqual(readAnswer(answer), {
      kind: 'response',
      requestId: 0x7fff_ffff,
      errorStatus: 0,
      errorIndex: 0,
      variables: [
        { oid: '1.3.6.1.2.1.1.3.0', type: 'TimeTicks', value: '1000', hex: false },
        { oid: '1.3.6.1.6.3.1.1.4.1.0', type: 'ObjectIdentifier', value: LINK_DOWN, hex: false },
      ],
      engine: undefined,
      authenticated: false,
      encrypted: false,
    })
    assert(answer.includes('public'))
  })
})

describe('version 1', () => {
  test('generic traps take the names that version 2 gave them', () => {
    for (let generic = 0; generic < 6; generic++) {
      const trap = trapOf(decoder.decode(v1(`02010${generic}`, '020100')))
      assert.equal(trap.oid, `1.3.6.1.6.3.1.1.5.${generic + 1}`)
      assert.equal(trap.version, '1')
      assert.equal(trap.uptime, 123_456)
      assert.equal(trap.enterprise, '1.3.6.1.4.1.951')
      assert.equal(trap.agentAddress, '10.1.2.3')
      assert.equal(trap.variables[0]?.oid, '1.3.6.1.2.1.2.2.1.1.7')
    }
  })

  test('an enterprise-specific trap is enterprise.0.specific', () => {
    assert.equal(trapOf(decoder.decode(v1('020106', '02022b67'))).oid, '1.3.6.1.4.1.951.0.11111')
    assert.equal(trapOf(decoder.decode(v1('020106', '0204ffffffff'))).oid, '1.3.6.1.4.1.951.0.4294967295')
  })

  test('an unknown generic trap is malformed', () => {
    assert.equal(fate(v1('020107', '020100')), 'malformed: bad-generic-trap')
    assert.equal(fate(v1('0201ff', '020100')), 'malformed: bad-generic-trap')
  })

  test('the agent address 0.0.0.0 is none', () => {
    assert.equal(trapOf(decoder.decode(v1('020106', '020101', '400400000000'))).agentAddress, undefined)
  })
})

describe('values', () => {
  const value = (element: string) => {
    const { type, value, hex } =
      trapOf(decoder.decode(v2c(TRAP_OID, tlv(0x30, '06022b06', element)))).variables[0] ?? {}
    return [type, value, hex]
  }

  test('every SMI type has its text', () => {
    assert.deepEqual(value('0204 80000000'), ['Integer32', '-2147483648', false])
    assert.deepEqual(value('4105 00ffffffff'), ['Counter32', '4294967295', false])
    assert.deepEqual(value('4201 2a'), ['Gauge32', '42', false])
    assert.deepEqual(value('4304 ffffffff'), ['TimeTicks', '4294967295', false])
    assert.deepEqual(value('4609 00ffffffffffffffff'), ['Counter64', '18446744073709551615', false])
    assert.deepEqual(value('4004 c0a80001'), ['IpAddress', '192.168.0.1', false])
    assert.deepEqual(value('0603 2b0601'), ['ObjectIdentifier', '1.3.6.1', false])
    assert.deepEqual(value('4407 9f780442f60000'), ['Opaque', '9f:78:04:42:f6:00:00', true])
    assert.deepEqual(value('0500'), ['Null', '', false])
    assert.deepEqual(value('8000'), ['NoSuchObject', '', false])
    assert.deepEqual(value('8100'), ['NoSuchInstance', '', false])
    assert.deepEqual(value('8200'), ['EndOfMibView', '', false])
  })

  test('octets are text where they can be read as text', () => {
    assert.deepEqual(value('0400'), ['OctetString', '', false])
    assert.deepEqual(value('0403 410a42'), ['OctetString', 'A\nB', false])
    assert.deepEqual(value('0405 53c3bc6465'), ['OctetString', 'Süde', false])
    assert.deepEqual(value('0406 001b21aabbcc'), ['OctetString', '00:1b:21:aa:bb:cc', true])
    assert.deepEqual(value('0402 53fc'), ['OctetString', '53:fc', true])
    assert.deepEqual(value('0402 c285'), ['OctetString', 'c2:85', true])
    assert.deepEqual(value('0402 4100'), ['OctetString', '41:00', true])
    assert.deepEqual(value('0401 7f'), ['OctetString', '7f', true])
  })

  test('values of the wrong size or kind are malformed', () => {
    const fateOf = (element: string) => fate(v2c(TRAP_OID, tlv(0x30, '06022b06', element)))
    assert.equal(fateOf('4003 c0a800'), 'malformed: bad-value')
    assert.equal(fateOf('4010 20010db8000000000000000000000001'), 'malformed: bad-value')
    assert.equal(fateOf('0501 00'), 'malformed: bad-value')
    assert.equal(fateOf('0900'), 'malformed: bad-tag')
    assert.equal(fateOf('3000'), 'malformed: bad-tag')
    assert.equal(fateOf('0205 0000000001'), 'malformed: bad-integer')
    assert.equal(fateOf('0201 01 0201 01'), 'malformed: trailing-bytes')
  })
})

describe('what is refused or malformed', () => {
  const good = v2c(UPTIME, TRAP_OID)

  test('a community that is not configured is refused', () => {
    for (const community of ['', 'publi', 'publicc', 'Public', 'public\0', 'secre', 'xxxxxx']) {
      const datagram = tlv(0x30, NUMBER, tlv(4, Buffer.from(community)), tlv(0xa7, '00'))
      assert.equal(fate(datagram), 'refused: community', community)
    }
  })

  test('every configured community is accepted and named', () => {
    for (const community of ['public', 'secret', 'gemeinschaft-ü']) {
      const sent = encodeNotification({
        version: '2c',
        community,
        oid: LINK_DOWN,
        uptime: 0,
        requestId: 1,
        variables: [],
      })
      assert.equal(trapOf(decoder.decode(sent)).community, community)
    }
    assert.equal(new Decoder({ communities: [] }).decode(good).kind, 'refused')
  })

  test('every truncation is malformed', () => {
    for (let length = 0; length < good.length; length++) {
      assert.equal(fate(good.subarray(0, length)), 'malformed: truncated')
    }
  })

  test('bytes behind the message are noticed', () => {
    assert.equal(fate(Buffer.concat([good, Buffer.of(0)])), 'malformed: trailing-bytes')
  })

  test('so are bytes behind the notification inside the message, in versions 1 and 2c', () => {
    const sent = { community: 'public', oid: LINK_DOWN, uptime: 0, requestId: 1, variables: [] }
    for (const version of ['1', '2c'] as const) {
      const whole = encodeNotification({ version, ...sent })
      const longer = Buffer.concat([whole, Buffer.from('0500', 'hex')])
      // The length of the message, behind its tag and the length of the length.
      longer.writeUInt16BE(whole.readUInt16BE(2) + 2, 2)
      assert.equal(fate(whole), 'trap', version)
      assert.equal(fate(longer), 'malformed: trailing-bytes', version)
    }
  })

  test('unknown versions are malformed; version 3 without users is refused', () => {
    assert.equal(fate(tlv(0x30, '020102', PUBLIC)), 'malformed: bad-version')
    assert.equal(fate(tlv(0x30, '0201ff', PUBLIC)), 'malformed: bad-version')
    assert.equal(fate(tlv(0x30, '020103', '3000')), 'refused: version')
  })

  test('more than a datagram can hold is too large', () => {
    assert.equal(fate(Buffer.alloc(65_508, 0x30)), 'malformed: too-large')
  })
})

const decimal = (least: bigint, most: bigint) => fc.bigInt(least, most).map(String)
const octets = fc.uint8Array({ maxLength: 40 }).map((bytes) =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/..(?=.)/g, '$&:'),
)
const texts = fc.string({ unit: 'grapheme' }).filter((text) => !/\p{Cc}/u.test(text))
const oids = fc.array(fc.nat(0xffff_ffff), { maxLength: 20 }).map((rest) => ['1.3.6.1', ...rest].join('.'))
const values: fc.Arbitrary<Omit<Variable, 'oid'>> = fc.oneof(
  ...(
    [
      ['Integer32', decimal(-0x8000_0000n, 0x7fff_ffffn)],
      ['Counter32', decimal(0n, 0xffff_ffffn)],
      ['Gauge32', decimal(0n, 0xffff_ffffn)],
      ['TimeTicks', decimal(0n, 0xffff_ffffn)],
      ['Counter64', decimal(0n, 0xffff_ffff_ffff_ffffn)],
      ['IpAddress', fc.ipV4()],
      ['ObjectIdentifier', oids],
      ['OctetString', texts],
      ['Null', fc.constant('')],
    ] as [VariableType, fc.Arbitrary<string>][]
  ).map(([type, text]) => text.map((value) => ({ type, value, hex: false }))),
  octets.map((value): Omit<Variable, 'oid'> => ({ type: 'Opaque', value, hex: true })),
  octets.map(
    (value): Omit<Variable, 'oid'> => ({
      type: 'OctetString',
      value: `00:${value}`.replace(/:$/, ''),
      hex: true,
    }),
  ),
)
const variables = fc.array(
  fc.tuple(oids, values).map(([oid, value]): Variable => ({ oid, ...value })),
  { maxLength: 12 },
)

describe('sending', () => {
  test('what is encoded is decoded, in versions 1 and 2c', () => {
    fc.assert(
      fc.property(
        variables,
        oids,
        fc.nat(0xffff_ffff),
        fc.integer(),
        fc.boolean(),
        (given, oid, uptime, requestId, inform) => {
          const common = { community: 'secret', uptime, variables: given }
          const second = trapOf(
            decoder.decode(encodeNotification({ version: '2c', ...common, oid, requestId, inform })),
          )
          assert.deepEqual(
            { oid: second.oid, uptime: second.uptime, variables: second.variables, inform: second.inform },
            { oid, uptime, variables: given, inform },
          )
          const first = trapOf(
            decoder.decode(encodeNotification({ version: '1', ...common, oid: `${oid}.0.17` })),
          )
          assert.deepEqual(
            { oid: first.oid, uptime: first.uptime, variables: first.variables },
            { oid: `${oid}.0.17`, uptime, variables: given },
          )
        },
      ),
      { numRuns: 500 },
    )
  })

  test('the standard traps keep their names through version 1', () => {
    for (let last = 1; last <= 6; last++) {
      const oid = `1.3.6.1.6.3.1.1.5.${last}`
      const sent = encodeNotification({
        version: '1',
        community: 'public',
        oid,
        uptime: 1,
        agentAddress: '10.0.0.9',
        variables: [],
      })
      assert.equal(trapOf(decoder.decode(sent)).oid, oid)
      assert.equal(trapOf(decoder.decode(sent)).agentAddress, '10.0.0.9')
    }
  })

  test('values that their type cannot hold are faults of the caller', () => {
    const wrong: [VariableType, string, boolean?][] = [
      ['Integer32', '2147483648'],
      ['Integer32', 'seven'],
      ['Counter32', '-1'],
      ['Counter64', '18446744073709551616'],
      ['IpAddress', '10.0.0'],
      ['IpAddress', '10.0.0.256'],
      ['ObjectIdentifier', 'sysUpTime'],
      ['OctetString', '0a:1', true],
    ]
    for (const [type, value, hex = false] of wrong) {
      const given = [{ oid: '1.3.6.1', type, value, hex }]
      const common = { version: '2c', community: 'public', oid: LINK_DOWN, uptime: 0, requestId: 1 } as const
      assert.throws(() => encodeNotification({ ...common, variables: given }), { code: 'invalid' }, value)
    }
  })
})
