// State lives in objects that src/assembly.ts makes, not in modules: two services in one process share nothing.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

/** Modules that keep something, with why. The list may become shorter, never longer without a reason. */
const keeping: readonly string[] = [
  // Programs of threads: such a module is loaded once in its thread, which is itself the object.
  'intake/receiver-thread.ts',
  'intake/syslog-thread.ts',
  'reports/forms/pdf-thread.ts',
  'store/sqlite/sqlite-thread.ts',
  // Called by a thread with one piece of a run after the other: what the pieces share is kept for four runs.
  'rules/dry-run.ts',
  // Worked out once from a description, which is a constant itself.
  'http/responses.ts',
  'http/imc/imc-records.ts',
  'schema/difference.ts',
  'schema/read-document.ts',
  // What a pure function returned before, kept because computing it again is expensive.
  'http/wire/stream-outlet.ts',
  'snmp/oid.ts',
  // How much work another program has that all services of the process share: it is ended after the last.
  'http/console/bundle.ts',
]

const variable = /^(?:export )?let \w+/m
/** A collection that begins empty, and is not declared as one that only is read. */
const collection =
  /^(?:export )?const \w+(?:: (?:Weak)?(?:Map|Set)<.*>|: \w+\[\])? = (?:new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)|\[\]$)/m

test('modules keep no state', () => {
  const found = globSync('**/*.ts', { cwd: source }).filter((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    return variable.test(text) || collection.test(text)
  })
  assert.deepEqual(
    found.filter((file) => !keeping.includes(file)),
    [],
    'let a class hold it, which src/assembly.ts makes, or say here why not',
  )
  assert.deepEqual(
    keeping.filter((file) => !found.includes(file)),
    [],
    'these keep nothing any more: take them off the list',
  )
})
