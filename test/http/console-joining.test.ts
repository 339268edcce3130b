// The modules of the first view as one: it does what they do one by one, and others share it with them.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join as joinPath } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Assets, scriptName } from '../../src/http/console/assets.ts'
import { besideJoined, importsOf, join } from '../../src/http/console/joining.ts'

/** Written to a folder, as they would be served, so that Node can run them. */
function written(t: TestContext, files: Readonly<Record<string, string>>): (name: string) => Promise<object> {
  const folder = mkdtempSync(joinPath(tmpdir(), 'belfry-joining-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(joinPath(folder, name)), { recursive: true })
    writeFileSync(joinPath(folder, name), text)
  }
  return (name) => import(pathToFileURL(joinPath(folder, name)).href)
}

const modules = [
  { name: 'core/sum.js', text: 'export const one = 1\nexport function sum(a, b) {\n  return a + b\n}\n' },
  {
    name: 'part.js',
    text: [
      'import {',
      '  one,',
      '  sum as add,',
      "} from './core/sum.js'",
      "import letter from './lib/letter.js'",
      'export default async function part() {',
      '  return letter + add(one, 1)',
      '}',
      'export class Kept {}',
      "export const later = () => [import('./part.js'), import('./other.js')]",
    ].join('\n'),
  },
]
const beside = {
  name: 'pages/beside.js',
  text: "import { Kept } from '../part.js'\nimport letter from '../lib/letter.js'\nexport const found = [Kept, letter]\n",
}

test('joined modules export what each of them does, and a module beside them gets the same things', async (t) => {
  const inside = new Set(modules.map(({ name }) => name))
  const load = written(t, {
    'first.js': join(modules),
    'lib/letter.js': "export default 'n'",
    'other.js': 'export const isOther = true',
    [beside.name]: besideJoined(beside, inside, 'first.js'),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the modules exist only while the test runs
  const { $core_sum, $part } = (await load('first.js')) as any
  assert.deepEqual(Object.keys($core_sum), ['one', 'sum'])
  assert.equal(await $part.default(), 'n2')
  const [here, elsewhere] = $part.later()
  assert.equal(await here, $part)
  assert.equal((await elsewhere).isOther, true)
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const { found } = (await load(beside.name)) as any
  assert.deepEqual(found, [$part.Kept, 'n'])
})

test('a way to import or export that cannot be joined is an error that names the module and the line', () => {
  for (const line of ["export * from './a.js'", "import * as a from './a.js'", 'export let a = 1'])
    assert.throws(() => join([{ name: 'core/odd.ts', text: `const b = 1\n${line}\n` }]), {
      message: `core/odd.ts cannot be joined with others: ${line}`,
    })
})

test('every module of the console is the first view or takes what it shares with it from there', () => {
  const assets = new Assets()
  const first = new Set(assets.firstView())
  assert(first.has('main.ts') && first.has('lib/preact.js'))
  assert(
    !first.has('overview/page.ts') && !first.has('lib/uplot.js'),
    'others are loaded when they are opened',
  )
  const served = join(
    [...first].filter((name) => !name.startsWith('lib/')).map((name) => ({ name, text: assets.text(name) })),
  )
  assert.doesNotMatch(served, /^import (?!\* as \$lib_)/m)
  for (const name of assets.names.filter((one) => /\.[jt]s$/.test(one) && one !== scriptName)) {
    const own = { name, text: assets.text(name) }
    const text = besideJoined(own, first, scriptName)
    for (const path of importsOf({ name, text })) assert(!first.has(path), `${name} has its own ${path}`)
  }
})
