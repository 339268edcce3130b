// Writes over HTTP from many callers at once, and what they and others notice of a disk that is slow.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fdatasyncSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../test/postgres-server.ts'
import { benchmark, type Stage } from './frame.ts'
import { ask, until } from './requests.ts'
import { slow } from './slow-flushes.ts'
import { type Goal, type Line, whole } from './table.ts'
import { freePort } from './trap-datagram.ts'
import { alarms, type Kind, kinds, many, open, type Plan, shown, type Written, write } from './writers.ts'

const full: Plan = { seconds: 8, connections: [1, 8, 32, 128], delays: [0, 1, 5, 20] }
const quick: Plan = { seconds: 3, connections: [1, 32], delays: [0, 20] }

const sharedGoal: Goal = { sign: '≥', first: 8, later: 8 }
const memoryGoal: Goal = { sign: '≥', first: 0.5, later: 0.5 }

const meaning = [
  'Each caller has a connection and sends its next request when it has the answer to the last. Beside many: one caller alone.',
  'Disk: 4 kB appended to a file and flushed, one after the other. pgbench: one row a transaction from 32 clients, with flushes.',
  'µs: processor time of the service for each request, all threads. OPTIONS: a request that writes nothing.',
  'Alertmanager keeps alerts in memory. Slow: every flush of the service begins so much later (strace), while 32 callers raise',
  'alarms and more traps come than are processed.',
]

async function callers(stage: Stage<Plan>): Promise<Line[]> {
  const { seconds, connections } = stage.plan
  const service = await open(stage, 'data')
  const lines: Line[] = []
  const memory = await alertmanager(stage)
  const flushes = flushRate(stage.folder, seconds)
  for (const kind of kinds) {
    let alone: Written | undefined
    for (const count of connections) {
      console.log(`${kind.name}, ${count} connections…`)
      const done = await write(service, kind, count, seconds)
      alone ??= done
      lines.push({
        work: `${kind.name}, ${count} ${count === 1 ? 'connection' : 'connections'}`,
        here: shown(done),
        ...(count === 1 && { yardstick: `the disk flushes ${whole(flushes)}/s` }),
        ...(count > 1 && { yardstick: `alone ${whole(alone.rate)}/s`, ratio: done.rate / alone.rate }),
        ...(count === many && kind.method !== 'OPTIONS' && { goal: sharedGoal }),
      })
      if (kind === alarms && count === many) lines.push(besideMemory(done, memory))
    }
  }
  return [...lines, await pgbench(stage)]
}

function besideMemory({ rate }: Written, memory: Written | undefined): Line {
  const work = `the same beside Alertmanager, ${many} connections`
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
  parts: { callers, slow },
})
