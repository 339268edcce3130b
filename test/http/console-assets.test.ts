// The files of the console: read and stripped once, and made before somebody asks for them.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Assets, scriptName, styleName } from '../../src/http/console/assets.ts'
import { Console } from '../../src/http/console/console.ts'

/** Files that are gone as soon as the state of them has been taken and `work` has been done. */
function withFiles(files: Readonly<Record<string, string>>, work: (assets: Assets) => void): Assets {
  const folder = mkdtempSync(join(tmpdir(), 'belfry-console-'))
  try {
    const sources = Object.entries(files).map(([name, text]): [string, URL[]] => {
      const path = join(folder, name)
      writeFileSync(path, text)
      return [name, [pathToFileURL(path)]]
    })
    const assets = new Assets(new Map(sources), ['a'])
    work(assets)
    return assets
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a file is read and stripped once: the text that was looked through is the one that is sent', async () => {
  const assets = withFiles(
    { 'a.ts': "import { b } from './b.ts'\nconst c: number = b\n", 'b.ts': '' },
    (one) => assert.deepEqual([...one.firstView()], ['b.ts', 'a.ts']),
  )
  const sent = (await assets.find(scriptName))?.bodies.identity.toString()
  assert.match(sent ?? '', /const c\s+= b/)
})

test('imports are followed one module at a time, when the next is needed', () => {
  let found: Generator<string> | undefined
  withFiles(
    { 'a.ts': "import { b } from './b.ts'\nimport { c } from './c.ts'", 'b.ts': '', 'c.ts': '' },
    (assets) => {
      found = assets.firstView()
      assert.equal(found.next().value, 'b.ts')
    },
  )
  assert.throws(() => found?.next(), { code: 'ENOENT' })
})

test('the style is one file, with that of the charts', () => {
  const assets = new Assets()
  assert.deepEqual(
    assets.names.filter((name) => name.endsWith('.css')),
    [styleName],
  )
  for (const rule of ['.alarm-table', '.filters', '.uplot'])
    assert(assets.text(styleName).includes(rule), rule)
})

test('what is prepared ends between two files when the service stops', async () => {
  const steps: string[] = []
  await new Console().prepare(() => steps.push('asked') === 3)
  assert.equal(steps.length, 3)
  let turns = 0
  const turning = setInterval(() => {
    turns += 1
  }, 0)
  await new Console().prepare(() => false)
  clearInterval(turning)
  assert(turns > 1, 'others had no turn')
})
