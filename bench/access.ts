// Answers about terminals, as a RADIUS server asks for them, while traps become alarms.

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { benchmark, type Stage } from './frame.ts'
import { plenty, processorSeconds } from './processes.ts'
import { processed } from './requests.ts'
import { at, type Goal, type Line, ms, spread, whole } from './table.ts'
import { freePort } from './trap-datagram.ts'

const program = fileURLToPath(new URL('../bin/belfry.js', import.meta.url))
const full = { seconds: 30, terminals: 20_000 }
const quick = { seconds: 8, terminals: 5_000 }

const asked = 500
const traps = 300
/** As many as FreeRADIUS has threads. */
const connections = 32

const goal: Goal = { sign: '≤', first: 20, later: 10 }

const meaning = [
  `${asked} questions a second over ${connections} keep-alive connections, each sent when it is due, whatever became of those before; from then`,
  `to the whole answer. Of the terminals, four in five are bound and one in five is refused. Beside it ${traps} new alarms a second.`,
  'A question costs: processor time of the whole service, that for the traps taken off.',
]

const mac = (n: number) =>
  `00:1b:44:${[n >> 16, n >> 8, n].map((one) => (one & 255).toString(16).padStart(2, '0')).join(':')}`

const portName = (n: number) => `GigabitEthernet1/0/${(n % 48) + 1}`

function belfry(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** A store with a switch, bindings, and an operator who has made a token. */
function prepare(folder: string, terminals: number): { data: string; passwordFile: string } {
  const data = join(folder, 'data')
  const load = (name: string, records: readonly unknown[]) => {
    const file = join(folder, `${name}.json`)
    writeFileSync(file, JSON.stringify({ [name]: records }))
    belfry('load', file, '--data', data)
  }
  const interfaces = Array.from({ length: 48 }, (_, n) => ({ ifIndex: n + 1, ifDesc: portName(n) }))
  load('device', [{ id: 1, ip: '10.1.0.1', label: 'switch', interfaces }])
  const bound = Array.from({ length: terminals }, (_, n) => n).filter((n) => n % 5 > 0)
  load(
    'macAccessBind',
    bound.map((n) => ({
      terminalMac: mac(n),
      ...(n % 2 === 0 ? { bindType: 1 } : { bindType: 2, ifInfo: [{ deviceId: 1, ifIndex: (n % 48) + 1 }] }),
    })),
  )
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, 'correct-horse-staple-9')
  return { data, passwordFile }
}

/** Asks at a steady rate; milliseconds from when each was due to its answer. */
async function ask(port: number, token: string, terminals: number, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const path = '/res/access/authorize?as=radius'
  const times: number[] = []
  const one = (n: number, due: number) =>
    new Promise<void>((resolve, reject) => {
      const terminal = mac(n % terminals)
      const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`))
        response.resume().on('end', () => {
          times.push(performance.now() - due)
          resolve()
        })
      })
      sent.on('error', reject).end(
        JSON.stringify({
          ...{ sourceIp: '10.1.0.1', userName: terminal.replaceAll(':', ''), callingStationId: terminal },
          nasPortId: portName(n % terminals),
        }),
      )
    })
  const began = performance.now()
  const all: Promise<void>[] = []
  for (let n = 0; n < seconds * asked; ) {
    const passed = performance.now() - began
    for (; n < seconds * asked && n <= (passed * asked) / 1000; n += 1)
      all.push(one(n, began + (n * 1000) / asked))
    await sleep(1)
  }
  await Promise.all(all)
  agent.destroy()
  return times
}

async function access({ plan, folder, processes }: Stage<typeof full>): Promise<Line[]> {
  const { seconds, terminals } = plan
  const { data, passwordFile } = prepare(folder, terminals)
  const trapPort = await freePort()
  const service = await processes.service(data, {
    ...plenty,
    traps: `127.0.0.1:${trapPort}`,
    'admin-password-file': passwordFile,
    'metrics-clients': '127.0.0.1',
  })
  const token =
    /bfy_[\w-]+/.exec(belfry('operator', 'token', 'admin', '--scope', 'access', '--data', data))?.[0] ?? ''
  const measure = async (work: string, withTraps: boolean): Promise<Line & { cost: number }> => {
    console.log(`${work} for ${seconds} s…`)
    const used = processorSeconds(service.pid)
    const count = seconds * traps
    const load = { port: trapPort, rate: traps, first: withTraps ? 0 : 1_000_000, different: count, count }
    const sending = withTraps ? processes.sendTraps(load) : undefined
    const times = await ask(service.port, token, terminals, seconds)
    await sending
    return {
      work,
      here: `${spread(times)}, longest ${ms(times, 1)}`,
      yardstick: `${whole(times.length)} asked, load ${loadavg()[0]?.toFixed(1)}`,
      ratio: at(times, 0.99),
      unit: ' ms',
      goal,
      cost: processorSeconds(service.pid) - used,
    }
  }
  // The code is warm, and every terminal was seen once.
  await ask(service.port, token, terminals, 4)
  const alone = await measure('asked, nothing else', false)
  const beside = await measure(`asked beside ${traps} traps a second`, true)
  const cost = `${((alone.cost * 1e6) / (seconds * asked)).toFixed(0)} µs`
  const yardstick = `${whole(await processed(service))} traps processed`
  return [alone, beside, { work: 'a question costs', here: cost, yardstick }]
}

export default benchmark({
  summary: 'answers to a RADIUS server while traps become alarms',
  title: 'Answers about terminals',
  meaning,
  full,
  quick,
  parts: { access },
})
