// Dry runs of trap rules over very many kept traps: how long they take, and what the service does meanwhile.

import { setTimeout as sleep } from 'node:timers/promises'
import { flowInto, flowLines, repeating } from './flow.ts'
import type { Stage } from './frame.ts'
import { processorSeconds, type Served } from './processes.ts'
import { ask, pings } from './requests.ts'
import { fillTraps } from './rows.ts'
import { type Goal, type Line, whole } from './table.ts'
import { freePort } from './trap-datagram.ts'

const answerGoal: Goal = { sign: '≤', first: 10, later: 5 }

const any = { displayName: 'any', devID: 0 }
const parameter = (entry: object) => [{ ...any, trapFilterEventParasInfo: [entry] }]

const rules: Readonly<Record<string, object>> = {
  'one event of one device': {
    trapOId: '1.3.6.1.6.3.1.1.5.3',
    trapDevice: [{ displayName: 'x', devID: 1000 }],
  },
  'every trap': { trapDevice: [any] },
  'every trap, at night on working days': {
    exectimeType: 1,
    selectedWeekDay: '1,2,3,4,5',
    startTime: '22:00',
    endTime: '6:00',
    trapDevice: [any],
  },
  'every trap with a parameter, by day': {
    exectimeType: 1,
    startTime: '8:00',
    endTime: '18:00',
    trapDevice: parameter({ position: 1, value: '1*' }),
  },
  'every trap with a named parameter': { trapDevice: parameter({ name: 'ifDescr', value: '*0/1?' }) },
  'every trap about an interface': {
    trapDevice: [any],
    trapInterfaces: [{ ifDesc: 'GigabitEthernet1/0/1*' }],
  },
}

interface DryRunPlan {
  readonly traps: number
  readonly flow: number
}

export async function dryRuns({ plan, folder, processes }: Stage<DryRunPlan>): Promise<Line[]> {
  const { traps: count } = plan
  console.log(`Filling a store with ${whole(count)} traps…`)
  await fillTraps(folder, count)
  const port = await freePort()
  const service = await processes.service(folder, {
    traps: `127.0.0.1:${port}`,
    'keep-traps': String(count * 10),
    'trap-buffer': String(4 * 2 ** 20),
  })
  await dryRun(service, rules['one event of one device'] ?? {})
  console.log('Dry runs…')
  const lines: Line[] = []
  for (const [work, rule] of Object.entries(rules)) {
    const before = processorSeconds(service.pid)
    const { seconds, examined, filtered } = await dryRun(service, rule)
    lines.push({
      work: `dry run over ${whole(count)} traps: ${work}`,
      here: `${whole(filtered)} of ${whole(examined)} filtered`,
      ratio: seconds,
      byProcessor: processorSeconds(service.pid) - before,
      unit: ' s',
      goal: answerGoal,
    })
  }
  const flow = flowInto(processes, service, { port, count: plan.flow, rate: 20_000 })
  await flow()
  const alone = await flow()
  const others = repeating(() => dryRun(service, rules['every trap with a parameter, by day'] ?? {}))
  const beside = await flow()
  const quiet = pings(service)
  await sleep(2000)
  const waits = await quiet.end()
  await others.end()
  const last = { work: 'longest wait for an answer beside dry runs alone', here: `${whole(waits)} ms` }
  return [...lines, ...flowLines('dry runs', alone, beside), last]
}

async function dryRun(
  { port }: Served,
  rule: object,
): Promise<{ seconds: number; examined: number; filtered: number }> {
  const began = performance.now()
  const { text } = await ask(port, '/fault/trapRule/dryRun', { method: 'POST', body: JSON.stringify(rule) })
  const { examined, filtered } = JSON.parse(text)
  return {
    seconds: (performance.now() - began) / 1000,
    examined: Number(examined),
    filtered: Number(filtered),
  }
}
