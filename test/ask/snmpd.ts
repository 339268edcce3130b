// Debian's snmpd on loopback, which a test can stop and start.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support.ts'

export class Snmpd {
  readonly #folder = temporaryFolder()
  readonly #state = join(this.#folder, 'state')
  readonly #config = join(this.#folder, 'snmpd.conf')
  readonly #before: readonly string[]
  #child: ChildProcess | undefined

  /** `where`: address and port; users as lines of its configuration; `before`: the command that starts it elsewhere. */
  constructor(where: string, lines: string, before: readonly string[] = []) {
    this.#before = before
    mkdirSync(this.#state)
    writeFileSync(this.#config, `agentAddress udp:${where}\n${lines}\n`)
  }

  start(): void {
    const options = ['-f', '-C', '-c', this.#config, '-Lf', join(this.#folder, 'snmpd.log'), '-I', '-smux']
    const [program = '', ...words] = [
      ...this.#before,
      'snmpd',
      ...options,
      '-p',
      join(this.#folder, 'snmpd.pid'),
    ]
    this.#child = spawn(program, words, {
      env: { ...process.env, SNMP_PERSISTENT_DIR: this.#state, MIBS: '' },
      stdio: 'ignore',
    })
  }

  /** SIGSTOP and SIGCONT: it is silent while its port stays open. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(name)
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGCONT')
    child.kill(signal)
    await ended
  }
}

export const userLines = (name: string, auth: string, priv = '') =>
  `createUser ${name} ${auth} "authentication" ${priv && `${priv} "private words"`}\nrouser ${name} ${priv ? 'priv' : 'auth'}`
