// What work costs, on whatever machine: processor time, which the load of other processes does not change much, compared
// with that of other work measured in the same moment.

import assert from 'node:assert/strict'

/** Milliseconds of processor time, of all threads of this process. */
export function processorTime(work: () => unknown): number {
  const began = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

/** The same for work that is waited for; whatever else the process does meanwhile is counted. */
export async function processorTimeOf(work: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

/** What this machine does with ordinary code in a few milliseconds: the yardstick. */
function ordinaryWork(): number {
  const words = Array.from({ length: 20_000 }, (_, at) => `word ${at * 7919} of a text`)
  return JSON.stringify(JSON.parse(JSON.stringify(words.map((text) => ({ text }))))).length
}

/** Fails where work costs more than so many times the yardstick, again and again; returns what the work returned. */
export function requireCheap<T>(work: () => T, times: number): T {
  for (let tries = 1; ; tries += 1) {
    let outcome: { value: T } | undefined
    const yardstick = processorTime(ordinaryWork)
    const cost = processorTime(() => {
      outcome = { value: work() }
    })
    if (outcome && cost <= times * yardstick) return outcome.value
    assert(tries < 5, `${Math.round(cost)} ms of processor time, where ${times} × ${yardstick} are allowed`)
  }
}
