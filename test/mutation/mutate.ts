// `npm run mutate -- rules`: changes a room in a hundred small ways, one at a time and in a copy of the project, and
// reports which of the changes no test near by has noticed. SEED repeats a draw, MUTANTS sets how many there are.

import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { applied, type Mutant, mutantsOf } from './mutants.ts'
import { Nearest } from './nearest.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const copied = [
  'src',
  'test',
  'migrations',
  'definitions',
  'console',
  'bin',
  'docs',
  'examples',
  'package.json',
  'tsconfig.json',
]

/** Seconds beyond three times what a test takes when it passes, and what is taken for that before it has. */
const grace = 10
const longest = 60

/** A copy of the project in which one file at a time is changed. */
class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), 'belfry-mutate-'))
  #running: ChildProcess | undefined
  /** Seconds that a test took at most when it passed. */
  readonly #took = new Map<string, number>()
  readonly #broken = new Set<string>()

  constructor() {
    for (const name of copied) cpSync(join(root, name), join(this.folder, name), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'))
  }

  /** Whether a test passes; `undefined` where it does not end in time. */
  run(test: string, seconds: number): Promise<boolean | undefined> {
    const env = { ...process.env, TEST_STORE: 'sqlite', NODE_TEST_CONTEXT: '' }
    const child = spawn(process.execPath, [test], { cwd: this.folder, env, stdio: 'ignore', detached: true })
    this.#running = child
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#kill()
        resolve(undefined)
      }, seconds * 1000)
      child.once('exit', (code) => {
        clearTimeout(timer)
        resolve(code === 0)
      })
    })
  }

  /** The first test that notices a mutant. */
  async noticed(mutant: Mutant, tests: readonly string[]): Promise<string | undefined> {
    const path = join(this.folder, mutant.file)
    const source = readFileSync(path, 'utf8')
    for (const test of tests) {
      if (this.#broken.has(test)) continue
      writeFileSync(path, applied(source, mutant))
      const passes = await this.#timed(test)
      writeFileSync(path, source)
      if (!passes && (await this.#passesUnchanged(test))) return test
    }
    return undefined
  }

  async #timed(test: string): Promise<boolean> {
    const began = performance.now()
    const passes = await this.run(test, (this.#took.get(test) ?? longest) * 3 + grace)
    const took = (performance.now() - began) / 1000
    if (passes) this.#took.set(test, Math.max(took, this.#took.get(test) ?? 0))
    return passes ?? false
  }

  /** One that fails without any change notices nothing. */
  async #passesUnchanged(test: string): Promise<boolean> {
    if (this.#took.has(test) || (await this.#timed(test))) return true
    console.log(`left out, since it fails without any change: ${test}`)
    this.#broken.add(test)
    return false
  }

  #kill(): void {
    // The whole group: tests start processes and services.
    if (this.#running?.pid !== undefined && this.#running.exitCode === null)
      process.kill(-this.#running.pid, 'SIGKILL')
  }

  remove(): void {
    this.#kill()
    // What was killed may still be writing for a moment.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/** So many of them, drawn by a seed; in the order of the files. */
function draw(all: readonly Mutant[], count: number, seed: number): Mutant[] {
  const left = [...all]
  const drawn: Mutant[] = []
  let state = seed
  while (drawn.length < count && left.length > 0) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    drawn.push(...left.splice(Math.floor((state / 2 ** 32) * left.length), 1))
  }
  return drawn.sort((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1))
}

async function mutateRoom(copy: Copy, room: string, count: number, seed: number): Promise<string> {
  const files = globSync(`src/${room}/**/*.ts`, { cwd: copy.folder }).sort()
  const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(copy.folder, file), 'utf8')))
  const drawn = draw(all, count, seed)
  console.log(`${room}: ${drawn.length} of ${all.length} mutants in ${files.length} files, SEED=${seed}`)
  const nearest = new Nearest(copy.folder)
  const survivors: Mutant[] = []
  for (const [index, mutant] of drawn.entries()) {
    const by = await copy.noticed(mutant, nearest.of(mutant.file, room))
    if (by === undefined) survivors.push(mutant)
    const outcome = by === undefined ? 'SURVIVED' : `noticed by ${by}`
    console.log(`${index + 1}/${drawn.length} ${mutant.file}:${mutant.line}  ${mutant.change}  ${outcome}`)
  }
  const killed = drawn.length - survivors.length
  console.log(`\nSurvivors in ${room}:`)
  for (const { file, line, change } of survivors) console.log(`  ${file}:${line}  ${change}`)
  return `${room}: ${killed} of ${drawn.length} noticed, ${Math.round((100 * killed) / Math.max(1, drawn.length))} %, SEED=${seed}`
}

const rooms = process.argv.slice(2)
const known = globSync('src/*/', { cwd: root }).map((path) => path.replace(/^src\/|\/$/g, ''))
const unknown = rooms.filter((room) => !known.includes(room))
if (rooms.length === 0 || unknown.length > 0) {
  console.error(
    `${unknown.map((room) => `${room} is no room: `).join('')}expected some of ${known.sort().join(', ')}`,
  )
  process.exit(2)
}
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const count = Number(process.env.MUTANTS ?? 100)
const copy = new Copy()
process.once('exit', () => copy.remove())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
const scores: string[] = []
for (const room of rooms) scores.push(await mutateRoom(copy, room, count, seed))
console.log(`\n${scores.join('\n')}`)
