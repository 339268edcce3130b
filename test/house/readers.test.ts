// Whatever reads bytes from outside takes time that grows with them, and no faster: each reader is fed 8, 16 and 32 kB
// of what could hurt it most. How long a pattern may take is looked at in patterns.test.ts.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { decodeHeader, readDigest } from '../../src/access/digest.ts'
import { textOf } from '../../src/ask/device-table.ts'
import { answerDigest } from '../../src/client/client-login.ts'
import { Connection } from '../../src/client/stream-connection.ts'
import {
  readAddress,
  readAddresses,
  readGroupRoles,
  readIssuer,
  readNodeName,
  readProxy,
  readPublicUrl,
  readRealm,
  readScopes,
  readSpaceListeners,
  readStore,
  readTimeZone,
  readTrapListeners,
  readWords,
} from '../../src/config/forms.ts'
import { readNetworks, readSpacedNetworks } from '../../src/config/networks.ts'
import type { Names } from '../../src/events/foreign/foreign-event.ts'
import { readNetdata } from '../../src/events/foreign/netdata.ts'
import { readNoc } from '../../src/events/foreign/noc.ts'
import { readNocFiles } from '../../src/events/foreign/noc-files.ts'
import { readOpenNms } from '../../src/events/foreign/opennms.ts'
import { readOwn } from '../../src/events/foreign/own-file.ts'
import { readSnmptt } from '../../src/events/foreign/snmptt.ts'
import { Fault, shown } from '../../src/fault.ts'
import { bodyForm, readParameters, readTarget } from '../../src/http/call.ts'
import { chooseForm } from '../../src/http/content-negotiation.ts'
import { faultHeaders } from '../../src/http/responses.ts'
import { Origins } from '../../src/http/wire/caller-origin.ts'
import { readCookie } from '../../src/http/wire/cookies.ts'
import { readModules } from '../../src/mibs/module-reader.ts'
import type { MibObject } from '../../src/mibs/oid-tree.ts'
import { display } from '../../src/mibs/value-display.ts'
import { readableLine } from '../../src/notify/message.ts'
import { readRouteFilter, readTargets } from '../../src/notify/routes/route.ts'
import { readPosition } from '../../src/push/positions.ts'
import { readFilter } from '../../src/push/stream-filter.ts'
import { readRun, reportRun, runElement } from '../../src/reports/report.ts'
import { trapRule } from '../../src/resources/alarms/trap-rule.ts'
import { readDay, readTime, readWeekdays } from '../../src/resources/alarms/validity.ts'
import { catalog } from '../../src/resources/catalog.ts'
import { device, devices } from '../../src/resources/inventory/device.ts'
import { readSelection } from '../../src/resources/reports/report-data.ts'
import { patternTest } from '../../src/rules/rules.ts'
import { parseJson, parseJsonInSteps } from '../../src/schema/json.ts'
import { readJson, readJsonInSteps } from '../../src/schema/json-text.ts'
import { readConditions, readListQuery } from '../../src/schema/list.ts'
import { readPattern, searchSteps } from '../../src/schema/list-filter.ts'
import { complete, readDraft } from '../../src/schema/read-document.ts'
import { type FileForm, readRows, utf8Text } from '../../src/schema/rows.ts'
import { bool, fold, instant, int, ip, long, mac, oid, text } from '../../src/schema/scalar.ts'
import { decodeUtf8, escapeXml, parseXml, parseXmlInSteps } from '../../src/schema/xml.ts'
import { readYaml } from '../../src/schema/yaml.ts'
import { Tag } from '../../src/snmp/ber.ts'
import { Decoder } from '../../src/snmp/decoder.ts'
import { readCommaSeparated, readPairs, readStructuredData } from '../../src/syslog/message-fields.ts'
import { MessageMatcher } from '../../src/syslog/message-matcher.ts'
import { readMessage } from '../../src/syslog/message-reader.ts'
import { readShippedDefinitions } from '../../src/syslog/syslog-definitions.ts'
import { testConfig } from '../support.ts'

type Shape = (size: number) => string

/** Repeated to the size, between a beginning that lets a reader in and an end that it cannot take. */
const filled =
  (piece: string, begin = '', end = ''): Shape =>
  (size) =>
    begin + piece.repeat(Math.ceil(size / piece.length)) + end

/** What readers of all kinds stumble over. */
const pieces = [
  ...' \t\n,.:;-_/\\%\'"=&#*?+<>()[]{}0aAé😀',
  ...[
    ':,',
    ', ',
    '%41',
    '%',
    '\\"',
    '"a',
    '0.',
    '1.',
    '.*',
    'a=',
    '=,',
    'a,',
    '*a',
    '\\*',
    '&amp;',
    '&#',
    ']]',
  ],
  ...['--', '1-1,', 'a b ', ' T', '::', '1:', 'ab:', '<a>', '<a/>', '<!--', '[]', '{"a":', '"a":1,', '\r\n'],
  ...[';q=0.1,', '*/*,', 'a;q=', '0\u0301', 'ß', 'AAa', '{a}', '="', '"\n', '(\n', '::= {', 'a"b'],
]
const everyShape: readonly Shape[] = pieces.flatMap((piece) => [filled(piece), filled(piece, 'a=', '"')])

interface Reader {
  read(text: string): unknown
  /** Shapes of its own, beside those for all. */
  readonly worst?: readonly Shape[]
}

const bytes = (source: string) => Buffer.from(source)
const config = testConfig({ 'trusted-proxies': '127.0.0.1, 10.0.0.5' })
const origins = new Origins(config)
const from = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  ({
    headers,
    socket: { remoteAddress, localAddress: '127.0.0.1', localPort: 1 },
  }) as unknown as IncomingMessage

const rowsOf = (form: FileForm) => async (source: string) => {
  const rules = { form, resource: trapRule, rowLimit: 2 ** 20 }
  const chunks = async function* () {
    for (let at = 0; at < source.length; at += 8192) yield bytes(source.slice(at, at + 8192))
  }
  for await (const _ of readRows(utf8Text(chunks()), rules));
}

/** A client that is answered with a stream of this text. */
async function follow(source: string): Promise<void> {
  const body = new ReadableStream({
    start(controller) {
      for (let at = 0; at < source.length; at += 1024) controller.enqueue(bytes(source.slice(at, at + 1024)))
      controller.close()
    },
  })
  const fetch = async () => new Response(body, { headers: { 'Content-Type': 'application/json' } })
  const url = new URL('http://127.0.0.1/events')
  const headers = new Headers()
  const connection = new Connection({
    url,
    headers,
    user: undefined,
    fetch,
    signal: undefined,
    silence: 60_000,
  })
  await connection.open()
  while ((await connection.line()) !== undefined);
}

const tlv = (tag: number, ...parts: (Buffer | number)[]) => {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part)))
  const length = Buffer.from([0x83, content.length >> 16, (content.length >> 8) & 255, content.length & 255])
  return Buffer.concat([Buffer.from([tag]), length, content])
}

/** A notification whose list of variables is this. */
const notification = (variables: Buffer) =>
  tlv(
    Tag.sequence,
    tlv(Tag.integer, 1),
    tlv(Tag.octetString, bytes('public')),
    tlv(
      Tag.trapV2,
      tlv(Tag.integer, 1),
      tlv(Tag.integer, 0),
      tlv(Tag.integer, 0),
      tlv(Tag.sequence, variables),
    ),
  )

const decoder = new Decoder({ communities: ['public'] })
const matcher = new MessageMatcher(readShippedDefinitions().definitions)
const variable = (value: Buffer) => tlv(Tag.sequence, tlv(Tag.objectIdentifier, 0x2b, 6, 1), value)
const ofMembers = (open: string, member: string, close: string): Shape => filled(member, open, close)
const hinted = (hint: string) =>
  ({ base: 'OCTET STRING', values: new Map<number, string>(), hint }) as unknown as MibObject

const noNames: Names = {
  variable: (_, place) => ({ place: `#${place}`, name: `value${place}` }),
  object: () => undefined,
  event: () => undefined,
  known: () => undefined,
}
const asFile = (source: string) => ({ name: 'a', text: source })
const line = 'EVENT a .1.3.6.1 "b" Major\n'

const readers: Readonly<Record<string, Reader>> = {
  'YAML, and a trap profile in it': {
    read: (source) => {
      readYaml(source)
      readNetdata(
        asFile(`traps:\n  - oid: 1.3.6.1\n    name: a\n    severity: err\n    description: '${source}'`),
      )
    },
    worst: [filled('- '), filled('a: 1\n'), filled('a:\n '), filled('["'), filled("'a': "), filled(' #"')],
  },
  'the configuration of SNMPTT': {
    read: (source) => readSnmptt(asFile(source), noNames),
    worst: [
      filled(line),
      filled('$1', `${line}FORMAT `),
      filled('MATCH $1: (a|b)\n', line),
      filled('|', `${line}MATCH $1: (a`, ')'),
    ],
  },
  'event definitions of OpenNMS': {
    read: (source) => readOpenNms(asFile(`<events><event><uei>${source}</uei></event></events>`), noNames),
    worst: [filled('</uei></event><event><uei>')],
  },
  'rules of NOC': {
    read: (source) => {
      const part = { name: 'a', event_class__name: 'b', patterns: [{ key_re: source, value_re: source }] }
      readNocFiles([asFile(source)])
      readNoc([asFile(JSON.stringify(part))], noNames)
    },
    worst: [filled('(?P<a>'), filled('\\\\.'), filled('(')],
  },
  'definitions of our own': {
    read: (source) => readOwn(asFile(`{"trapEvent":[${source}`)),
    worst: [filled('{},')],
  },

  'the target of a request': {
    read: (source) => readTarget(`/${source}`),
    worst: [filled('/'), filled('%41/')],
  },
  'a query': {
    read: readParameters,
    worst: [filled('a&'), filled('a=b&'), filled('a=%41&'), filled('a+=+&')],
  },
  Accept: { read: chooseForm, worst: [filled('application/json;q=0,'), filled('text/*;')] },
  'Content-Type': {
    read: (source) => bodyForm(from({ 'content-type': source })),
    worst: [filled('a;', 'text/xml;')],
  },
  'X-Forwarded-For': {
    read: (source) => {
      for (const peer of ['127.0.0.1', '192.0.2.1']) {
        origins.addressOf(from({ 'x-forwarded-for': source }, peer))
        origins.isUnnamed(from({ 'x-forwarded-for': source }, peer))
      }
    },
    worst: [filled('10.0.0.5,'), filled('::ffff:10.0.0.5 , ')],
  },
  'X-Forwarded-Proto and -Host': {
    read: (source) => origins.baseFor(from({ 'x-forwarded-proto': source, 'x-forwarded-host': source }), ''),
  },
  Host: { read: (source) => origins.baseFor(from({ host: source }), '') },
  'Authorization: Digest': {
    read: readDigest,
    worst: [
      filled(' ', 'a=', '"'),
      filled('\\\\', 'a="'),
      filled('a=b,'),
      filled('a ,', 'a='),
      filled(' ', 'a'),
    ],
  },
  'a header in UTF-8 or Latin-1': { read: decodeHeader, worst: [filled('\xc3')] },
  Cookie: {
    read: (source) => readCookie(source, 'encrypted', 'session'),
    worst: [filled('session='), filled('a=b; ')],
  },
  'XML bodies': {
    async read(source) {
      parseXml(bytes(source))
      await parseXmlInSteps(bytes(source), async () => undefined)
    },
    worst: [
      ...['&amp;', ']', ']]', '<b/>', '<![CDATA[]]>', '<!-- - -->', '<?p ?>', '&#65;'].map((piece) =>
        filled(piece, '<a>', '</a>'),
      ),
      ...['-', ' ', '?', ']', '<'].flatMap((piece) =>
        ['<!--', '<![CDATA[', '<?p ', '<a b="', '<a ', '</a'].map((begin) => filled(piece, begin)),
      ),
      filled(' xmlns:a="b"', '<a', '/>'),
      filled('a', '<', '/>'),
      filled('\r\n', '<a>', '</a>'),
    ],
  },
  'JSON bodies': {
    async read(source) {
      refused(() => parseJson(bytes(source), 'zone'))
      await parseJsonInSteps(bytes(source), 'zone', async () => undefined)
    },
    worst: [
      filled('[]', '{"a":', '}'),
      ofMembers('{"a":[', `${'['.repeat(60)}${']'.repeat(60)},`, '1]}'),
      filled('\\\\', '{"a":"', '"}'),
      filled('\\"', '{"a":"', '"}'),
      ofMembers('{"a":[', '1,', '1]}'),
      ofMembers('{"a":[', '{"b":"c"},', '{}]}'),
      filled('9', '{"a":', '}'),
      filled('1e', '{"a":', '}'),
      (size) => `{${Array.from({ length: size / 12 }, (_, n) => `"key${n}":"1"`).join(',')}}`,
    ],
  },
  'JSON of any kind': {
    async read(source) {
      refused(() => readJson(source))
      await readJsonInSteps(source, async () => undefined)
    },
  },
  'rows of XML': {
    read: rowsOf('xml'),
    worst: [filled('<trapRule/>', '<list>', '</list>'), filled('a', '<list><trapRule>')],
  },
  'rows of JSON': { read: rowsOf('json'), worst: [filled('{},', '[', '{}]'), filled('[', '[{"a":')] },
  'rows of CSV': {
    read: rowsOf('csv'),
    worst: [
      filled('a\n', 'trapRuleName\n'),
      filled('""', 'trapRuleName\n"', '"'),
      filled('a/', 'trapDevice/', '\n'),
      filled('trapDevice/', '', '\n'),
      filled('a', 'trapDevice', '\n'),
      (size) => Array.from({ length: size / 8 }, (_, n) => `name${n}`).join(','),
      (size) => Array.from({ length: size / 20 }, (_, n) => `trapDevice[${n % 9999}]/devID`).join(','),
    ],
  },
  'a record with many members': {
    read: (source) => {
      const record = complete(device.fields, readDraft(device, parseJson(bytes(source), 'device'), 'create'))
      devices.rules.check?.(record)
    },
    worst: [
      (size) => {
        const others = Array.from({ length: size / 20 }, (_, n) => ({
          ip: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
        }))
        return JSON.stringify({ ip: '192.0.2.1', label: 'a', otherAddress: others })
      },
      (size) =>
        JSON.stringify(Object.fromEntries(Array.from({ length: size / 10 }, (_, n) => [`x${n}`, '1']))),
    ],
  },
  'the query of every list': {
    read: (source) => {
      for (const { list } of catalog) {
        for (const name of [...Object.keys(list.filters), 'start', 'size', 'orderBy', 'desc', 'total']) {
          refused(() => readListQuery(list, new Map([[name, [source]]])))
          refused(() => readConditions(list, new Map([[name, [source]]])))
        }
      }
    },
  },
  'what a report template selects': {
    read: (source) => {
      const nothing = { data: 'alarm', columns: null, filter: null, groupBy: null, chart: null }
      for (const name of ['data', 'columns', 'filter', 'groupBy', 'chart']) {
        refused(() => readSelection({ ...nothing, [name]: source }))
      }
    },
  },
  'the parameters of a report': {
    read: (source) => {
      for (const parameterName of Object.keys(reportRun.fields)) {
        refused(() => readRun(runElement([{ parameterName, value: source }]), []))
      }
    },
  },
  'the text of a device': {
    read: (source) => {
      const value = Buffer.from(`${source}\0`)
        .toString('hex')
        .replace(/(..)(?!$)/g, '$1:')
      return textOf({ oid: '1.3.6.1.2.1.1.1.0', type: 'OctetString', value, hex: true })
    },
    worst: [(size) => '\0'.repeat(size)],
  },
  'a text filter': { read: readPattern },
  'how long a text filter is searched for': {
    read: (source) => searchSteps(readPattern(`*${source.slice(0, 2000)}`).like),
  },
  'a pattern, and what it is held against': { read: (source) => patternTest(source.slice(0, 2000))(source) },
  'the filters of an event stream': {
    read: (source) => {
      for (const name of ['alarmLevel', 'customView', 'deviceIp', 'ipSegment', 'eventOid', 'sendRecovered']) {
        refused(() => readFilter(new Map([[name, [source]]])))
      }
    },
    worst: [filled('1.3.6.1,'), filled('10.0.0.1,'), filled('10.0.0.1-10.0.0.9,')],
  },
  'the filter and the targets of a route': {
    read: (source) => {
      refused(() => readRouteFilter(source))
      refused(() => readRouteFilter(`alarmCategory=${source}`))
      refused(() => readTargets(source))
    },
    worst: [filled('contact:1,'), filled('alarmLevel=1&'), filled('eventOid=1.3,')],
  },
  'texts of messages': {
    read: (source) => readableLine(source),
    worst: [filled('\r\n'), filled('\u202e'), filled(' \t'), filled('\u001b')],
  },
  'a position in the log': { read: (source) => readPosition(source, 'since') },
  'single values': {
    read: (source) => {
      for (const scalar of [long, instant, int(), bool, text(), text({ maxLength: 2 ** 20 }), mac, oid, ip]) {
        refused(() => scalar.read(source))
      }
    },
  },
  'letter case': { read: fold },
  'days, times and weekdays': {
    read: (source) => {
      for (const read of [readDay, readTime, readWeekdays]) refused(() => read(source))
    },
    worst: [filled('T', '2026-01-01', ' '), filled(' ', '2026-01-01'), filled(' ,', '1')],
  },
  'settings that are lists, addresses and networks': {
    read: (source) => {
      const forms = [
        readAddress,
        readSpaceListeners,
        readTrapListeners,
        readAddresses,
        readPublicUrl,
        readRealm,
        readGroupRoles,
        readIssuer,
        readProxy,
        readScopes,
        readNodeName,
        readStore,
        readTimeZone,
        readWords,
        readNetworks,
        readSpacedNetworks,
      ]
      for (const read of forms) refused(() => read(source))
    },
    worst: [filled('/', 'http://a/'), filled('10.0.0.0/8,'), filled('=', 'a'), filled('; ', 'a=viewer')],
  },
  'UTF-8': { read: (source) => decodeUtf8(Buffer.from(source, 'latin1')) },
  'modules of MIBs': {
    read: readModules,
    worst: [
      ...['"', '--', '-- a -- ', '----,', '{ ', 'a OBJECT-TYPE\n', 'A ::= ', 'END ', '(', "'0'H "].map(
        (piece) => filled(piece, 'A DEFINITIONS ::= BEGIN '),
      ),
      filled('a ', 'A DEFINITIONS ::= BEGIN IMPORTS '),
      filled('a OBJECT IDENTIFIER ::= { b 1 }\n', 'A DEFINITIONS ::= BEGIN '),
      filled('a(1), ', 'A DEFINITIONS ::= BEGIN a OBJECT-TYPE SYNTAX INTEGER { '),
      filled('"a OBJECT-TYPE\nSYNTAX', 'A DEFINITIONS ::= BEGIN '),
    ],
  },
  'values that a module says how to show': {
    read: (source) => {
      for (const hint of ['255a', '1x:', '1d.', '2d-1d', '*1a']) display(hinted(hint), source)
      display(hinted(source), '0a:1b')
    },
  },
  'SNMP datagrams': {
    read: (source) => {
      const size = Math.min(source.length, 65_000)
      for (const content of [
        bytes(source).subarray(0, size),
        Buffer.alloc(size, 0x80),
        Buffer.alloc(size, 0x30),
      ]) {
        decoder.decode(content)
        decoder.decode(notification(content))
        decoder.decode(notification(variable(tlv(Tag.octetString, content))))
        decoder.decode(notification(variable(tlv(Tag.objectIdentifier, content))))
        decoder.decode(notification(variable(tlv(Tag.integer, content))))
      }
      const one = variable(tlv(Tag.null))
      decoder.decode(notification(Buffer.concat(Array(Math.floor(size / one.length)).fill(one))))
    },
  },
  'a syslog message, and what it means': {
    read: (source) => matcher.match(readMessage(bytes(source))),
    worst: [
      ...['', '<13>', '<13>1 - h p - - ', '<189>12: *May  1 10:20:30: %LINK-3-UPDOWN: '].flatMap((begin) =>
        ['a', ' ', '[', '%', '-', ':', 'a=b ', 'a="b" ', '"",', 'down ', 'Interface '].map((piece) =>
          filled(piece, begin),
        ),
      ),
    ],
  },
  'the fields of a syslog message': {
    read: (source) => {
      readStructuredData(source)
      readPairs(source)
      readCommaSeparated(source, 200)
    },
    worst: [
      filled('[a b="c"]'),
      filled('\\"', '[a b="'),
      filled('a="b" '),
      filled('"a",'),
      filled('""', '"'),
    ],
  },
  'the client: a stream': { read: follow, worst: [filled('a'), filled('{}\n'), filled('\n')] },
  'the client: a challenge': {
    read: (source) => answerDigest(source, { name: 'a', password: 'b' }, new URL('http://127.0.0.1/')),
    worst: [filled('realm="'), filled('Digest '), filled('algorithm=SHA-256')],
  },
  'what is shown of a value': { read: (source) => faultHeaders(new Fault('invalid', shown(source))) },
  'text that is written': { read: escapeXml },
}

/** Input may be refused: what counts here is how long that takes. */
function refused(work: () => unknown): void {
  try {
    work()
  } catch {}
}

async function quietly(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error) => assert(error instanceof Fault, error))
}

/** Milliseconds of processor time, the least of some tries. */
async function costOf(read: Reader['read'], source: string, tries: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let count = 0; count < tries; count += 1) {
    const began = process.cpuUsage()
    await quietly(async () => read(source))
    const { user, system } = process.cpuUsage(began)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

const sizes = [8, 16, 32].map((size) => size * 1024) as [number, number, number]
/**
 * What takes less than this for the largest, in milliseconds, or a sixteenth of it for the smallest, is quick enough.
 */
const quick = 8

/** Fails where four times the bytes take about sixteen times the time, again and again. */
async function requireLinear(name: string, read: Reader['read'], shape: Shape): Promise<void> {
  const [small, middle, large] = sizes.map(shape) as [string, string, string]
  const first = await costOf(read, small, 1)
  if (first < quick / 16) return
  if ((await costOf(read, large, 1)) < Math.max(quick, 9 * Math.min(first, await costOf(read, small, 1))))
    return
  const costs: number[][] = []
  for (let tries = 1; tries <= 5; tries += 1) {
    const cost = [await costOf(read, small, 3), await costOf(read, middle, 3), await costOf(read, large, 3)]
    costs.push(cost.map(Math.round))
    if ((cost[2] ?? 0) < Math.max(quick, 9 * (cost[0] ?? 0))) return
  }
  assert.fail(`${name}: ${JSON.stringify(small.slice(0, 40))} took ${JSON.stringify(costs)} ms`)
}

test('every parser takes time linear in its input', async (t) => {
  for (const [name, { read, worst = [] }] of Object.entries(readers)) {
    await t.test(name, async () => {
      for (const shape of [...worst, ...everyShape]) await requireLinear(name, read, shape)
    })
  }
})

/** Readers of what the service itself wrote or is given by its owner, and parts of readers that are in the table. */
const others = new Set([
  ...['alarms/', 'cli/', 'http/handlers/', 'mibs/clauses.ts', 'store/', 'snmp/', 'config/config.ts'],
  ...[
    'readFolder',
    'readLevel',
    'readText',
    'readRegistrationQuery',
    'readBody',
    'readOnFactor',
    'readDocument',
    'readPage',
    'readable',
    'readViews',
    'readMaintenances',
    'readPeople',
    'readRoutes',
    'readSchedules',
    'readOverrides',
    'readHeartbeats',
    'readOutgoingHeartbeats',
    'readProfiles',
    'readFindings',
    'readUndecided',
    'readFoundOver',
    'readChecks',
    'readActingContact',
    'readContent',
    'readDefinitions',
    'readShippedDefinitions',
    'readCorrections',
    'readEventFile',
    'readEvents',
    'readTemplate',
    'readHits',
    'readOperators',
    'readTokens',
    'readSessions',
    'readHighWaterMarks',
    'readProfile',
    'readLinks',
    'readListeners',
    'readDays',
    'readHalfHours',
    'readHeadsAfter',
    'readStanding',
    'read',
  ],
])

test('no parser is missing in the table', () => {
  const source = fileURLToPath(new URL('../../src/', import.meta.url))
  const here = readFileSync(fileURLToPath(import.meta.url), 'utf8')
  const missing = globSync('**/*.ts', { cwd: source }).flatMap((file) => {
    if ([...others].some((known) => file.startsWith(known))) return []
    const script = readFileSync(join(source, file), 'utf8')
    const names = script.matchAll(
      /^export (?:async )?(?:function\*?|const) ((?:read|parse|decode|choose)\w*)/gm,
    )
    return [...names]
      .map(([, name = '']) => name)
      .filter((name) => !others.has(name) && !here.includes(`${name}`))
  })
  assert.deepEqual(
    missing,
    [],
    'add them to the table above with a text that would be slow, or to others where nothing from outside is read',
  )
})
