// A Debian to follow the documents on, to the letter: as root, with systemd, and without a trace on this one.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { patience } from '../patience.ts'

const bootScript = fileURLToPath(new URL('boot.sh', import.meta.url))
const clone = fileURLToPath(new URL('../..', import.meta.url))
const keptForNpm = /^(npm_config_\w+|https?_proxy|NODE_EXTRA_CA_CERTS)$/i
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Namespaces, an overlay and cgroups are needed. On a build machine (CI=true) nothing is skipped. */
export function withoutMachine(): { skip: string | false } {
  const isPossible =
    process.getuid?.() === 0 &&
    spawnSync('unshare', ['-m', '-p', '-f', '-n', '-C', 'true'], { stdio: 'ignore' }).status === 0 &&
    spawnSync('/lib/systemd/systemd', ['--version'], { stdio: 'ignore' }).status === 0
  return {
    skip: !isPossible && process.env.CI !== 'true' && 'only root of a Debian can make a machine of its own',
  }
}

export interface Ran {
  readonly code: number | null
  /** Both outputs, in the order in which they were written. */
  readonly said: string
}

interface How {
  readonly input?: string | Buffer
  /** With the network of this machine, for packages; its own has nothing but the loopback. */
  readonly online?: boolean
}

export interface Machine {
  /** Runs commands in a shell of root that ends with the first that fails. */
  try(commands: string, how?: How): Promise<Ran>
  /** Commands that must all succeed; returns what they said. */
  run(commands: string, how?: How): Promise<string>
  stop(): Promise<void>
}

export async function bootMachine(): Promise<Machine> {
  const place = mkdtempSync(join(tmpdir(), 'belfry-machine-'))
  const namespaces = ['--mount', '--pid', '--fork', '--net', '--cgroup', '--uts', '--ipc', '--kill-child']
  // It ends with this process, however that ends, and everything inside with it.
  const withParent = ['--pdeathsig', 'KILL', 'unshare']
  const launcher = spawn('setpriv', [...withParent, ...namespaces, 'bash', bootScript, place, clone], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(launcher, 'exit')
  const inside = (how: How) => {
    const [pid = ''] = readFileSync(`/proc/${launcher.pid}/task/${launcher.pid}/children`, 'utf8').split(' ')
    const shared = how.online ? [] : ['--net']
    return ['--target', pid, '--mount', '--pid', '--uts', '--ipc', '--root', '--wd', ...shared]
  }
  const attempt = async (commands: string, how: How = {}): Promise<Ran> => {
    // Settings of npm, such as its registry, are those of this machine.
    const npm = Object.entries(process.env).filter(([name]) => keptForNpm.test(name))
    const child = spawn(
      'nsenter',
      [
        ...inside(how),
        'bash',
        '--norc',
        '-c',
        `cd /root; exec 2>&1 < <(cat); set -euo pipefail\n${commands}`,
      ],
      {
        cwd: '/',
        env: {
          ...{ PATH: path, HOME: '/root', LANG: 'C.UTF-8' },
          ...(how.online && { ...Object.fromEntries(npm), npm_config_prefer_offline: 'true' }),
        },
      },
    )
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += chunk
      })
    child.stdin.on('error', () => undefined)
    child.stdin.end(how.input ?? '')
    const [code] = await once(child, 'close')
    return { code, said }
  }
  const machine: Machine = {
    try: attempt,
    async run(commands, how) {
      const { code, said } = await attempt(commands, how)
      assert.equal(code, 0, `${commands}\n${said}`)
      return said
    },
    async stop() {
      launcher.kill('SIGKILL')
      await ended
      rmSync(place, { recursive: true, force: true })
    },
  }
  const deadline = Date.now() + patience
  for (;;) {
    if (launcher.exitCode !== null || Date.now() > deadline) {
      await machine.stop()
      assert.fail('the machine did not start')
    }
    const { said } = await attempt('systemctl is-system-running || true').catch(() => ({ said: '' }))
    if (/^(running|degraded)$/m.test(said)) return machine
    await pause(200)
  }
}
