// The command line as a user runs it: processes of their own, what they print, how they end.

import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import type { Readable } from 'node:stream'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../compile-cache.ts'
import { patience } from '../patience.ts'

export const program = fileURLToPath(new URL('../../bin/belfry.js', import.meta.url))

export interface Run {
  readonly env?: Record<string, string>
  readonly cwd?: string
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Started {
  readonly child: ChildProcessByStdio<null, Readable, Readable>
  readonly said: { stdout: string; stderr: string }
  readonly ended: Promise<Ended>
}

/** The settings of whoever runs the tests, and of npm, must not reach the program. */
export const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(BELFRY_|npm_|NODE_)/.test(name)))

/** Starts a command; it is killed when the test is over. */
export function start(args: readonly string[], { env = {}, cwd = tmpdir() }: Run = {}): Started {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...cleanEnvironment(), NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk
  })
  const ended = once(child, 'close').then(([code]): Ended => ({ code, ...said }))
  after(() => child.kill('SIGKILL'))
  return { child, said, ended }
}

/** Runs a command to its end; one that does not end is a failure. */
export async function belfry(args: readonly string[], run: Run = {}): Promise<Ended> {
  const { child, ended } = start(args, run)
  const timer = setTimeout(() => child.kill('SIGKILL'), patience)
  const { code, ...said } = await ended
  clearTimeout(timer)
  return { code, ...said }
}

type Runner = (args: readonly string[], run?: Run) => Promise<Ended>

/** Commands that must succeed, or fail, however they are run. */
export const checked = (runner: Runner) => ({
  async succeed(args: readonly string[], run: Run = {}): Promise<Ended> {
    const ended = await runner(args, run)
    assert.equal(ended.code, 0, ended.stderr)
    return ended
  },
  /** Fails with one sentence, which is returned. */
  async fail(code: number, args: readonly string[], run: Run = {}): Promise<string> {
    const ended = await runner(args, run)
    assert.equal(ended.code, code, ended.stderr)
    assert.equal(ended.stdout, '')
    assert.match(ended.stderr, /^belfry: [^\n]+\n$/, 'one sentence, no stack')
    return ended.stderr.trim()
  },
})

export const { succeed, fail } = checked(belfry)

export interface Service {
  readonly url: string
  readonly said: { stdout: string; stderr: string }
  readonly ended: Promise<Ended>
  signal(signal: NodeJS.Signals): void
  /** Waits until its log holds this. */
  logged(sign: string): Promise<void>
}

/** A running service on a free port, ready when it has said so. */
export async function serve(args: readonly string[], run: Run = {}): Promise<Service> {
  const { child, said, ended } = start(
    ['serve', '--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0', ...args],
    run,
  )
  const until = async (stream: Readable, done: () => boolean) => {
    while (!done()) {
      if (child.exitCode !== null) assert.fail(`it ended: ${said.stdout}${said.stderr}`)
      await Promise.race([once(stream, 'data'), ended])
    }
  }
  await until(child.stdout, () => said.stdout.includes('\n'))
  return {
    url: /listens on (\S+)/.exec(said.stdout)?.[1] ?? assert.fail(said.stdout),
    said,
    ended,
    signal: (signal) => child.kill(signal),
    logged: (sign) => until(child.stderr, () => said.stderr.includes(sign)),
  }
}

export async function stop(service: Service): Promise<Ended> {
  service.signal('SIGTERM')
  const ended = await service.ended
  assert.equal(ended.code, 0, ended.stderr)
  return ended
}

/** Adds an administrator with the command. */
export const addAdministrator = (name: string, passwordFile: string, data: string, ...more: string[]) =>
  succeed([
    ...['operator', 'add', name, '--role', 'administrator'],
    ...['--password-file', passwordFile, '--data', data, ...more],
  ])
