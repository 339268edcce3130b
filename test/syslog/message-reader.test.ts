// Messages as standards define them and as devices send them; any bytes are read.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MessageMatcher } from '../../src/syslog/message-matcher.ts'
import { maxMessageLength, readMessage } from '../../src/syslog/message-reader.ts'
import { readShippedDefinitions } from '../../src/syslog/syslog-definitions.ts'
import type { SyslogMessage } from '../../src/syslog/syslog-message.ts'

const read = (text: string) => readMessage(Buffer.from(text))

/** The fields that are given; `code` by its name, and of the data what is named. */
type Expected = Partial<Omit<SyslogMessage, 'code' | 'data'>> & {
  code?: string
  data?: Record<string, string>
}

const messages: readonly (readonly [string, string, Expected])[] = [
  [
    'RFC 5424 with structured data',
    '<165>1 2024-05-01T10:20:30.003Z core1.example app 8710 ID47 [origin@32473 ip="192.0.2.1" note="a \\"b\\" \\] c"][x y="1"] \uFEFFAn event',
    {
      facility: 20,
      severity: 5,
      time: '2024-05-01T10:20:30.003Z',
      host: 'core1.example',
      program: 'app',
      processId: '8710',
      code: 'ID47',
      data: { 'origin.ip': '192.0.2.1', 'origin.note': 'a "b" ] c', 'x.y': '1' },
      text: 'An event',
    },
  ],
  [
    'RFC 5424 with nothing but a text',
    '<14>1 - - - - - - text',
    { facility: 1, severity: 6, host: undefined, time: undefined, program: undefined, text: 'text' },
  ],
  [
    'RFC 5424 with malformed structured data',
    '<14>1 2024-05-01T10:20:30Z fw CheckPoint 99 - [action:"Drop"; ifdir:"inbound"]',
    { host: 'fw', program: 'CheckPoint', text: '[action:"Drop"; ifdir:"inbound"]' },
  ],
  [
    'Juniper, structured',
    '<29>1 2024-05-01T10:20:30.123+02:00 r1 mib2d 1144 SNMP_TRAP_LINK_DOWN [junos@2636.1.1.1.2.40 snmp-interface-index="579" interface-name="ge-2/0/11.0"] ifIndex 579, ifName ge-2/0/11.0',
    { host: 'r1', code: 'SNMP_TRAP_LINK_DOWN', data: { 'junos.interface-name': 'ge-2/0/11.0' } },
  ],
  [
    'RFC 3164',
    "<34>Oct 11 22:14:15 mymachine su[17]: 'su root' failed on /dev/pts/8",
    { facility: 4, severity: 2, time: 'Oct 11 22:14:15', host: 'mymachine', program: 'su', processId: '17' },
  ],
  [
    'without a priority',
    'Oct 11 22:14:15 mymachine su: failed',
    { facility: 1, severity: 5, host: 'mymachine', program: 'su', text: 'failed' },
  ],
  ['a priority that is none', '<192>x: y', { facility: 1, severity: 5, text: '<192>x: y' }],
  [
    'Cisco IOS: sequence number, a clock that is not set',
    '<187>45: *Mar  1 18:46:11.123: %LINK-3-UPDOWN: Interface Gi0/2, changed state to down',
    { severity: 3, time: 'Mar  1 18:46:11.123', host: undefined, code: 'LINK-UPDOWN', program: undefined },
  ],
  [
    'Cisco IOS: its name, a second sequence number, a zone',
    '<189>51: sw1: 000049: .May  1 10:20:30 CEST: %SYS-5-CONFIG_I: Configured from console',
    { host: 'sw1', time: 'May  1 10:20:30 CEST', code: 'SYS-CONFIG_I', text: 'Configured from console' },
  ],
  [
    'Cisco IOS: time since the start',
    '<189>7: 3d12h: %SYS-5-RESTART: System restarted --',
    { time: '3d12h', code: 'SYS-RESTART' },
  ],
  [
    'Cisco IOS: seconds since the start',
    '<189>7: 00:00:46: %SYS-5-RESTART: x',
    { time: '00:00:46', code: 'SYS-RESTART' },
  ],
  [
    'Cisco IOS: a slot in the code',
    '<188>%PM-SP-4-ERR_DISABLE: bpduguard error detected',
    { severity: 4, code: 'PM-SP-ERR_DISABLE', text: 'bpduguard error detected' },
  ],
  [
    'Cisco NX-OS: the year first',
    '<187>: 2024 May  1 10:20:30 CEST: %ETHPORT-5-IF_UP: Interface Ethernet1/7 is up',
    { time: '2024 May  1 10:20:30 CEST', code: 'ETHPORT-IF_UP', host: undefined },
  ],
  [
    'Cisco IOS XR',
    '<189>912: RP/0/RSP0/CPU0:May  1 10:20:30.103 : ifmgr[210]: %PKT_INFRA-LINK-3-UPDOWN : Interface Te0/0/0/4, changed state to Up',
    {
      time: 'May  1 10:20:30.103',
      program: 'ifmgr',
      processId: '210',
      code: 'PKT_INFRA-LINK-UPDOWN',
      host: undefined,
    },
  ],
  [
    'Cisco ASA',
    '<164>May 01 2024 10:20:30 fw1 : %ASA-4-106023: Deny tcp src outside:192.0.2.8/5 dst inside:192.0.2.9/445',
    { time: 'May 01 2024 10:20:30', host: 'fw1', code: 'ASA-106023' },
  ],
  ['PIX is ASA', '%PIX-4-106023: Deny', { severity: 4, code: 'ASA-106023' }],
  [
    'Comware',
    '<190>May  1 10:20:30:123 2024 sw1 %%10IFNET/3/LINK_UPDOWN(l): GigabitEthernet1/0/3 link status is UP.',
    { time: 'May  1 10:20:30:123 2024', host: 'sw1', code: 'IFNET-LINK_UPDOWN' },
  ],
  [
    'Huawei',
    '<188>May  1 2024 10:20:30+08:00 sw2 %%01IFNET/4/LINK_STATE(l)[12]:The line protocol',
    { time: 'May  1 2024 10:20:30+08:00', host: 'sw2', code: 'IFNET-LINK_STATE', text: 'The line protocol' },
  ],
  [
    'Juniper, unstructured',
    '<28>May  1 10:20:30  r1 rpd[1260]: RPD_OSPF_NBRDOWN: OSPF neighbor 192.0.2.9 down',
    { host: 'r1', program: 'rpd', processId: '1260', code: 'RPD_OSPF_NBRDOWN' },
  ],
  [
    'Arista',
    '<189>May  1 10:20:30 leaf1 Ebra: %LINEPROTO-5-UPDOWN: Line protocol on Interface Ethernet3',
    { host: 'leaf1', program: 'Ebra', code: 'LINEPROTO-UPDOWN' },
  ],
  [
    'FortiOS',
    '<189>date=2024-05-01 time=10:20:30 devname="fgt 1" devid="FG1" logid="0100020099" type="event" subtype="system" level="warning" msg="port3 is down"',
    {
      time: '2024-05-01 10:20:30',
      host: 'fgt 1',
      code: '0100020099',
      program: 'system',
      data: { msg: 'port3 is down' },
    },
  ],
  [
    'Palo Alto Networks',
    '<12>May  1 10:20:30 fw1 1,2024/05/01 10:20:31,0018,SYSTEM,ha,0,2024/05/01 10:20:31,,ha1-link-change,,0,0,general,critical,"HA1 ""A"", down",1,0x0',
    {
      time: '2024/05/01 10:20:31',
      host: 'fw1',
      code: 'HA1-LINK-CHANGE',
      program: 'SYSTEM/ha',
      text: 'HA1 "A", down',
    },
  ],
  [
    'MikroTik',
    'interface,info ether3 link down',
    { severity: 6, program: 'interface', text: 'ether3 link down' },
  ],
  [
    'Extreme',
    '05/01/2024 10:20:30.82 <Info:vlan.msgs.portLinkStateDown> Port 11 link down',
    {
      severity: 6,
      time: '05/01/2024 10:20:30.82',
      code: 'VLAN.MSGS.PORTLINKSTATEDOWN',
      text: 'Port 11 link down',
    },
  ],
  ['a severity in letters', '%LINK-W-Down:  gi37', { severity: 4, code: 'LINK-DOWN', text: 'gi37' }],
  ['D-Link', 'WARN(4) Port 22 link down', { severity: 4, text: 'Port 22 link down' }],
  [
    'SonicWall',
    '<134>id=firewall sn=1 time="2024-05-01 10:20:30" fw=192.0.2.1 pri=3 m=97',
    { host: '192.0.2.1', severity: 6, code: '97' },
  ],
  [
    'padded with spaces and ended by zeros',
    '<13> Aug  5 10: 9:26 sw system: on\0\r\n',
    { time: 'Aug  5 10: 9:26', host: 'sw', text: 'on' },
  ],
  ['a repetition', 'Jul 22 08:40:00 last message repeated 42 times', { host: undefined }],
  [
    'an address for a name',
    '<14>May  1 10:20:30 2001:db8::7 app: x',
    { host: '2001:db8::7', program: 'app' },
  ],
  ['several lines', '<14>May  1 10:20:30 h app: one\n\ttwo', { text: 'one\n\ttwo' }],
  ['control characters', '<14>app: a\u001b[31mb\0c', { text: 'a\uFFFD[31mb\uFFFDc' }],
  ['nothing', '', { facility: 1, severity: 5, text: '' }],
]

for (const [name, message, expected] of messages) {
  test(`a message is read: ${name}`, () => {
    const { code, data, ...fields } = read(message)
    const { code: wantedCode, data: wantedData = {}, ...wanted } = expected
    const given = Object.fromEntries(
      Object.keys(wanted).map((key) => [key, fields[key as keyof typeof fields]]),
    )
    assert.deepEqual(given, wanted)
    if ('code' in expected) assert.equal(code?.name, wantedCode)
    for (const [key, value] of Object.entries(wantedData)) assert.equal(data.get(key), value)
  })
}

test('invalid UTF-8 is replaced', () => {
  assert.equal(readMessage(Buffer.from([0x3c, 0x31, 0x3e, 0x61, 0xff, 0x62])).text, 'a\uFFFDb')
})

test('a longer message is cut', () => {
  assert.equal(read('x'.repeat(maxMessageLength + 10)).text.length, maxMessageLength)
})

const matcher = new MessageMatcher(readShippedDefinitions().definitions)

test('any bytes are read and matched', () => {
  const headers = messages.map(([, message]) => message)
  const mutated = fc
    .tuple(fc.constantFrom(...headers), fc.nat(200), fc.uint8Array({ maxLength: 40 }), fc.nat(20))
    .map(([message, at, inserted, dropped]) => {
      const bytes = Buffer.from(message)
      return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + dropped)])
    })
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), mutated), (bytes) => {
      const message = readMessage(bytes)
      assert(message.facility >= 0 && message.facility <= 23)
      assert(message.severity >= 0 && message.severity <= 7)
      assert(message.text.isWellFormed())
      assert(message.text.length <= bytes.length)
      matcher.match(message)
    }),
    { numRuns: 2000 },
  )
})

test('64 KiB of any byte are read and mean nothing', () => {
  for (let byte = 0; byte < 256; byte += 1)
    assert.equal(matcher.match(readMessage(Buffer.alloc(maxMessageLength, byte))), undefined)
})
