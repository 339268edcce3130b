// For how long a thread works without a pause.

/**
 * Looks every 2 ms how much processor time this thread has used since: a look needs a turn of the event loop. The answer
 * takes what was seen since the last time, in milliseconds, longest last.
 */
export function watchStretches(): () => number[] {
  let stretches: number[] = []
  let before = process.threadCpuUsage()
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    stretches.push((user + system) / 1000)
  }, 2).unref()
  return () => {
    const seen = stretches.sort((a, b) => a - b)
    stretches = []
    return seen
  }
}
