// Documents made to hurt a reader. Each is refused with its reason, in linear time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../../src/fault.ts'
import { parseJson, parseJsonInSteps } from '../../src/schema/json.ts'
import { parseXml } from '../../src/schema/xml.ts'
import { requireCheap } from '../processor-time.ts'

/** In terms of the yardstick of processor-time.ts. */
const costLimit = 10
const bytes = (text: string) => Buffer.from(text, 'utf8')
const doctype = /DOCTYPE/
const malformed = /^malformed XML: line \d+, column \d+: /

const laughs = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')

const attacks: Record<string, [document: Uint8Array, reason: RegExp]> = {
  'billion laughs': [bytes(`<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><a>&l10;</a>`), doctype],
  'quadratic entity': [
    bytes(`<!DOCTYPE a [<!ENTITY e "${'x'.repeat(100_000)}">]><a>${'&e;'.repeat(100_000)}</a>`),
    doctype,
  ],
  'external entity': [bytes('<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>'), doctype],
  'parameter entity': [bytes('<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1/x"> %p;]><a/>'), doctype],
  'external document type': [bytes('<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><a/>'), doctype],
  'a million levels': [bytes('<a>'.repeat(1_000_000)), /nested deeper than 32/],
  '100,000 levels, closed': [bytes('<a>'.repeat(100_000) + '</a>'.repeat(100_000)), /nested deeper than 32/],
  '33 levels': [bytes('<a>'.repeat(33) + '</a>'.repeat(33)), /nested deeper than 32/],
  '100,000 attributes': [
    bytes(`<a ${Array.from({ length: 100_000 }, (_, n) => `x${n}="1"`).join(' ')}/>`),
    /more than 32 attributes/,
  ],
  '100,000 namespace declarations': [
    bytes(`<a ${Array.from({ length: 100_000 }, (_, n) => `xmlns:x${n}="u:${n}"`).join(' ')}/>`),
    /more than 32 attributes/,
  ],
  '20,001 elements': [bytes(`<a>${'<b/>'.repeat(20_000)}</a>`), /more than 20000 elements/],
  'duplicate attribute': [bytes('<a xml:x="1" xml:x="2"/>'), malformed],
  'duplicate attribute by namespace': [bytes('<a xmlns:p="u" xmlns:q="u" p:x="1" q:x="2"/>'), malformed],
  NUL: [bytes('<a>\u0000</a>'), malformed],
  'reference to NUL': [bytes('<a>&#0;</a>'), malformed],
  'control character': [bytes('<a>\u0001</a>'), malformed],
  'reference to a control character': [bytes('<a>&#1;</a>'), malformed],
  'reference to half a surrogate pair': [bytes('<a>&#xD800;</a>'), malformed],
  'reference beyond Unicode': [bytes('<a>&#x110000;</a>'), malformed],
  'non-character': [bytes('<a>\uffff</a>'), malformed],
  'two roots': [bytes('<a/><b/>'), malformed],
  'text after the root': [bytes('<a/>x'), malformed],
  'text before the root': [bytes('x<a/>'), malformed],
  ']]> in text': [bytes('<a>]]></a>'), malformed],
  'undefined entity': [bytes('<a>&nbsp;</a>'), malformed],
  'bare ampersand': [bytes('<a>R&D</a>'), malformed],
  'wrong closing tag': [bytes('<a><b></a></b>'), malformed],
  'no end': [bytes('<a><b>'), malformed],
  'nothing at all': [bytes(''), /^malformed XML/],
  'only a comment': [bytes('<!-- a -->'), /^malformed XML/],
  'declaration in the middle': [bytes('<a/><?xml version="1.0"?>'), malformed],
  'XML 1.1': [bytes('<?xml version="1.1"?><a>&#1;</a>'), /XML version "1.1" is not accepted/],
  'unbound prefix': [bytes('<p:a/>'), malformed],
  'element in a namespace': [bytes('<a xmlns="urn:x"/>'), /"a" is in a namespace/],
  'element in a prefixed namespace': [bytes('<p:a xmlns:p="urn:x"/>'), /"p:a" is in a namespace/],
  'data in an attribute': [bytes('<a name="lost"/>'), /the attribute "name" is not accepted/],
  'invalid UTF-8': [Buffer.from('<a>\xe9</a>', 'latin1'), /not valid UTF-8/],
  'overlong UTF-8': [Buffer.from('<a>\xc0\xbc</a>', 'latin1'), /not valid UTF-8/],
  'surrogates in UTF-8': [Buffer.from('<a>\xed\xa0\x80</a>', 'latin1'), /not valid UTF-8/],
  'UTF-8 cut off': [Buffer.from('<a>ok</a>\xe2\x82', 'latin1'), /not valid UTF-8/],
  'UTF-16 with a byte order mark': [Buffer.from('\ufeff<a/>', 'utf16le'), /not valid UTF-8/],
  'UTF-16 without one': [Buffer.from('<a/>', 'utf16le'), malformed],
  'another encoding declared': [
    bytes('<?xml version="1.0" encoding="ISO-8859-1"?><a/>'),
    /the encoding "ISO-8859-1" is not accepted/,
  ],
  'UTF-16 declared': [bytes('<?xml version="1.0" encoding="UTF-16"?><a/>'), /the encoding "UTF-16"/],
}

/** The outcome of work that must be cheap. */
const timed = (work: () => unknown, limit = costLimit): unknown => requireCheap(() => outcomeOf(work), limit)

function outcomeOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test('hostile XML is refused with its reason and in bounded time', async (t) => {
  for (const [name, [document, reason]] of Object.entries(attacks)) {
    await t.test(name, () => {
      const fault = timed(() => parseXml(document))
      assert(fault instanceof Fault, `accepted, or failed otherwise: ${fault}`)
      assert.equal(fault.code, 'invalid')
      assert.match(fault.message, reason)
    })
  }
})

test('large but honest XML is read in bounded time', () => {
  const text = 'x'.repeat(2 ** 20)
  assert.deepEqual(
    timed(() => parseXml(bytes(`<a>${text}</a>`)), 50),
    { name: 'a', text, items: [] },
  )
  const references = '&amp;'.repeat(2 ** 17)
  assert.deepEqual(
    timed(() => parseXml(bytes(`<a>${references}</a>`)), 50),
    {
      name: 'a',
      text: '&'.repeat(2 ** 17),
      items: [],
    },
  )
})

test('elements named like parts of JavaScript objects are plain elements', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
  const root = parseXml(bytes(`<a>${names.map((name) => `<${name}>x</${name}>`).join('')}</a>`))
  assert.deepEqual(
    root.items,
    names.map((name) => ({ name, text: 'x', items: [] })),
  )
  const object = parseJson(bytes('{"__proto__":"x","constructor":"y"}'), 'a')
  assert.deepEqual(
    object.items.map(({ name }) => name),
    ['__proto__', 'constructor'],
  )
  assert.equal(({} as Record<string, unknown>).x, undefined)
})

const hostileJson: Record<string, [document: string, reason: RegExp]> = {
  '500,000 levels of arrays': ['['.repeat(500_000), /^JSON nested deeper than 64/],
  '100,000 levels of objects': [`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, /nested/],
  'half a million arrays, none of them deep': [
    `{"a":[${`${'['.repeat(60)}${']'.repeat(60)},`.repeat(8600)}1]}`,
    /^more than 20000 arrays/,
  ],
  '20,001 arrays': [
    `{${Array.from({ length: 20_001 }, (_, n) => `"a${n}":[]`).join(',')}}`,
    /^more than 20000 arrays/,
  ],
  '20,001 values': [`{"a":[${'1,'.repeat(19_999)}1]}`, /^more than 20000 values/],
  'an array': ['[]', /expected a JSON object/],
  'a number': ['1', /expected a JSON object/],
  'arrays in arrays': ['{"a":[["x"]]}', /an array holds objects or strings/],
  'two documents': ['{}{}', /^malformed JSON/],
  'cut off': ['{"a":"b', /^malformed JSON/],
  'a comment': ['{} // x', /^malformed JSON/],
  NaN: ['{"a":NaN}', /^malformed JSON/],
}

test('hostile JSON is refused with its reason and in bounded time', async (t) => {
  for (const [name, [document, reason]] of Object.entries(hostileJson)) {
    await t.test(name, () => {
      const fault = timed(() => parseJson(bytes(document), 'zone'))
      assert(fault instanceof Fault, `accepted, or failed otherwise: ${fault}`)
      assert.equal(fault.code, 'invalid')
      assert.match(fault.message, reason)
    })
  }
})

test('an array is no element: what fits in XML fits in JSON, with an empty array in each member', () => {
  const members = Array.from({ length: 9_999 }, () => ({ name: 'x', inner: [] }))
  assert.equal(parseJson(bytes(JSON.stringify({ member: members })), 'a').items.length, 9_999)
})

test('JSON is read in steps of few values', async () => {
  const key = '\\n'.repeat(10)
  const members = 19_999
  const document = bytes(`{${Array.from({ length: members }, (_, n) => `"${n}${key}":["\\n"]`).join(',')}}`)
  let steps = 0
  const read = await parseJsonInSteps(document, 'a', () => {
    steps += 1
    return undefined
  })
  assert.deepEqual(read, parseJson(document, 'a'))
  // Each member is an array with one value.
  assert.ok(steps >= Math.floor((2 * members) / 500), `${steps} steps`)
})
