// The service as a process of its own that can say for how long its main thread worked without a pause.

import { startApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { answer } from './children.ts'

const [data = '', flags = '{}'] = process.argv.slice(2)
const app = await startApp(
  readConfig({ data, listen: '127.0.0.1:0', traps: '127.0.0.1:0', ...JSON.parse(flags) }, {}),
)

/** Milliseconds of processor time of the main thread between two looks. A look needs a turn of the event loop. */
let stretches: number[] = []
let before = process.threadCpuUsage()
setInterval(() => {
  const { user, system } = process.threadCpuUsage(before)
  before = process.threadCpuUsage()
  stretches.push((user + system) / 1000)
}, 2).unref()

answer(
  {
    start: () => ({ port: Number(new URL(app.url).port), trapPort: app.trapPort, pid: process.pid }),
    /** What was seen since the last time, longest last. */
    stretches: () => {
      const seen = stretches.sort((a, b) => a - b)
      stretches = []
      return seen
    },
    head: async () => Number((await app.database.all('select max(number) as n from alarm_log'))[0]?.n ?? 0n),
  },
  () => app.stop(),
)
