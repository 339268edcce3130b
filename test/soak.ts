// The long rounds: kills, cuts and full disks again and again, ROUNDS times where a test has rounds (20 by default).
// `npm run soak` takes hours on a machine that has nothing else to do; a few rounds are in `npm run test:faults`. At the
// end it prints what the cases came to, as a table for docs/benchmarks.md (see outcome.ts).
// With names of files, only these: `npm run soak -- test/nodes/cut.faults.ts`.

import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Outcome } from './outcome.ts'

const dash = '–'
const count = (value: number | undefined) => value ?? dash

function rowOf(test: string, all: readonly Outcome[]): string {
  const known = (name: keyof Outcome) => all.flatMap((one) => one[name] ?? [])
  const sum = (name: keyof Outcome) => {
    const values = known(name)
    return values.length === 0 ? undefined : values.reduce((a, b) => a + b, 0)
  }
  const owed = sum('gapsOwed')
  const pauses = known('pause')
  const cells = [
    test.replaceAll('|', '\\|'),
    count(sum('rounds')),
    count(sum('lost')),
    count(sum('doubled')),
    count(sum('unordered')),
    owed === undefined ? dash : `${sum('gapsTold') ?? 0} of ${owed}`,
    count(sum('idsUsedTwice')),
    count(sum('wrongHealth')),
    pauses.length === 0 ? dash : `${(Math.max(...pauses) / 1000).toFixed(1)} s`,
  ]
  return `| ${cells.join(' | ')} |`
}

/** All that was recorded in a file, one row for each test. */
function outcomeTable(file: string): string {
  const cases = new Map<string, Outcome[]>()
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue
    const { test, ...outcome } = JSON.parse(line)
    cases.set(test, [...(cases.get(test) ?? []), outcome])
  }
  return [
    '| Case | Rounds | Lost | Doubled | Out of order | Gaps told | Ids used twice | Wrong health | Longest pause |',
    '|---|---|---|---|---|---|---|---|---|',
    ...[...cases].map(([test, all]) => rowOf(test, all)),
  ].join('\n')
}

const { ROUNDS = '20' } = process.env
const named = process.argv.slice(2)
const files = named.length > 0 ? named : globSync('test/**/*.faults.ts').sort()
const folder = mkdtempSync(join(tmpdir(), 'belfry-soak-'))
const outcomes = join(folder, 'outcomes')
writeFileSync(outcomes, '')
const run = spawn(process.execPath, ['--test', '--test-concurrency=1', ...files], {
  stdio: 'inherit',
  env: { ...process.env, ROUNDS, SOAK: 'true', OUTCOME_FILE: outcomes },
})
run.on('exit', (code) => {
  console.log(`\n${outcomeTable(outcomes)}`)
  rmSync(folder, { recursive: true })
  process.exitCode = code ?? 1
})
