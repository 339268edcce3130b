// A report in its forms: what is text stays text, numbers stay numbers, and nothing comes from elsewhere.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { drawChart } from '../../src/reports/forms/chart.ts'
import { jsonOf, sheetOf } from '../../src/reports/forms/data-sheet.ts'
import { pageOf, pagePolicy } from '../../src/reports/forms/html-page.ts'
import { layOut } from '../../src/reports/forms/pdf-layout.ts'
import { unpacked } from '../../src/reports/forms/pdf-page.ts'
import { cellLimit, column, durationText, section, ValueTexts } from '../../src/reports/report-document.ts'
import { hostile, hostileDocument } from './hostile.ts'

const page = (text: string) => [...pageOf(hostileDocument(text))].join('')
/** The tags of a page, by their names and what they carry. */
const tagsOf = (html: string) =>
  [...html.matchAll(/<(\/?[a-z!][a-z0-9]*)((?:[^"'>]|"[^"]*"|'[^']*')*)>/gi)].map(([, name, rest]) => ({
    name: name?.toLowerCase(),
    names: [...(rest ?? '').replace(/"[^"]*"|'[^']*'/g, '').matchAll(/([a-z:-]+)=/gi)].map(([, one]) => one),
  }))

test('whatever a text contains, a page has the same tags', () => {
  const plain = tagsOf(page('plain')).map(({ name, names }) => `${name} ${names}`)
  for (const text of hostile) {
    assert.deepEqual(
      tagsOf(page(text)).map(({ name, names }) => `${name} ${names}`),
      plain,
      JSON.stringify(text.slice(0, 40)),
    )
  }
})

test('a page loads nothing, runs nothing and links to nothing; its policy allows its own style alone', () => {
  const html = page('plain')
  assert.doesNotMatch(html, /<script|<link|<img|<iframe|<a |@import|url\(|src=|href=|style="/i)
  assert.match(pagePolicy, /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}';/)
})

test('characters that reverse the direction of text are made visible, and have no effect', () => {
  assert.ok(page('\u202egnp.exe').includes('[U+202E]gnp.exe'))
  assert.ok(!page('\u202egnp.exe').includes('\u202e'))
})

test('no cell of a sheet is a formula, and none is lost', () => {
  for (const text of hostile) {
    const sheet = [...sheetOf(hostileDocument(text))].join('')
    const rows: string[][] = parse(sheet, { relax_column_count: true, skip_empty_lines: true })
    const cells = rows.flat()
    for (const cell of cells) {
      assert.doesNotMatch(cell, /^[=+@\t\r＝＋－＠]/, JSON.stringify(cell))
      if (cell.startsWith('-')) assert.match(cell, /^-\d+$/)
    }
    assert.equal(cells.filter((cell) => cell === text || cell === `'${text}`).length, 8, text.slice(0, 40))
    assert.ok(cells.includes('-3'), 'a negative number stays one')
  }
})

test('JSON carries texts as they are', () => {
  for (const text of hostile) {
    const parsed = JSON.parse(jsonOf(hostileDocument(text)))
    assert.equal(parsed.title, text)
    assert.deepEqual(parsed.section[0].row[1], { key: `${text}!`, n: -3, m: 4 })
  }
})

test('a PDF is made of any text', async () => {
  for (const text of hostile) {
    const pieces: Uint8Array[] = []
    for await (const piece of layOut(hostileDocument(text))) pieces.push(piece)
    const bytes = Buffer.concat(pieces).toString('latin1')
    assert.ok(bytes.startsWith('%PDF-') && bytes.trimEnd().endsWith('%%EOF'))
    assert.doesNotMatch(bytes, /\/(JavaScript|JS|Launch|URI|OpenAction|EmbeddedFile)\b/)
  }
})

test('durations, shares and numbers are formatted for people', () => {
  assert.deepEqual([0, 12, 999, 1000, 61_000, 3_600_000, 90_061_000].map(durationText), [
    '0 s',
    '12 ms',
    '999 ms',
    '1 s',
    '1 min 1 s',
    '1 h 0 min',
    '1 d 1 h',
  ])
  const texts = new ValueTexts('UTC')
  assert.equal(texts.of('share', 1), '100 %')
  assert.equal(texts.of('share', 0), '0 %')
  assert.equal(texts.of('share', 0.200787), '20.1 %')
  assert.equal(texts.of('share', 0.99123), '99.12 %')
  assert.equal(texts.of('share', 0.9994567), '99.945 %')
  assert.equal(texts.of('share', 0.00123), '0.12 %')
  assert.equal(texts.of('share', 0.99999999), '99.9999 %', 'what failed for a moment was not there for 100 %')
  assert.equal(texts.of('number', -1_234_567), '-1\u00a0234\u00a0567')
  assert.equal(texts.of('number', null), '–')
})

test('a chart without values is empty', () => {
  const section = {
    title: '',
    columns: [],
    rows: [],
    chart: { kind: 'bars', label: 'a', series: ['b'] },
  } as const
  assert.equal(drawChart(section, new ValueTexts('UTC')), undefined)
})

test('a WOFF file that is cut short is refused', () => {
  assert.throws(() => unpacked(Buffer.alloc(20)))
})

test('a table has cells, and as a whole a length, that memory can hold', () => {
  const columns = [column('text', 'Text'), column('number', 'Number', 'number')]
  const { rows, more } = section(
    'Long',
    columns,
    Array.from({ length: 5000 }, (_, index) => ['😀'.repeat(40_000), index]),
  )
  const [[text, number] = []] = rows
  assert.match(String(text), /^(😀)+…$/u)
  assert.ok(String(text).length <= cellLimit)
  assert.equal(number, 0)
  assert.equal(rows.length + (more ?? 0), 5000)
  assert.ok(rows.length < 5000)
  const usual = section('Usual', columns, [['a text', 1]])
  assert.deepEqual([usual.rows, usual.more], [[['a text', 1]], undefined])
})
