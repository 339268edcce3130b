// What is written can be read again, by us and by others.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { trapRule } from '../../src/resources/alarms/trap-rule.ts'
import { catalog } from '../../src/resources/catalog.ts'
import { jsonWriter, parseJson } from '../../src/schema/json.ts'
import { complete, type Element, readDraft } from '../../src/schema/read-document.ts'
import type { AnyRecord, Resource } from '../../src/schema/resource.ts'
import { rowMapping } from '../../src/schema/row.ts'
import { declaration, escapeXml, parseXml, xmlWriter } from '../../src/schema/xml.ts'
import { requireValid } from '../published-schema.ts'
import { libxmlTree } from './oracle.ts'
import { recordOf } from './records.ts'

function requireSame(resource: Resource, root: Element, record: AnyRecord): void {
  const draft = readDraft(resource, root, 'import')
  assert.deepEqual(complete(resource.fields, { ...draft }), complete(resource.fields, record))
}

for (const { resource, table } of catalog) {
  const records = recordOf(resource)

  test(`a ${resource.name} written as XML reads back as it was, for libxml2 too, and follows the schema`, () => {
    const write = xmlWriter(resource)
    fc.assert(
      fc.property(records, (record) => {
        const xml = declaration + write(record)
        const root = parseXml(Buffer.from(xml))
        requireSame(resource, root, record)
        assert.deepEqual(libxmlTree(Buffer.from(xml)), root)
        assert(!/[\r\n]|<!\[CDATA\[/.test(xml))
        requireValid(xml)
      }),
    )
  })

  test(`a ${resource.name} written as JSON reads back as it was`, () => {
    const write = jsonWriter(resource)
    fc.assert(
      fc.property(records, (record) => {
        const plain = write(record)
        requireStrings(plain)
        requireSame(resource, parseJson(Buffer.from(JSON.stringify(plain)), resource.name), record)
      }),
    )
  })

  test(`a ${resource.name} kept as a row is the same record again`, () => {
    const { columns, toRow, toRecord } = rowMapping(resource)
    fc.assert(
      fc.property(records, (record) => {
        const values = toRow(record)
        const row = columns.map(({ name }, index) => {
          const value = values[index] ?? null
          return [name, typeof value === 'number' ? BigInt(value) : value]
        })
        assert.deepEqual(toRecord(Object.fromEntries(row)), record)
      }),
    )
    // A table may keep more than the resource shows; never less.
    const kept = new Set(table.form.columns.map(({ name }) => name))
    assert.deepEqual(
      columns.filter(({ name }) => !kept.has(name)),
      [],
    )
  })
}

/** All scalars are strings, everything repeated an array. */
function requireStrings(value: unknown): void {
  if (typeof value === 'string') return
  assert(typeof value === 'object' && value !== null, `${value} is not a string`)
  for (const inner of Object.values(value)) requireStrings(inner)
}

test('characters that XML cannot carry become U+FFFD, everything else comes through', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((c) => String.fromCharCode(c)) }),
      (value) => {
        const xml = escapeXml(value)
        assert(!/[<\r\n]|]]>/.test(xml))
        const allowed = /[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u
        const expected = [...value].map((char) => (allowed.test(char) ? char : '\ufffd')).join('')
        const bytes = Buffer.from(`<a>${xml}</a>`)
        assert.equal(parseXml(bytes).text, expected)
        // The other reader takes U+FEFF at the beginning of a text for a byte order mark.
        const [theirs, ours] = [libxmlTree(bytes).text, expected].map((text) => text.replace(/^\ufeff/, ''))
        assert.equal(theirs, ours)
      },
    ),
    { numRuns: 500 },
  )
  assert.equal(escapeXml('a\u0000\u000b\ud800b\ufffe'), 'a\ufffd\ufffd\ufffdb\ufffd')
  assert.equal(escapeXml('a\r\n\tb'), 'a&#13;&#10;\tb')
})

test('an empty member of a group is left out', () => {
  const read = (interfaces: string) => {
    const device = '<trapDevice><displayName>x</displayName><devID>0</devID></trapDevice>'
    const root = parseXml(Buffer.from(`<trapRule>${device}${interfaces}</trapRule>`))
    return readDraft(trapRule, root, 'create').trapInterfaces
  }
  assert.deepEqual(read('<trapInterfaces/>'), [])
  assert.deepEqual(read('<trapInterfaces><ifDesc/></trapInterfaces>'), [])
  assert.equal(read('<trapInterfaces><ifDesc> </ifDesc></trapInterfaces>'), undefined)
  assert.equal(
    read('<trapInterfaces>\n<ifDesc> </ifDesc><deviceId>\t</deviceId></trapInterfaces>'),
    undefined,
  )
  assert.deepEqual(read('<trapInterfaces>\n  <ifDesc/>\n</trapInterfaces>'), [])
  assert.deepEqual(read('<trapInterfaces/><trapInterfaces><deviceId>7</deviceId></trapInterfaces>'), [
    { ifDesc: null, deviceId: 7 },
  ])
})
