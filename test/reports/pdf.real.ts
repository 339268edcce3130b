// What a reader of PDF finds in a report: poppler's pdftotext.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { layOut } from '../../src/reports/forms/pdf-layout.ts'
import { temporaryFolder } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { hostile, hostileDocument } from './hostile.ts'

const needs = withoutTool('pdftotext', 'poppler-utils')

async function textOf(text: string): Promise<string> {
  const file = join(temporaryFolder(), 'report.pdf')
  const pieces: Uint8Array[] = []
  for await (const piece of layOut(hostileDocument(text))) pieces.push(piece)
  writeFileSync(file, Buffer.concat(pieces))
  return execFileSync('pdftotext', ['-enc', 'UTF-8', file, '-'], { encoding: 'utf8' })
}

const joined = (text: string) => text.replace(/[\s\u200e\u200f\u202a-\u202e]+/g, '')

test('hostile texts are texts in a PDF', needs, async () => {
  for (const text of hostile) {
    // Texts from right to left are put in another order; those too long, and signs of no font, are shown otherwise.
    if (/[\u0590-\u06ff]|\u{1f600}|x{100}/u.test(text)) continue
    const shown = text.replace('\u202e', '[U+202E]')
    const found = joined(await textOf(text))
    assert.ok(found.includes(joined(shown)), `${JSON.stringify(text)} in ${found.slice(0, 300)}`)
  }
})

test('names of many alphabets can be read again', needs, async () => {
  const found = joined(await textOf('Größe Ω Жя 中文交换机 日本語 한국어 हिन्दी'))
  for (const word of ['Größe', 'Ω', 'Жя', '中文交换机', '日本語', '한국어'])
    assert.ok(found.includes(word), word)
})

test('a sign that no font has is shown by its number', needs, async () => {
  assert.ok(joined(await textOf('a\u{10ffff}b')).includes('a[U+10FFFF]b'))
})
