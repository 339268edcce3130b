// Every regular expression of the program is analysed: none takes more than linear time, whatever the text.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Node, parse } from 'acorn'
import { documents, rows } from '../../docs/published.ts'
import type { Fields } from '../../src/schema/resource.ts'
import { slowness } from './pattern-cost.ts'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

interface Found {
  readonly file: string
  readonly pattern: string
  readonly flags: string
}

/** Made of parts when the program runs: what they are made of is looked at below. */
const madeAtRunTime = new Set(['schema/scalar.ts'])

/** Looked at by people: they meet nothing that comes from outside. */
const reviewed = new Set(['store/postgres/postgres.ts: / values \\(([^)]*)\\)/i'])

type Syntax = Node & { regex?: { pattern: string; flags: string }; callee?: { name?: string } }

function* nodesOf(node: Syntax): Generator<Syntax> {
  yield node
  for (const value of Object.values(node).flat()) {
    if (typeof value?.type === 'string') yield* nodesOf(value)
  }
}

function patternsIn(file: string): Found[] {
  const script = stripTypeScriptTypes(readFileSync(join(source, file), 'utf8'))
  const nodes = [...nodesOf(parse(script, { ecmaVersion: 'latest', sourceType: 'module' }))]
  const made = nodes.some(({ type, callee }) => type === 'NewExpression' && callee?.name === 'RegExp')
  assert(!made || madeAtRunTime.has(file), `${file} makes a pattern when it runs`)
  return nodes.flatMap(({ regex }) => (regex ? [{ file, ...regex }] : []))
}

test('no regular expression of the program can be made slow', () => {
  const found = globSync('**/*.ts', { cwd: source }).flatMap(patternsIn)
  assert(found.length > 100, `${found.length} patterns`)
  const slow = found.flatMap(({ file, pattern, flags }) => {
    const named = `${file}: /${pattern}/${flags}`
    const reason = reviewed.has(named) ? undefined : slowness(pattern, flags)
    return reason === undefined ? [] : [`${named}: ${reason}`]
  })
  assert.deepEqual(slow, [])
})

const patternsOf = (fields: Fields): string[] =>
  Object.values(fields).flatMap((field) => {
    if (field.kind === 'group') return patternsOf(field.fields)
    return field.kind === 'scalar' || field.kind === 'set' ? (field.scalar.facets.pattern ?? []) : []
  })

test('no regular expression of a field can be made slow', () => {
  const patterns = [...documents, ...rows].flatMap(({ fields }) => patternsOf(fields))
  assert(patterns.length > 2)
  for (const pattern of patterns) assert.equal(slowness(`^(?:${pattern})$`, ''), undefined, pattern)
})

test('the estimate of a regular expression agrees with how it behaves', () => {
  for (const { source, flags } of [
    /=+$/,
    /%.*$/,
    /\s*=\s*(?:"[^"]*"|([^\s",;]*))\s*(?:,|$)/y,
    /^\s*\s*x/,
    /^(?:a+b?)+$/,
    /^(?:a*)*$/,
    /^(?:a|a)*$/,
    /^(?:ab|a|b)*$/,
    /^(\w+\s?)*$/,
    /^(?:(?:ab)*)*$/,
    /^.*,.*,x$/,
    /([A-Z]+)([A-Z][a-z])/g,
    /^\d+[0-9a-f]+$/,
    /\bx\b.*\by\b/s,
    /^a{0,100}a{0,100}$/,
  ]) {
    assert.notEqual(slowness(source, flags), undefined, source)
  }
  for (const { source, flags } of [
    /\s+/g,
    /^\s+x/,
    /^\d+(?:\.\d+)*$/,
    /^(?:[^"\\]|\\.)*"/,
    /<(\w+)>([^<]*)<\/\w+>/g,
    /^CN=(.*)$/m,
    /^(?:abc|abd)*$/,
    /^a{1,9}a{1,9}$/,
    /[a-z]{2}:x/,
  ]) {
    assert.equal(slowness(source, flags), undefined, source)
  }
})
