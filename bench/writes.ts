// Writes over HTTP from many callers at once, and what they and others notice of a disk that is slow.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fdatasyncSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../test/postgres-server.ts'
import { benchmark, type Stage } from './frame.ts'
import type { Served } from './processes.ts'
import { ask, until } from './requests.ts'
import { hasTracer, slow, withDelay } from './slow-flushes.ts'
import { at, type Goal, type Line, whole } from './table.ts'
import { freePort } from './trap-datagram.ts'
import { alarms, type Kind, kinds, many, open, type Plan, shown, type Written, write } from './writers.ts'

const full: Plan = { seconds: 8, connections: [1, 8, 32, 128], delays: [0, 1, 5, 20] }
const quick: Plan = { seconds: 3, connections: [1, 32], delays: [0, 20] }

const sharedGoal: Goal = { sign: '≥', first: 8, later: 8 }
const memoryGoal: Goal = { sign: '≥', first: 0.5, later: 0.5 }
/** Milliseconds that one caller alone waits, beside one flush. */
const aloneGoal: Goal = { sign: '≤', first: 2, later: 2 }

const meaning = [
  'Each caller has a connection and sends its next request when it has the answer to the last. Beside many: one caller alone.',
  'One connection: what half of its requests wait for at most, without one flush. The service is warm: 2 seconds before each kind.',
  'Disk: 4 kB appended to a file and flushed, one after the other. pgbench: one row a transaction from 32 clients, with flushes.',
  'µs: processor time of the service for each request, all threads. OPTIONS: a request that writes nothing.',
  'Alertmanager keeps alerts in memory. Flushes + N ms: every flush of the service begins so much later (strace); at the end',
  'also while 32 callers raise alarms and more traps come than are processed.',
]

async function callers(stage: Stage<Plan>): Promise<Line[]> {
  const { seconds, connections } = stage.plan
  const service = await open(stage, 'data')
  const lines: Line[] = []
  const memory = await alertmanager(stage)
  const flushes = flushRate(stage.folder, seconds)
  for (const kind of kinds) {
    const { found, atMany } = await compare(service, kind, stage.plan, connections, 1000 / flushes)
    lines.push(...found)
    if (kind === alarms) lines.push(besideMemory(atMany, memory))
  }
  lines.push({ work: 'the disk', yardstick: `${whole(flushes)} flushes/s` })
  return [...lines, await pgbench(stage)]
}

/** One caller and many, on disks whose flushes take longer. */
async function ratios(stage: Stage<Plan>): Promise<Line[]> {
  if (!hasTracer()) return [{ work: 'flushes that take longer', yardstick: 'strace is not installed' }]
  const lines: Line[] = []
  const flush = 1000 / flushRate(stage.folder, stage.plan.seconds)
  for (const delay of stage.plan.delays.filter((one) => one > 0)) {
    const found = await stage.nested(async (inner) => {
      const service = await open(inner, 'data', withDelay(delay))
      const found: Line[] = []
      for (const kind of kinds) {
        if (kind.method === 'OPTIONS') continue
        found.push(...(await compare(service, kind, inner.plan, [1, many], flush + delay)).found)
      }
      return found
    })
    lines.push(...found.map((line) => ({ ...line, work: `flushes + ${delay} ms: ${line.work}` })))
  }
  return lines
}

/** The same from several numbers of connections; `flush`: how many milliseconds one takes. */
async function compare(
  service: Served,
  kind: Kind,
  { seconds }: Plan,
  connections: readonly number[],
  flush: number,
): Promise<{ readonly found: Line[]; readonly atMany: Written | undefined }> {
  await write(service, kind, many, 2)
  let alone: Written | undefined
  let atMany: Written | undefined
  const found: Line[] = []
  const writes = kind.method !== 'OPTIONS'
  for (const count of connections) {
    console.log(`${kind.name}, ${count} connections…`)
    const done = await write(service, kind, count, seconds)
    alone ??= done
    if (count === many) atMany = done
    found.push({
      work: `${kind.name}, ${count} ${count === 1 ? 'connection' : 'connections'}`,
      here: shown(done),
      ...(count === 1 &&
        writes && {
          yardstick: `a flush: ${flush.toFixed(2)} ms`,
          ratio: at(done.times, 0.5) - flush,
          unit: ' ms',
          goal: aloneGoal,
        }),
      ...(count > 1 && { yardstick: `alone ${whole(alone.rate)}/s`, ratio: done.rate / alone.rate }),
      ...(count === many && writes && { goal: sharedGoal }),
    })
  }
  return { found, atMany }
}

function besideMemory(here: Written | undefined, memory: Written | undefined): Line {
  const work = `the same beside Alertmanager, ${many} connections`
  const rate = here?.rate ?? Number.NaN
  if (!memory) return { work, yardstick: 'prometheus-alertmanager is not installed' }
  return {
    work,
    here: `${whole(rate)}/s`,
    yardstick: shown(memory),
    ratio: rate / memory.rate,
    goal: memoryGoal,
  }
}

/** Alerts a second that Alertmanager takes into memory, one in a request, as Debian has it. */
async function alertmanager({ folder, processes, plan }: Stage<Plan>): Promise<Written | undefined> {
  const program = 'prometheus-alertmanager'
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).error) return undefined
  const port = await freePort()
  const config = join(folder, 'alertmanager.yml')
  writeFileSync(config, 'route:\n  receiver: nobody\n  group_by: [alertname]\nreceivers:\n  - name: nobody\n')
  const { pid = 0 } = processes.run(program, [
    `--config.file=${config}`,
    `--storage.path=${join(folder, 'alertmanager')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address=',
  ])
  await until(() =>
    ask(port, '/-/ready').then(
      ({ status }) => status === 200,
      () => false,
    ),
  )
  const alert: Kind = {
    name: 'alerts',
    path: () => '/api/v2/alerts',
    body: (n) => [
      { labels: { alertname: 'warm', thing: `thing ${n}` }, annotations: { text: 'It is too warm' } },
    ],
  }
  return write({ port, pid }, alert, many, plan.seconds)
}

/** How often a second the disk flushes what was appended to a file, one after the other. */
function flushRate(folder: string, seconds: number): number {
  const file = openSync(join(folder, 'flushed'), 'w')
  const page = Buffer.alloc(4096, 'x')
  const began = performance.now()
  let count = 0
  for (; performance.now() < began + (seconds * 1000) / 2; count += 1) {
    writeSync(file, page)
    fdatasyncSync(file)
  }
  closeSync(file)
  return count / ((performance.now() - began) / 1000)
}

async function pgbench({ processes, folder, plan }: Stage<Plan>): Promise<Line> {
  const work = 'PostgreSQL alone: one row a transaction'
  if (spawnSync('pgbench', ['--version'], { stdio: 'ignore' }).error) {
    return { work, yardstick: 'pgbench is not installed' }
  }
  const server = await startPostgres('on')
  processes.keep({ end: () => server.stop() })
  const address = `${server.address}/postgres`
  const script = join(folder, 'insert.sql')
  writeFileSync(script, "insert into written (text) values ('It is too warm');\n")
  const made = spawnSync('psql', [address, '-c', 'create table written (id serial primary key, text text)'])
  if (made.status !== 0) return { work, yardstick: 'psql is not installed' }
  const flags = ['-n', '-c', `${many}`, '-j', '2', '-T', `${plan.seconds}`, '-f', script, address]
  const child = spawn('pgbench', flags, { stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  child.stdout.on('data', (piece) => {
    text += piece
  })
  await once(child, 'close')
  const rate = Number(/tps = ([\d.]+)/.exec(text)?.[1])
  return { work, yardstick: `pgbench, ${many} clients: ${whole(rate)}/s` }
}

export default benchmark({
  summary: 'writes from 1 to 128 callers at once, and a disk whose flushes take longer',
  title: 'Writes over HTTP',
  meaning,
  full,
  quick,
  parts: { callers, ratios, slow },
})
