// Properties that components of the console hand to each other are checked: a misspelt one does not compile.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The text of a part, to be compiled in another folder. */
const partAt = (name: string) =>
  readFileSync(join(root, 'console/parts', name), 'utf8')
    .replaceAll("from './", `from '${root}console/parts/`)
    .replaceAll("from '../", `from '${root}console/`)

function misspelt(name: string, property: string, wrong: string): string {
  const text = partAt(name)
  const found = new RegExp(`\\s${property}=\\{`, 'g')
  assert.equal(text.match(found)?.length, 1, `${property} in ${name}`)
  return text.replace(found, ` ${wrong}={`)
}

test('a misspelt property of a component fails the check of types, and the sources pass it', () => {
  const folder = temporaryFolder()
  const files = {
    'package.json': '{ "type": "module" }',
    'load.tsx': partAt('load.tsx'),
    'records.tsx': partAt('records.tsx'),
    'load-misspelt.tsx': misspelt('load.tsx', 'retry', 'retri'),
    'records-misspelt.tsx': misspelt('records.tsx', 'onCancel', 'onCancle'),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const config = {
    extends: join(root, 'console/tsconfig.json'),
    include: ['*.tsx', join(root, 'console/**/*.d.ts')],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', '.', '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const complaints = stdout.split('\n').filter((line) => line.includes(': error '))
  assert.deepEqual(complaints.map((line) => line.split('(')[0]).sort(), [
    'load-misspelt.tsx',
    'records-misspelt.tsx',
  ])
  assert.match(stdout, /'retri' does not exist on type/)
  assert.match(stdout, /'onCancle' does not exist on type/)
})
