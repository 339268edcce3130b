// Which tests are nearest to a source file: by what they import, step by step.

import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/** Tests that reach a room from outside, and would notice it first; beside those in the folder of the room. */
const outside: Readonly<Record<string, readonly string[]>> = {
  schema: [
    'http/xml',
    'http/json',
    'http/filters',
    'http/lists',
    'http/paging',
    'http/zone',
    'http/import',
    'http/legal-text',
  ],
  rules: ['http/trap-rules', 'http/trap-rules-act', 'http/trap-rule-validity', 'http/maintenance'],
  alarms: [
    'http/alarms',
    'http/alarm-work',
    'http/alarm-history',
    'http/causes',
    'http/overview',
    'http/statistics',
  ],
  push: ['http/events', 'http/events-resume', 'http/events-recoveries', 'http/test-alarm'],
  snmp: ['intake/users', 'intake/receiver', 'intake/duplicates'],
  access: [
    'http/auth',
    'http/sessions',
    'http/lock-out',
    'http/operators',
    'http/token-scopes',
    'http/openid',
  ],
  terminals: ['http/terminals', 'http/authorize'],
}

/** No more than these are run for a mutant. */
const most = 10

export class Nearest {
  readonly #root: string
  readonly #imports = new Map<string, readonly string[]>()

  constructor(root: string) {
    this.#root = root
  }

  /** Paths of tests, nearest first. */
  of(file: string, room: string): string[] {
    const own = globSync(`test/${room}/*.test.ts`, { cwd: this.#root })
    const others = (outside[room] ?? []).map((name) => `test/${name}.test.ts`)
    const far = Number.POSITIVE_INFINITY
    const ranked = own.map((path) => ({ path, steps: this.#stepsTo(path, file) ?? far }))
    // Of those equally near, the one that is named after the file.
    const isNamesake = (path: string) => basename(path, '.test.ts') === basename(file, '.ts')
    const near = ranked.sort(
      (a, b) =>
        a.steps - b.steps ||
        Number(isNamesake(b.path)) - Number(isNamesake(a.path)) ||
        (a.path < b.path ? -1 : 1),
    )
    const reaching = near.filter(({ steps }) => steps < far).map(({ path }) => path)
    return [...new Set([...reaching, ...others])].slice(0, most)
  }

  /** How many imports lie between a test and a file; undefined where it does not import it. */
  #stepsTo(test: string, file: string): number | undefined {
    const seen = new Set([test])
    for (let layer = [test], steps = 0; layer.length > 0; steps += 1) {
      if (layer.includes(file)) return steps
      layer = layer.flatMap((one) => this.#importsOf(one)).filter((one) => !seen.has(one))
      for (const one of layer) seen.add(one)
    }
    return undefined
  }

  #importsOf(path: string): readonly string[] {
    const known = this.#imports.get(path)
    if (known) return known
    const text = readFileSync(join(this.#root, path), 'utf8')
    const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)].map(([, name = '']) =>
      relative(this.#root, join(this.#root, dirname(path), name)),
    )
    this.#imports.set(path, found)
    return found
  }
}
