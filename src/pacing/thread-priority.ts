// Lowers the priority of threads for long work: if there are not enough processors, traps come first, then responses,
// then long work.

import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

const { PRIORITY_BELOW_NORMAL: steps, PRIORITY_LOW: lowest } = constants.priority

/** Lowers the priority of the thread that calls it, below that of the service. */
export function lowerThreadPriority(): void {
  try {
    const [pid, , thread] = readlinkSync('/proc/thread-self').split('/')
    // If /proc belongs to another namespace, its numbers mean other processes.
    if (Number(pid) !== process.pid) return
    setPriority(Number(thread), Math.min(getPriority(process.pid) + steps, lowest))
  } catch {
    // Only on Linux do threads have separate priorities.
  }
}
