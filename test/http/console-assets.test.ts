// The files of the console: read and stripped once, and made before somebody asks for them.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Assets, type FirstView, scriptName, styleName } from '../../src/http/console/assets.ts'
import { Console } from '../../src/http/console/console.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { temporaryFolder } from '../support.ts'

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

test('the style is one file, with that of the charts', () => {
  const assets = new Assets()
  assert.deepEqual(
    assets.names.filter((name) => name.endsWith('.css')),
    [styleName],
  )
  for (const rule of ['.alarm-table', '.filters', '.uplot'])
    assert(assets.text(styleName).includes(rule), rule)
})

test('what another thread has made of the same files is sent as it is, and of others nothing', async () => {
  const database = openSqlite(join(temporaryFolder(), 'store.db'))
  try {
    const own = new Assets()
    let made: FirstView | undefined
    await new Console().prepare(async (module) => {
      made = await database.longWork<FirstView>(module, undefined, { ownThread: true })
      return made
    })
    assert(made)
    own.adopt({ ...made, version: 'another' })
    const before = await own.find(styleName)
    own.adopt(made)
    assert.equal(await own.find(styleName), before, 'what is there stays')
    assert.deepEqual(made.modules, new Assets().firstView())
    const sent = await own.find(scriptName)
    assert.deepEqual(sent, await new Assets().find(scriptName))
    assert(Buffer.isBuffer(sent?.bodies.br))
  } finally {
    await database.close()
  }
})
