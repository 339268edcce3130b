// What a writer has written of a flat shape is read back as JSON shows it, whichever of its fields are lists.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { flatXmlReader } from '../../src/schema/flat-xml.ts'
import { jsonWriter } from '../../src/schema/json.ts'
import { assigned, assignedSet, empty, type Fields } from '../../src/schema/resource.ts'
import { long, text } from '../../src/schema/scalar.ts'
import { xmlWriter } from '../../src/schema/xml.ts'

const fields: Fields = {
  id: assigned(long),
  name: assigned(text(), empty),
  members: assignedSet(long),
  note: assigned(text()),
  labels: assignedSet(text()),
}
const shape = { name: 'thing', fields }
const [xml, json] = [xmlWriter(shape), jsonWriter(shape)]
const elements = (record: object) => xml({ ...record }).slice('<thing>'.length, -'</thing>'.length)
const word = fc.string({ unit: fc.constantFrom(...'ab <>&\r\n"/='), maxLength: 12 })

test('every record reads back as JSON shows it', () => {
  const [read, readWithLists] = [flatXmlReader(shape), flatXmlReader(shape, true)]
  const records = fc.record({
    id: fc.bigInt({ min: 0n, max: 2n ** 60n }),
    name: word,
    members: fc.array(fc.bigInt({ min: 0n, max: 9n }), { maxLength: 3 }),
    note: fc.option(word),
    labels: fc.array(word, { maxLength: 3 }),
  })
  fc.assert(
    fc.property(records, (record) => {
      const shown = JSON.parse(JSON.stringify(json({ ...record })))
      assert.deepEqual(readWithLists(elements(record)), shown)
      const { members, labels, ...scalars } = shown
      const lists = {
        ...(members.length > 0 && { members }),
        ...(labels.length > 0 && { labels }),
      }
      assert.deepEqual(read(elements(record)), { ...scalars, ...lists })
    }),
  )
})
