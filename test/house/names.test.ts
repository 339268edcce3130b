// What the documents call by name is there: files, settings, functions, classes, fields.

import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { environmentName } from '../../src/config/config.ts'
import { settings } from '../../src/config/settings.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const pages = globSync(['CONTRIBUTING.md', 'docs/*.md', 'docs/{interface,decisions}/*.md'], { cwd: root })
const sources = globSync(
  [
    '{src,bin,bench,test,docs,examples,console}/**/*.{ts,tsx,js}',
    'migrations/*.sql',
    'definitions/**/*.json',
    'package.json',
  ],
  { cwd: root, exclude: ['**/node_modules/**', 'test/material/**'] },
)

const code = sources.map(read)
/** Every word of the code, written as the code writes it. */
const words = new Set(code.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []))
const variables = new Set(Object.keys(settings).map((name) => environmentName(name)))
/** Recipes name a file yet to be written so. */
const placeholder = /NNNN|NAME/

/** Names of other programs and standards, which the documents may well mention. */
const foreign = new Set(read('test/house/foreign-names.txt').split('\n').filter(Boolean))

/** A file of the repository, or one that the code writes under that name. */
const isFile = (name: string) =>
  placeholder.test(name) ||
  code.some((text) => text.includes(`'${name}'`)) ||
  existsSync(join(root, name)) ||
  globSync(`{src,bin,bench,test,docs,examples,packaging,console}/**/${name}`, { cwd: root }).length > 0

function isThere(name: string): boolean {
  if (foreign.has(name) || variables.has(name)) return true
  if (/^[\w./-]+\.(ts|js|sql|sh|py|csv|md|json)$/.test(name) && !name.startsWith('http')) return isFile(name)
  // A single name of the code, or a member of one.
  if (/^#?[A-Za-z_$][\w$]*(\.#?[A-Za-z_$][\w$]*)*(\(\))?$/.test(name))
    return (name.match(/[A-Za-z_$][\w$]*/g) ?? []).every((word) => words.has(word))
  return true
}

for (const page of pages) {
  test(`every name in ${page} exists`, () => {
    const text = read(page).replace(/^```[\s\S]*?^```/gm, '')
    const names = [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name)
    assert.deepEqual(
      [...new Set(names.filter((name) => !isThere(name)))],
      [],
      `${page} has these in backticks, but nothing is called so: mend the page, or add names of other programs to test/house/foreign-names.txt`,
    )
  })
}
