import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { blankAlarm } from '../../src/alarms/engine/alarm-draft.ts'
import { alarmXml } from '../../src/alarms/log/alarm-log.ts'
import {
  encode,
  encodeBookmark,
  encodeGap,
  heartbeat,
  type Pushed,
  type StreamForm,
} from '../../src/push/stream-documents.ts'
import { type Alarm, pushedAlarm } from '../../src/resources/alarms/alarm.ts'
import { jsonWriter } from '../../src/schema/json.ts'
import { parseXml } from '../../src/schema/xml.ts'

const alarm: Alarm = {
  ...blankAlarm,
  id: 12n,
  OID: '1.3.6.1.6.3.1.1.5.3',
  originalType: 1,
  deviceId: 7n,
  deviceIp: '10.0.0.5',
  deviceName: 'core',
  alarmLevel: 2,
  alarmCategory: 3,
  faultTime: 1_750_000_000_000,
  lastTime: 0,
  alarmDesc: 'down',
  paras: '',
  eventName: '',
  alarmType: '1.3',
  resource: '',
}

const raised: Pushed = { xml: alarmXml(alarm), action: 'Push', clearedOids: [], position: '5:9' }
const recovered: Pushed = {
  xml: alarmXml({ ...alarm, isReceoverFault: 1, recoverFaultIdList: [3n, 4n] }),
  action: 'Recover',
  clearedOids: ['1.2', '1.3'],
  position: '5:10',
}
const plain = (form: StreamForm) => ({ form, sendRecovered: false, cursor: false })
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

suite('an alarm', () => {
  test('in XML: declaration, the fields, what was done, an empty line', () => {
    const text = encode(raised, plain('xml'))
    assert(text.startsWith(`${declaration}<alarm><id>12</id><OID>1.3.6.1.6.3.1.1.5.3</OID>`))
    assert(text.endsWith('<isReceoverFault>0</isReceoverFault><nAction>Push</nAction></alarm>\n\n'))
    assert.equal(text.match(/\n/g)?.length, 2)
  })

  test('a position is the last element, and only for clients that asked for it', () => {
    const asked = encode(raised, { form: 'xml', sendRecovered: false, cursor: true })
    assert(asked.endsWith('<nAction>Push</nAction><cursor>5:9</cursor></alarm>\n\n'))
    assert(!encode(raised, plain('xml')).includes('cursor'))
    const object = JSON.parse(encode(raised, { form: 'json', sendRecovered: false, cursor: true }))
    assert.equal(Object.keys(object).at(-1), 'cursor')
    assert.equal(object.cursor, '5:9')
    assert(!encode(raised, plain('json')).includes('cursor'))
    const without = encode(
      { ...raised, position: undefined },
      { form: 'xml', sendRecovered: false, cursor: true },
    )
    assert(!without.includes('cursor'))
  })

  test('what a recovery cleared is named for clients that asked with sendRecovered', () => {
    const list = '<lstRecovered><faultOid>1.2</faultOid><faultOid>1.3</faultOid></lstRecovered>'
    const asked = encode(recovered, { form: 'xml', sendRecovered: true, cursor: true })
    assert(asked.endsWith(`<nAction>Recover</nAction>${list}<cursor>5:10</cursor></alarm>\n\n`))
    assert(
      asked.includes('<recoverFaultIdList>3</recoverFaultIdList><recoverFaultIdList>4</recoverFaultIdList>'),
    )
    assert(!encode(recovered, plain('xml')).includes('lstRecovered'))
    assert(!encode(raised, { form: 'xml', sendRecovered: true, cursor: false }).includes('lstRecovered'))
    const object = JSON.parse(encode(recovered, { form: 'json', sendRecovered: true, cursor: false }))
    assert.deepEqual(object.lstRecovered, { faultOid: ['1.2', '1.3'] })
    assert.deepEqual(object.recoverFaultIdList, ['3', '4'])
  })

  test('as a server-sent event: its position, then JSON on one line', () => {
    const text = encode(raised, plain('sse'))
    assert.match(text, /^id: 5:9\ndata: \{"id":"12",.*\}\n\n$/)
    assert.match(encode({ ...raised, position: undefined }, plain('sse')), /^data: \{/)
  })
})

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\n',
      '\r',
      '\t',
      '\u0085',
      '\u2028',
      '<',
      '>',
      '&',
      '"',
      "'",
      ']]>',
      '&#10;',
      '\u0000',
      '\ud800',
      '\ufffe',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
})

test('whatever a trap says, a document has no empty line inside and reads back the same in both forms', () => {
  const json = jsonWriter(pushedAlarm)
  fc.assert(
    fc.property(anyText, anyText, (alarmDesc, paras) => {
      const record = { ...alarm, alarmDesc, paras }
      const pushed = { ...raised, xml: alarmXml(record) }
      for (const form of ['xml', 'json', 'sse'] as const) {
        const text = encode(pushed, plain(form))
        assert(text.endsWith('\n\n'))
        assert(!/[\r\n]{2}/.test(text.slice(0, -2)) && !/\r/.test(text))
      }
      const { nAction, ...flat } = JSON.parse(encode(pushed, plain('json')))
      assert.equal(nAction, 'Push')
      assert.equal(flat.paras, asXmlCarries(paras))
      // Elements that repeat are absent from flat XML where there are none.
      const written = JSON.parse(
        JSON.stringify(json({ ...record, alarmDesc: asXmlCarries(alarmDesc), paras: asXmlCarries(paras) })),
      )
      for (const [name, value] of Object.entries(flat)) assert.deepEqual(value, written[name], name)
    }),
    { numRuns: 300 },
  )
})

/** Characters that XML 1.0 cannot carry are replaced. */
const asXmlCarries = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')

suite('a gap', () => {
  const gap = { from: '5:9', to: '6:20', reason: 'a <reason> & more' }
  test('is a document of its own', () => {
    assert.equal(
      encodeGap(gap, plain('xml')),
      `${declaration}<gap><from>5:9</from><to>6:20</to><reason>a &lt;reason&gt; &amp; more</reason></gap>\n\n`,
    )
    assert.equal(encodeGap(gap, plain('json')), `${JSON.stringify({ gap })}\n\n`)
    assert.equal(encodeGap(gap, plain('sse')), `event: gap\nid: 6:20\ndata: ${JSON.stringify(gap)}\n\n`)
    assert(parseXml(Buffer.from(encodeGap(gap, plain('xml')).trim())))
  })
})

test('a bookmark is for clients that get positions', () => {
  assert.equal(encodeBookmark('5:9', plain('xml')), undefined)
  assert.equal(encodeBookmark('5:9', plain('json')), undefined)
  assert.equal(
    encodeBookmark('5:9', { form: 'xml', sendRecovered: false, cursor: true }),
    `${declaration}<bookmark><cursor>5:9</cursor></bookmark>\n\n`,
  )
  assert.equal(
    encodeBookmark('5:9', { form: 'json', sendRecovered: false, cursor: true }),
    '{"bookmark":{"cursor":"5:9"}}\n\n',
  )
  assert.equal(encodeBookmark('5:9', plain('sse')), ':\nid: 5:9\n\n')
})

test('a heartbeat is harmless to each reader', () => {
  assert.equal(heartbeat('xml', false), '\n')
  assert.equal(heartbeat('json', false), '\n')
  assert.equal(heartbeat('xml', true), '#HEART_BEAT\n\n')
  assert.equal(heartbeat('json', true), '#HEART_BEAT\n\n')
  assert.equal(heartbeat('sse', false), ':\n\n')
  assert.equal(heartbeat('sse', true), ':\n\n', 'a browser knows no other')
})
