// What becomes of new alarms and of answers while the service does something else as well.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Processes, Served } from './processes.ts'
import { pings, processed } from './requests.ts'
import { type Goal, type Line, whole } from './table.ts'

/** Beside heavy work on a machine with two cores, as many as without it would be a wonder. */
const flowGoal: Goal = { sign: '≥', first: 0.5, later: 0.8 }

/** Alarms a second, and the longest wait for an answer in milliseconds. */
interface Flow {
  readonly rate: number
  readonly waits: number
}

/** Sends traps that each become an alarm, again with each call. */
export function flowInto(
  processes: Processes,
  service: Served,
  load: { port: number; count: number; rate: number },
): () => Promise<Flow> {
  const { count } = load
  let first = 0
  return async () => {
    const before = await processed(service)
    const began = performance.now()
    const waits = pings(service)
    await processes.sendTraps({ ...load, first, different: count })
    first += count
    while ((await processed(service)) - before < count) await sleep(20)
    return { rate: count / ((performance.now() - began) / 1000), waits: await waits.end() }
  }
}

/** Does something again and again until it is ended. */
export function repeating(work: () => Promise<unknown>): { end(): Promise<void> } {
  let running = true
  const done = (async () => {
    while (running) await work()
  })()
  return {
    async end() {
      running = false
      await done
    },
  }
}

export function flowLines(others: string, alone: Flow, beside: Flow): Line[] {
  const shown = ({ rate }: Flow) => `${whole(rate)}/s`
  return [
    {
      work: `new alarms beside ${others}`,
      here: shown(beside),
      yardstick: `without: ${shown(alone)}`,
      ratio: beside.rate / alone.rate,
      goal: flowGoal,
    },
    {
      work: 'longest wait for an answer while alarms come in',
      here: `${whole(beside.waits)} ms beside ${others}`,
      yardstick: `without: ${whole(alone.waits)} ms`,
    },
  ]
}
