// The example for keepalived, with keepalived itself: two nodes in network namespaces of their own, each with its own
// way to PostgreSQL. The address for traps is where a node can keep them, and stays where it is when none can.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readAnswer } from '../../src/snmp/send.ts'
import { inform, until } from '../intake/sending.ts'
import { temporaryFolder, testKeyFile } from '../support.ts'
import { withoutTool } from '../tools.ts'
import { Cluster, Way, withoutDebianPostgres } from './cluster.ts'

const example = new URL('../../packaging/keepalived.conf', import.meta.url)
const program = fileURLToPath(new URL('../../bin/belfry.js', import.meta.url))

/** Addresses for measurements between devices: nobody else uses them. */
const network = (host: number) => `198.18.62.${host}`
const [gateway, shared] = [network(254), network(10)]

const ip = (...args: string[]) => {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
}

/** A bridge between namespaces; false, and the test is skipped, where none can be made. */
function bridge(t: TestContext): string | undefined {
  const name = `belfry${process.pid}`.slice(0, 15)
  const { status } = spawnSync('ip', ['link', 'add', name, 'type', 'bridge'], { stdio: 'ignore' })
  if (status !== 0) {
    t.skip('network namespaces cannot be made here')
    return undefined
  }
  after(() => ip('link', 'delete', name))
  ip('address', 'add', `${gateway}/24`, 'dev', name)
  ip('link', 'set', name, 'up')
  return name
}

/** A machine with a node and keepalived: a namespace. */
class Machine {
  readonly name: string
  readonly way: Way
  #log = ''

  private constructor(name: string, way: Way) {
    this.name = name
    this.way = way
  }

  static async start(letter: 'a' | 'b', bridged: string, cluster: Cluster): Promise<Machine> {
    const name = `${bridged}${letter}`.slice(-15)
    ip('netns', 'add', name)
    after(() => ip('netns', 'delete', name))
    const outer = `v${name}`.slice(0, 15)
    ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    ip('link', 'set', outer, 'master', bridged, 'up')
    ip('-n', name, 'address', 'add', `${network(letter === 'a' ? 1 : 2)}/24`, 'dev', 'eth0')
    for (const device of ['lo', 'eth0']) ip('-n', name, 'link', 'set', device, 'up')
    const machine = new Machine(name, await Way.to(cluster.port, gateway))
    // The address is elsewhere as long as another machine has it.
    await machine.#run('sysctl', '-q', '-w', 'net.ipv4.ip_nonlocal_bind=1')
    machine.#startNode(letter)
    machine.#startKeepalived()
    await machine.#until(`node ${letter} is ready`, async () => (await machine.health()) === 200)
    return machine
  }

  #startNode(letter: string): void {
    const store = `postgres://postgres@${gateway}:${this.way.port}/belfry?sslmode=disable`
    const settings = { listen: '127.0.0.1:8080', traps: `${shared}:162`, data: temporaryFolder() }
    const keys = { 'key-file': testKeyFile() }
    const flags = Object.entries({ ...settings, ...keys, store, node: letter }).map(
      ([key, value]) => `--${key}=${value}`,
    )
    this.#spawn(process.execPath, program, 'serve', ...flags)
  }

  #startKeepalived(): void {
    const folder = temporaryFolder()
    const text = readFileSync(example, 'utf8')
    assert.ok(text.includes('10.0.0.10/24'))
    writeFileSync(join(folder, 'keepalived.conf'), text.replace('10.0.0.10/24', `${shared}/24`), {
      mode: 0o600,
    })
    const [file, pid, vrrp] = ['keepalived.conf', 'pid', 'vrrp'].map((one) => join(folder, one))
    this.#spawn('keepalived', '-n', '-l', '-D', '-P', `-f${file}`, `-p${pid}`, `-r${vrrp}`)
  }

  /** What its programs wrote, where something goes wrong. */
  async #until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    await until(what, isSo).catch((error) => assert.fail(`${error.message}: ${this.#log}`))
  }

  #spawn(...command: string[]): void {
    const clean = Object.entries(process.env).filter(([key]) => !/^(BELFRY_|npm_|NODE_)/.test(key))
    const child = spawn('ip', ['netns', 'exec', this.name, ...command], {
      env: Object.fromEntries(clean),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes) => {
        this.#log += bytes
      })
    after(async () => {
      child.kill('SIGTERM')
      for (let step = 0; step < 50 && child.exitCode === null && child.signalCode === null; step += 1)
        await sleep(100)
      child.kill('SIGKILL')
    })
  }

  async #run(...command: string[]): Promise<string> {
    const child = spawn('ip', ['netns', 'exec', this.name, ...command], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let text = ''
    for await (const piece of child.stdout) text += piece
    return text
  }

  /** What /health/traps says, to a program on the same machine. */
  async health(): Promise<number> {
    const url = 'http://127.0.0.1:8080/health/traps'
    return Number(await this.#run('curl', '-s', '-o', '/dev/null', '-m', '5', '-w', '%{http_code}', url))
  }

  async hasAddress(): Promise<boolean> {
    return (await this.#run('ip', '-4', '-o', 'address', 'show', 'dev', 'eth0')).includes(` ${shared}/`)
  }

  /** Waits until keepalived has changed its priority once more. */
  async weighs(priority: 50 | 100): Promise<void> {
    const change = /effective priority from \d+ to (\d+)/g
    await this.#until(`${this.name} has priority ${priority}`, () =>
      Boolean(this.#log.match(change)?.at(-1)?.endsWith(` to ${priority}`)),
    )
  }
}

async function answered(index: number): Promise<void> {
  const socket = createSocket('udp4')
  const heard = new Set<string>()
  socket.on('message', (bytes, { address }) => heard.add(`${readAnswer(bytes)?.requestId} ${address}`))
  try {
    await until(`inform ${index} is answered from the shared address`, async () => {
      socket.send(inform(index), 162, shared)
      await sleep(500)
      return heard.has(`${index} ${shared}`)
    })
  } finally {
    socket.close()
  }
}

const tools = [withoutTool('keepalived', 'keepalived'), withoutTool('curl', 'curl'), withoutDebianPostgres]
const skip = tools.map((tool) => tool.skip).find(Boolean) ?? false

test('keepalived: the address for traps moves to a machine whose node can keep them, and stays where it is when none can', {
  skip,
  timeout: 240_000,
}, async (t) => {
  const bridged = bridge(t)
  if (bridged === undefined) return
  const cluster = await Cluster.make()
  const [a, b] = [
    await Machine.start('a', bridged, cluster),
    await Machine.start('b', bridged, cluster),
  ] as const
  const isAt = async (there: Machine, other: Machine) =>
    (await there.hasAddress()) && !(await other.hasAddress())
  await until('one of them has it', async () => (await isAt(a, b)) || (await isAt(b, a)))
  await answered(1)
  const [first, second] = (await a.hasAddress()) ? [a, b] : [b, a]

  first.way.silence()
  await until('the other has it', () => isAt(second, first))
  await answered(2)

  second.way.silence()
  await second.weighs(50)
  assert.equal(await second.health(), 503)
  for (let step = 0; step < 10; step += 1) {
    assert.ok(await isAt(second, first), 'it stays where it is when none can')
    await sleep(500)
  }

  first.way.heal()
  await until('it is where a node can', () => isAt(first, second))
  await answered(3)

  second.way.heal()
  await second.weighs(100)
  for (let step = 0; step < 10; step += 1) {
    assert.ok(await isAt(first, second), 'it does not move where both can')
    await sleep(500)
  }
})

test('keepalived: the document shows the example as it is in the package', () => {
  const text = readFileSync(example, 'utf8')
  const shown = readFileSync(new URL('../../docs/nodes.md', import.meta.url), 'utf8')
  assert.ok(shown.includes(`\`\`\`\n${text.slice(text.indexOf('global_defs'))}\`\`\`\n`))
})
