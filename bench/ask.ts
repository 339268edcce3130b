// Asking: what it costs to ask a device for three values by SNMP version 2c, beside net-snmp of npm.

import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DeviceSession } from '../src/ask/device-session.ts'
import { defaultLimits, QuestionSocket } from '../src/ask/question-socket.ts'
import { agentHosts, community, oids } from './ask-plan.ts'
import { benchmark, type Stage } from './frame.ts'
import { type Line, median, whole } from './table.ts'
import { freePort } from './trap-datagram.ts'

const full = { devices: 20_000, rounds: 9 }
const quick = { devices: 5000, rounds: 3 }

const meaning = [
  'A device is one question for three values and its answer, checked and decoded; 200 agents on addresses of their own stand for',
  'all of them, each with one question under way. Processor time of the asking process, medians of rounds in turn; what the',
  'agents use is not counted. Devices a minute: 60 seconds of processor time, divided by what a device costs.',
]

/** Asks one device. */
type Ask = (host: string) => Promise<void>

interface NetSnmp {
  readonly Version2c: number
  createSession(host: string, community: string, options: object): NetSnmpSession
}
interface NetSnmpSession {
  get(oids: readonly string[], done: (error: Error | null, values: readonly unknown[]) => void): void
  close(): void
}

const haveNetSnmp = () => existsSync(new URL('node_modules/net-snmp/package.json', import.meta.url))

async function questions({ plan, processes }: Stage<typeof full>): Promise<Line[]> {
  const port = await freePort()
  const agents = processes.run(process.execPath, [
    fileURLToPath(new URL('ask-agents.ts', import.meta.url)),
    String(port),
  ])
  const socket = new QuestionSocket({ ...defaultLimits, perSecond: 1e9 })
  const sessions = new Map(
    agentHosts.map((address) => [
      address,
      new DeviceSession(socket, { address, port }, { version: '2c', community }),
    ]),
  )
  const here: Ask = async (host) => {
    const values = await sessions.get(host)?.get(oids)
    if (values?.length !== oids.length) throw new Error(`${host} did not answer`)
  }
  const there = haveNetSnmp() ? await netSnmp(port) : undefined
  // Until the last agent listens.
  for (const host of agentHosts.slice(-1)) await here(host).catch(() => sleep(3000))
  const costs = { here: [] as number[], there: [] as number[] }
  for (let round = 0; round <= plan.rounds; round += 1) {
    costs.here.push(await costOf(here, plan.devices))
    if (there) costs.there.push(await costOf(there.ask, plan.devices))
  }
  there?.close()
  await socket.close()
  agents.kill()
  // The first round compiles the code.
  const [ours, theirs] = [median(costs.here.slice(1)), median(costs.there.slice(1))]
  const shown = (cost: number) => `${cost.toFixed(1)} µs`
  return [
    {
      work: 'devices a minute of processor time, three values each',
      here: shown(ours),
      ratio: 60e6 / ours,
      unit: '/min',
      goal: { sign: '≥', first: 100_000, later: 100_000 },
    },
    {
      work: `${whole(plan.devices)} devices`,
      here: shown(ours),
      yardstick: there ? `net-snmp: ${shown(theirs)}` : 'net-snmp is not installed: npm ci --prefix bench',
      ...(there && { ratio: ours / theirs }),
    },
  ]
}

async function netSnmp(port: number): Promise<{ ask: Ask; close(): void }> {
  const name = 'net-snmp'
  const { default: snmp } = (await import(name)) as { default: NetSnmp }
  const sessions = new Map(
    agentHosts.map((host) => [
      host,
      snmp.createSession(host, community, { port, version: snmp.Version2c, retries: 3 }),
    ]),
  )
  return {
    ask: (host) =>
      new Promise((resolve, reject) => {
        sessions.get(host)?.get(oids, (error, values) => {
          if (error || values.length !== oids.length) reject(error ?? new Error(`${host} did not answer`))
          else resolve()
        })
      }),
    close() {
      for (const session of sessions.values()) session.close()
    },
  }
}

/** Microseconds of processor time for each device. */
async function costOf(ask: Ask, devices: number): Promise<number> {
  const before = process.cpuUsage()
  let left = devices
  await Promise.all(
    agentHosts.map(async (host) => {
      while (left > 0) {
        left -= 1
        await ask(host)
      }
    }),
  )
  const { user, system } = process.cpuUsage(before)
  return (user + system) / devices
}

export default benchmark({
  summary: 'devices asked for three values, beside net-snmp of npm',
  title: 'Asking',
  meaning,
  full,
  quick,
  parts: { questions },
})
