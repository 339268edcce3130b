// Files of records, read row by row: any cut into chunks gives the same rows, each with the line it begins on.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Fault } from '../../src/fault.ts'
import { trapRule } from '../../src/resources/alarms/trap-rule.ts'
import { catalog } from '../../src/resources/catalog.ts'
import { zone } from '../../src/resources/inventory/zone.ts'
import { CsvForm } from '../../src/schema/csv.ts'
import { jsonWriter } from '../../src/schema/json.ts'
import { complete, type Element, readDraft } from '../../src/schema/read-document.ts'
import type { AnyRecord, Resource } from '../../src/schema/resource.ts'
import { type FileForm, type FileRow, readRows, utf8Text } from '../../src/schema/rows.ts'
import { declaration, xmlWriter } from '../../src/schema/xml.ts'
import { recordOf } from './records.ts'

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    yield bytes.subarray(from, to)
    from = to
  }
}

const rowLimit = 1_000_000

async function rowsOf(
  form: FileForm,
  file: string | Buffer,
  cuts: readonly number[] = [],
  resource: Resource = zone,
) {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file
  const rows: FileRow[] = []
  for await (const { line, element } of readRows(utf8Text(chunksOf(bytes, cuts)), {
    form,
    resource,
    rowLimit,
  })) {
    rows.push({ line, element: plain(element) })
  }
  return rows
}

const plain = ({ name, text, items }: Element): Element => ({ name, text, items: items.map(plain) })

function fileOf(form: FileForm, resource: Resource, records: readonly AnyRecord[]): string {
  if (form === 'csv') {
    const csv = new CsvForm(resource.fields)
    for (const record of records) csv.measure(record)
    return csv.header() + records.map((record) => csv.row(record)).join('')
  }
  if (form === 'xml')
    return `${declaration}\n<list>\n${records.map(xmlWriter(resource)).join('\n')}\n</list>\n`
  const rows = records.map((record) => JSON.stringify(jsonWriter(resource)(record)))
  return `{"${resource.name}":[\n${rows.join(',\n')}\n]}\n`
}

const forms: readonly FileForm[] = ['xml', 'json', 'csv']

for (const form of forms) {
  for (const { resource } of catalog) {
    test(`a file of ${resource.name} written as ${form} reads back as it was, however it is cut`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(recordOf(resource), { maxLength: 4 }),
          fc.array(fc.nat(2000), { maxLength: 8 }),
          async (records, cuts) => {
            const file = Buffer.from(fileOf(form, resource, records))
            const ordered = cuts.filter((cut) => cut < file.length).sort((a, b) => a - b)
            const rows = await rowsOf(form, file, ordered, resource)
            const read = rows.map(({ element }) =>
              complete(resource.fields, readDraft(resource, element, 'import')),
            )
            assert.deepEqual(
              read,
              records.map((record) => complete(resource.fields, record)),
            )
          },
        ),
        { numRuns: 60 },
      )
    })
  }
}

const samples: Record<FileForm, readonly string[]> = {
  xml: [
    `\ufeff${declaration}\r\n<list>\n  <zone><name>ä 😀</name></zone>\n<!-- x -->\n<zone><name>b&#10;c</name>\n</zone></list>\n`,
  ],
  json: [
    '\ufeff{"zone": [\n {"name":"ä \\"]} 😀"},\n\n {"name":"b",\n "description":"{["} ]\n}\n',
    '[{"name":"a"},\r\n{"name":"\\\\"}]',
  ],
  csv: [
    '\ufeffname,description\r\n"ä 😀","x ""y"""\r\n\r\nb,"two\r\nlines"\r\nc,d\r\n',
    'name;description\n"a;b";c\nd;e',
    'name\tdescription\na\tb\n',
    'name\na\n',
  ],
}

test('a file cut in two at any byte, or into single bytes, gives the same rows', async () => {
  for (const form of forms) {
    for (const sample of samples[form]) {
      const bytes = Buffer.from(sample)
      const whole = await rowsOf(form, bytes)
      assert(whole.length > 0)
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        assert.deepEqual(await rowsOf(form, bytes, [cut]), whole, `${form} cut at ${cut}`)
      }
      const every = Array.from(bytes, (_, index) => index)
      assert.deepEqual(await rowsOf(form, bytes, every), whole, `${form} byte by byte`)
    }
  }
})

test('a row is known by the line it begins on', async () => {
  const linesOf = async (form: FileForm, file: string) => (await rowsOf(form, file)).map(({ line }) => line)
  assert.deepEqual(await linesOf('xml', samples.xml[0] ?? ''), [3, 5])
  assert.deepEqual(await linesOf('json', samples.json[0] ?? ''), [2, 4])
  assert.deepEqual(await linesOf('csv', samples.csv[0] ?? ''), [2, 4, 6])
  assert.deepEqual(await linesOf('csv', samples.csv[1] ?? ''), [2, 3])
  assert.deepEqual(await linesOf('csv', 'name\r\n"a\r\nb\r\nc"\r\nd\r\n'), [2, 5])
})

test('line ends of different systems may be mixed in one CSV file', async () => {
  const rows = await rowsOf('csv', 'name,description\r\na,b\nc,d\r\n')
  assert.deepEqual(
    rows.map(({ element }) => element.items.map(({ text }) => text)),
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  )
})

async function refusal(form: FileForm, file: string | Buffer, cuts: readonly number[] = []): Promise<Fault> {
  try {
    const rows = await rowsOf(form, file, cuts)
    for (const { element } of rows) readDraft(zone, element, 'import')
  } catch (error) {
    assert(error instanceof Fault, String(error))
    return error
  }
  assert.fail(`${JSON.stringify(String(file))} is accepted`)
}

const broken: [form: FileForm, file: string | Buffer, reason: RegExp][] = [
  ['xml', '<list><zone></list>', /^malformed XML: line 1, /],
  ['xml', '<list>\n<zone><name>a</name></zone>', /^malformed XML: line 2, /],
  ['xml', '', /^malformed XML/],
  ['xml', '<list>\n\n<zone id="1"/></list>', /^line 3: .*attribute "id"/],
  ['xml', '<list>\nlost\n<zone><name>a</name></zone></list>', /^line \d: text "lost" between elements/],
  ['json', '{"zone":[{"name":"a"}', /^line 1: found the end of the file/],
  ['json', '{"zone":[{"name":"a"}]', /^line 1: found the end of the file/],
  ['json', '{"zone":[{"name":"a"}]}}', /^line 1: found "}"/],
  ['json', '[{"name":"a"}]}', /^line 1: found "}"/],
  ['json', '[\n{"name":"a"}\n{"name":"b"}]', /^line 3: found "{"/],
  ['json', '[,{"name":"a"}]', /^line 1: found ","/],
  ['json', '[{"name":"a"},]', /^line 1: found "]"/],
  ['json', '[{"name":"a"},\n{"name":b}]', /^line 2: malformed JSON/],
  ['json', '{"device":[]}', /^line 1: found "{"device":\["/],
  ['json', '[1]', /^line 1: found "1"/],
  ['json', '[{"name":"a"}]x', /^line 1: found "x"/],
  ['json', '{"zone":[],"more":1}', /^line 1: found ","/],
  ['json', ' '.repeat(2000), /^line 1: found/],
  [
    'csv',
    'name,description\n"a\r\nb",c\nd',
    /^line 4: malformed CSV: Invalid Record Length: expect 2, got 1$/,
  ],
  ['csv', 'name\n"a', /^line 2: malformed CSV/],
  ['csv', 'name\na"b\n', /^line 2: malformed CSV: Invalid Opening Quote/],
  ['csv', `name\n${'a'.repeat(1000)}"b\n`, /^line 2: malformed CSV: .{1,200}$/],
  ['csv', 'na me\na', /^line 1: column "na me": expected a field name/],
  ['csv', 'name,colour\na,b', /^line 1: column "colour": unknown element "colour": expected zoneId, name, /],
  ['csv', 'name/a\nb', /^line 1: column "name\/a": unknown element "a": expected no field inside it$/],
  [
    'csv',
    `${'a/'.repeat(3000)}a\nx`,
    /^line 1: column "(?:a\/)+…" \(6001 characters\): unknown element "a": expected zoneId, /,
  ],
  ['csv', `name/${'name/'.repeat(80_000)}name\nx`, /^line 1: column .{60,100}: unknown element "name": /],
  ['csv', `${'x'.repeat(900_000)}\ny`, /^line 1: column .{60,100}: unknown element .{60,100}: expected /],
  ['csv', 'name,name\na,b', /^line 1: column "name" is given twice/],
  ['csv', '', /^line 1: .*expected a first line that names the fields/],
  ['csv', Buffer.from('name,description\r\na,b\r\nM\xfcller,x\r\n', 'latin1'), /^line 3: .*not valid UTF-8/],
]

test('a broken file is refused, with the line where it breaks', async (t) => {
  for (const [form, file, reason] of broken) {
    await t.test(`${form}: ${JSON.stringify(String(file).slice(0, 50))}`, async () => {
      assert.match((await refusal(form, file)).message, reason)
    })
  }
})

test('an empty list is a file with no rows', async () => {
  assert.deepEqual(await rowsOf('xml', '<list/>'), [])
  assert.deepEqual(await rowsOf('json', '{"zone":[]}'), [])
  assert.deepEqual(await rowsOf('json', ' [ ] '), [])
  assert.deepEqual(await rowsOf('csv', 'name,description\r\n'), [])
})

test('a reader that stops early closes the file', async () => {
  for (const form of forms) {
    let closed = false
    async function* endless() {
      try {
        const head = { xml: '<list>', json: '[{"name":"a"}', csv: 'name\na\n' }[form]
        const row = { xml: '<zone><name>a</name></zone>', json: ',{"name":"a"}', csv: 'a\n' }[form]
        yield Buffer.from(head)
        for (;;) yield Buffer.from(row.repeat(10_000))
      } finally {
        closed = true
      }
    }
    for await (const { element } of readRows(utf8Text(endless()), { form, resource: zone, rowLimit })) {
      assert.equal(element.name, 'zone')
      break
    }
    assert(closed, form)
  }
})

test('a row, in whatever form, is bounded in size and elements; a file of any size is not', async () => {
  const long = 'x'.repeat(rowLimit + 200_000)
  for (const [form, file] of [
    ['xml', `<list>\n<zone><name>${long}</name></zone></list>`],
    ['xml', `<list>\n<!--${long}--></list>`],
    ['json', `[\n{"name":"${long}"}]`],
    ['json', `[\n{"name":[${'"",'.repeat(rowLimit)}""]}]`],
    ['csv', `name\n${long}\n`],
    ['csv', `name\n"${long}"\n`],
    ['csv', `name${','.repeat(rowLimit + 1)}\n`],
  ] as const) {
    const cuts = Array.from({ length: file.length / 65_536 }, (_, index) => (index + 1) * 65_536)
    const fault = await refusal(form, file, cuts)
    assert.equal(fault.code, 'too-large', fault.message)
    assert.match(fault.message, /^line [12]: the row is larger than 1000000 characters/)
  }
  for (const [form, file] of [
    ['xml', `<list>\n<zone>${'<name/>'.repeat(20_000)}</zone></list>`],
    ['json', `[\n{"name":[${'"",'.repeat(20_000)}""]}]`],
    ['csv', `${Array.from({ length: 20_001 }, (_, index) => `name${index}`)}\n`],
  ] as const) {
    assert.match((await refusal(form, file)).message, /^line [12]: .*20000/)
  }
  assert.equal((await rowsOf('csv', `name\n${'abc\n'.repeat(100_000)}`)).length, 100_000)
})

test('a key that is given twice is refused by its name', async () => {
  const { message, field } = await refusal(
    'json',
    '[{"name":"a"},\n{"name":"a","description":"","name":"b"}]',
  )
  assert.equal(message, 'line 2: name: the key "name" is given twice')
  assert.equal(field, 'name')
})

test('a text that a spreadsheet would run is escaped in a file, and restored when it is read', async () => {
  for (const [name, cell] of [
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ["'=1", "''=1"],
    ["''@x", "'''@x"],
    ["'quoted'", "'quoted'"],
    ['a=1', 'a=1'],
    ['＝1', "'＝1"],
    ['=cmd|"x",;', `"'=cmd|""x"",;"`],
  ] as const) {
    const record = complete(zone.fields, { zoneId: 7n, name })
    const file = fileOf('csv', zone, [record])
    assert.equal(file, `zoneId,name,description\r\n7,${cell},\r\n`)
    const [row] = await rowsOf('csv', file)
    assert.equal(row?.element.items[1]?.text, name)
  }
})

test('a record that has more members than its CSV has columns is not cut: the file fails', () => {
  const { fields } = trapRule
  const member = { displayName: 'd', devID: 1 }
  const rule = (members: number) =>
    complete(fields, { trapDevice: Array(members).fill(complete(fields.trapDevice.fields, member)) })
  const csv = new CsvForm(fields)
  csv.measure(rule(2))
  const cells = csv.header().split(',').length
  assert.equal(csv.row(rule(1)).split(',').length, cells)
  assert.throws(() => csv.row(rule(3)), { code: 'conflict' })
})
