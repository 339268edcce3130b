// Syslog: what a message costs, by the number of definitions; and from the socket, beside rsyslogd that writes a file.

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { benchmark, type Stage } from './frame.ts'
import { guardsOff, type Processes, processorSeconds } from './processes.ts'
import { ask } from './requests.ts'
import { definitionsOf, linesOf, Matching, ownDefinitions } from './syslog-matching.ts'
import { type Goal, type Line, median, whole } from './table.ts'
import { freePort } from './trap-datagram.ts'

const counts = [100, 10_000]
const own = 1000
const full = { lines: 50_000, rounds: 9, sent: 400_000 }
const quick = { lines: 20_000, rounds: 3, sent: 100_000 }

const meaning = [
  'Of a hundred messages one raises or ends an alarm; the others are what servers, firewalls and routers say all day.',
  'Matched: read, matched and counted, in one thread; medians of rounds in turn. Received: the processor time of all threads of',
  'each program, over one TCP connection; rsyslogd writes each line to a file. Everything is processor time.',
]

async function matching({ plan }: Stage<typeof full>): Promise<Line[]> {
  const lines = linesOf(plan.lines)
  const matchings = [
    ...counts.map((count) => new Matching(definitionsOf(count))),
    new Matching(definitionsOf(counts[0] as number), ownDefinitions(own)),
  ]
  const all = matchings.map((matching) => ({ matching, costs: [] as number[] }))
  for (let round = 0; round <= plan.rounds; round += 1)
    for (const { matching: one, costs } of all) costs.push(one.cost(lines))
  // The first round compiles the code and the patterns.
  const [few = Number.NaN, many = Number.NaN, withOwn = Number.NaN] = all.map(({ costs }) =>
    median(costs.slice(1)),
  )
  const rate: Goal = { sign: '≥', first: 50_000, later: 50_000 }
  const flat: Goal = { sign: '≤', first: 2, later: 1.2 }
  const shown = (cost: number) => `${cost.toFixed(1)} µs`
  return [
    {
      work: 'matched a second of processor time, 10,000 definitions',
      here: shown(many),
      ratio: 1e6 / many,
      unit: '/s',
      goal: rate,
    },
    { work: 'the same, 100 definitions', here: shown(few), ratio: 1e6 / few, unit: '/s', goal: rate },
    {
      work: '10,000 definitions × 1 message',
      here: shown(many),
      yardstick: `100: ${shown(few)}`,
      ratio: many / few,
      goal: flat,
    },
    {
      work: '100 definitions and 1,000 of users × 1 message',
      here: shown(withOwn),
      yardstick: `100: ${shown(few)}`,
      ratio: withOwn / few,
      goal: flat,
    },
  ]
}

const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }

async function receiving({ plan, folder, processes }: Stage<typeof full>): Promise<Line[]> {
  const work = `${whole(plan.sent)} messages received over TCP`
  if (spawnSync('rsyslogd', ['-v'], { env }).error) return [{ work, yardstick: 'rsyslogd is not installed' }]
  const bytes = Buffer.concat(linesOf(plan.sent).map((line) => Buffer.concat([line, Buffer.from('\n')])))
  const port = await freePort()
  const service = await processes.service(join(folder, 'data'), {
    ...guardsOff,
    'syslog-tcp': `127.0.0.1:${port}`,
  })
  const here = await costOf(service.pid, port, bytes, async () => (await counted(service.port)) >= plan.sent)
  const other = await rsyslog(processes, folder)
  const written = () =>
    existsSync(other.file) && readFileSync(other.file, 'latin1').split('\n').length > plan.sent
  const there = await costOf(other.pid, other.port, bytes, async () => written())
  const each = (seconds: number) => `${((seconds / plan.sent) * 1e6).toFixed(1)} µs each`
  return [{ work, here: each(here), yardstick: `rsyslogd: ${each(there)}`, ratio: here / there }]
}

async function rsyslog(processes: Processes, folder: string) {
  const port = await freePort()
  const [settings, file] = [join(folder, 'rsyslog.conf'), join(folder, 'written.log')]
  writeFileSync(
    settings,
    `global(workDirectory="${folder}")
module(load="imtcp")
input(type="imtcp" address="127.0.0.1" port="${port}")
*.* action(type="omfile" file="${file}" template="RSYSLOG_FileFormat")
`,
  )
  const program = processes.run('/usr/sbin/rsyslogd', ['-n', '-f', settings, '-i', join(folder, 'pid')])
  await sleep(1000)
  return { pid: program.pid ?? 0, port, file }
}

/** Seconds of processor time that a process uses for all that is sent. */
async function costOf(
  pid: number,
  port: number,
  bytes: Buffer,
  isDone: () => Promise<boolean>,
): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const before = processorSeconds(pid)
  socket.end(bytes)
  while (!(await isDone())) await sleep(300)
  return processorSeconds(pid) - before
}

/** Messages that the ledger of the service has. */
async function counted(port: number): Promise<number> {
  const answer = await ask(port, '/fault/trapLedger', { headers: { Accept: 'application/json' } })
  const { trapBin } = JSON.parse(answer.text) as { trapBin: { count: string }[] }
  return trapBin.reduce((sum, { count }) => sum + Number(count), 0)
}

export default benchmark({
  summary: 'syslog matched with 100 and 10,000 definitions, and received beside rsyslogd',
  title: 'Syslog',
  meaning,
  full,
  quick,
  parts: { matching, receiving },
})
