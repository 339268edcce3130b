// The service in a process of its own, to be loaded, watched and killed.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Answer, sendRequest, testKeyFile } from '../support.ts'

const program = fileURLToPath(new URL('../../bin/belfry.js', import.meta.url))

export interface ServiceProcess {
  readonly child: ChildProcess
  readonly url: string
  readonly trapPort: number
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** Ends it without a warning. */
  kill(): Promise<void>
  /** Bytes of memory that it holds now. */
  memory(): number
}

/** Where it is not this program as it is. */
export interface Otherwise {
  readonly environment?: Readonly<Record<string, string>>
  /** The command of another version. */
  readonly program?: string
  /** Called before it has started: it may never do. */
  onSpawn?(child: ChildProcess): void
}

export async function startProcess(
  data: string,
  settings: Readonly<Record<string, string>> = {},
  { environment = {}, program: command = program, onSpawn }: Otherwise = {},
): Promise<ServiceProcess> {
  const clean = Object.entries(process.env).filter(([name]) => !/^(BELFRY_|npm_|NODE_)/.test(name))
  const flags = ['--listen', '127.0.0.1:0', '--traps', '127.0.0.1:0', '--data', data, '--log-level', 'info']
  // A node does not make its key file by itself.
  const keys = settings.store === undefined || command !== program ? {} : { 'key-file': testKeyFile() }
  const more = Object.entries({ ...keys, ...settings }).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(process.execPath, [command, 'serve', ...flags, ...more], {
    env: { ...Object.fromEntries(clean), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  after(() => child.kill('SIGKILL'))
  onSpawn?.(child)
  const [trapPort, url = ''] = await said(child, /"port":(\d+).*"msg":"receiving traps"/, /listens on (\S+)/)
  return {
    child,
    url,
    trapPort: Number(trapPort),
    get: (path, headers = {}) => sendRequest(url, 'GET', path, { headers }),
    async kill() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
    },
  }
}

/** Waits until the streams have said all of it; they are read on, so that the process never waits for us. */
async function said(child: ChildProcess, ...signs: readonly RegExp[]): Promise<string[]> {
  let text = ''
  const { promise, resolve, reject } = Promise.withResolvers<string[]>()
  const hear = (chunk: Buffer) => {
    if (text.length < 100_000) text += chunk
    const found = signs.map((sign) => sign.exec(text)?.[1])
    if (found.every((one) => one !== undefined)) resolve(found)
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  child.on('exit', () => reject(new Error(`it ended: ${text}`)))
  return promise
}
