// System calls of a running process on one file that fail, by strace.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'

const mayInject =
  spawnSync('strace', ['-e', 'inject=fsync:error=EIO', 'true'], { stdio: 'ignore' }).status === 0

/** The option `skip` of a test that needs this; on a build machine nothing is skipped. */
export const withoutInjecting = {
  skip: !mayInject && process.env.CI !== 'true' && 'strace is missing, or may not trace here',
}

/** From now on these calls fail; returns how to end that. */
export async function inject(
  pid: number,
  file: string,
  error: 'EIO' | 'ENOSPC',
  ...calls: readonly string[]
): Promise<() => Promise<void>> {
  const names = calls.join(',')
  const strace = spawn(
    'strace',
    ['-f', '-p', `${pid}`, '-P', file, '-e', `trace=${names}`, '-e', `inject=${names}:error=${error}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(strace, 'exit')
  let said = ''
  const attached = new Promise<void>((resolve) => {
    strace.stderr.on('data', (chunk) => {
      if (said.length < 10_000) said += chunk
      if (said.includes('attached')) resolve()
    })
  })
  after(() => strace.kill('SIGKILL'))
  await Promise.race([attached, ended.then(() => assert.fail(`strace ended: ${said}`))])
  return async () => {
    strace.kill('SIGINT')
    await ended
  }
}
