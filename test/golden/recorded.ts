// Recorded outputs: text files of blocks, each with what was asked as its title, and the answer in each form. `npm run
// golden` writes them anew; tests compare, and name the first difference.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

const folder = fileURLToPath(new URL('./recorded/', import.meta.url))

/** Whether the files are written instead of compared. */
export const isRecording = process.env.GOLDEN === 'write'

/** Form (`xml`, `json`, …) → answer. */
export type Forms = Map<string, string>
/** Title → forms. */
export type Blocks = Map<string, Forms>

const titleMark = '== '
const formMark = '-- '

function readBlocks(name: string): Blocks {
  const blocks: Blocks = new Map()
  const file = `${folder}${name}.txt`
  assert.ok(existsSync(file), `test/golden/recorded/${name}.txt is missing: run npm run golden`)
  let forms: Forms = new Map()
  let lines: string[] = []
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith(titleMark)) {
      forms = new Map()
      blocks.set(line.slice(titleMark.length), forms)
    } else if (line.startsWith(formMark)) {
      lines = []
      // Filled below: the text of a form goes on until the next mark.
      forms.set(line.slice(formMark.length), '')
    } else lines.push(line)
    const last = [...forms.keys()].at(-1)
    if (last !== undefined) forms.set(last, lines.join('\n'))
  }
  for (const block of blocks.values())
    for (const [form, text] of block) block.set(form, text.replace(/\n+$/, ''))
  return blocks
}

function writeBlocks(name: string, blocks: Blocks): void {
  mkdirSync(folder, { recursive: true })
  const text = [...blocks].map(([title, forms]) =>
    [`${titleMark}${title}`, ...[...forms].map(([form, answer]) => `${formMark}${form}\n${answer}`), ''].join(
      '\n',
    ),
  )
  writeFileSync(`${folder}${name}.txt`, text.join('\n'))
}

/** On this store the answer is another one. */
const only = (form: string, store: string) => `${form} (${store})`

/** A form that is not recorded is the same as this one. */
const fallback: Readonly<Record<string, string>> = {
  json: 'xml',
  'xml below /imcrs': 'xml',
  'json below /imcrs': 'json',
}

/** What a form must be on a store, by what is recorded. */
function expectedIn(recorded: Forms, form: string, store: string): string {
  for (let at: string | undefined = form; at !== undefined; at = fallback[at]) {
    const found = recorded.get(only(at, store)) ?? recorded.get(at)
    if (found !== undefined) return found
  }
  return ''
}

/** What all stores answer, and each form only where it is not what it would be taken for without. */
function merged(found: ReadonlyMap<string, Blocks>): Blocks {
  const all: Blocks = new Map()
  for (const [store, blocks] of found) {
    for (const [title, forms] of blocks) {
      const isFirst = !all.has(title)
      const recorded = all.get(title) ?? new Map<string, string>()
      all.set(title, recorded)
      for (const [form, text] of forms)
        if (expectedIn(recorded, form, store) !== text || recorded.size === 0)
          recorded.set(isFirst ? form : only(form, store), text)
    }
  }
  return all
}

/** Compares what was found on a store with the file; throws the first difference. */
function compare(name: string, store: string, found: Blocks): void {
  const recorded = readBlocks(name)
  assert.deepEqual(
    [...found.keys()],
    [...recorded.keys()],
    `test/golden/recorded/${name}.txt has other titles: run npm run golden, and look at the difference`,
  )
  for (const [title, forms] of found) {
    for (const [form, text] of forms) {
      const wanted = expectedIn(recorded.get(title) ?? new Map(), form, store)
      if (text === wanted) continue
      assert.fail(difference(`${name}.txt: ${title} (${form}, ${store})`, wanted, text))
    }
  }
}

function difference(where: string, wanted: string, text: string): string {
  const [before, after] = [wanted.split('\n'), text.split('\n')]
  const line = before.findIndex((one, index) => one !== after[index])
  const at = line < 0 ? before.length : line
  return [
    `${where}, line ${at + 1}:`,
    `  recorded: ${before[at] ?? '(nothing)'}`,
    `  now:      ${after[at] ?? '(nothing)'}`,
    'If it is meant to change: npm run golden, and say so in the commit.',
  ].join('\n')
}

const gathered = new Map<string, Map<string, Blocks>>()

/** Records what was found on a store, or compares it with what is recorded. */
export function hold(name: string, store: string, found: Blocks): void {
  for (const forms of found.values())
    for (const [form, text] of forms) forms.set(form, text.replace(/\n+$/, ''))
  if (!isRecording) {
    compare(name, store, found)
    return
  }
  const stores = gathered.get(name) ?? new Map<string, Blocks>()
  gathered.set(name, stores.set(store, found))
  writeBlocks(name, merged(stores))
}

/** All titles of a file. */
export const titlesOf = (name: string): string[] => [...readBlocks(name).keys()]
export const blocksOf = readBlocks

/** Long texts by name, in one compressed file: records them, or compares them; all of a text is the same on every store. */
export function holdLong(name: string, store: string, found: Readonly<Record<string, string>>): void {
  const file = `${folder}${name}.br`
  if (isRecording && !existsSync(file)) {
    const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 9 }
    writeFileSync(file, brotliCompressSync(JSON.stringify(found), { params }))
    return
  }
  const recorded: Record<string, string> = JSON.parse(brotliDecompressSync(readFileSync(file)).toString())
  assert.deepEqual(Object.keys(found), Object.keys(recorded))
  for (const [part, text] of Object.entries(found)) {
    if (text !== recorded[part])
      assert.fail(difference(`${name}.br: ${part} (${store})`, recorded[part] ?? '', text))
  }
}
