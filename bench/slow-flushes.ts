// What callers, monitors, streams and senders of traps notice of a disk whose flushes take longer.

import { spawnSync } from 'node:child_process'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from './frame.ts'
import { askHealth, processed, until } from './requests.ts'
import { at, type Goal, type Line, spread, whole } from './table.ts'
import { alarms, many, open, type Plan, type SentAt, shown, type Written, write } from './writers.ts'

const healthGoal: Goal = { sign: '≤', first: 50, later: 50 }
const trapGoal: Goal = { sign: '≥', first: 0.7, later: 0.7 }
/** Traps a second: more than are processed beside the callers. */
const trapRate = 8000
const warming = 2000

/**
 * A command under which every flush begins later. The kernel hands only flushes over to strace, so that the rest runs as
 * fast as without; the process that is started is the service itself, and strace ends with it.
 */
export function withDelay(milliseconds: number): string[] {
  if (milliseconds === 0) return []
  const calls = 'fsync,fdatasync'
  const inject = `inject=${calls}:delay_enter=${milliseconds * 1000}`
  const tracer = ['strace', '-D', '-f', '--seccomp-bpf', '-o', '/dev/null']
  return [...tracer, '-e', `trace=${calls}`, '-e', inject]
}

export const hasTracer = () => !spawnSync('strace', ['--version'], { stdio: 'ignore' }).error

interface Noticed {
  readonly written: Written
  readonly health: readonly number[]
  /** From the request of a caller until a subscriber has its alarm. */
  readonly pushed: readonly number[]
  readonly traps: number
}

/** Calls back with the number in the text of each alarm that is pushed; returns how to end that. */
async function follow(port: number, arrived: (number: string) => void): Promise<() => void> {
  const asked = request({ host: '127.0.0.1', port, path: '/events?type=11', agent: false })
  asked.on('error', () => undefined).end()
  await new Promise<void>((resolve) => {
    asked.on('response', (response) => {
      let rest = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        const all = rest + text
        const end = all.lastIndexOf('</alarmDesc>') + 1
        for (const [, number = ''] of all.slice(0, end + 12).matchAll(/>Too warm (\d+)</g)) arrived(number)
        rest = all.slice(end)
      })
      response.on('error', () => undefined)
      resolve()
    })
  })
  return () => asked.destroy()
}

/** 32 callers, /health, a subscriber and traps at once, with flushes that begin so much later. */
function beside(stage: Stage<Plan>, milliseconds: number): Promise<Noticed> {
  return stage.nested(async (inner) => {
    const { seconds } = inner.plan
    const service = await open(inner, 'data', withDelay(milliseconds))
    const load = {
      port: service.trapPort,
      rate: trapRate,
      sources: Array.from({ length: 10 }, (_, index) => `127.0.0.${index + 11}`),
    }
    // The devices are registered, and the code is warm.
    await inner.processes.sendTraps({ ...load, rate: 2000, first: 0, different: warming, count: warming })
    await until(async () => (await processed(service)) >= warming * 0.9)
    const raisedBefore = await processed(service)
    let goesOn = true
    const sentAt: SentAt = new Map()
    const pushed: number[] = []
    const endStream = await follow(service.port, (number) => {
      const sent = sentAt.get(number)
      if (sent !== undefined) pushed.push(performance.now() - sent)
    })
    const health = askHealth(service.port, () => goesOn)
    const count = seconds * trapRate
    const traps = inner.processes.sendTraps({ ...load, first: warming, different: count, count })
    const written = await write(service, alarms, many, seconds, sentAt)
    const processedBy = await processed(service)
    goesOn = false
    await traps
    await sleep(500)
    endStream()
    return {
      written,
      health: await health,
      pushed,
      traps: (processedBy - raisedBefore) / seconds,
    }
  })
}

export async function slow(stage: Stage<Plan>): Promise<Line[]> {
  if (!hasTracer()) return []
  const lines: Line[] = []
  let usual: Noticed | undefined
  for (const delay of stage.plan.delays) {
    console.log(`Flushes that take ${delay} ms more…`)
    const noticed = await beside(stage, delay)
    usual ??= noticed
    const when = `flushes + ${delay} ms`
    lines.push(
      { work: `${when}: ${many} callers raise alarms`, here: shown(noticed.written) },
      {
        work: `${when}: /health`,
        here: spread(noticed.health),
        ratio: at(noticed.health, 0.99),
        unit: ' ms',
        goal: healthGoal,
      },
      {
        work: `${when}: a stream, from the request to the alarm`,
        here: spread(noticed.pushed),
        yardstick: spread(usual.pushed),
        ratio: at(noticed.pushed, 0.99) - at(usual.pushed, 0.99),
        unit: ' ms more',
        ...(delay > 0 && { goal: { sign: '≤', first: 2 * delay, later: 2 * delay } as const }),
      },
      {
        work: `${when}: new alarms from traps`,
        here: `${whole(noticed.traps)}/s`,
        yardstick: `${whole(usual.traps)}/s`,
        ratio: noticed.traps / usual.traps,
        goal: trapGoal,
      },
    )
  }
  return lines
}
