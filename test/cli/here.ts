// The command line without a process for each command: many times cheaper, for tests of what commands say. The tests of
// how the program starts, ends and takes signals run processes (running.ts).

import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { main } from '../../src/main.ts'
import { patience } from '../patience.ts'
import { checked, cleanEnvironment, type Ended, type Run } from './running.ts'

interface Said {
  stdout: string
  stderr: string
}

/** Of the command that writes; whatever else writes, such as the reporter of the tests, is let through. */
const writing = new AsyncLocalStorage<Said>()

for (const name of ['stdout', 'stderr'] as const) {
  const stream = process[name]
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  stream.write = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
    const said = writing.getStore()
    if (said === undefined) return write(chunk, ...more)
    said[name] += Buffer.from(chunk as Uint8Array).toString('utf8')
    const done = more.find((one) => typeof one === 'function')
    if (done) process.nextTick(done as () => void)
    return true
  }
}

/** Nothing comes, and it ends: that of the test may stay open for ever. */
Object.defineProperty(process, 'stdin', { get: () => Readable.from([]) })

/** One after the other: a process has one exit code. */
let last: Promise<unknown> = Promise.resolve()

async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const said: Said = { stdout: '', stderr: '' }
  const before = process.exitCode
  process.exitCode = undefined
  try {
    const late = sleep(patience, undefined, { ref: false }).then(() =>
      assert.fail(`no end of ${args.join(' ')}`),
    )
    await Promise.race([writing.run(said, () => main(args, env)), late])
    return { code: Number(process.exitCode ?? 0), ...said }
  } finally {
    process.exitCode = before
  }
}

/** Runs a command to its end; one that does not end is a failure. An error that is no Fault is thrown. */
export function belfry(args: readonly string[], { env = {}, cwd }: Run = {}): Promise<Ended> {
  assert(cwd === undefined, 'the folder is that of the tests')
  const ended = last.then(() => run(args, { ...cleanEnvironment(), ...env }))
  last = ended.catch(() => undefined)
  return ended
}

export const { succeed, fail } = checked(belfry)
