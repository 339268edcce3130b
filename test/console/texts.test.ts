// Texts of the console that nothing shows are removed, and German has what English has. The compiler checks most of it, but no
// tables whose names are values.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../console/', import.meta.url))
const files = globSync('texts/*.ts', { cwd: folder })
const code = globSync('**/*.{ts,tsx}', { cwd: folder })
  .filter((file) => !file.startsWith('texts/'))
  .map((file) => readFileSync(`${folder}${file}`, 'utf8'))
  .join('\n')
const words = new Set(code.match(/[\w$]+/g))
/** Tables from which the code takes a text by what the service says, such as the outcome of a trap. */
const tables = new Set(
  [...code.matchAll(/(\w+)\)?\[/g), ...code.matchAll(/Object\.\w+\((?:\w+\.)*(\w+)\)/g)].map(
    ([, name]) => name,
  ),
)
/** Tables that are handed on whole, as the choices of a field. */
const handedOn = new Set(
  [...code.matchAll(/(?:choices|values|labels)[:=]\s*\{?(?:\w+\.)*(\w+)/g)].map(([, name]) => name),
)

function unusedIn(table: object, name: string, path: string): string[] {
  const isByValue = Object.keys(table).some((key) => !/^[a-z]\w*$/i.test(key))
  const isOpen = isByValue || tables.has(name) || handedOn.has(name)
  return Object.entries(table).flatMap(([key, value]) => {
    const isUsed = isOpen || words.has(key)
    const below = typeof value === 'object' && value !== null ? unusedIn(value, key, `${path}.${key}`) : []
    return isUsed ? below : [`${path}.${key}`, ...below]
  })
}

test('every text is shown somewhere', async () => {
  const unused: string[] = []
  let count = 0
  for (const file of files) {
    const exported: Readonly<Record<string, unknown>> = await import(`${folder}${file}`)
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value !== 'object' || value === null) continue
      count += 1
      unused.push(...unusedIn(value, name, `${file}: ${name}`))
    }
  }
  assert(count > 10, 'texts were found')
  assert.deepEqual(unused, [])
})

const german = globSync('texts/de/*.ts', { cwd: folder })

/** Every name in a table, and what it has: a text, a function, a list of so many. */
const shapeOf = (value: unknown, path: string): string[] => {
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`]
  return Object.entries(value).flatMap(([key, one]) => shapeOf(one, `${path}.${key}`))
}

test('German has each text of English, and no other', async () => {
  const inGerman = new Set(german.map((file) => file.replace('/de/', '/')))
  // Types alone: there is nothing to translate.
  const wanted = files.filter((file) => !/\/(shape|complete)\.ts$/.test(file))
  assert.deepEqual([...inGerman].sort(), wanted.sort(), 'each file has its counterpart in texts/de')
  for (const file of wanted) {
    const one = shapeOf(await import(`${folder}${file}`), file)
    const other = shapeOf(await import(`${folder}${file.replace('texts/', 'texts/de/')}`), file)
    assert.deepEqual(other.sort(), one.sort())
  }
})
