// Threads for long work come after all others where there are not enough processors: first traps, then answers, then
// what takes long anyway.

import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

const { PRIORITY_BELOW_NORMAL: steps, PRIORITY_LOW: lowest } = constants.priority

/** Lowers the priority of the thread that calls it, below that of the service. */
export function lowerThreadPriority(): void {
  try {
    const [pid, , thread] = readlinkSync('/proc/thread-self').split('/')
    // Where /proc is that of another namespace, its numbers mean other processes.
    if (Number(pid) !== process.pid) return
    setPriority(Number(thread), Math.min(getPriority(process.pid) + steps, lowest))
  } catch {
    // Only on Linux a thread has a priority of its own.
  }
}
