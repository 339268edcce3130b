// Several nodes on one PostgreSQL, as plain processes of this machine, for a first look:
//
//   node bin/node.js examples/nodes.ts          two nodes
//   node bin/node.js examples/nodes.ts 3        three
//
// PostgreSQL comes from npm, or with a synchronous standby from Debian's package where that is installed. In front of the
// nodes stands a load balancer for HTTP. Everything lives in a temporary folder, and ends with Ctrl-C.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isFreeForTcp, isFreeForUdp } from '../test/free-port.ts'
import { type PostgresServer, startPostgres } from '../test/postgres-server.ts'
import { hasStandbys, startWithStandby } from '../test/postgres-standby.ts'

const program = fileURLToPath(new URL('../bin/belfry.js', import.meta.url))

export interface TopologyNode {
  readonly name: string
  readonly url: string
  readonly trapPort: number
  readonly process: ChildProcess
}

export interface Topology {
  readonly nodes: readonly TopologyNode[]
  /** The load balancer. */
  readonly url: string
  readonly store: PostgresServer
  stop(): Promise<void>
}

const firstPort = { http: 8081, traps: 11_621 }

/** Port 0: any that is free, for tests. */
export async function startTopology(count: number, ports = firstPort): Promise<Topology> {
  await requireFreePorts(count, ports)
  const folder = mkdtempSync(join(tmpdir(), 'belfry-nodes-'))
  const nodes: TopologyNode[] = []
  let store: PostgresServer | undefined
  let balancer: Balancer | undefined
  const stop = async () => {
    await balancer?.stop()
    await Promise.all(nodes.map((node) => end(node.process)))
    await store?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    store = await (hasStandbys ? startWithStandby() : startPostgres())
    const keyFile = join(folder, 'key')
    writeFileSync(keyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
    for (let index = 0; index < count; index += 1) {
      const at = (port: number) => `127.0.0.1:${port === 0 ? 0 : port + index}`
      const flags = { listen: at(ports.http), traps: at(ports.traps), 'key-file': keyFile }
      nodes.push(await startNode(`node-${index + 1}`, join(folder, `node-${index + 1}`), store, flags))
    }
    balancer = await Balancer.start(nodes, ports.http === 0 ? 0 : ports.http - 1)
    return { nodes, url: balancer.url, store, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Asked first: PostgreSQL and the nodes take seconds to start. */
async function requireFreePorts(count: number, { http, traps }: typeof firstPort): Promise<void> {
  const from = (first: number, length: number) =>
    first === 0 ? [] : Array.from({ length }, (_, index) => first + index)
  const taken: string[] = []
  for (const port of from(http && http - 1, count + 1))
    if (!(await isFreeForTcp(port))) taken.push(`${port}/tcp`)
  for (const port of from(traps, count)) if (!(await isFreeForUdp(port))) taken.push(`${port}/udp`)
  if (taken.length === 0) return
  const ports = `${taken.length === 1 ? 'port' : 'ports'} ${taken.join(', ')} of 127.0.0.1`
  throw new Error(`another program uses ${ports}: stop it first (is a demo still running?)`)
}

/** Each has a folder of its own, for the lock and the work of imports, and a name. */
async function startNode(
  name: string,
  data: string,
  store: PostgresServer,
  settings: Readonly<Record<string, string>>,
): Promise<TopologyNode> {
  const flags = { node: name, data, store: `${store.address}/postgres`, ...settings }
  const given = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value])
  const child = spawn(process.execPath, [program, 'serve', ...given], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ports = await announced(name, child)
  return { name, process: child, ...ports }
}

/** What a node says when it is ready. */
function announced(name: string, child: ChildProcess): Promise<{ url: string; trapPort: number }> {
  return new Promise((resolve, reject) => {
    let log = ''
    const take = (chunk: Buffer) => {
      log = (log + chunk).slice(-100_000)
      const url = /listens on (\S+)/.exec(log)?.[1]
      const port = /"port":(\d+)/.exec(log)?.[1]
      if (url !== undefined && port !== undefined) resolve({ url, trapPort: Number(port) })
    }
    child.stdout?.on('data', take)
    child.stderr?.on('data', take)
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${log.slice(-2000)}`)))
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
}

/** Gives each connection to the next node that is well. A real one does the same, and more: see docs/nodes.md. */
class Balancer {
  readonly #nodes: readonly TopologyNode[]
  readonly #well = new Set<TopologyNode>()
  readonly #server: Server
  #turn = 0
  #timer: NodeJS.Timeout | undefined

  private constructor(nodes: readonly TopologyNode[]) {
    this.#nodes = nodes
    this.#server = createServer((caller) => {
      const node = this.#next()
      if (!node) return caller.destroy()
      const { hostname, port } = new URL(node.url)
      const served = connect(Number(port), hostname)
      caller.pipe(served).pipe(caller)
      for (const [one, other] of [
        [caller, served],
        [served, caller],
      ] as const) {
        one.on('error', () => other.destroy())
        one.on('close', () => other.destroy())
      }
      return undefined
    })
  }

  static async start(nodes: readonly TopologyNode[], port: number): Promise<Balancer> {
    const balancer = new Balancer(nodes)
    await balancer.#look()
    await once(balancer.#server.listen(port, '127.0.0.1'), 'listening')
    balancer.#timer = setInterval(() => void balancer.#look(), 1000)
    return balancer
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`
  }

  #next(): TopologyNode | undefined {
    const well = this.#nodes.filter((node) => this.#well.has(node))
    this.#turn += 1
    return well[this.#turn % well.length]
  }

  async #look(): Promise<void> {
    for (const node of this.#nodes) {
      if (await isWell(node.url)) this.#well.add(node)
      else this.#well.delete(node)
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#server.close()
  }
}

function isWell(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(`${url}/health`, { timeout: 2000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    asked.on('error', () => resolve(false))
    asked.on('timeout', () => asked.destroy())
    asked.end()
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const starting = startTopology(Number(process.argv[2] ?? 2))
  // Also while it starts: what has been started by then is stopped as well.
  const stop = async () => {
    await (await starting).stop()
    process.exit(0)
  }
  process.once('SIGINT', () => void stop())
  process.once('SIGTERM', () => void stop())
  const topology = await starting.catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
  console.log(`store      ${topology.store.address}${hasStandbys ? ', with a synchronous standby' : ''}`)
  for (const { name, url, trapPort } of topology.nodes)
    console.log(`${name}     ${url}, traps to 127.0.0.1:${trapPort}`)
  console.log(`balancer   ${topology.url}; try ${topology.url}/plat/node`)
  for (;;) await sleep(60_000)
}
