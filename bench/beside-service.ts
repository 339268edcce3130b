// The service as a process of its own that can say for how long its main thread worked without a pause.

import { startApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { answer } from './children.ts'
import { watchStretches } from './stretches.ts'

const [data = '', flags = '{}'] = process.argv.slice(2)
const app = await startApp(
  readConfig({ data, listen: '127.0.0.1:0', traps: '127.0.0.1:0', ...JSON.parse(flags) }, {}),
)

const stretches = watchStretches()

answer(
  {
    start: () => ({ port: Number(new URL(app.url).port), trapPort: app.trapPort, pid: process.pid }),
    stretches,
    head: async () => Number((await app.database.all('select max(number) as n from alarm_log'))[0]?.n ?? 0n),
  },
  () => app.stop(),
)
