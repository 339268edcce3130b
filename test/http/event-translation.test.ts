// Files of event definitions, our own and those of other programs, as definitions: what each says, what is reported, and
// what is refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { work } from '../../src/events/foreign/translate.ts'
import { eventTranslationDocument } from '../../src/http/handlers/traps/event-translation-handlers.ts'
import { jsonWriter } from '../../src/schema/json.ts'
import { startService } from '../support.ts'
import { refused } from './reading.ts'

const service = await startService()
const json = { Accept: 'application/json' }

interface Translated {
  readonly trapEvent: readonly Readonly<Record<string, unknown>>[]
  readonly origin: readonly { readonly file: string; readonly line: string }[]
  readonly remark: readonly { readonly name: string; readonly kind: string; readonly reason: string }[]
}

const sent = (...file: readonly { readonly name: string; readonly text: string }[]) =>
  service.sendJson('POST', '/fault/trapEvent/translate', { file })

/** As the service does it in a thread, and sends it. */
async function translated(name: string, text: string): Promise<Translated> {
  const found = await work(service.database, [{ name, text }])
  assert('definitions' in found, 'message' in found ? found.message : '')
  const write = jsonWriter(eventTranslationDocument)
  return write({ trapEvent: found.definitions, origin: [], remark: found.remarks }) as unknown as Translated
}

async function wrong(name: string, text: string, expected: RegExp): Promise<void> {
  const found = await work(service.database, [{ name, text }])
  assert('message' in found, `${name} is not refused`)
  assert.match(found.message, expected)
}

const own = '1.3.6.1.4.1.32473.85'
const xml = (inside: string) => `<events>\n${inside}\n</events>`
const mask = (specific: number, more = '') =>
  `<mask><maskelement><mename>id</mename><mevalue>.${own}</mevalue></maskelement><maskelement><mename>generic</mename><mevalue>6</mevalue></maskelement><maskelement><mename>specific</mename><mevalue>${specific}</mevalue></maskelement>${more}</mask>`
const varbind = (number: number, value: string) =>
  `<varbind><vbnumber>${number}</vbnumber><vbvalue>${value}</vbvalue></varbind>`
const event = (uei: string, where: string, rest: string) =>
  `<event>${where}<uei>${uei}</uei><logmsg dest="logndisplay">${uei}</logmsg>${rest}</event>`
const problem = (key: string, severity = 'Major') =>
  `<severity>${severity}</severity><alarm-data reduction-key="${key}" alarm-type="1"/>`
const solved = (key: string) =>
  `<severity>Normal</severity><alarm-data reduction-key="x" clear-key="${key}" alarm-type="2"/>`

test('two variables of a mask: the one that decides is a state, the other tells alarms apart', async () => {
  const both = (about: number, state: number) =>
    mask(1, varbind(1, String(about)) + varbind(2, String(state)))
  const { trapEvent, remark } = await translated(
    'two.xml',
    xml(
      event('power', both(1, 1), problem('power')) +
        event('powerBack', both(1, 2), solved('power')) +
        event('water', both(2, 1), problem('water')) +
        event('waterBack', both(2, 2), solved('water')),
    ),
  )
  assert.deepEqual(trapEvent[0]?.state, [
    { parameter: 'value2', values: '1', handling: '1', alarmLevel: '2' },
    { parameter: 'value2', values: '2', handling: '2' },
    { parameter: 'value2', values: '*', handling: '0' },
  ])
  const keys = ((trapEvent[0]?.parameter ?? []) as { name: string; isKey?: string }[]).filter(
    ({ isKey }) => isKey === 'true',
  )
  assert.deepEqual(
    keys.map(({ name }) => name),
    ['value1'],
  )
  assert.deepEqual(
    remark.map(({ kind, reason }) => `${kind} ${reason}`),
    [
      'changed alarms are told apart by value1',
      'changed its events have several texts: that of line 2 is used for all',
    ],
  )
})

test('what states cannot say is left out with its reason, and what it would have ended is only stored', async () => {
  const value = (state: string) => mask(1, varbind(1, state))
  const several = await translated(
    'several.xml',
    xml(
      event('a', value('1'), problem('a')) +
        event('b', value('2'), problem('b')) +
        event('c', value('3'), solved('a')),
    ),
  )
  assert.deepEqual(several.trapEvent, [])
  assert.match(several.remark.at(-1)?.reason ?? '', /raise several alarms/)
  const alone = await translated('alone.xml', xml(event('back', mask(2), solved('gone'))))
  assert.equal(alone.trapEvent[0]?.handling, '0')
  assert.match(alone.remark[0]?.reason ?? '', /no event of these files raises the alarm/)
  const keyed = await translated(
    'keyed.xml',
    xml(event('down', mask(3), problem('down:%parm[#1]%')) + event('up', mask(4), solved('down'))),
  )
  assert.equal(keyed.trapEvent[1]?.handling, '0')
  assert.match(keyed.remark[0]?.reason ?? '', /by 0 variables, its fault by 1/)
})

test('several values without an end are alarms of their own', async () => {
  const value = (state: string) => mask(1, varbind(1, state))
  const { trapEvent } = await translated(
    'kinds.xml',
    xml(event('a', value('1'), problem('a', 'Minor')) + event('b', value('2'), problem('b', 'Critical'))),
  )
  assert.equal(trapEvent[0]?.alarmLevel, '1')
  assert.deepEqual(
    (trapEvent[0]?.parameter as { isKey?: string }[] | undefined)?.map(({ isKey }) => isKey),
    ['true'],
  )
})

test('masks of other kinds are reported', async () => {
  const element = (name: string, value: string) =>
    `<mask><maskelement><mename>${name}</mename><mevalue>${value}</mevalue></maskelement></mask>`
  for (const [where, reason] of [
    ['', /it is no trap/],
    [element('host', '192.0.2.1'), /asks for "host"/],
    [mask(1, varbind(1, '~[0-9]+')), /no list of values/],
    [mask(1, varbind(1, 'a;b')), /no list of values/],
    [mask(1, '<varbind><vbvalue>1</vbvalue></varbind>'), /without vbnumber/],
  ] as const) {
    const { remark } = await translated('odd.xml', xml(event('a', where, problem('a'))))
    assert.equal(remark[0]?.kind, 'lost')
    assert.match(remark[0]?.reason ?? '', reason)
  }
  const generic = `<mask><maskelement><mename>generic</mename><mevalue>2</mevalue></maskelement></mask>`
  const standard = await translated('standard.xml', xml(event('down', generic, problem('down'))))
  assert.equal(standard.trapEvent[0]?.eventOid, '1.3.6.1.6.3.1.1.5.3')
  assert.equal(standard.trapEvent[0]?.id !== undefined, true)
})

test('files that stand for more than anybody writes cost no more than others', async () => {
  const masks = (name: string) =>
    `<maskelement><mename>${name}</mename>${Array.from({ length: 50 }, (_, at) => `<mevalue>1.3.${at}</mevalue>`).join('')}</maskelement>`
  const crossed = await translated(
    'crossed.xml',
    xml(event('a', `<mask>${masks('id')}${masks('specific')}</mask>`, problem('a'))),
  )
  assert.deepEqual(crossed.trapEvent, [])
  assert.match(crossed.remark[0]?.reason ?? '', /more than 100 OIDs/)
  const parts = Array.from({ length: 101 }, (_, at) => `%parm[1.3.${at}]%`).join('')
  const keyed = await translated('keyed.xml', xml(event('b', mask(2), problem(parts))))
  assert.match(keyed.remark[0]?.reason ?? '', /more than 100 parts/)
  const matches = 'MATCH $1: 1\n'.repeat(101)
  const matched = await translated('many.conf', `EVENT c .${own}.0.3 "x" MAJOR\nFORMAT x\n${matches}`)
  assert.match(matched.remark[0]?.reason ?? '', /more than 100 MATCH lines/)
  const rule = (value: string) => [
    {
      ...{ name: 'r', event_class__name: 'e' },
      patterns: [
        { key_re: '^1.3.6.1.6.3.1.1.4.1.0$', value_re: `^${own}.0.4$` },
        { key_re: `^${own}.1$`, value_re: value },
      ],
    },
  ]
  const groups = Array.from({ length: 101 }, (_, at) => `(?P<p${at}>x)`).join('')
  for (const [value, reason] of [
    [groups, /more than 100 variables/],
    ['x'.repeat(2001), /more than 2000 characters/],
  ] as const) {
    const { remark } = await translated('rule.json', JSON.stringify(rule(value)))
    assert.match(remark[0]?.reason ?? '', reason)
  }
  const lines = Array.from({ length: 20_001 }, (_, at) => `EVENT e .1.3.${at} "x" MAJOR\nFORMAT x\n`)
  await wrong('long.conf', lines.join(''), /more than 20000 events/)
})

test('where the catalogue has the event, a form without keys and ends keeps them', async () => {
  const line = `EVENT ours .1.3.6.1.4.1.2636.4.1.2 "Status Events" Minor\nFORMAT Our fan $4 on $A`
  const { trapEvent } = await translated('snmptt.conf', line)
  const { records } = await shipped()
  assert.deepEqual(
    [trapEvent[0]?.name, trapEvent[0]?.alarmLevel, trapEvent[0]?.alarmDesc],
    ['ours', '3', 'Our fan {value4} on {deviceName}'],
  )
  const parameter = trapEvent[0]?.parameter as unknown[]
  assert.deepEqual(parameter.slice(0, -1), records[0]?.parameter)
  assert.deepEqual(parameter.at(-1), { oid: '#4', name: 'value4' })
})

async function shipped() {
  const { text } = await service.get('/fault/trapEvent?catalogue=true&eventOid=1.3.6.1.4.1.2636.4.1.2', json)
  return { records: JSON.parse(text).trapEvent as { parameter: unknown[] }[] }
}

test('MATCH lines of SNMPTT', async () => {
  const match = (lines: string) => `EVENT a .${own}.0.1 "x" Major\nFORMAT A $1\n${lines}\n`
  const values = async (lines: string) => {
    const { trapEvent, remark } = await translated('snmptt.conf', match(lines))
    const [first] = (trapEvent?.[0]?.state ?? []) as { values: string }[]
    return first?.values ?? remark[0]?.reason
  }
  assert.equal(await values('MATCH $2: (down)i'), '*down*')
  assert.equal(await values('MATCH $2: (^up\\.high$|^low)'), 'up.high;low*')
  assert.equal(await values('MATCH $2: 3-5\nMATCH $2: 9'), '3;4;5;9')
  for (const lines of ['MATCH $2: !3', 'MATCH $2: (a{3})', 'MATCH $2: 1-999999999', 'MATCH $s: Major'])
    assert.match(String(await values(lines)), /^MATCH .* (is no list of values|is not about a variable)$/)
  assert.match(String(await values('MATCH $2: 1\nMATCH $3: 1')), /several variables/)
  assert.match(String(await values('MATCH MODE=and\nMATCH $2: 1\nMATCH $2: 2')), /several MATCH lines/)
})

test('patterns go through the matcher of linear time, or are reported', async () => {
  const rule = (value: string) =>
    JSON.stringify([
      {
        ...{ name: 'r', event_class__name: 'c' },
        patterns: [
          {
            key_re: '^1\\.3\\.6\\.1\\.6\\.3\\.1\\.1\\.4\\.1\\.0$',
            value_re: `^${own.replaceAll('.', '\\.')}\\.0\\.1$`,
          },
          { key_re: '^1\\.3\\.6\\.1\\.4\\.1\\.32473\\.1\\.\\d+$', value_re: value },
        ],
      },
      {
        name: 'c',
        action: 'A',
        disposition: [{ action: 'raise', condition: 'True', alarm_class__name: 'a' }],
      },
      {
        name: 'a',
        default_severity__name: 'MINOR',
        reference: ['part'],
        subject_template: '{{part}} of {{rest}}',
      },
    ])
  const good = await translated('noc.json', rule('^part (?P<part>\\d+) of (?P<rest>(?:a|b)+)$'))
  assert.deepEqual(
    (good.trapEvent[0]?.parameter as { name: string; oid: string; pattern: string }[] | undefined)?.map(
      ({ name, oid, pattern }) => [name, oid, pattern],
    ),
    [
      ['part', '1.3.6.1.4.1.32473.1', '^part (\\d+) of (?:(?:a|b)+)$'],
      ['rest', '1.3.6.1.4.1.32473.1', '^part (?:\\d+) of ((?:a|b)+)$'],
    ],
  )
  assert.equal(good.trapEvent[0]?.alarmDesc, '{part} of {rest}')
  const bad = await translated('noc.json', rule('^(?=x)part (?P<part>.)'))
  assert.deepEqual(bad.trapEvent, [])
  assert.match(
    bad.remark[0]?.reason ?? '',
    /pattern: .* is not accepted .* expected a regular expression in the syntax of RE2/,
  )
})

test('files that are wrong are refused with their name, the line, and what is expected', async () => {
  await wrong('a.conf', 'FORMAT x', /a\.conf: line 1: FORMAT is before the first EVENT: expected EVENT/)
  await wrong('a.conf', '\nEVENT a b c', /a\.conf: line 2: expected EVENT name OID "category" severity/)
  await wrong('a.conf', 'EVENT a .1.3 "x" Major\nFROMAT x', /a\.conf: line 2: expected EVENT, FORMAT.*FROMAT/)
  await wrong('a.conf', '# nothing', /a\.conf: line 1: expected lines that begin with EVENT/)
  await wrong(
    'a.txt',
    'hello',
    /a\.txt: line 1: the form is not known: expected event definitions of OpenNMS/,
  )
  await wrong('a.xml', xml('<event a=b/>'), /a\.xml: malformed XML: line 2/)
  await wrong('a.xml', '<!DOCTYPE events [<!ENTITY a "b">]><events/>', /a\.xml: line 1: .*DOCTYPE/)
  await wrong('a.xml', xml('<zone/>'), /a\.xml: line 2: expected .*event.*, found .*zone/)
  await wrong('a.xml', '<events/>', /a\.xml: line 1: expected .*events/)
  await wrong(
    'a.xml',
    xml(event('a', mask(1), problem('a', 'Awful'))),
    /a\.xml: line 2: severity .*awful.* expected Critical/,
  )
  await wrong(
    'a.xml',
    xml(event('a', mask(1), '<severity>Major</severity><alarm-data alarm-type="7"/>')),
    /line 2: alarm-type "7|line 2: alarm-type .*7/,
  )
  await wrong('a.yaml', 'vendor: x', /a\.yaml: line 1: expected traps, which is a list/)
  await wrong(
    'a.yaml',
    'traps:\n  - oid: 1.3.6\n    name: a\n    severity: bad',
    /a\.yaml: line 4: expected one of emerg/,
  )
  await wrong(
    'a.yaml',
    'traps:\n  - oid: 1.3.6\n    name: a\n    severity: err\n    varbinds: [b]',
    /a\.yaml: line 5: expected a name of the table varbinds/,
  )
  await wrong(
    'a.yaml',
    'a: &a [1]\ntraps: *a',
    /a\.yaml: line 1: malformed YAML: .*anchors, aliases and tags/,
  )
  await wrong('a.json', '[{"name": "x"}]', /a\.json: entry 1: expected an object with patterns/)
  await wrong(
    'a.json',
    '{"name": "x", "patterns": [{"key_re": ["x"]}], "event_class__name": "y"}',
    /a\.json: line 1: patterns 1: key_re is .*x.*: expected text/,
  )
  await wrong('a.json', '{', /a\.json: /)
  await wrong('a.json', `{"trapEvent":[\n{"eventOid":"${own}.1"}\n]}`, /a\.json: line 2: name/)
})

test('the operation answers definitions with their origin, and refuses files by their names', async () => {
  const good = { name: 'a.conf', text: `\n\nEVENT a .${own}.0.1 "x" Major\nFORMAT A $1` }
  const answer = await sent(good)
  assert.equal(answer.status, 200, answer.text)
  const { trapEvent, origin, remark } = JSON.parse(answer.text)
  assert.deepEqual([trapEvent.length, remark], [1, []])
  assert.deepEqual(origin, [{ eventOid: `${own}.0.1`, file: 'a.conf', line: '3' }])
  const bad = refused(await sent(good, { name: 'b.conf', text: '\nEVENT a b c' }), 400, 'file')
  assert.match(bad.message, /^b\.conf: line 2: expected EVENT name OID/)
  refused(await sent(), 400, 'file')
})

test('hostile files end in time', async () => {
  const deep = '['.repeat(100_000)
  await wrong('a.json', deep, /a\.json: /)
  await wrong('a.yaml', `traps: ${deep}`, /nested deeper/)
  await wrong('a.yaml', `${'- '.repeat(50_000)}x`, /nested deeper/)
  await wrong('a.xml', '<events><event>'.concat('<a>'.repeat(100_000)), /nested deeper/)
  await wrong('a.xml', `<events><event ${'a="1" '.repeat(100)}/></events>`, /attributes|malformed/)
  const long = 'a'.repeat(200_000)
  const { remark } = await translated(
    'a.conf',
    `EVENT a .${own}.0.1 "x" Major\nFORMAT ${'$'.repeat(200_000)}\nMATCH $1: (${long}(${long})`,
  )
  assert.match(remark[0]?.reason ?? '', /no list of values/)
})

test('definitions of our own are read without what is of one service, and of two with one OID the first counts', async () => {
  const one = {
    id: '7',
    source: 'X',
    eventOid: `${own}.9`,
    name: 'nine',
    alarmLevel: '3',
    alarmCategory: '4',
  }
  const text = JSON.stringify({ trapEvent: [one, { ...one, name: 'again' }] })
  const { trapEvent, remark } = await translated('ours.json', text)
  const nine = { eventOid: `${own}.9`, name: 'nine', alarmLevel: '3', alarmCategory: '4' }
  assert.deepEqual(trapEvent, [{ ...nine, parameter: [], recovers: [], state: [] }])
  assert.deepEqual(
    remark.map(({ name, kind }) => [name, kind]),
    [['again', 'lost']],
  )
})

test('a parameter is found by its place, which goes with no row', async () => {
  const definition = (more: object) => ({
    ...{ eventOid: `${own}.10`, name: 'ten', alarmLevel: 3, alarmCategory: 4, alarmDesc: 'Ten {second}' },
    parameter: [{ oid: '#2', name: 'second', ...more }],
  })
  const dryRun = (one: object) => service.sendJson('POST', '/fault/trapEvent/dryRun', one)
  assert.equal((await dryRun(definition({}))).status, 200)
  refused(await dryRun(definition({ fromIndex: true })), 400, 'parameter/fromIndex')
  refused(await dryRun(definition({ oid: '#0' })), 400, 'parameter[1]/oid')
  const trap = {
    OID: `${own}.10`,
    variables: [
      { oid: '1.3.6.1.4.1.32473.1.1', value: 'one' },
      { oid: '1.3.6.1.4.1.32473.1.2', value: 'two' },
    ],
  }
  const { text } = await service.sendJson('POST', '/fault/trapEvent/test', {
    trapEvent: [definition({})],
    trap: [trap],
  })
  assert.equal(JSON.parse(text).testedTrap[0].alarmDesc, 'Ten two')
})
