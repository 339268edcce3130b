// How much processor time the thread of a page has worked.

import type { Page } from 'playwright-core'

/** Processor time of the thread that runs the page, in milliseconds: what a busy machine does not falsify. */
export async function stopwatch(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  let before = 0
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const now = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
    const spent = now - before
    before = now
    return spent
  }
}
